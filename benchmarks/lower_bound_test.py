"""The hand-written lower bound is one: at most 12 instructions a call beside the clock.

Counted are the instructions of a loop around a call that the bound adds to it, as objdump shows them, without those of
two readings of the clock. A reading is what a loop that passes it to a function has more than one that passes its
counter: rdtsc and making one number of its two halves; or the arguments of clock_gettime, its call, and making one number
of seconds and nanoseconds.
"""

import os
import re
import subprocess
import tempfile
import unittest

COMPILERS = ["g++", "clang++-14"]
LIMIT = 12


def disassembled(compiler, source):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "body.o")
        subprocess.run([compiler, "-std=c++20", "-O2", "-c", source, "-o", out], check=True)
        return subprocess.run(["objdump", "-dr", "--no-show-raw-insn", out], capture_output=True, text=True,
                              check=True).stdout


def loops(text):
    """The instructions of each function's loop: from where its last jump backwards leads to that jump."""
    found = {}
    for name, body in re.findall(r"^[0-9a-f]+ <(\w+)>:\n((?:.+\n)+)", text, re.MULTILINE):
        lines = [(int(address, 16), code) for address, code in re.findall(r"^\s+([0-9a-f]+):\t(?!R_)(.+)$", body, re.MULTILINE)
                 if not re.match(r"(data16 |cs )*(nop|xchg\s+%ax,%ax)", code)]
        for address, code in lines:
            jump = re.match(r"j(?!mp)\w+\s+([0-9a-f]+)", code)
            if jump and int(jump[1], 16) < address:
                found[name] = [code for at, code in lines if int(jump[1], 16) <= at <= address]
    return found


class LowerBound(unittest.TestCase):
    def test_instructions_beside_the_clock(self):
        for compiler in COMPILERS:
            text = disassembled(compiler, "benchmarks/lower_bound_body.cpp")
            count = {name: len(body) for name, body in loops(text).items()}
            for clock in ("rdtsc", "clock_gettime"):
                with self.subTest(compiler=compiler, clock=clock):
                    added = count["with_" + clock] - count["plain"]
                    beside = added - 2 * (count["passed_" + clock] - count["passed"])
                    print(f"{compiler}, {clock}: {added} instructions, {beside} of them beside the clock")
                    self.assertGreaterEqual(beside, 3)
                    self.assertLessEqual(beside, LIMIT)


if __name__ == "__main__":
    unittest.main()
