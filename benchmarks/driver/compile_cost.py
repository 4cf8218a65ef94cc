"""Time, memory and object size of compiling a unit without mpiprof, and with it on and off."""

import os
import subprocess
import sys
import tempfile

from driver.launch import ROOT
from driver.tables import table

UNITS = {
    "include of the C API": "benchmarks/compile_units/include_c_api.cpp",
    "program on the C API": "benchmarks/compile_units/c_api.cpp",
    "include of Boost.MPI": "benchmarks/compile_units/include_boost_mpi.cpp",
    "program on Boost.MPI": "examples/word_count/main.cpp",
}
# Beside an include of <mpi.h> alone, which takes next to nothing, any ratio is large: targets are of whole programs.
PROGRAMS = [unit for unit in UNITS if unit.startswith("program")]
MODES = {
    "plain": ["-DPLAIN", "-Ibenchmarks/compile_units/plain"],
    "on": [],
    "off": ["-DMPIPROF_DISABLED"],
}
COMPILERS = ("g++", "clang++-14")


def flags():
    shown = subprocess.run(["mpicxx.openmpi", "-show"], capture_output=True, text=True, check=True).stdout.split()
    return ["-std=c++20", "-O2", "-DOMPI_SKIP_MPICXX=1", *(flag for flag in shown if flag.startswith("-I"))]


def compile_once(compiler, unit, mode):
    """User seconds and peak MiB of the compiler with all its processes, and bytes of code and data."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "unit.o")
        process = subprocess.Popen([compiler, *flags(), *MODES[mode], f"-I{ROOT}", "-c", unit, "-o", out], cwd=ROOT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"tools/bench: {compiler} could not compile {unit} {mode}")
        sizes = subprocess.run(["size", out], capture_output=True, text=True, check=True).stdout.splitlines()[1].split()
        return {"seconds": usage.ru_utime, "MiB": usage.ru_maxrss / 1024, "size": int(sizes[3])}


def measure(repetitions, compilers=COMPILERS):
    """{unit: {compiler: {mode: the least of each number}}}; modes take turns."""
    found = {}
    for unit, source in UNITS.items():
        for compiler in compilers:
            runs = {mode: [] for mode in MODES}
            for _ in range(repetitions):
                for mode in MODES:
                    runs[mode].append(compile_once(compiler, source, mode))
            found.setdefault(unit, {})[compiler] = {
                mode: {key: min(run[key] for run in several) for key in several[0]} for mode, several in runs.items()}
    return found


def ratio(modes, mode, key="seconds"):
    return modes[mode][key] / modes["plain"][key]


def show(found):
    rows = []
    for unit, compilers in found.items():
        for compiler, modes in compilers.items():
            rows.append([unit, compiler, *(f"{modes['plain'][key]:.{digits}f}" for key, digits in (("seconds", 2), ("MiB", 0))),
                         *(f"{ratio(modes, mode, key):.2f}" for key in ("seconds", "MiB") for mode in ("on", "off")),
                         *(str(modes[mode]["size"]) for mode in MODES)])
    table("Compiling a unit at -O2: user time and peak memory without mpiprof, and with it by those; code and data in bytes",
          ["unit", "compiler", "s plain", "MiB plain", "s on /", "s off /", "MiB on /", "MiB off /", "size plain", "on", "off"],
          rows)
