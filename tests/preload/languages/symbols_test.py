"""What the preload library and its tool library bring into a program, as binutils and the dynamic linker tell it."""

import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, "tests/preload")
import preloaded  # noqa: E402

TOOL = os.path.join(os.path.dirname(preloaded.PRELOAD), f"libmpiprof_{preloaded.FAMILY}.so")
REMOVED = ("Address Attr_delete Attr_get Attr_put Errhandler_create Errhandler_get Errhandler_set Keyval_create Keyval_free "
           "Type_extent Type_hindexed Type_hvector Type_lb Type_struct Type_ub").split()


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def symbols(path, option):
    return {line.split()[-1].split("@")[0] for line in output("nm", "-D", "--extern-only", option, path).splitlines()}


class Symbols(unittest.TestCase):
    def test_nothing_is_missing_without_the_fortran_library(self):
        for path in (preloaded.PRELOAD, TOOL):
            result = subprocess.run(["ldd", "-r", path], capture_output=True, text=True, check=True)
            self.assertNotIn("undefined", result.stdout + result.stderr)
            self.assertIsNone(re.search("mpifh|usempi|mpichfort|mpifort", result.stdout), result.stdout)

    def test_the_preload_library_needs_no_mpi(self):
        needed = re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "-d", preloaded.PRELOAD))
        self.assertEqual([name for name in needed if not re.match(r"(libc|ld-linux-x86-64|libdl|libpthread)\.so", name)], [])

    def test_the_preload_library_has_pairs_of_c_functions(self):
        defined = {name for name in symbols(preloaded.PRELOAD, "--defined-only") if name not in ("MPI_Pcontrol", "PMPI_Pcontrol")}
        of_mpi = {name for name in defined if name.startswith("MPI_")}
        self.assertEqual({name for name in defined if name.startswith("PMPI_")}, {"P" + name for name in of_mpi})
        for name in ("MPI_Send", "MPI_Waitall", "MPI_Iallreduce", "MPI_Send_c", "MPI_Session_init", "MPI_File_write_at", "MPI_Put"):
            self.assertIn(name, of_mpi)
        # Fortran's functions are not wrapped, since they call these; only what it tail-calls is.
        self.assertEqual([name for name in defined if not re.match("P?MPI_[A-Z]|mpi_pcontrol|mpiprof_", name)], [])

    def test_the_tool_library_calls_what_mpi_still_has(self):
        called = {name for name in symbols(TOOL, "--undefined-only") if re.match("P?MPI_", name)}
        self.assertIn("PMPI_Send", called)
        self.assertEqual({name for name in called if not name.startswith("PMPI_")}, set())
        self.assertEqual(called & {"PMPI_" + name for name in REMOVED}, set())
        self.assertEqual(symbols(TOOL, "--defined-only"), {"mpiprof_tool"})


if __name__ == "__main__":
    unittest.main()
