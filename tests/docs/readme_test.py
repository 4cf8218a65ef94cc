"""The code in README.md and docs/traces.md compiles, with profiling on and off, and its programs run and leave a profile."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = os.getcwd()
FLAGS = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-I" + ROOT]
MPI = ["-DOMPI_SKIP_MPICXX=1"]


def blocks():
    return [block for name in ("README.md", "docs/traces.md")
            for block in re.findall(r"```cpp\n(.*?)```", pathlib.Path(name).read_text(encoding="utf-8"), re.DOTALL)]


def includes():
    shown = subprocess.run(["mpicxx.openmpi", "-show"], capture_output=True, text=True, check=True).stdout.split()
    return [flag for part in shown if part.startswith("-I") for flag in ("-isystem", part[2:])]


def compile_block(code, *more):
    return subprocess.run(["g++", *FLAGS, *MPI, *includes(), "-x", "c++", "-", *more], input=code, text=True,
                          capture_output=True)


class Readme(unittest.TestCase):
    def test_every_block_compiles_on_and_off(self):
        self.assertGreaterEqual(len(blocks()), 6)
        # Programs are compiled with profiling on to be run.
        cases = [(code,) for code in blocks() if "int main" not in code] + [(code, "-DMPIPROF_DISABLED") for code in blocks()]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for result in pool.map(lambda case: compile_block(*case, "-fsyntax-only"), cases):
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_programs_run_and_leave_a_profile(self):
        programs = [code for code in blocks() if "int main" in code]
        self.assertEqual(len(programs), 2)
        for number, code in enumerate(programs):
            with tempfile.TemporaryDirectory() as folder:
                program = os.path.join(folder, f"program{number}")
                result = compile_block(code, "-o", program, "-lboost_mpi", "-lboost_serialization",
                                       "-L/usr/lib/x86_64-linux-gnu/openmpi/lib", "-lmpi")
                self.assertEqual(result.returncode, 0, result.stderr)
                subprocess.run(["bash", "-c", 'source "$0"; mpi_environment "$1"; cd "$1"; mpirun.openmpi -n 2 "$2"',
                                os.path.join(ROOT, "bazel/mpi_env.sh"), folder, program], check=True, timeout=60)
                name = "run.mpiprof.json" if "run.mpiprof.json" in code else f"program{number}.mpiprof.json"
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    run = json.load(file)
                self.assertEqual(run["ranks"], [{"first": 0, "last": 1}])
                self.assertGreater(len(run["operations"]), 2)


if __name__ == "__main__":
    unittest.main()
