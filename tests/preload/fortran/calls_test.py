"""Fortran programs of all bindings have, under the preload library, the profile of the C program with the same calls."""

import os
import sys
import unittest

sys.path.insert(0, "tests/preload")
import preloaded  # noqa: E402

BINDINGS = ["calls_mpif_h", "calls_use_mpi", "calls_use_mpi_f08"]

# Rows of a profile that tell more apart, by what; the rest of a row is numbers.
KEYS = {
    "calls": ["operation", "request", "communicator"], "completions": ["operation", "communicator"],
    "peers": ["rank", "communicator", "peer"], "communicators": ["id", "parent", "name"], "outstanding": ["operation"],
}

# What calls.F90 and calls.c do on each of two ranks, worked out by hand: calls, completions, sent, received, written, read,
# failed.
BOTH = {
    "sendrecv_replace": (1, 1, 24, 24), "sendrecv": (1, 1, 8, 8),
    "irecv": (9, 9, 0, 20 + 12 + 16 + 8 + 4 + 4 * 400), "isend": (6, 6, 20 + 12 + 4 * 400),
    "wait": (3,), "waitall": (4,), "waitany": (2,), "waitsome": (2,), "testany": (1,), "testsome": (1,),
    "allreduce": (2, 0, 4 + 8, 4 + 8), "comm_split": (2,), "comm_dup": (1,), "barrier": (1,),
    "recv_init": (1, 2, 0, 32), "send_init": (1, 2), "startall": (1, 0, 16), "start": (2, 0, 16), "request_free": (2,),
    "win_create": (1,), "win_fence": (3,), "put": (1, 0, 12), "get": (1, 0, 0, 8), "win_free": (1,),
    "file_open": (1,), "file_write_at": (1, 0, 0, 0, 16), "file_read_at": (1, 0, 0, 0, 0, 8), "file_close": (1,),
}
EXPECTED = [
    {**BOTH, "send": (7, 0, 24 + 4 + 16 + 8 + 4 + 20, 0, 0, 0, 1), "recv": (1, 0, 0, 4), "gather": (1, 0, 8, 16),
     "alltoallw": (1, 0, 12, 12), "comm_free": (3,), "bcast": (1, 0, 0, 32)},
    {**BOTH, "send": (5, 0, 4 + 16 + 8 + 4, 0, 0, 0, 1), "recv": (3, 0, 0, 24 + 4 + 20), "gather": (1, 0, 8),
     "alltoallw": (1, 0, 16, 16), "comm_free": (2,), "bcast": (1, 0, 32)},
]
FIELDS = ["calls", "completions", "sent", "received", "written", "read", "failed"]


def expected(rank, level):
    made = {**EXPECTED[rank], "init_thread" if level else "init": (1,)}
    return {operation: {field: value for field, value in zip(FIELDS, values) if value} for operation, values in made.items()}


def expected_of_both():
    ranks = [expected(rank, "") for rank in range(2)]
    return {operation: {field: sum(made[operation].get(field, 0) for made in ranks) for field in FIELDS
                        if any(field in made[operation] for made in ranks)} for operation in ranks[0]}


def counted(profile):
    return {operation: {field: fields[field] for field in FIELDS if field in fields}
            for operation, fields in preloaded.totals(profile).items()}


def summary(profile):
    """What rows of a kind tell together, whatever their places in the source; times left out."""
    made = {}
    for table, keys in KEYS.items():
        for row in profile[table]:
            numbers = {**row, **row.get("statistics", {})}
            sums = made.setdefault((table, *(row[key] for key in keys)), {})
            for field, value in numbers.items():
                if isinstance(value, int) and field not in [*keys, "line"]:
                    sums[field] = sums.get(field, 0) + value
    return made


def run(program, how, *level):
    return preloaded.run([preloaded.program(program), "written", *level], how=how, settings="shards=.")


def lines(finished):
    return [output.splitlines() for output in finished.outputs]


