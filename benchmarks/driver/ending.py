"""Time at the end of the run: MPI_Finalize, plain and with a profile to merge and write."""

import statistics

from driver.tables import table

MODES = ("plain", "profiled")
RANKS = (1, 2, 4)
ROWS = 100


def measure(programs, repetitions):
    """{ranks: {mode: [milliseconds, …]}}."""
    found = {ranks: {mode: [] for mode in MODES} for ranks in RANKS}
    for _ in range(repetitions):
        for ranks in RANKS:
            for mode in MODES:
                nanoseconds = int(programs.run("ending", mode, ROWS, ranks=ranks).split()[-1])
                found[ranks][mode].append(nanoseconds / 1e6)
    return found


def show(found):
    def row(ranks, times):
        median = {mode: statistics.median(times[mode]) for mode in MODES}
        fastest = {mode: min(times[mode]) for mode in MODES}
        return [str(ranks), *(f"{value[mode]:.2f}" for mode in MODES for value in (median, fastest)),
                f"{median['profiled'] - median['plain']:+.2f}"]

    table(f"MPI_Finalize in ms, with {ROWS} kinds of calls in the profile", ["ranks", "plain, median", "fastest",
          "profiled, median", "fastest", "difference of medians"], [row(ranks, times) for ranks, times in found.items()])
