"""How tools/bench reads what the programs leave, and judges it."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, "benchmarks")
from driver import calls, instructions, preload, targets  # noqa: E402

DUMP = """# callgrind format
desc: Trigger: Client Request: barrier/plain#1

events: Ir
summary: 30

fn=run
0 5
cfn=MPI_Barrier
calls=2 0
0 20
0 3

fn=MPI_Barrier
+1 12
* 10
"""


def aggregate(variant, index, name, nanoseconds):
    return {"run_name": f"barrier/{variant}/real_time", "family_index": index, "run_type": "aggregate", "aggregate_name": name,
            "real_time": nanoseconds, "time_unit": "ns"}


class Driver(unittest.TestCase):
    def test_instructions_of_a_function_are_its_own(self):
        label, own = instructions.parse(DUMP)
        self.assertEqual(label, "barrier/plain#1")
        self.assertEqual(own, {"run": 8, "MPI_Barrier": 22})

    def test_a_dump_at_the_end_of_the_program_is_none_of_ours(self):
        self.assertEqual(instructions.parse(DUMP.replace("Client Request", "Program termination"))[0], None)

    def test_variants_come_in_the_order_of_registration(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "barrier.json")
            file.write_text(json.dumps({"benchmarks": [
                aggregate("off", 1, "median", 3.0), aggregate("off", 1, "stddev", 0.1), aggregate("plain", 0, "median", 2.0),
                aggregate("plain", 0, "fastest", 1.0), aggregate("off", 1, "fastest", 1.5)]}))
            times = calls.read(file)
        self.assertEqual(list(times.items()), [("plain", {"median": 2.0, "fastest": 1.0}), ("off", {"median": 3.0, "fastest": 1.5})])

    def test_ratio_is_of_overheads(self):
        times = {"plain": {"median": 2.0}, "bound_rdtsc": {"median": 12.0}, "tsc": {"median": 17.0}}
        self.assertEqual(calls.ratio(times, "tsc", "bound_rdtsc"), 1.5)

    def test_a_bound_below_plain_gives_no_ratio(self):
        times = {"plain": {"median": 2.0}, "bound_rdtsc": {"median": 1.9}, "tsc": {"median": 17.0}}
        self.assertIsNone(calls.ratio(times, "tsc", "bound_rdtsc"))

    def test_preloaded_by_the_fastest_chunks(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "preload.json")
            file.write_text(json.dumps({"benchmarks": [
                {**aggregate("", 1, "fastest", 9.0), "run_name": "send_recv/real_time"},
                {**aggregate("", 0, "median", 3.0), "run_name": "barrier/real_time"},
                {**aggregate("", 0, "fastest", 2.0), "run_name": "barrier/real_time"}]}))
            self.assertEqual(list(preload.read(file).items()), [("barrier", 2.0), ("send_recv", 9.0)])
        self.assertEqual(preload.ratio({"plain": 2.0, "bound": 22.0, "mpiprof": 52.0}), 2.5)
        self.assertIsNone(preload.ratio({"plain": 2.0, "bound": 1.0, "mpiprof": 52.0}))

    def test_verdicts(self):
        self.assertEqual(targets.missed(1.5, 1.5), "met")
        self.assertEqual(targets.missed(-49, 0), "met")
        self.assertEqual(targets.missed(1.75, 1.5), "missed by 0.25")
        self.assertIn("not measurable", targets.missed(None, 1.5))


if __name__ == "__main__":
    unittest.main()