class Calls(unittest.TestCase):
    maxDiff = None

    def measured(self, program, *level):
        finished = run(program, preloaded.PRELOADED, *level)
        self.assertEqual(finished.status, 0, finished.stderr)
        self.assertEqual(sorted(finished.profiles), [f"{program}.mpiprof.rank{rank}.json" for rank in range(2)])
        for rank in range(2):
            self.assertEqual(counted(finished.of_rank(rank)), expected(rank, level))
            # Not in the MPI library's Fortran layer.
            self.assertEqual([row for row in finished.of_rank(rank)["call_sites"] if f"/{program}" not in row["file"]], [])
        return finished

    def both(self, program):
        """A plain run, and a measured one that prints and writes the same."""
        plain, measured = run(program, preloaded.PLAIN), self.measured(program)
        self.assertEqual((measured.outputs, measured.files), (plain.outputs, plain.files))
        return plain, measured

    def test_c_and_fortran(self):
        plain_in_c, in_c = self.both("calls_c")
        for program in BINDINGS:
            with self.subTest(program):
                plain, measured = self.both(program)
                for rank in range(2):
                    self.assertEqual(summary(measured.of_rank(rank)), summary(in_c.of_rank(rank)))
                # MPICH's Fortran adds one to MPI_UNDEFINED, and by mpi_f08 counts indices from 0.
                if preloaded.FAMILY != "mpich":
                    self.assertEqual(lines(plain), lines(plain_in_c))

    def test_levels_of_threads(self):
        for level, program in enumerate(["calls_c", *BINDINGS]):
            with self.subTest(program, level=level):
                self.measured(program, str(level))

    def test_by_command(self):
        """`mpiprof run` leaves one profile of all ranks, and `mpiprof report` reads it."""
        with preloaded.folder() as folder:
            finished = preloaded.run([preloaded.program("calls_use_mpi_f08"), "written"], how=preloaded.BY_COMMAND, cwd=folder)
            self.assertEqual(finished.status, 0, finished.stderr)
            [(name, profile)] = finished.profiles.items()
            self.assertEqual((name, profile["ranks"]), ("calls_use_mpi_f08.mpiprof.json", [{"first": 0, "last": 1}]))
            self.assertEqual(counted(profile), expected_of_both())
            self.assertIn("2 ranks", preloaded.report(os.path.join(folder, name)))

    def test_sections_of_arrays(self):
        plain, measured = (preloaded.run([preloaded.program("sections")], how=how) for how in (preloaded.PLAIN, preloaded.PRELOADED))
        self.assertEqual((measured.status, measured.outputs), (0, plain.outputs))
        found = [preloaded.totals(measured.of_rank(rank)) for rank in range(2)]
        self.assertEqual((found[0]["send"]["sent"], found[0]["recv"]["received"], found[0]["bcast"]["received"]), (20, 16, 24))
        self.assertEqual((found[1]["send"]["sent"], found[1]["recv"]["received"], found[1]["bcast"]["sent"]), (16, 20, 24))
        if "T" in plain.outputs[0]:
            for totals in found:
                self.assertEqual((totals["isend"]["sent"], totals["irecv"]["received"]), (12, 12))

    def test_plugin_after_the_first_call(self):
        command = [preloaded.program("late_plugin_host"), preloaded.program("late_plugin.so")]
        plain, measured = (preloaded.run(command, how=how) for how in (preloaded.PLAIN, preloaded.PRELOADED))
        self.assertEqual((measured.status, measured.outputs), (0, plain.outputs))
        for rank in range(2):
            found = preloaded.totals(measured.of_rank(rank))
            self.assertEqual({operation: fields["calls"] for operation, fields in found.items()},
                             {"init": 1, "barrier": 1, "sendrecv": 1})
            self.assertEqual((found["sendrecv"]["sent"], found["sendrecv"]["received"]), (4, 4))
            [place] = [row["file"] for row in measured.of_rank(rank)["call_sites"] if row["operation"] == "sendrecv"]
            self.assertIn("/late_plugin.so", place)


if __name__ == "__main__":
    unittest.main()
