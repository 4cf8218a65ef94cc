"""scope_profiler_clock_test.py MPIEXEC PROGRAM MPIPROF: calls of a real run lie where the program's own clock has them.

Case CL8: scope-profiler's own regions and those of an export are of one clock.
"""

import glob
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scope_profiler_files as files  # noqa: E402

LAUNCHER, PROGRAM, MPIPROF = (os.path.abspath(name) if "/" in name else name for name in sys.argv[1:4])
ENVIRONMENT_FILE = os.path.abspath("bazel/mpi_env.sh")
SOURCE = 'source "$0"; mpi_environment "$1"; shift; exec timeout 60 "$@"'
# Between the readings of two clocks that a trace's start is known by.
MOST_OFF = 100_000


class Clock(unittest.TestCase):
    def test_calls_lie_between_the_programs_readings(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "MPIPROF": f"sinks=summary+trace, output={folder}/run.json"}
            # A file for each rank, since launchers mix lines.
            words = [LAUNCHER, "-n", "2", "bash", "-c", 'exec "$0" >readings.$$', PROGRAM]
            subprocess.run(["bash", "-c", SOURCE, ENVIRONMENT_FILE, folder, *words], check=True, cwd=folder, env=environment,
                           stdin=subprocess.DEVNULL)
            readings = {0: [], 1: []}
            for name in glob.glob(f"{folder}/readings.*"):
                with open(name, encoding="utf-8") as file:
                    for rank, *times in (map(int, line.split()) for line in file):
                        readings[rank].append(times)
            path = os.path.join(folder, "run.h5")
            subprocess.run([MPIPROF, "export", "scope-profiler-hdf5", *glob.glob(f"{folder}/*.trace"), "-o", path], check=True)
            run = files.read_hdf5(path)
        barriers = {rank: row.events for (name, rank), row in run.rows.items() if name.startswith("mpi:barrier ")}
        self.assertEqual(set(barriers), {0, 1})
        for rank, events in barriers.items():
            self.assertEqual(len(events), 20)
            for (before, after), (start, end) in zip(readings[rank], events):
                self.assertGreater(start, before - MOST_OFF)
                self.assertLess(end, after + MOST_OFF)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
