"""What the benchmarks shall show, and whether they do."""

from driver import calls, compile_cost, instructions, preload
from driver.tables import table

SUMMARY = "{}/payload/summary"
# Where it is not one call that is measured.
CALLS = {"send_recv_1": 2, "send_recv_1000": 2}


def missed(value, limit):
    """The verdict of a value that shall not exceed a limit."""
    if value is None:
        return "not measurable: the bound is lost in the noise"
    excess = round(value - limit, 2)
    return "met" if excess <= 0 else f"missed by {excess:.2f}"


def of_calls(found):
    """Overheads by those of the lower bounds, by the medians and by the fastest chunks; of the calls that are so short that
    the bounds' overheads can be told from the noise."""
    for operation, times in found.items():
        if operation.startswith("boost_send"):
            for variant in ("none/payload/tally", SUMMARY.format("tsc")):
                yield f"{operation}: time of {variant} / plain, median", times[variant]["median"] / times["plain"]["median"], 1.0
            continue
        for timing, bound, limit in (("tsc", "bound_rdtsc", 1.5), ("steady", "bound_clock_gettime", 1.3)):
            for statistic in ("median", "fastest"):
                value = calls.ratio(times, SUMMARY.format(timing), bound, statistic)
                yield f"{operation}: overhead of {SUMMARY.format(timing)} / {bound}, {statistic}", value, limit
            if timing == "tsc":
                name = SUMMARY.format(timing)
                more = calls.overhead(times, f"{name}+trace") - calls.overhead(times, name)
                yield f"{operation}: ns a call of a trace beside {name}", more / CALLS.get(operation, 1), 10
    variant = SUMMARY.format("tsc")
    one, many = (calls.overhead(found[name], variant) for name in ("send_recv_1", "send_recv_1000"))
    yield "overhead with 1000 pairs / with 1 pair, median", many / one if one > 0 else None, 1.1


def of_preload(found):
    for call, times in found.items():
        yield f"{call}: overhead of mpiprof preloaded / lower bound preloaded", preload.ratio(times), 2.0


def of_instructions(found):
    for operation, variants in found.items():
        yield (f"{operation}: instructions a call of {SUMMARY.format('tsc')} over plain",
               instructions.over_plain(variants, SUMMARY.format("tsc")) / CALLS.get(operation, 1), 60)
        # The library itself does some things only every so many calls.
        yield f"{operation}: instructions of off over plain", round(instructions.over_plain(variants, "off")), 0


def of_memory(found):
    for key in ("heap", "resident"):
        yield f"growth of memory ({key}), largest", max(grown[key] for grown in found.values()), 0


def of_compiling(found):
    for unit in compile_cost.PROGRAMS:
        for compiler, modes in found[unit].items():
            for mode, limit in (("on", 1.15), ("off", 1.05)):
                yield f"{unit}, {compiler}: time to compile {mode} / plain", compile_cost.ratio(modes, mode), limit
            difference = abs(modes["off"]["size"] - modes["plain"]["size"])
            yield f"{unit}, {compiler}: object size off - plain", difference, 0


CHECKS = {"calls": of_calls, "preload": of_preload, "instructions": of_instructions, "memory": of_memory, "compile": of_compiling}


def show(results):
    """Prints all targets of the parts that ran; returns them for the JSON."""
    checked = [{"target": name, "value": value, "limit": limit, "verdict": missed(value, limit)}
               for part, check in CHECKS.items() if part in results for name, value, limit in check(results[part])]
    table("Targets", ["target", "value", "limit", ""],
          [[one["target"], "-" if one["value"] is None else f"{one['value']:.2f}", f"{one['limit']:g}", one["verdict"]]
           for one in checked])
    return checked
