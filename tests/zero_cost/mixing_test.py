"""Units with and without MPIPROF_DISABLED in one program: each behaves by its own setting, and nothing clashes. And what
docs/switching-off.md says must not be mixed."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from object_code import ALL, MPICH, OPEN_MPI, ROOT, link_with_a_stub, mpi_flags

UNITS = {
    "enabled": ["-DUNIT=enabled_unit"],
    "disabled": ["-DUNIT=disabled_unit", "-DMPIPROF_DISABLED"],
}

FLOORS = ("core", "timing", "bytes", "sinks", "results", "report", "run", "raw")


def every_header(folder, floors):
    """Writes a header that includes all of mpiprof's on these floors."""
    headers = [path.relative_to(ROOT).as_posix() for floor in floors
               for path in sorted(pathlib.Path(ROOT, "mpiprof", floor).glob("*.hpp"))]
    assert len(headers) > 5
    pathlib.Path(folder, "every_header.hpp").write_text("#pragma once\n" + "".join(f"#include <{name}>\n" for name in headers))


class Mixing(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def compile(self, compiler, flags, wrapper=MPICH, floors=FLOORS):
        """The objects of main and of both units, which include every header of these floors."""
        every_header(self.folder, floors)
        jobs = {"main": ("main.cpp", [])} | {name: ("unit.cpp", options) for name, options in UNITS.items()}
        return self.compile_each(compiler, flags, jobs, wrapper)

    def compile_each(self, compiler, flags, jobs, wrapper=MPICH):
        def one(name):
            source, options = jobs[name]
            out = os.path.join(self.folder, name + ".o")
            result = subprocess.run([compiler, "-std=c++20", "-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1", "-I" + ROOT,
                                     "-I" + self.folder, *mpi_flags(wrapper, "-I"), *flags, *options, "-c",
                                     os.path.join(ROOT, "tests/zero_cost/mixing", source), "-o", out],
                                    capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            return out

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return list(pool.map(one, jobs))

    def link_and_run(self, compiler, flags, libraries=False, **environment):
        """What the program prints. With `libraries` each unit is linked into one of its own."""
        program = os.path.join(self.folder, "program")
        objects = linked = self.compile(compiler, flags)
        if libraries:
            linked = [objects[0], "-rdynamic"]
            for unit in objects[1:]:
                library = unit.replace(".o", ".so")
                subprocess.run([compiler, *flags, "-shared", unit, "-o", library], check=True)
                linked.append(library)
        result = link_with_a_stub(program, compiler, objects, *flags, linked=linked)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        run = subprocess.run([program], capture_output=True, text=True, cwd=self.folder, env={**os.environ, **environment})
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout + run.stderr)
        return run.stdout

    def test_BD7_link_time_optimisation(self):
        self.link_and_run("g++", ["-O2", "-flto=2", "-Wodr", "-Werror"])

    @unittest.skipUnless(ALL, "with tools/test --all")
    def test_BD7_address_sanitizer_looks_for_violations(self):
        # It finds those between libraries, since within one the linker has taken one definition already; and of variables
        # that are not inline, of which mpiprof has none.
        self.link_and_run("clang++-14", ["-O1", "-fPIC", "-fsanitize=address"], libraries=True,
                          ASAN_OPTIONS="detect_odr_violation=2:detect_leaks=0")

    @unittest.skipUnless(ALL, "with tools/test --all")
    def test_BD7_optimised(self):
        self.link_and_run("clang++-19", ["-O2"])

    def test_BD7_nothing_inlined(self):
        for compiler in ("g++", "clang++-14") if ALL else ("g++",):
            with self.subTest(compiler=compiler):
                printed = self.link_and_run(compiler, ["-O0", "-fno-inline"])
                # The limit: a user's function of one name is one function, whatever its unit's setting.
                by_enabled, by_disabled, on, off = map(int, re.findall(r"\d+", printed))
                self.assertNotEqual(on, off)
                self.assertEqual(by_enabled, by_disabled)

    def test_a_users_class_of_two_settings_is_found_by_the_linker(self):
        jobs = {name: ("users_class.cpp", options) for name, options in UNITS.items()}
        objects = self.compile_each("g++", ["-O1", "-flto=2"], jobs)
        linked = link_with_a_stub(os.path.join(self.folder, "program"), "g++", objects, "-O1", "-flto=2", "-Wodr", "-shared")
        self.assertRegex(linked.stderr, "users_class.*-Wodr|users_class.*violates")

    def test_BD8_units_with_every_header_link(self):
        # Those over Boost.MPI too, with Boost's and MPI's libraries.
        objects = self.compile("g++", ["-O0"], OPEN_MPI, ("boost_mpi", *FLOORS))
        linked = subprocess.run(["g++", *objects, "-o", os.path.join(self.folder, "program"), "-lboost_mpi",
                                 "-lboost_serialization", *mpi_flags(OPEN_MPI, "-L"), "-lmpi"], capture_output=True, text=True)
        self.assertEqual((linked.returncode, linked.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
