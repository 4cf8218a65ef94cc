"""The tables of docs/cost.md, from the numbers of a run."""

import re
import statistics

from driver import archives, calls, compile_cost, instructions, preload, table_cost
from driver.tables import short

VARIANTS = {
    "bound_rdtsc": "lower bound, rdtsc", "none/payload/summary": "none / payload / summary",
    "tsc/none/tally": "tsc / none / tally", "tsc/payload/tally": "tsc / payload / tally",
    "tsc/payload/callback": "tsc / payload / callback", "tsc/payload/summary": "**tsc / payload / summary**",
    "tsc/payload/summary+trace": "tsc / payload / summary + trace",
    "bound_clock_gettime": "lower bound, clock_gettime", "steady/payload/tally": "steady / payload / tally",
    "steady/payload/summary": "steady / payload / summary", "paused": "paused", "off": "off",
}
BOUNDS = {"tsc": "bound_rdtsc", "steady": "bound_clock_gettime"}


def markdown(head, rows):
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def of_machine(machine):
    return "\n".join(["```text", *(f"{key}: {value}" for key, value in machine.items()), "```"])


def of_calls(found):
    operations = [operation for operation in found if not operation.startswith("boost_")]

    def cell(operation, variant):
        times = found[operation]
        text = short(calls.overhead(times, variant))
        bound = BOUNDS.get(variant.split("/")[0])
        value = calls.ratio(times, variant, bound) if bound else None
        return text if value is None else f"{text} ({value:.2f})"

    plain = ["plain, ns", *(short(found[operation]["plain"]["median"]) for operation in operations)]
    return markdown(["over plain, ns (/ bound)", *operations],
                    [plain, *([text, *(cell(operation, variant) for operation in operations)] for variant, text in VARIANTS.items())])


def of_boost(found):
    operations = [operation for operation in found if operation.startswith("boost_")]
    variants = ["none/payload/tally", "tsc/payload/tally", "tsc/payload/summary", "steady/payload/summary", "off"]
    plain = ["plain, ns", *(short(found[operation]["plain"]["median"]) for operation in operations)]
    return markdown(["/ plain", *operations],
                    [plain, *([VARIANTS.get(variant, variant), *(f"{found[operation][variant]['median'] / found[operation]['plain']['median']:.2f}"
                                                                 for operation in operations)] for variant in variants)])


def of_archives(found):
    return markdown(archives.HEAD, archives.rows(found))


def of_instructions(found):
    operations = [operation for operation in found if not operation.startswith("boost_")]
    plain = ["plain", *(f"{found[operation]['plain']:.0f}" for operation in operations)]
    return markdown(["over plain", *operations],
                    [plain, *([text, *(f"{instructions.over_plain(found[operation], variant):+.0f}" for operation in operations)]
                              for variant, text in VARIANTS.items() if not variant.endswith("clock_gettime") and "steady" not in variant)])


def of_preload(found):
    return markdown(preload.HEAD, preload.rows(found))


def of_memory(found):
    largest = max(max(grown.values()) for grown in found.values())
    return f"Over 10^6 calls more, heap and resident set grow by {largest} bytes, in each of {len(found)} cases."


def of_ending(found):
    def row(ranks, times):
        median = {mode: statistics.median(several) for mode, several in times.items()}
        return [str(ranks), *(f"{median[mode]:.1f}" for mode in ("plain", "profiled"))]

    return markdown(["MPI_Finalize, ms: ranks", "plain", "with a profile to merge and write"],
                    [row(ranks, times) for ranks, times in found.items()])


def of_compiling(found):
    rows = [[unit, compiler, f"{modes['plain']['seconds']:.2f}",
             *(f"{compile_cost.ratio(modes, mode, key):.2f}" for key in ("seconds", "MiB") for mode in ("on", "off")),
             *(str(modes[mode]["size"]) for mode in ("plain", "on", "off"))]
            for unit, compilers in found.items() for compiler, modes in compilers.items()]
    return markdown(["unit, -O2", "compiler", "plain, s", "on /", "off /", "memory, on /", "off /", "bytes of code and data, plain", "on", "off"],
                    rows)


def of_table(found):
    return markdown(table_cost.HEAD, table_cost.rows(found))


PARTS = {"machine": [("machine", of_machine)], "calls": [("calls", of_calls), ("boost", of_boost)],
         "preload": [("preload", of_preload)],
         "archives": [("archives", of_archives)], "instructions": [("instructions", of_instructions)], "memory": [("memory", of_memory)],
         "ending": [("ending", of_ending)], "compile": [("compile", of_compiling)],
         "table": [("table", of_table)]}


def write(path, results):
    """Puts the tables of the parts that ran between their markers."""
    text = path.read_text()
    for part, tables in PARTS.items():
        for name, make in tables if part in results else []:
            block = f"<!-- {name} -->\n{make(results[part])}\n<!-- end -->"
            text, found = re.subn(rf"<!-- {name} -->.*?<!-- end -->", lambda _: block, text, flags=re.DOTALL)
            if found != 1:
                raise SystemExit(f"tools/bench: {path} has {found} places for the table '{name}', not one")
    path.write_text(text)
