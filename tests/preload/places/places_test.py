"""Call sites of unmodified programs: the right line of each call, the same on all ranks, in C++, Fortran and plug-ins.

The lines are marked in the sources, and addr2line and readelf say what modules and addresses are."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import built

MPI, PRELOAD, PROGRAM = sys.argv[1], *map(os.path.abspath, sys.argv[2:4])
del sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = os.path.abspath("bazel/mpi_env.sh")
PYTHON = "from mpi4py import MPI\nMPI.COMM_WORLD.Bcast(bytearray(8))\nMPI.COMM_WORLD.Barrier()\n"


class Places(unittest.TestCase):
    def setUp(self):
        # Not where Bazel lets tests write, since paths there are too long for Open MPI.
        folder = tempfile.TemporaryDirectory(dir="/tmp")
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, compiler, source, *flags, name="app"):
        built.run(f"{compiler}.{MPI}" if compiler.startswith("mpi") else compiler, "-g", "-Wl,--build-id", *flags,
                  os.path.join(HERE, source), "-o", self.path(name))
        return self.path(name)

    def profiled(self, *command, settings=""):
        """Standard output of two ranks, and the call sites of each."""
        self.results = tempfile.mkdtemp(dir=self.folder)
        line = f'source "{ENVIRONMENT}"; mpi_environment "$PWD"; exec mpirun.{MPI} -n 2 env "$@"'
        output = built.run("bash", "-c", line, "run", f"LD_PRELOAD={PRELOAD}",
                           f"MPIPROF=merge=files,output={self.results}/run.json{settings}", *command, cwd=self.folder)
        sites = []
        for rank in range(2):
            with open(f"{self.results}/run.rank{rank}.json", encoding="utf-8") as file:
                sites.append(json.load(file)["call_sites"])
        return output, sites

    def report(self):
        return built.run(PROGRAM, "report", *[f"{self.results}/run.rank{rank}.json" for rank in range(2)])

    def parts_of(self, text):
        """Module, address."""
        match = re.fullmatch(r"(/.*)@([0-9a-f]{16})\+0x([0-9a-f]+)", text)
        self.assertIsNotNone(match, text)
        self.assertEqual(match[2], built.build_id(match[1]))
        return match[1], int(match[3], 16)

    def check(self, module, sources, sites, without_own_line=()):
        """All sites are calls in the module, where the sources and addr2line say. Returns calls by operation."""
        lines = {}
        for source in sources:
            lines.update({name: (source, line) for name, line in built.marks(os.path.join(HERE, source)).items()})
        report = self.report()
        calls = {}
        for row in [row for rank in sites for row in rank]:
            self.assertEqual(row["line"], 0)
            self.assertEqual(self.parts_of(row["file"])[0], module)
            file, line = built.line_of(*self.parts_of(row["file"]))
            operation = row["operation"]
            if operation not in without_own_line:
                self.assertEqual((os.path.basename(file), line), lines[operation], row)
            self.assertRegex(report, rf"\n{re.escape(os.path.basename(file))}:{line} {operation} ")
            calls[operation] = calls.get(operation, 0) + row["statistics"]["calls"]
        self.assertEqual(set(calls), set(lines) | set(without_own_line))
        for operation, number in calls.items():
            self.assertRegex(report, rf"\n\S+:\d+ {operation} +{number} ")
        return calls

    def texts(self, sites, but=()):
        return [sorted((row["operation"], row["file"]) for row in rank if row["operation"] not in but) for rank in sites]

    def test_of_cplusplus_position_independent_or_not(self):
        for flags in (["-O2", "-fPIE", "-pie"], ["-O0", "-fno-pie", "-no-pie"]):
            with self.subTest(flags):
                program = self.build("mpicxx", "calls.cpp", *flags)
                output, sites = self.profiled(program)
                calls = self.check(program, ["calls.cpp", "calls.hpp"], sites)
                self.assertEqual((calls["irecv"], calls["allreduce"], calls["barrier"]), (6, 4, 2))
                # In two places, by being inlined; on one line.
                self.assertEqual(len([row for row in sites[0] if row["operation"] == "allreduce"]), 2)
                self.assertEqual(*self.texts(sites))
                loaded = re.findall(r"loaded (\S+)", output)
                self.assertEqual(len(loaded), 2)
                with open("/proc/sys/kernel/randomize_va_space", encoding="ascii") as file:
                    if "-pie" in flags and int(file.read()) > 0:
                        self.assertNotEqual(*loaded)

    def test_of_fortran_by_each_binding(self):
        for binding in ("MPIF_H", "MPI", "MPI_F08"):
            for level in ("-O0", "-O2"):
                with self.subTest(binding=binding, level=level):
                    program = self.build("mpif90", "calls.F90", f"-DWITH_{binding}", level, "-J", self.folder)
                    _, sites = self.profiled(program)
                    # gfortran gives the call of MPI_Init no line of its own.
                    calls = self.check(program, ["calls.F90"], sites, ["init"])
                    self.assertEqual((calls["waitall"], calls["send"], calls["allreduce"]), (6, 1, 2))
                    self.assertEqual(*self.texts(sites, ["send", "recv"]))

    def test_of_several_frames(self):
        program = self.build("mpif90", "calls.F90", "-DWITH_MPI_F08", "-O2", "-fno-inline", "-J", self.folder)
        _, sites = self.profiled(program, settings=",depth=2")
        lines = built.marks(os.path.join(HERE, "calls.F90"))
        with open(os.path.join(HERE, "calls.F90"), encoding="utf-8") as file:
            outer = next(number for number, line in enumerate(file, 1) if "call exchange" in line)
        self.assertRegex(self.report(), rf"\ncalls.F90:{lines['bcast']} < calls.F90:{outer} bcast +2 ")
        for row in sites[0]:
            frames = row["file"].split(" < ")
            self.assertEqual(len(frames), 2)
            self.assertEqual({self.parts_of(frame)[0] for frame in frames}, {program})

    def test_of_a_plugin(self):
        guest = self.build("mpicc", "guest.c", "-shared", "-fPIC", name="guest.so")
        _, sites = self.profiled(self.build("gcc", "host.c", "-ldl"), guest)
        self.check(guest, ["guest.c"], sites)

    @unittest.skipUnless(MPI == "openmpi", "Debian's mpi4py is for Open MPI")
    def test_of_python_is_in_the_extension_module(self):
        module = built.run("/usr/bin/python3", "-c", "import importlib.util as u; print(u.find_spec('mpi4py.MPI').origin)").strip()
        _, sites = self.profiled("/usr/bin/python3", "-c", PYTHON)
        places = {row["operation"]: self.parts_of(row["file"])[0] for row in sites[0]}
        self.assertEqual({os.path.realpath(places[name]) for name in ("bcast", "barrier")}, {os.path.realpath(module)})
        self.assertEqual(*self.texts(sites))
        self.assertRegex(self.report(), rf"\n{re.escape(os.path.basename(module))}\+0x[0-9a-f]+ barrier +2 ")
        self.assertIn("\nWithout line numbers: ", self.report())


if __name__ == "__main__":
    unittest.main()
