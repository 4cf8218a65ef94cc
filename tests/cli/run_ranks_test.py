"""`mpiprof run` in and around the MPI library's launcher: the job ends as it does without, and its profile is there."""

import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LAUNCHER, PLAIN, PROGRAM = (os.path.abspath(sys.argv.pop(1)) if "/" in sys.argv[1] else sys.argv.pop(1) for _ in range(3))
ENVIRONMENT_FILE = os.path.abspath("bazel/mpi_env.sh")
SOURCE = 'source "$0"; mpi_environment "$1"; shift; exec timeout 100 "$@"'
RUN = [PROGRAM, "run"]


class Ranks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        os.mkdir(self.path("shards"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def launch(self, *words, **environment):
        environment = {**os.environ, "MPIPROF": "shards=" + self.path("shards"), **environment}
        return subprocess.run(["bash", "-c", SOURCE, ENVIRONMENT_FILE, self.folder, *words], cwd=self.folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def profiles(self):
        return sorted(os.path.basename(path) for path in glob.glob(self.path("*.json")))

    def merged(self):
        """The profile, which comes a moment after the launcher's end where that killed what waits for the ranks."""
        end = time.monotonic() + 15
        while not os.path.exists(self.path("ranks_program.mpiprof.json")) and time.monotonic() < end:
            time.sleep(0.05)
        end = time.monotonic() + 10
        while (self.profiles() != ["ranks_program.mpiprof.json"] or os.listdir(self.path("shards"))) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.profiles(), ["ranks_program.mpiprof.json"])
        self.assertEqual(os.listdir(self.path("shards")), [])
        with open(self.path("ranks_program.mpiprof.json"), encoding="utf-8") as file:
            return json.load(file)

    def check_counts(self, profile, ranks):
        self.assertEqual((profile["world_size"], profile["ranks"]), (ranks, [{"first": 0, "last": ranks - 1}]))
        rows = {row["operation"]: row["statistics"] for row in profile["operations"]}
        row = rows["sendrecv"]
        self.assertEqual((row["calls"], row["sent"], row["received"]), (20 * ranks, 480 * ranks, 480 * ranks))
        self.assertEqual(rows["barrier"]["calls"], 20 * ranks)

    def both_ways(self, *words):
        """Lines that start it in the launcher, and the launcher in it."""
        return [LAUNCHER, "-n", "3", *RUN, PLAIN, *words], [*RUN, LAUNCHER, "-n", "3", PLAIN, *words]

    def check(self, words, unfinished, others=()):
        plain = self.launch(LAUNCHER, "-n", "3", PLAIN, *words)
        for line in self.both_ways(*words):
            with self.subTest(line=line):
                profiled = self.launch(*line)
                self.assertIn(profiled.returncode, [plain.returncode, *others], profiled.stderr)
                if profiled.returncode == plain.returncode:
                    self.assertEqual(profiled.stdout.count("\n"), plain.stdout.count("\n"))
                profile = self.merged()
                self.check_counts(profile, 3)
                self.assertEqual(profile["unfinished"], unfinished)
                os.remove(self.path("ranks_program.mpiprof.json"))

    def test_a_job_that_ends_well(self):
        self.check(["finalize"], [])

    def test_a_rank_that_fails_after_the_end(self):
        self.check(["finalize", "1"], [])

    def test_a_rank_that_leaves_without_the_end(self):
        # Which rank's status MPICH's launcher returns, having killed the other two, is a matter of time, also without mpiprof.
        self.check(["exit", "1"], [{"first": 0, "last": 2}], [3, signal.SIGKILL])

    def test_a_rank_that_is_killed(self):
        self.check(["kill", "1"], [{"first": 0, "last": 2}])

    def test_a_rank_that_aborts(self):
        self.check(["abort", "2"], [{"first": 0, "last": 2}])

    def test_two_jobs_of_one_script(self):
        script = f"{LAUNCHER} -n 2 {PLAIN} finalize && {LAUNCHER} -n 3 {PLAIN} finalize"
        result = self.launch(*RUN, "--report", "sh", "-c", script)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("mpiprof report: ranks_program"), 2, result.stderr)
        self.assertEqual(self.profiles(), ["ranks_program.mpiprof.2.json", "ranks_program.mpiprof.json"])
        for name in self.profiles():
            with open(self.path(name), encoding="utf-8") as file:
                profile = json.load(file)
            self.check_counts(profile, profile["world_size"])

    def test_one_rank_of_a_job(self):
        result = self.launch(LAUNCHER, "-n", "1", *RUN, PLAIN, "finalize", ":", "-n", "1", PLAIN, "finalize")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.profiles(), ["ranks_program.mpiprof.rank0.json"])

    def test_a_process_that_ends_before_it_has_a_rank(self):
        result = self.launch(*RUN, "--queries", PLAIN, "early")
        self.assertRegex(result.stderr, r"^mpiprof: process \d+ ended before MPI had told its rank; it recorded nothing\n")
        self.assertEqual((self.profiles(), os.listdir(self.path("shards"))), ([], []))

    def test_chosen_ranks(self):
        result = self.launch(LAUNCHER, "-n", "3", *RUN, "--ranks", "0+2", PLAIN, "finalize")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        profile = self.merged()
        self.assertEqual(profile["ranks"], [{"first": 0, "last": 0}, {"first": 2, "last": 2}])
        os.remove(self.path("ranks_program.mpiprof.json"))
        self.launch(*RUN, "--ranks", "1", LAUNCHER, "-n", "3", PLAIN, "kill", "1")
        profile = self.merged()
        self.assertEqual((profile["ranks"], profile["unfinished"]), ([{"first": 1, "last": 1}],) * 2)

    def test_a_script_around_the_program(self):
        result = self.launch(LAUNCHER, "-n", "2", *RUN, "sh", "-c", f"cat </dev/null; {PLAIN} finalize; exit 0")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.check_counts(self.merged(), 2)

    def test_without_a_parent_rank_files_stay(self):
        preload = os.path.join(os.path.dirname(os.path.realpath(PROGRAM)), "../preload/libmpiprof_preload.so")
        if not os.path.exists(preload):
            preload = os.path.join(os.path.dirname(os.path.realpath(PROGRAM)), "libmpiprof_preload.so")
        result = self.launch(LAUNCHER, "-n", "2", "env", "LD_PRELOAD=" + preload, PLAIN, "finalize")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.profiles(), ["ranks_program.mpiprof.rank0.json", "ranks_program.mpiprof.rank1.json"])
        report = self.launch(PROGRAM, "report", *glob.glob(self.path("*.json")))
        self.assertIn("mpiprof report: ranks_program, 2 ranks on 1 host", report.stdout)
        # A later run does not take them for its own.
        self.launch(LAUNCHER, "-n", "2", *RUN, PLAIN, "finalize")
        self.assertEqual(self.profiles(), ["ranks_program.mpiprof.json", "ranks_program.mpiprof.rank0.json", "ranks_program.mpiprof.rank1.json"])


if __name__ == "__main__":
    unittest.main()
