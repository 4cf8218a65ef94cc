"""With profiling off a program takes as many instructions as the plain one, exactly; with profiling compiled in and
MPIPROF=off in the environment, a few more a call. callgrind counts; the MPI that is linked does nothing."""

import os
import re
import subprocess
import tempfile
import unittest

from object_code import MPICH, compile_object, link_with_a_stub

TIMES = 20000
# MPI calls a turn of each loop of counted_body.cpp.
KINDS = {"send": 1, "recv": 1, "allreduce": 1, "function_object": 1, "requests": 3}

# The most instructions that a call may take over the plain one where profiling is off at run time: a load, a compare, a
# branch, and the saving of the arguments around them.
OFF_AT_RUN_TIME = 13


def count(program, kind, *toggle, **environment):
    """Instructions, and MPI calls."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *toggle, program, kind,
                              str(TIMES)], capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"],
                                                                                            **environment}, cwd=folder)
        return int(re.search(r"Collected : (\d+)", run.stderr)[1]), int(run.stdout)


class Instructions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.programs = {}
        for name, compiler, flags in [
                ("plain_gcc", "g++", []),
                ("other_gcc", "g++", ["-DWRAPPED", "-DMPIPROF_DISABLED"]),
                ("above_gcc", "g++", ["-DONE_MORE_INSTRUCTION"]),
                ("rtoff_gcc", "g++", ["-DWRAPPED"]),
                ("plain_cl14", "clang++-14", []),
                ("other_cl14", "clang++-14", ["-DWRAPPED", "-DMPIPROF_DISABLED"])]:
            # Of names of one length, since the program's is looked at before main.
            cls.programs[name] = os.path.join(folder, name)
            compile_object(cls.programs[name] + ".o", compiler, "counted_body.cpp", "-O2", *flags, wrapper=MPICH)
            # Static, so that the dynamic linker's work, which depends on names, is not counted.
            link_with_a_stub(cls.programs[name], compiler, [cls.programs[name] + ".o"], "-static").check_returncode()

    def test_equal_counts(self):
        for compiler in ("gcc", "cl14"):
            plain, calls = count(self.programs["plain_" + compiler], "all")
            self.assertEqual(calls, TIMES * sum(KINDS.values()))
            self.assertGreater(plain, 5 * calls)
            with self.subTest(compiler=compiler):
                self.assertEqual(count(self.programs["other_" + compiler], "all"), (plain, calls))

    def test_one_more_instruction_is_seen(self):
        plain, calls = count(self.programs["plain_gcc"], "all")
        self.assertEqual(count(self.programs["above_gcc"], "all"), (plain + 1, calls))

    def test_off_at_run_time(self):
        for kind, calls in KINDS.items():
            toggle = "--toggle-collect=" + kind
            plain, _ = count(self.programs["plain_gcc"], kind, toggle)
            off, _ = count(self.programs["rtoff_gcc"], kind, toggle, MPIPROF="off")
            more = (off - plain) / (TIMES * calls)
            print(f"{kind}: {more:.2f} instructions a call more")
            with self.subTest(kind=kind):
                self.assertLess(more, OFF_AT_RUN_TIME)
                self.assertGreater(more, 0)


if __name__ == "__main__":
    unittest.main()
