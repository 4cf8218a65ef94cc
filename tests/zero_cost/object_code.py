"""Compiles a body of functions in two ways and compares the object code, function by function.

No expected text is stored: what one way gives is what the other must give, so a new compiler needs no new expectation.
"""

import bisect
import concurrent.futures
import os
import re
import subprocess
import tempfile

ROOT = os.getcwd()
BODIES = os.path.join(ROOT, "tests/zero_cost")
COMPILERS = ["g++", "clang++-14", "clang++-19"]
# With tools/test --all; else -O2 stands for all levels, and is what most programs are compiled with.
ALL = "MPIPROF_TEST_ALL" in os.environ
LEVELS = ["O1", "O2", "O3", "Os"] if ALL else ["O2"]
OPEN_MPI = "mpicxx.openmpi"
MPICH = "mpicxx.mpich"


def mpi_flags(wrapper, start):
    """The wrapper compiler's flags that start so."""
    shown = subprocess.run([wrapper, "-show"], capture_output=True, text=True, check=True).stdout
    return [flag for flag in shown.split() if flag.startswith(start)]


def compile_object(out, compiler, body, *flags, wrapper=OPEN_MPI):
    subprocess.run([compiler, "-std=c++20", "-w", "-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1", "-I" + ROOT,
                    *mpi_flags(wrapper, "-I"), *flags, "-c", os.path.join(BODIES, body), "-o", out], check=True)


class ObjectCode:
    """`functions`: the instructions and relocations of each, without addresses and padding. `sizes`: the bytes of code
    and of data, and how many functions run before main."""

    def __init__(self, file):
        self.functions = functions(file)
        self.sizes = sizes(file)


def plain_names(text):
    """Symbols without the communicator's type, which is a parameter of the bodies' templates, called <row>_caller or
    <name>_over."""
    return re.sub(r"_Z[NL]*\d+([A-Za-z_]+?_(caller|over))I\w+", r"\1", text)


def functions(file):
    text = plain_names(subprocess.run(["objdump", "-dr", "--no-show-raw-insn", file], capture_output=True, text=True,
                                      check=True).stdout)
    found = {}
    offsets = {}  # of each line of a function that is kept
    for line in text.splitlines():
        if head := re.match(r"([0-9a-f]+) <([^>]+)>:", line):
            begin = int(head[1], 16)
            body = found.setdefault(head[2], [])
            offset = offsets.setdefault(head[2], [])
        elif relocation := re.match(r"\s+[0-9a-f]+: (R_\S+)\s+(\S+)", line):
            # Where a call goes is what the linker is told; what stands in its place until then is nothing. And where it
            # will find a constant, or the part of a function that is seldom run, is not code.
            body[-1] = re.sub(r" <.*", "", body[-1])
            body.append(relocation[1] + " " + re.sub(r"^\.(rodata|L|text)[\w.]*([-+]0x[0-9a-f]+)?$", r"\1", relocation[2]))
            offset.append(offset[-1])
        elif instruction := re.match(r"\s+([0-9a-f]+):\s+(.*)", line):
            code = re.sub(r"\b[0-9a-f]+ (<[^>]*>)", r"\1", instruction[2]).split("#")[0]
            if not re.match(r"(data16 |cs )*(nop|xchg\s+%ax,%ax)", code):
                body.append(re.sub(r"\s+", " ", code).strip())
                offset.append(int(instruction[1], 16) - begin)
    return {name: [jump_by_line(line, name, offsets[name]) for line in body] for name, body in found.items()}


def jump_by_line(line, function, offsets):
    """A jump within a function to the number of its line, since how many bytes lie between depends on padding too."""
    def number(target):
        return f"<line {bisect.bisect_left(offsets, int(target[1], 16))}>"
    return re.sub(rf"<{re.escape(function)}\+0x([0-9a-f]+)>", number, line)


def sizes(file):
    text = subprocess.run(["size", "-A", file], capture_output=True, text=True, check=True).stdout
    found = dict.fromkeys(["text", "data", "rodata", "bss", "init_array", "gcc_except_table"], 0)
    for name, size in re.findall(r"^\.([\w.]+)\S*\s+(\d+)", text, re.MULTILINE):
        kind = name.split(".")[0]
        if kind in found:
            found[kind] += int(size)
    return found


# What compile_all compiled: several tests compare with the same plain code.
compiled = {}


def compile_all(jobs):
    """The object code of each job, a tuple (compiler, body, flags…); MPICH among the flags chooses that library. Two
    compile at a time."""
    def one(job):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "body.o")
            compile_object(file, *[part for part in job if part != MPICH], wrapper=MPICH if MPICH in job else OPEN_MPI)
            return ObjectCode(file)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        new = [job for job in dict.fromkeys(jobs) if job not in compiled]
        compiled.update(zip(new, pool.map(one, new)))
    return {job: compiled[job] for job in jobs}


def link_with_a_stub(program, compiler, objects, *flags, linked=None):
    """Links a program, of the objects or of `linked`, with an MPI that does nothing: each function that the objects lack
    counts its calls in `calls`, or only returns where mpiprof itself asks, which then finds that MPI does not run."""
    text = "".join(subprocess.run(["gcc-nm", "-u", file], capture_output=True, text=True, check=True).stdout
                   for file in objects)
    with open(program + "_stub.c", "w", encoding="utf-8") as stub:
        stub.write("long calls;\n")
        for name in sorted(set(re.findall(r"U (P?MPI_\w+)", text))):
            stub.write(f"int {name}(void) {{ {'++calls; ' if name.startswith('MPI_') else ''}return 0; }}\n")
    subprocess.run(["gcc", "-O2", "-c", stub.name, "-o", program + "_stub.o"], check=True)
    return subprocess.run([compiler, *flags, *(linked or objects), program + "_stub.o", "-o", program], capture_output=True, text=True)
