"""Programs that nobody here wrote, and small ones of the kinds in other profilers' tests: the same output and exit status
with mpiprof preloaded as without, and totals that agree with those of an independent counter.

Its arguments, after those of the module `preloaded`: packages, lammps, own or limit; the counter; what makes MPICH's ranks
yield their cores.
"""

import difflib
import os
import pathlib
import sys
import unittest

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.abspath("tests/preload")]
import preloaded  # noqa: E402
import table  # noqa: E402
from runs import Counts, run  # noqa: E402

KIND, COUNTER, YIELD = [each for each in sys.argv[1:] if each != "-v"]
COUNTER, YIELD = os.path.abspath(COUNTER), os.path.abspath(YIELD)
BESIDE = [YIELD] if preloaded.FAMILY == "mpich" else []

# Neither ends as other calls do: the profile is written in the one, and nothing returns from the other.
ENDINGS = ("finalize", "abort")
# What they bring is not in the counter's rows of them; all of it has been sent by somebody.
COMPLETED = ("irecv", "imrecv", "start", "startall", "recv_init")
SENDS = ("send", "bsend", "ssend", "rsend", "isend", "ibsend", "issend", "irsend", "start", "startall", "sendrecv",
         "sendrecv_replace")
RECEIVES = ("recv", "irecv", "mrecv", "imrecv", "recv_init", "sendrecv", "sendrecv_replace")


def comparable(rows, polls=()):
    """Of one rank, without what cannot be compared."""
    found = {name: row for name, row in rows.items() if name not in ENDINGS and row.calls}
    for name in set(COMPLETED) & set(found):
        found[name] = found[name]._replace(received=None)
    for name in set(polls) & set(found):
        found[name] = found[name]._replace(calls=None)
    return found


def total(ranks, operations, field):
    return sum(getattr(rows[name], field) for rows in ranks for name in operations if name in rows)


def over_ranks(ranks):
    return {name: Counts(*map(sum, zip(*(rows[name] for rows in ranks if name in rows)))) for rows in ranks for name in rows}


@unittest.skipIf(b"__asan_init" in pathlib.Path(preloaded.PRELOAD).read_bytes(), "programs of others have no address sanitizer")
class Programs(unittest.TestCase):
    maxDiff = None

    def agree(self, program, counted, profiled):
        self.assertEqual((len(counted), len(profiled)), (program.ranks, program.ranks))
        self.assertGreater(sum(row.calls for rows in counted for row in rows.values()), 0)
        for rank, (theirs, ours) in enumerate(zip(counted, profiled)):
            with self.subTest(rank=rank):
                self.assertEqual(comparable(ours, program.polls), comparable(theirs, program.polls))
        if program.waits_by_itself:
            return
        self.assertEqual(total(profiled, RECEIVES, "received"), total(counted, SENDS, "sent"))

    def unchanged(self, program, plain, other):
        self.assertEqual(other.status, plain.status, other.errors)
        for name, text in other.texts.items():
            self.assertEqual(list(difflib.unified_diff(plain.texts[name], text, "plain", "other", n=0, lineterm="")), [], name)
        self.assertEqual((plain.left, other.left), ([], []))

    def try_out(self, program):
        plain = run(program, BESIDE)
        self.assertEqual(plain.status != 0, program.aborts, plain.errors)
        profiled = run(program, [preloaded.PRELOAD, *BESIDE])
        self.unchanged(program, plain, profiled)
        if program.aborts:
            self.assertIn(f"{program.ranks} ranks on 1 host", profiled.report)
            self.assertIn("did not reach the end", profiled.report)
            return profiled
        self.assertEqual(profiled.report, "")
        counted = run(program, [COUNTER, *([preloaded.PRELOAD] if program.by_time else []), *BESIDE])
        self.unchanged(program, plain, counted)
        self.agree(program, counted.counted, (counted if program.by_time else profiled).profiled)
        if KIND != "own" and not BESIDE:
            command = run(program, how=preloaded.BY_COMMAND)
            self.unchanged(program, plain, command)
            self.assertNotEqual(command.merged, {})
            if not program.by_time:
                self.assertEqual(comparable(command.merged, program.polls), comparable(over_ranks(counted.counted), program.polls))
        return profiled


