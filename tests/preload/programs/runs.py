"""Runs a program as it is, under the counter and under mpiprof, and reads what they leave."""

import collections
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile

# What an operation did on one rank.
Counts = collections.namedtuple("Counts", "calls failed sent received written read")


@dataclasses.dataclass
class Tools:
    """Where things are, and which MPI library they are for."""
    family: str
    mpiexec: str
    # mpi_env.sh
    environment: str
    counter: str
    preload: str
    mpiprof: str
    # What makes MPICH's ranks give up their core while they wait.
    yielding: str


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
    output: list
    errors: str
    files: dict
    left: list
    # By rank, by operation.
    counted: list
    profiled: list
    # What `mpiprof report` prints, of all ranks.
    report: subprocess.CompletedProcess = None


def lines(text, mask):
    """In an order that does not depend on which rank came first."""
    return sorted(mask(text).splitlines())


def read_counts(path):
    rows = {}
    for line in path.read_text().splitlines():
        name, *numbers = line.split()
        rows[name] = Counts(*map(int, numbers))
    return rows


def read_profile(path):
    return {row["operation"]: Counts(*(row["statistics"][field] for field in Counts._fields))
            for row in json.loads(path.read_text())["operations"]}


def read_all(folder, pattern, ranks, read):
    paths = [folder / pattern.format(rank) for rank in range(ranks)]
    return [read(path) for path in paths if path.is_file()]


def run(tools, program, with_counter=False, with_mpiprof=False):
    """Runs the program in a folder of its own; what it is measured by stands in another."""
    preloads = [tools.counter] * with_counter + [tools.preload] * with_mpiprof + [tools.yielding] * (tools.family == "mpich")
    with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there:
        here, there = pathlib.Path(here), pathlib.Path(there)
        for name, content in program.inputs.items():
            (here / name).write_text(content)
        variables = {"LD_PRELOAD": ":".join(preloads), "COUNTER_OUTPUT": there / "counted",
                     "MPIPROF": f"output={there}/profile.json, merge=files, shards={there}"}
        command = ["bash", "-c", 'source "$0"; mpi_environment "$1"; shift; exec "$@"', tools.environment, there, tools.mpiexec, "-n", str(program.ranks),
                   "env", *(f"{key}={value}" for key, value in variables.items()), *program.command]
        done = subprocess.run(command, cwd=here, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=250)
        files = {name: lines((here / name).read_text(errors="backslashreplace"), program.mask) for name in program.outputs}
        left = sorted(set(os.listdir(here)) - {*program.inputs, *program.outputs, *program.leaves})
        report = None
        if with_mpiprof and not program.aborts:
            report = subprocess.run([tools.mpiprof, "report", *map(str, there.glob("profile*.json"))], capture_output=True,
                                    text=True, timeout=60)
        return Run(done.returncode, lines(done.stdout, program.mask), done.stderr, files, left,
                   read_all(there, "counted.{}", program.ranks, read_counts),
                   read_all(there, "profile.rank{}.json", program.ranks, read_profile), report)


def mask_fractions(text):
    """Without the numbers that have a fraction or an exponent, which are times and rates, and without the time of day; words
    and integers stay."""
    text = re.sub(r"[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \d{4}", "DATE", text)
    return re.sub(r"[ \t]*[-+]?\b\d+(?:\.\d*(?:[eEdD][-+]?\d+)?|[eE][-+]?\d+)", " #", text)
