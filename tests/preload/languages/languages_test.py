"""Programs that reach MPI by other ways than a C program linked with it, under the preload library."""

import subprocess
import sys
import unittest

sys.path.insert(0, "tests/preload")
import preloaded  # noqa: E402
from preloaded import PLAIN, PRELOADED, program, run, totals  # noqa: E402

PYTHON = "/usr/bin/python3"
LIBRARY = {"openmpi": "libmpi.so.40", "mpich": "libmpich.so.12"}[preloaded.FAMILY]
openmpi_only = unittest.skipUnless(preloaded.FAMILY == "openmpi", "Debian's mpi4py and Boost.MPI are made for Open MPI")


def needed(path):
    return subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout


class Languages(unittest.TestCase):
    maxDiff = None

    def both(self, *command, **options):
        """Runs a command plainly and preloaded; what the latter left, which else is the same."""
        plain, measured = run(command, how=PLAIN, **options), run(command, how=PRELOADED, **options)
        self.assertEqual(plain.status, 0, plain.stderr)
        self.assertEqual(measured.status, 0, measured.stderr)
        self.assertEqual((measured.outputs, measured.stderr, measured.files), (plain.outputs, plain.stderr, plain.files))
        return measured

    def operations(self, finished, rank):
        """Of a rank: {operation: (calls, sent, received)}."""
        return {operation: tuple(fields.get(field, 0) for field in ("calls", "sent", "received"))
                for operation, fields in totals(finished.of_rank(rank)).items()}

    def test_plugin_that_keeps_mpi_to_itself(self):
        self.assertNotIn("libmpi", needed(program("plugin_host")))
        measured = self.both(program("plugin_host"), program("plugin.so"))
        for rank in range(2):
            self.assertEqual(self.operations(measured, rank), {
                "init": (1, 0, 0), "irecv": (1, 0, 12), "send": (1, 12, 0), "wait": (1, 0, 0), "allreduce": (1, 4, 4)})

    def test_functions_without_a_wrapper(self):
        measured = self.both(program("unwrapped"))
        for rank in range(2):
            self.assertEqual(self.operations(measured, rank), {
                "init": (1, 0, 0), "allreduce": (1, 4, 4), "sendrecv": (1, 8, 8)})

    @unittest.skipUnless(preloaded.FAMILY == "mpich", "Debian's Open MPI has no functions for large counts")
    def test_functions_for_large_counts(self):
        by_int, by_count = self.both(program("large_counts")), self.both(program("large_counts"), "c")
        for rank in range(2):
            found = self.operations(by_int, rank)
            self.assertEqual(self.operations(by_count, rank), found)
            self.assertEqual((found["bcast"], found["allreduce"]), ((1, 0 if rank else 12, 12 if rank else 0), (1, 12, 12)))
            self.assertEqual(found["recv" if rank else "send"], (1, 0, 12) if rank else (1, 12, 0))

    @openmpi_only
    def test_cxx_bindings(self):
        measured = self.both(program("cxx_bindings"))
        both = {"init": (1, 0, 0), "comm_split": (1, 0, 0), "comm_free": (1, 0, 0), "allreduce": (1, 8, 8), "wait": (1, 0, 0),
                "irecv": (1, 0, 4)}
        self.assertEqual(self.operations(measured, 0), {**both, "send": (2, 16 + 4, 0)})
        self.assertEqual(self.operations(measured, 1), {**both, "send": (1, 4, 0), "recv": (1, 0, 16)})

    def test_calls_left_by_exception_or_longjmp(self):
        measured = self.both(program("leaving_calls"), ranks=1)
        self.assertEqual(measured.outputs, ["thrown\nthrown\njumped\n"])
        [profile] = measured.profiles.values()
        found = totals(profile)
        self.assertEqual((found["send"]["calls"], found["send"]["failed"]), (2, 2))  # Nobody sees the end of the third.
        self.assertEqual(found["allreduce"]["calls"], 1)

    def test_a_first_call_while_a_library_that_calls_is_loaded(self):
        measured = self.both(program("loads_while_calling"), program("calls_when_loaded.so"))
        for rank in range(2):
            self.assertEqual(self.operations(measured, rank), {"init": (1, 0, 0), "barrier": (4, 0, 0)})

    def test_ctypes_is_not_seen(self):
        measured = self.both(PYTHON, program("ctypes_program.py"), LIBRARY)
        self.assertEqual(measured.profiles, {})

    @openmpi_only
    def test_mpi4py_messages(self):
        measured = self.both(PYTHON, program("mpi4py_messages.py"))
        self.assertEqual(self.operations(measured, 0), {"init_thread": (1, 0, 0), "send": (2, 21 + 24, 0)})
        self.assertEqual(self.operations(measured, 1), {
            "init_thread": (1, 0, 0), "mprobe": (1, 0, 0), "mrecv": (1, 0, 21), "recv": (1, 0, 24)})
        [peer] = measured.of_rank(1)["peers"]
        self.assertEqual((peer["peer"], peer["receives"], peer["received"]), (0, 2, 45))

    @openmpi_only
    def test_mpi4py_collectives(self):
        measured = self.both(PYTHON, program("mpi4py_collectives.py"))
        for rank in range(2):
            self.assertEqual(self.operations(measured, rank), {
                "init_thread": (1, 0, 0), "bcast": (1, 32 * rank, 32 * (1 - rank)), "allreduce": (2, 24, 24),
                "allgather": (1, 8, 16), "barrier": (2, 0, 0), "irecv": (2, 0, 12), "isend": (2, 12, 0), "waitall": (1, 0, 0),
                "comm_split": (1, 0, 0), "comm_free": (1, 0, 0), "win_create": (1, 0, 0), "win_fence": (2, 0, 0),
                "get": (1, 0, 4), "win_free": (1, 0, 0)})