def add_tests(programs):
    for program in programs:
        if preloaded.FAMILY in program.families:
            def test(self, program=program):
                check = getattr(self, f"check_{program.name}", None)
                profiled = self.try_out(program)
                if check:
                    check(profiled.profiled)
            setattr(Programs, f"test_{program.name}", test)


# Numbers that are known without the counter.

def check_send_modes(self, ranks):
    """mpiP's test of message sizes: 1 call each."""
    for number, mode in enumerate(("bsend", "ibsend", "irsend", "isend", "issend", "rsend", "send", "ssend"), 1):
        self.assertEqual((ranks[0][mode].calls, ranks[0][mode].sent), (1, 2048 * number), mode)
    self.assertEqual(ranks[1]["irecv"].received, 2048 * 36)


def check_nonblocking_collectives(self, ranks):
    for rows in ranks:
        collectives = [name for name in rows if name.startswith("i") and name not in ("init", "irecv", "isend")]
        self.assertEqual(len(collectives), 17, collectives)
        self.assertEqual({rows[name].calls for name in collectives}, {1})
        self.assertEqual(rows["waitall"].calls, 1)


def check_neighbours(self, ranks):
    """One record of each collective, and none of what a library calls inside."""
    for rows in ranks:
        self.assertEqual(set(rows) - {"init", "finalize"}, {
            "dist_graph_create_adjacent", "cart_create", "graph_create", "neighbor_allgatherv", "neighbor_alltoall",
            "ineighbor_allgather", "neighbor_alltoallv", "wait", "comm_free"})
        self.assertEqual(rows["neighbor_allgatherv"].calls, 1)
        self.assertEqual(rows["comm_free"].calls, 3)


def check_latency(self, ranks):
    """Ten sizes, 110 messages of each both ways."""
    for rows in ranks:
        self.assertEqual((rows["send"].calls, rows["recv"].calls), (1100, 1100))
        self.assertEqual(rows["send"].sent, rows["recv"].received)
        self.assertEqual(rows["send"].sent, 110 * sum(4 ** power for power in range(9)))
        self.assertEqual(rows["startall"].calls, 30)
    self.assertEqual(ranks[1]["irecv"].received, ranks[0]["isend"].sent)


def check_mpi4py_objects(self, ranks):
    """A pickled dictionary of 21 bytes and 24 bytes as they are."""
    self.assertEqual(ranks[0]["send"].sent - 24, 21)
    self.assertEqual(ranks[1]["mprobe"].calls, ranks[1]["mrecv"].calls)


def check_own_wrappers(self, ranks):
    """What the program defines itself it does not call through mpiprof."""
    for rows in ranks:
        self.assertEqual(set(rows) - {"init", "finalize"}, {"irecv", "send", "barrier"})


for each in (check_send_modes, check_nonblocking_collectives, check_neighbours, check_latency, check_mpi4py_objects, check_own_wrappers):
    setattr(Programs, each.__name__, each)


def number_of_communicators(self):
    """Libraries have a limited number of context ids: mpiprof takes none of them."""
    plain, profiled = run(table.limit(), BESIDE), run(table.limit(), [preloaded.PRELOAD, *BESIDE])
    self.assertEqual(plain.status, 0)
    self.unchanged(table.limit(), plain, profiled)
    self.assertRegex(plain.texts["rank 0"][0], r"^rank 0: [1-9]\d+ duplicates$")


if KIND == "limit":
    Programs.test_number_of_communicators = number_of_communicators
else:
    add_tests({"packages": table.from_packages, "lammps": table.lammps, "own": table.own}[KIND]())

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *os.environ.get("TESTBRIDGE_TEST_ONLY", "").split()])
