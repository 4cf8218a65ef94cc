"""Times of calls: each operation in all variants, interleaved in one process."""

import json

from driver.tables import short, table


def operations(programs, program, ranks=None):
    """The operations that the program has cases of, in order."""
    listed = programs.run(program, "--benchmark_list_tests=true", ranks=ranks).split()
    return list(dict.fromkeys(name.split("/")[0] for name in listed))


def measure(programs, output, program, repetitions, seconds, ranks=None):
    """{operation: {variant: {"median": ns, "fastest": ns}}}; Google Benchmark's own files stay in the output folder."""
    folder = output / program
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for operation in operations(programs, program, ranks):
        file = folder / f"{operation}.json"
        programs.run(program, f"--benchmark_filter=^{operation}/", f"--benchmark_repetitions={repetitions}",
                     f"--benchmark_min_time={seconds}", "--benchmark_enable_random_interleaving=true",
                     f"--benchmark_out={file}", "--benchmark_out_format=json", ranks=ranks)
        found[operation] = read(file)
    return found


def read(file):
    """The aggregates of each variant, in the order of registration: interleaving has shuffled the file."""
    entries = json.loads(file.read_text())["benchmarks"]
    variants = {}
    for entry in sorted(entries, key=lambda entry: entry["family_index"]):
        if entry.get("aggregate_name") in ("median", "fastest"):
            assert entry["time_unit"] == "ns"
            variant = entry["run_name"].split("/", 1)[1].removesuffix("/real_time")
            variants.setdefault(variant, {})[entry["aggregate_name"]] = entry["real_time"]
    return variants


def overhead(times, variant, statistic="median"):
    """Nanoseconds over the plain call."""
    return times[variant][statistic] - times["plain"][statistic]


def ratio(times, variant, bound, statistic="median"):
    """Overhead by the overhead of a lower bound; None where the noise has swallowed the bound's."""
    base = overhead(times, bound, statistic)
    return overhead(times, variant, statistic) / base if base > 0 else None


def show(operation, times):
    def row(variant):
        ratios = [ratio(times, variant, bound) for bound in ("bound_rdtsc", "bound_clock_gettime")]
        return [variant, short(times[variant]["median"]), short(times[variant]["fastest"]), short(overhead(times, variant)),
                f"{times[variant]['median'] / times['plain']['median']:.2f}",
                *("-" if value is None else f"{value:.2f}" for value in ratios)]

    table(f"{operation}: ns an iteration, median and fastest chunk", ["variant", "median", "fastest", "over plain", "/ plain",
          "/ rdtsc bound", "/ clock_gettime bound"], [row(variant) for variant in times])
