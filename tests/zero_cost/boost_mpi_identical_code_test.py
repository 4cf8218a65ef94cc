"""With profiling off, what is called through mpiprof over Boost.MPI compiles to the plain calls: function by function the
same instructions, Boost's own that they lead to among them."""

import unittest

from object_code import COMPILERS, LEVELS, compile_all

BODIES = ["boost_mpi_body.cpp", "boost_mpi_collectives_body.cpp"]
SWITCHED = ["-DSWITCHED", "-DMPIPROF_DISABLED"]

# The functions whose code is as much but not the same, by compiler and level; the test fails when one no longer differs.
DIFFERENCES = {
    # The blocks that undo a half-made array stand in another order.
    ("g++", "-O1"): {"exchange_in_a_new_array"},
    ("g++", "-Os"): {"exchange_in_a_new_array"},
    # A comparison for equality has its operands the other way round.
    ("g++", "-O3"): {"reduction_of_a_vector", "gathers_of_any_sizes"},
}


def flags(level):
    # What Boost serialises takes long to compile.
    return (level, "-DSERIALISED") if level == "-O2" else (level,)


class IdenticalCode(unittest.TestCase):
    def same(self, cases, wrapped, differences):
        """`cases`: compilers and levels, with which each body is compiled."""
        cases = [(body, *case) for body in BODIES for case in cases]
        plain_jobs = {case: (case[1], case[0], *flags(case[2])) for case in cases}
        wrapped_jobs = {case: (*job, *wrapped) for case, job in plain_jobs.items()}
        code = compile_all([*plain_jobs.values(), *wrapped_jobs.values()])
        for case in cases:
            plain, off = code[plain_jobs[case]], code[wrapped_jobs[case]]
            self.assertGreater(len(plain.functions), 30)
            self.assertEqual(plain.functions.keys(), off.functions.keys())
            for name in plain.functions:
                with self.subTest(case=case, function=name):
                    if name in differences.get(case[1:], ()):
                        self.assertNotEqual(plain.functions[name], off.functions[name])
                    else:
                        self.assertEqual(plain.functions[name], off.functions[name])
            with self.subTest(case=case):
                self.same_size(plain.sizes, off.sizes)

    def same_size(self, plain, off):
        """g++ puts the functions into another order, so what is filled up for alignment, between and in them, may differ."""
        for kind in ("data", "bss", "init_array"):
            self.assertEqual(plain[kind], off[kind], kind)
        for kind in ("text", "rodata", "gcc_except_table"):
            self.assertAlmostEqual(plain[kind], off[kind], delta=32, msg=kind)

    def test_view(self):
        cases = [(compiler, "-" + level) for compiler in COMPILERS for level in LEVELS
                 if (compiler, level) != ("clang++-14", "Os")]  # the longest to compile, and as clang 19's
        self.same(cases, ["-DVIEW"], DIFFERENCES)

    def test_one_line_switch(self):
        self.same([("g++", "-O2"), ("clang++-14", "-O2")], SWITCHED, {})

    def test_one_line_switch_without_optimisation(self):
        # Its names are Boost's. mpiprof's functions for any communicator are its own.
        for body in BODIES:
            jobs = ("g++", body, "-O0"), ("g++", body, "-O0", *SWITCHED)
            plain, switched = (code.functions for code in compile_all(jobs).values())
            for name in plain:
                if not name.endswith("_a_block"):
                    with self.subTest(function=name):
                        self.assertEqual(plain[name], switched.get(name))


if __name__ == "__main__":
    unittest.main()
