"""Runs programs plainly, under the preload library or by `mpiprof run`, and reads the profiles that they left.

Tests get by their command line what tests.bzl names; programs are beside the test.
"""

import argparse
import contextlib
import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile

PLAIN, PRELOADED, BY_COMMAND = "plain", "LD_PRELOAD", "mpiprof run"

_parser = argparse.ArgumentParser()
for _name in ("mpiexec", "family", "preload", "mpiprof"):
    _parser.add_argument("--" + _name, required=True)
_options, sys.argv[1:] = _parser.parse_known_args()
FAMILY = _options.family
MPIEXEC = _options.mpiexec
PRELOAD = os.path.abspath(_options.preload)
MPIPROF = os.path.abspath(_options.mpiprof)
_PROGRAMS = os.path.dirname(os.path.abspath(sys.argv[0]))
_ENVIRONMENT = os.path.abspath("bazel/mpi_env.sh")

# Launchers mix the lines of ranks, so each rank writes a file. Only the program is preloaded.
_RANK = """
exec >"$1/output.${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}"
shift
exec "$@"
"""


@dataclasses.dataclass
class Finished:
    """What a run left."""
    status: int
    # Of each rank.
    outputs: list
    stderr: str
    # By their file names.
    profiles: dict
    # Names of other files in the program's folder.
    files: list

    def of_rank(self, rank):
        """The profile of a rank on its own."""
        [profile] = [each for name, each in self.profiles.items() if name.endswith(f".rank{rank}.json")]
        return profile


def totals(profile):
    """What each operation did, so far as it is not 0: {operation: {field: number}}."""
    return {row["operation"]: {field: value for field, value in row["statistics"].items() if isinstance(value, int) and value}
            for row in profile["operations"]}


def program(name):
    """The path of a program that stands beside the test."""
    return os.path.join(_PROGRAMS, name)


def _started(how, preload):
    return {PLAIN: [], PRELOADED: ["env", "LD_PRELOAD=" + preload], BY_COMMAND: [MPIPROF, "run"]}[how]


def folder():
    """A folder, for a `with`."""
    return tempfile.TemporaryDirectory()


def report(*paths):
    """What `mpiprof report` prints."""
    return subprocess.run([MPIPROF, "report", *paths], capture_output=True, text=True, check=True, timeout=60).stdout


def run(command, ranks=2, how=PLAIN, settings="", preload=PRELOAD, cwd=None, timeout=50):
    """Runs a command in an empty folder, or in `cwd`, on so many ranks, or without a launcher where `ranks` is 0."""
    with tempfile.TemporaryDirectory() as outputs, contextlib.nullcontext(cwd) if cwd else folder() as place:
        launcher = [MPIEXEC, "-n", str(ranks)] if ranks else []
        result = subprocess.run(
            ["bash", "-c", 'source "$0"; mpi_environment "$1"; shift; exec "$@"', _ENVIRONMENT, outputs, *launcher,
             "bash", "-c", _RANK, "rank", outputs, *_started(how, preload), *command],
            cwd=place, env={**os.environ, **({"MPIPROF": settings} if settings else {})},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)
        profiles, files = {}, []
        for name in sorted(os.listdir(place)):
            if re.fullmatch(r".*\.mpiprof(\.rank\d+)?\.json", name):
                profiles[name] = json.loads(_text(os.path.join(place, name)))
            else:
                files.append(name)
        return Finished(result.returncode, [_text(os.path.join(outputs, f"output.{rank}")) for rank in range(max(ranks, 1))],
                        result.stderr, profiles, files)


def _text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()
