"""Times of plain calls with nothing preloaded, with the lower bound and with mpiprof."""

import json
import statistics

from driver.tables import short, table

LIBRARIES = {"plain": None, "bound": "benchmarks/liblower_bound.so", "mpiprof": "mpiprof/preload/libmpiprof_preload.so"}
HEAD = ["call", "plain, ns", "lower bound, over plain", "mpiprof, over plain", "/ bound"]


def measure(programs, output, processes, repetitions, seconds):
    """{call: {variant: ns}}. What is preloaded is so for a whole process, and one process differs from the next, so that
    each variant has several, in turn; of each the fastest chunk is taken, and of those the median."""
    file = output / "preload.json"
    found = {}
    for _ in range(processes):
        for variant, library in LIBRARIES.items():
            programs.run("preloaded", f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={seconds}",
                         "--benchmark_enable_random_interleaving=true", f"--benchmark_out={file}", "--benchmark_out_format=json",
                         preload=library)
            for call, nanoseconds in read(file).items():
                found.setdefault(call, {}).setdefault(variant, []).append(nanoseconds)
    return {call: {variant: statistics.median(times) for variant, times in variants.items()} for call, variants in found.items()}


def read(file):
    """{call: ns} of the fastest chunk, in the order of registration."""
    entries = [entry for entry in json.loads(file.read_text())["benchmarks"] if entry.get("aggregate_name") == "fastest"]
    assert all(entry["time_unit"] == "ns" for entry in entries)
    return {entry["run_name"].removesuffix("/real_time"): entry["real_time"]
            for entry in sorted(entries, key=lambda entry: entry["family_index"])}


def over_plain(times, variant):
    return times[variant] - times["plain"]


def ratio(times):
    """mpiprof's overhead by the lower bound's; None where the noise has swallowed the bound's."""
    base = over_plain(times, "bound")
    return over_plain(times, "mpiprof") / base if base > 0 else None


def rows(found):
    return [[call, short(times["plain"]), short(over_plain(times, "bound")), short(over_plain(times, "mpiprof")),
             "-" if ratio(times) is None else f"{ratio(times):.2f}"] for call, times in found.items()]


def show(found):
    table("Preloaded, ns an iteration", HEAD, rows(found))
