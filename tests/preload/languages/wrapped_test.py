"""Programs with mpiprof in them, under the preload library: each call counts once, where the program has it counted."""

import os
import sys
import unittest

sys.path.insert(0, "tests/preload")
import preloaded  # noqa: E402
from preloaded import PLAIN, PRELOADED, run, totals  # noqa: E402

# What the program does beside the calls that it wraps.
OUTSIDE = {"init", "init_thread", "comm_rank", "comm_size"}


def calls(operations):
    return {operation: {field: fields.get(field, 0) for field in ("calls", "sent", "received")}
            for operation, fields in operations.items()}


class Wrapped(unittest.TestCase):
    def check(self, name, *arguments):
        command = [os.path.abspath(f"examples/{name}/{name}"), *arguments]
        wrapped, both = (run(command, how=how) for how in (PLAIN, PRELOADED))
        self.assertEqual((both.status, both.outputs, both.files), (0, wrapped.outputs, wrapped.files), both.stderr)
        [alone], together = wrapped.profiles, f"{name}.mpiprof.json"
        self.assertEqual(alone, together)
        by_wrapper = calls(totals(both.profiles[together]))
        self.assertEqual(by_wrapper, calls(totals(wrapped.profiles[alone])))
        self.assertGreater(sum(fields["calls"] for fields in by_wrapper.values()), 10)
        for rank in range(2):
            self.assertLessEqual(set(totals(both.of_rank(rank))), OUTSIDE)

    def test_by_the_c_interface(self):
        self.check("heat", os.path.abspath("examples/heat/initial_field.txt"), "20")

    @unittest.skipUnless(preloaded.FAMILY == "openmpi", "Debian's Boost.MPI is made for Open MPI")
    def test_by_boost_mpi(self):
        self.check("word_count")


if __name__ == "__main__":
    unittest.main()
