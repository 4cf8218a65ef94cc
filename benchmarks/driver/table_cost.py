"""Time to compile the table of MPI functions, by what is made of it."""

import os
import subprocess
import sys

from driver.compile_cost import COMPILERS
from driver.launch import ROOT
from driver.tables import table

LIBRARIES = {"openmpi": "Open MPI", "mpich": "MPICH"}
# What a unit includes and does not use. The rows include <mpi.h>, and the others the rows.
STAGES = {
    "<mpi.h>": "mpi.h",
    "the rows": "mpiprof/raw/functions.hpp",
    "function objects": "benchmarks/compile_units/table_objects.cpp",
    "member functions": "mpiprof/raw/members.hpp",
}


def flags(library):
    shown = subprocess.run([f"mpicxx.{library}", "-show"], capture_output=True, text=True, check=True).stdout.split()
    return ["-std=c++20", "-O2", "-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1", f"-I{ROOT}",
            *(flag for flag in shown if flag.startswith("-I"))]


def compile_once(compiler, options, header):
    """Milliseconds of processor time."""
    process = subprocess.Popen([compiler, *options, "-x", "c++", "-c", "-o", os.devnull, "-"], stdin=subprocess.PIPE)
    process.stdin.write(f"#include <{header}>\n".encode())
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"tools/bench: {compiler} could not compile an include of <{header}>")
    return 1000 * (usage.ru_utime + usage.ru_stime)


def measure(repetitions, compilers=COMPILERS):
    """{library: {compiler: {stage: the least of the times}}}; stages take turns."""
    found = {}
    for library in LIBRARIES:
        options = flags(library)
        for compiler in compilers:
            runs = [{stage: compile_once(compiler, options, header) for stage, header in STAGES.items()}
                    for _ in range(repetitions)]
            found.setdefault(library, {})[compiler] = {stage: min(run[stage] for run in runs) for stage in STAGES}
    return found


def rows(found):
    """Of each library and compiler: <mpi.h>, what the rows add to it, what each that is made of them adds, and all of that."""
    lines = []
    for library, compilers in found.items():
        for compiler, times in compilers.items():
            alone, of_rows, *made = times.values()
            added = [of_rows - alone, *(each - of_rows for each in made)]
            lines.append([LIBRARIES[library], compiler, f"{alone:.0f}", *(f"{each:.0f}" for each in (*added, sum(added)))])
    return lines


HEAD = ["included and not used, ms", "compiler", "<mpi.h>", "rows", "function objects", "member functions", "all of the table"]


def show(found):
    table("Compiling the table of MPI functions at -O2: processor time beside that of <mpi.h>", HEAD, rows(found))
