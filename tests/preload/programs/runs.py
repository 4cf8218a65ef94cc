"""Runs a program as it is, under the counter, and under mpiprof, and reads what they leave."""

import collections
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

# What an operation did on one rank.
Counts = collections.namedtuple("Counts", "calls failed sent received written read")
NOTHING = Counts(0, 0, 0, 0, 0, 0)


@dataclasses.dataclass
class Tools:
    """Where things are, and which MPI library they are for."""
    family: str
    mpiexec: str
    counter: str
    preload: str
    report: str
    yielding: str


@dataclasses.dataclass
class Program:
    """A program to try, and what is known of it."""
    name: str
    command: list
    ranks: int
    # Input files: their contents.
    inputs: dict = dataclasses.field(default_factory=dict)
    # Output files that must be the same, beside what it prints.
    outputs: tuple = ()
    # Makes a text of what may differ between two runs.
    mask: object = None
    status: int = 0
    # How often it calls depends on time: then the counter and mpiprof are compared in one run, the counter in front.
    by_time: bool = False
    # It ends before its time, so that the totals are not those of a whole run.
    aborts: bool = False
    families: tuple = ("openmpi", "mpich")
    environment: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Run:
    status: int
    output: list
    errors: str
    files: dict
    # By rank, by operation.
    counted: list
    profiled: list


def lines(text, mask):
    """In an order that does not depend on which rank came first."""
    return sorted((mask(text) if mask else text).splitlines())


def read_counts(path):
    rows = {}
    for line in path.read_text().splitlines():
        name, *numbers = line.split()
        rows[name] = Counts(*map(int, numbers))
    return rows


def read_profile(path):
    profile = json.loads(path.read_text())
    rows = {}
    for row in profile["operations"]:
        found = row["statistics"]
        rows[row["operation"]] = Counts(*(found[field] for field in Counts._fields))
    return rows


def run(tools, program, with_counter=False, with_mpiprof=False, keep=None):
    """Runs the program in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, content in program.inputs.items():
            (folder / file).write_text(content)
        preloads = [tools.counter] * with_counter + [tools.preload] * with_mpiprof
        preloads += [tools.yielding] * (tools.family == "mpich")
        # Results stand beside the folder in which the program leaves its own files.
        with tempfile.TemporaryDirectory() as results:
            results = pathlib.Path(results)
            settings = {**program.environment, "COUNTER_OUTPUT": f"{results}/counted", "MPIPROF": f"output={results}/profile.json,merge=files",
                        "LD_PRELOAD": ":".join(preloads)}
            command = [tools.mpiexec, "-n", str(program.ranks), "env", *(f"{key}={value}" for key, value in settings.items()),
                       *program.command]
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
            if keep:
                shutil.copytree(results, keep, dirs_exist_ok=True)
            files = {}
            for file in program.outputs:
                content = (folder / file).read_bytes()
                files[file] = lines(content.decode(), program.mask) if program.mask else content
            left = sorted(set(os.listdir(folder)) - set(program.inputs))
            files["left behind"] = left
            return Run(done.returncode, lines(done.stdout, program.mask), done.stderr, files,
                       read_all(results, "counted.{}", program.ranks, read_counts),
                       read_all(results, "profile.rank{}.json" if program.ranks > 1 else "profile.json", program.ranks, read_profile))


def read_all(folder, name, ranks, read):
    paths = [folder / name.format(rank) for rank in range(ranks)]
    return [read(path) for path in paths if path.is_file()]


def mask_fractions(text):
    """Without numbers that have a fraction or an exponent, which are times and rates, and without the date; words and
    integers stay."""
    text = re.sub(r"[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \d{4}", "DATE", text)
    return re.sub(r"[ \t]*[-+]?\b\d+\.\d*(?:[eEdD][-+]?\d+)?", " #", text)
