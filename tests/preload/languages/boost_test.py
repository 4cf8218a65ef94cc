"""Boost.MPI programs under the preload library, which sees what Boost calls MPI for."""

import os
import sys
import unittest

sys.path.insert(0, "tests/preload")
import preloaded  # noqa: E402
from preloaded import PLAIN, PRELOADED, program, run, totals  # noqa: E402

# Bytes of the message in which Boost 1.74 sends a value (boost_values.cpp).
WIRE = {
    "nothing": 0, "int": 4, "bool": 1, "vector<int> of 5": 20, "vector<int> of 0": 0, "vector<vector<int>>": 42,
    "string of 0": 4, "string of 3": 7, "4 of int": 16, "0 of int": 0, "2 of string": 11, "vector<string>": 25,
    "serialized record": 14, "typed record": 12, "vector of 3 typed records": 36, "map<int, string>": 25,
    "optional without": 3, "optional with": 7, "shared_ptr<Base> to Der": 35, "shared_ptr<Base> to nothing": 4,
    "skeleton, content": 8 + 12, "isend int": 4, "isend string of 3": 7, "isend vector<int> of 5": 20,
}
COMMUNICATION = {"send", "isend", "recv", "irecv", "mrecv", "bcast", "allreduce", "reduce", "gather", "gatherv", "sendrecv"}


def by_communicator(profile, field):
    """{name of a communicator: {operation: (calls, bytes)}}, receives with what their completion brought."""
    names = {row["id"]: row["name"] for row in profile["communicators"]}
    made = {}
    for row in profile["calls"]:
        calls, nbytes = row["statistics"]["calls"], row["statistics"][field]
        operations = made.setdefault(names.get(row["communicator"], ""), {})
        before = operations.get(row["operation"], (0, 0))
        operations[row["operation"]] = (before[0] + calls, before[1] + nbytes)
    if field == "received":
        for row in profile["completions"]:
            calls, nbytes = made[names[row["communicator"]]][row["operation"]]
            made[names[row["communicator"]]][row["operation"]] = (calls, nbytes + row["received"])
    return {name: {operation: sums for operation, sums in operations.items() if operation in COMMUNICATION}
            for name, operations in made.items()}


class Values(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        plain, cls.measured = (run([program("boost_values")], how=how) for how in (PLAIN, PRELOADED))
        assert (cls.measured.status, cls.measured.outputs) == (0, plain.outputs), cls.measured

    def sums(self, rank, field, names):
        found = by_communicator(self.measured.of_rank(rank), field)
        return {name: found[name] for name in names}

    def test_messages(self):
        sent, received = self.sums(0, "sent", WIRE), self.sums(1, "received", WIRE)
        for name, nbytes in WIRE.items():
            messages = 2 if name == "skeleton, content" else 1
            self.assertEqual(sum_of(sent[name]), (messages, nbytes), name)
            self.assertEqual(sum_of(received[name]), (messages, nbytes), name)
        self.assertEqual(sent["isend string of 3"], {"isend": (1, 7)})
        self.assertEqual((received["int"], received["string of 3"]), ({"recv": (1, 4)}, {"mrecv": (1, 7)}))

    def test_broadcasts_tell_sizes_first(self):
        names = ["broadcast int", "broadcast string of 5", "broadcast vector<int> of 3"]
        for rank, field in enumerate(["sent", "received"]):
            found = self.sums(rank, field, names)
            self.assertEqual([found[name] for name in names],
                             [{"bcast": (1, 4)}, {"bcast": (2, 8 + 9)}, {"bcast": (2, 8 + 20)}])

    def test_gathers_tell_sizes_first(self):
        for rank, archive in enumerate([5, 6]):
            found = self.sums(rank, "sent", ["gather strings"])["gather strings"]
            self.assertEqual(found, {"gather": (1, 4), "gatherv": (1, archive)})


def sum_of(operations):
    return tuple(sum(column) for column in zip(*operations.values()))


class Program(unittest.TestCase):
    def test_messages_arrive_as_they_were_sent(self):
        command = [os.path.abspath("examples/word_count/word_count_plain")]
        plain, measured = (run(command, how=how) for how in (PLAIN, PRELOADED))
        self.assertEqual((measured.status, measured.outputs), (0, plain.outputs))
        sender, receiver = (totals(measured.of_rank(rank)) for rank in range(2))
        self.assertLess({"send", "bcast", "allreduce", "reduce"}, set(sender))
        arrived = sum(receiver[operation]["received"] for operation in ("recv", "mrecv") if operation in receiver)
        self.assertEqual(sender["send"]["sent"], arrived)


if __name__ == "__main__":
    unittest.main()
