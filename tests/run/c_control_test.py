"""C, C++ and Fortran programs that say something to mpiprof compile without warnings and run, whether or not it is there."""

import itertools
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = os.getcwd()
WARNINGS = ["-Wall", "-Wextra", "-pedantic-errors", "-Wshadow", "-Wconversion", "-Werror", "-I" + ROOT]

SAYS_ALL = """
#include <mpiprof/control.h>
#include <stdio.h>
int main(void) {
    mpiprof_pause();
    mpiprof_phase_begin("solve");
    mpiprof_phase_begin(NULL);
    mpiprof_phase_end();
    mpiprof_resume();
    mpiprof_reset();
    mpiprof_write_snapshot();
    puts("end of program");
    return 0;
}
"""

# As mpiprof is there: it says what it was told.
LIBRARY = """
#include <stdio.h>
void mpiprof_pause(void) { puts("pause"); }
void mpiprof_resume(void) { puts("resume"); }
void mpiprof_reset(void) { puts("reset"); }
void mpiprof_write_snapshot(void) { puts("snapshot"); }
void mpiprof_phase_begin(const char* name) { printf("begin '%s'\\n", name ? name : "NULL"); }
void mpiprof_phase_end(void) { puts("end"); }
"""
TOLD = "pause begin 'solve' begin 'NULL' end resume reset snapshot end of program"

# As programs do that have no header of ours.
OWN_DECLARATIONS = """
#include <stdio.h>
void mpiprof_pause(void) __attribute__((weak));
int main(void) {
    if (mpiprof_pause) mpiprof_pause();
    puts("end of program");
    return 0;
}
"""

# The C++ part of a program, and one that says all twice, from C too.
RECORDS = """
#include <mpiprof/control.h>
#include <mpiprof/control.hpp>
#include <mpiprof/mpiprof.hpp>
#include <cstdio>
extern "C" void say_all();
int main() {
    using counting = mpiprof::instrumentation<mpiprof::timing::none, mpiprof::bytes::payload, mpiprof::sinks::tally>;
    mpiprof::profiler<counting> const profiler;
    auto& recording = mpiprof::recording_of<counting>;
    bool const before = recording.ready(mpiprof::operation::send);
    mpiprof_pause();
    bool const paused = recording.ready(mpiprof::operation::send);
    mpiprof_resume();
    say_all();
    auto const phases = mpiprof::phase_registry::instance().entries();
    std::printf("%d %d %d %s\\n", before, paused, recording.ready(mpiprof::operation::send), phases.back().name.c_str());
}
"""
C_PART = """
#include <mpiprof/control.h>
void say_all(void);
void say_all(void) { mpiprof_pause(); mpiprof_phase_begin("from C"); }
"""

FORTRAN = """
program says_all
  use mpiprof_control
  implicit none
  call mpiprof_pause()
  call mpiprof_phase_begin("solve   ")
  call mpiprof_phase_end()
  call mpiprof_phase_begin(repeat("x", 300))
  call mpiprof_phase_end()
  call mpiprof_phase_begin("")
  call mpiprof_phase_end()
  call mpiprof_resume()
  call mpiprof_reset()
  call mpiprof_write_snapshot()
end program says_all
"""
FORTRAN_WITHOUT_MODULE = """
program says_some
  implicit none
  external :: mpiprof_phase_begin, mpiprof_phase_end
  call mpiprof_phase_begin("solve   ")
  call mpiprof_phase_end()
end program says_some
"""


