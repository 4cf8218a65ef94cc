"""With profiling off, what is called through mpiprof over the C API compiles to the plain calls: function by function
the same instructions, and objects of the same size."""

import re
import unittest

from object_code import ALL, COMPILERS, LEVELS, MPICH, compile_all

OFF = "-DWRAPPED=mpiprof::profiled<mpiprof::raw_communicator,mpiprof::off>"
RAW = "-DWRAPPED=mpiprof::raw_communicator"
DISABLED = ["-DMPIPROF_DISABLED", "-DWRAPPED=decltype(mpiprof::profile(MPI_COMM_WORLD))"]

# What differs, and why; the test fails when one no longer does.
DIFFERENCES = {
    "request_beside_a_bare_handle": "a request also keeps MPI's code: one store",
    "request_assigned": "a request that is assigned is built elsewhere and taken from there",
}


class IdenticalCode(unittest.TestCase):
    def same(self, body, wrapped, cases, functions=None):
        """`cases`: compiler and flags of each; `functions`: what is in the names of those to compare, or None for the whole object."""
        plain_jobs = [(compiler, body, *flags) for compiler, *flags in cases]
        wrapped_jobs = [(compiler, body, *flags, *wrapped) for compiler, *flags in cases]
        code = compile_all(plain_jobs + wrapped_jobs)
        for one, other in zip(plain_jobs, wrapped_jobs):
            plain, off = code[one], code[other]
            names = [name for name in plain.functions if functions is None or functions in name]
            self.assertGreater(len(names), 15)
            for name in names:
                with self.subTest(job=other, function=name):
                    self.assertGreater(len(plain.functions[name]), 0)
                    self.assertEqual(plain.functions[name], off.functions.get(name))
            if functions is None:
                with self.subTest(job=other):
                    self.assertEqual(plain.functions.keys(), off.functions.keys())
                    self.assertEqual(plain.sizes, off.sizes)

    def test_profiling_compiled_out(self):
        # Also the function objects and the member functions of all rows of the table.
        self.same("raw_body.cpp", DISABLED, [(compiler, "-" + level, "-DEVERY_CALL") for compiler in COMPILERS for level in LEVELS])

    def test_off_by_name(self):
        self.same("raw_body.cpp", [OFF], [(compiler, "-O2") for compiler in (COMPILERS if ALL else COMPILERS[:1])])

    def test_on_mpich(self):
        # Where a handle is an int.
        cases = [("g++", "-O2"), ("clang++-14", "-O2")]
        if ALL: cases += [("g++", "-O1"), ("clang++-19", "-Os")]
        self.same("raw_body.cpp", DISABLED, [(*case, "-DEVERY_CALL", MPICH) for case in cases])

    def test_raw_communicator(self):
        self.same("raw_body.cpp", [RAW], [("g++", "-O1"), ("clang++-14", "-O1")])

    def test_function_objects_without_optimisation(self):
        self.same("raw_body.cpp", DISABLED, [(compiler, "-O0", "-DEVERY_CALL") for compiler in COMPILERS],
                  functions="_object_caller")

    def test_differences(self):
        jobs = {compiler: ((compiler, "differences_body.cpp", "-O2"), (compiler, "differences_body.cpp", "-O2", "-DWRAPPED"))
                for compiler in COMPILERS}
        code = compile_all([job for pair in jobs.values() for job in pair])
        for compiler, (plain, wrapped) in jobs.items():
            for name in DIFFERENCES:
                with self.subTest(compiler=compiler, function=name):
                    self.assertNotEqual(code[plain].functions[name], code[wrapped].functions[name])
            # The code's store, and no more: the instructions that only make room on the stack are left out.
            bare, kept = ([line for line in code[job].functions["request_beside_a_bare_handle"]
                           if not re.match(r"(push|pop|sub|add) |mov %r\w+,%rsp", line)] for job in (plain, wrapped))
            self.assertEqual(len(kept), len(bare) + 1)

    def test_one_more_instruction_is_seen(self):
        for compiler in COMPILERS:
            plain, changed = ((compiler, "differences_body.cpp", "-O2", *more) for more in ((), ("-DONE_MORE_INSTRUCTION",)))
            code = compile_all([plain, changed])
            self.assertNotEqual(code[plain].functions["a_value"], code[changed].functions["a_value"])
            self.assertEqual(code[plain].functions["request_assigned"], code[changed].functions["request_assigned"])


if __name__ == "__main__":
    unittest.main()