class OtherTools(unittest.TestCase):
    """A tool that takes MPI_Init and MPI_Send and calls on, beside mpiprof: the first one takes them from the other."""

    def check(self, preload, counted, operations):
        plain = run([program("plugin_host"), program("plugin.so")])
        measured = run([program("plugin_host"), program("plugin.so")], how=PRELOADED, preload=preload)
        self.assertEqual(measured.status, 0, measured.stderr)
        for rank in range(2):
            self.assertEqual(measured.outputs[rank], plain.outputs[rank] + f"the tool counted {counted}\n")
            found = totals(measured.of_rank(rank))
            self.assertEqual(sorted(found), sorted(operations))
            self.assertTrue(all(fields["calls"] == 1 for fields in found.values()), found)

    def test_mpiprof_first(self):
        self.check(preloaded.PRELOAD + ":" + program("counting_tool.so"), "0, 0",
                   ["init", "irecv", "send", "wait", "allreduce"])

    def test_mpiprof_second(self):
        self.check(program("counting_tool.so") + ":" + preloaded.PRELOAD, "1, 1", ["irecv", "wait", "allreduce"])


class Serial(unittest.TestCase):
    """Programs without MPI run as if nothing were there."""

    def check(self, *command):
        plain, measured = run(command, ranks=0), run(command, ranks=0, how=PRELOADED, settings="shards=.")
        self.assertEqual((measured.status, measured.outputs, measured.stderr, measured.files, measured.profiles),
                         (plain.status, plain.outputs, plain.stderr, [], {}))
        return measured

    def test_c(self):
        measured = self.check(program("serial"), "one", "*")
        self.assertEqual((measured.status, measured.outputs), (5, ["one\n*\nMPI is not loaded\n"]))

    def test_that_asks_whether_it_has_mpi(self):
        self.assertEqual(self.check(program("asks_for_mpi")).outputs, ["0\n0\n"])

    def test_a_stand_in_for_mpi(self):
        self.assertEqual(self.check(program("plugin_host"), program("stand_in.so")).outputs, ["0 2 0 2 named\n"])

    def test_static_c(self):
        self.assertEqual(self.check(program("serial_static")).status, 5)

    def test_python(self):
        code = "import sys; print('libmpi.' in open('/proc/self/maps').read()); sys.exit(3)"
        measured = self.check(PYTHON, "-c", code)
        self.assertEqual((measured.status, measured.outputs), (3, ["False\n"]))

    def test_shell(self):
        script = 'echo one; "$0" two | cat; exec bash -c "exit 4"'
        self.assertEqual(self.check("bash", "-c", script, program("serial")).status, 4)


if __name__ == "__main__":
    unittest.main()