class Control(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.library = self.write("library.c", LIBRARY).with_suffix(".so")
        self.command("gcc", "-shared", "-fPIC", self.folder / "library.c", "-o", self.library)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def command(self, *arguments):
        result = subprocess.run([str(each) for each in arguments], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""), " ".join(str(each) for each in arguments))

    def outputs(self, program):
        """What it prints without and with mpiprof, on one line."""
        printed = []
        for environment in ({}, {"LD_PRELOAD": str(self.library)}):
            result = subprocess.run([self.folder / program], env=environment, capture_output=True, text=True, check=True)
            printed.append(" ".join(result.stdout.split("\n")).strip())
        return printed

    def test_c_programs_of_all_kinds(self):
        source = self.write("says_all.c", SAYS_ALL)
        kinds = itertools.product(("gcc", "clang-14"), ("-std=c99", "-std=c17"), ("-O0", "-O2"),
                                  (("-fPIE", "-pie"), ("-fno-pie", "-no-pie")))
        for compiler, standard, level, kind in kinds:
            with self.subTest(compiler=compiler, standard=standard, level=level, kind=kind):
                self.command(compiler, standard, level, *kind, *WARNINGS, source, "-o", "program")
                self.assertEqual(self.outputs("program"), ["end of program", TOLD])

    def test_cxx_programs(self):
        source = self.write("says_all.cpp", SAYS_ALL)
        for compiler in ("g++", "clang++-14"):
            with self.subTest(compiler):
                self.command(compiler, "-std=c++20", "-Wold-style-cast", *WARNINGS, source, "-o", "program")
                self.assertEqual(self.outputs("program"), ["end of program", TOLD])

    def test_a_program_of_one_piece(self):
        self.command("gcc", "-static", *WARNINGS, self.write("says_all.c", SAYS_ALL), "-o", "program")
        self.assertEqual(self.outputs("program"), ["end of program"] * 2)

    def test_a_program_with_declarations_of_its_own(self):
        self.command("gcc", "-fPIE", "-pie", self.write("own.c", OWN_DECLARATIONS), "-o", "program")
        self.assertEqual(self.outputs("program"), ["end of program", "pause end of program"])

    def test_c_units_control_the_recordings_of_cxx_units(self):
        c_part = self.write("c_part.c", C_PART)
        source = self.write("records.cpp", RECORDS)
        for kind in (("-fPIE", "-pie"), ("-fno-pie", "-no-pie")):
            with self.subTest(kind):
                self.command("gcc", *kind, *WARNINGS, "-c", c_part, "-o", "c_part.o")
                self.command("g++", "-std=c++20", *kind, *WARNINGS, source, "c_part.o", "-o", "program")
                self.assertEqual(self.outputs("program")[0], "1 0 0 from C")

    def test_the_code_in_the_docs(self):
        text = pathlib.Path(ROOT, "docs/controlling.md").read_text(encoding="utf-8")
        for language, *compiler in (("c", "gcc", "-std=c99", "-x", "c"), ("cpp", "g++", "-std=c++20", "-x", "c++")):
            blocks = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
            self.assertGreater(len(blocks), 0)
            for setting, block in itertools.product(("-UMPIPROF_DISABLED", "-DMPIPROF_DISABLED"), blocks):
                self.command(*compiler, *WARNINGS, "-fsyntax-only", setting, self.write("block", block))

    def test_fortran_programs(self):
        sources = pathlib.Path(ROOT, "mpiprof/fortran")
        self.command("gcc", "-std=c99", *WARNINGS, "-c", sources / "mpiprof_control.c", "-o", "control.o")
        self.command("gfortran", "-std=f2008", "-Wall", "-Wextra", "-Werror", sources / "mpiprof_control.f90",
                     self.write("says_all.f90", FORTRAN), "control.o", "-o", "program")
        phases = "begin 'solve' end begin '" + 300 * "x" + "' end begin '' end"
        self.assertEqual(self.outputs("program"), ["", f"pause {phases} resume reset snapshot"])
        self.command("gfortran", "-std=f2008", self.write("some.f90", FORTRAN_WITHOUT_MODULE), "control.o", "-o", "program")
        self.assertEqual(self.outputs("program"), ["", "begin 'solve' end"])


if __name__ == "__main__":
    unittest.main()
