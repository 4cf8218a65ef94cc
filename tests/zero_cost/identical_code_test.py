"""With profiling off the compiled functions are the plain ones, instruction by instruction.

Each body is compiled twice, over the plain type and over the wrapped one, and the functions are compared as objdump
shows them: no expected text is stored, so a new compiler needs no new expectation.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.getcwd()
COMPILERS = ["g++", "clang++-14"]


def mpi_includes(wrapper):
    shown = subprocess.run([wrapper, "-show"], capture_output=True, text=True, check=True).stdout
    return [flag for flag in shown.split() if flag.startswith("-I")]


def functions(object_file):
    """The instructions and relocations of each function, without addresses and padding."""
    text = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", object_file], capture_output=True, text=True,
                          check=True).stdout
    found = {}
    for line in text.splitlines():
        if head := re.match(r"[0-9a-f]+ <([^>]+)>:", line):
            body = found.setdefault(head[1], [])
        elif instruction := re.match(r"\s+[0-9a-f]+:\s+(.*)", line):
            code = re.sub(r"\b[0-9a-f]+ (<[^>]*>)", r"\1", instruction[1]).split("#")[0]
            # Where the linker will find a constant is not code.
            code = re.sub(r"\.(rodata|L)[\w.]*([-+]0x[0-9a-f]+)?", "constant", code)
            if not re.match(r"(data16 |cs )*(nop|xchg\s+%ax,%ax)", code):
                body.append(re.sub(r"\s+", " ", code).strip())
    return found


class IdenticalCode(unittest.TestCase):
    def compile(self, compiler, body, level, *defines, wrapper="mpicxx.openmpi"):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "body.o")
            subprocess.run([compiler, "-std=c++20", f"-{level}", "-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1", "-I" + ROOT,
                            *mpi_includes(wrapper), *defines, "-c", os.path.join(ROOT, "tests/zero_cost", body), "-o", out],
                           check=True)
            return functions(out)

    def same(self, body, names, levels, **options):
        for compiler in COMPILERS:
            for level in levels:
                plain = self.compile(compiler, body, level, **options)
                wrapped = self.compile(compiler, body, level, "-DWRAPPED", **options)
                for name in names:
                    with self.subTest(compiler=compiler, level=level, function=name):
                        self.assertGreater(len(plain[name]), 1)
                        self.assertEqual(plain[name], wrapped[name])

    def test_raw_communicator(self):
        for wrapper in ("mpicxx.openmpi", "mpicxx.mpich"):
            self.same("raw_body.cpp", ["send_one", "sum_in_a_loop"], ["O1", "O2"], wrapper=wrapper)

    def test_function_objects(self):
        self.same("function_objects_body.cpp", ["exchange"], ["O0", "O2"])

    def test_boost_mpi_view(self):
        self.same("boost_mpi_body.cpp", ["send_value", "send_array", "receive_value"], ["O2"])

    def test_one_more_instruction_is_seen(self):
        for compiler in COMPILERS:
            plain = self.compile(compiler, "raw_body.cpp", "O2")
            changed = self.compile(compiler, "raw_body.cpp", "O2", "-DONE_MORE_INSTRUCTION")
            self.assertNotEqual(plain["a_value"], changed["a_value"])
            self.assertEqual(plain["send_one"], changed["send_one"])


if __name__ == "__main__":
    unittest.main()
