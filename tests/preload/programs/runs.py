"""The programs to try, run plainly, under the counter, under mpiprof, and what they leave of it."""

import collections
import dataclasses
import os
import pathlib
import re
import tempfile

import preloaded

# What an operation did on one rank.
Counts = collections.namedtuple("Counts", "calls failed sent received written read")


@dataclasses.dataclass
class Program:
    """A program to try, and what is known of it."""
    name: str
    command: list
    ranks: int
    # Input files and their contents.
    inputs: dict = dataclasses.field(default_factory=dict)
    # Output files that must be the same, beside what it prints.
    outputs: tuple = ()
    # Makes of a text what may not differ between two runs.
    mask: object = str
    # Files that it leaves, but for those.
    leaves: tuple = ()
    # Operations whose number of calls depends on time: those that look whether something has come.
    polls: tuple = ()
    # Or all numbers of calls do: then the counter and mpiprof are compared in one run, the counter in front.
    by_time: bool = False
    # It ends before MPI_Finalize, with some ranks before others, so that there are no totals to compare.
    aborts: bool = False
    # It completes requests where nobody sees it.
    waits_by_itself: bool = False
    families: tuple = ("openmpi", "mpich")


@dataclasses.dataclass
class Run:
    status: int
    # What each rank printed and what output files have, masked, as lines.
    texts: dict
    errors: str
    left: list
    # Operations of each rank.
    counted: list
    profiled: list
    # The profile that `mpiprof run` has merged.
    merged: dict
    # What `mpiprof report` prints of the shards of a run that has not come to its end.
    report: str


def read_counts(folder, ranks):
    paths = [folder / f"counted.{rank}" for rank in range(ranks)]
    return [read_rows(path.read_text()) for path in paths if path.is_file()]


def read_rows(text):
    rows = (line.split() for line in text.splitlines())
    return {name: Counts(*map(int, numbers)) for name, *numbers in rows}


def of_profile(profile):
    return {row["operation"]: Counts(*(row["statistics"][field] for field in Counts._fields)) for row in profile["operations"]}


def run(program, libraries=(), how=preloaded.PRELOADED):
    """Runs the program in a folder of its own, with these libraries preloaded, or by `mpiprof run`."""
    with preloaded.folder() as here, tempfile.TemporaryDirectory() as there:
        here, there = pathlib.Path(here), pathlib.Path(there)
        for name, content in program.inputs.items():
            (here / name).write_text(content)
        command = ["env", f"COUNTER_OUTPUT={there}/counted", *map(str, program.command)]
        settings = f"shards={there}" + (", merge=files" if how == preloaded.PRELOADED else "")
        done = preloaded.run(command, program.ranks, how, settings, ":".join(libraries), cwd=here, timeout=250)
        texts = {f"rank {rank}": text for rank, text in enumerate(done.outputs)}
        texts |= {name: (here / name).read_text(errors="backslashreplace") for name in program.outputs}
        ranks = [done.profiles[name] for name in sorted(done.profiles) if ".rank" in name]
        merged = [profile for name, profile in done.profiles.items() if ".rank" not in name]
        shards = sorted(there.glob("*.shards"))
        return Run(done.status, {name: program.mask(text).splitlines() for name, text in texts.items()}, done.stderr,
                   sorted(set(done.files) - {*program.inputs, *program.outputs, *program.leaves}),
                   read_counts(there, program.ranks), [of_profile(profile) for profile in ranks],
                   of_profile(merged[0]) if len(merged) == 1 else {}, preloaded.report(*shards) if shards else "")


def mask_fractions(text):
    """Without the numbers that have a fraction or an exponent, which are times and rates, and without the time of day; words
    and integers stay."""
    text = re.sub(r"[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \d{4}", "DATE", text)
    return re.sub(r"[ \t]*[-+]?\b\d+(?:\.\d*(?:[eEdD][-+]?\d+)?|[eE][-+]?\d+)", " #", text)
