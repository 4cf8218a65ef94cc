"""`mpiprof report` from outside: its output, its error lines, its exit status."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from made_profile import over_ranks, profile

PROGRAM = os.path.abspath(sys.argv.pop(1))


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def refused(self, *paths):
        result = run("report", *paths)
        self.assertEqual(result.returncode, 1, result)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def test_prints_a_run(self):
        result = run("report", self.write("run.json", profile()))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("made, 1 rank on 1 host, no MPI", result.stdout)
        self.assertIn("MPI takes 10.0 % of the run", result.stdout)

    def test_merges_rank_files_in_any_order(self):
        paths = [self.write(f"run.rank{rank}.json", profile(rank, 3)) for rank in range(3)]
        forward, backward = run("report", *paths), run("report", *reversed(paths))
        self.assertEqual(forward.stdout, backward.stdout)
        self.assertIn("3 ranks on 1 host", forward.stdout)
        self.assertRegex(forward.stdout, r"\nsend +3 .* 33 +0\n")
        self.assertNotIn("Missing", forward.stdout)

    def test_says_which_ranks_are_missing(self):
        paths = [self.write(f"run.rank{rank}.json", profile(rank, 4)) for rank in (0, 2)]
        self.assertIn("Missing: 2 ranks of 4 (1, 3).", run("report", *paths).stdout)

    def test_reads_files_with_and_without_the_later_fields(self):
        times = {"sum": 1000, "least": 1000, "most": 1000}
        row = {"operation": "irecv", "communicator": 0, "file": "a.cpp", "line": 1, "phase": "", "completions": 1,
               "cancelled": 0, "received": 8, "taken_back": 0, "unknown": 0, "pending": times}
        old = run("report", self.write("old.json", profile(completions=[row])))
        self.assertEqual((old.returncode, old.stderr), (0, ""))
        self.assertRegex(old.stdout, r"\nirecv +1 +0 +1\.00 us +0\.0 +1\.00 us\n")
        self.assertNotIn("never completed", old.stdout)
        waited = {**row, "read": 0, "waited": {**times, "sum": 250}}
        outstanding = {"operation": "isend", "communicator": 0, "peer": 1, "tag": 5, "file": "a.cpp", "line": 2,
                       "requests": over_ranks(1, 3, 3, 3, 0)}
        new = run("report", self.write("new.json", profile(completions=[waited], outstanding=[outstanding])))
        self.assertRegex(new.stdout, r"\nirecv +1 +0 +1\.00 us +25\.0 +750 ns\n")
        self.assertRegex(new.stdout, r"\na\.cpp:2 isend +1 +5 +world +3 +1 +0\n")

    def test_passes_over_fields_it_does_not_know(self):
        self.assertEqual(run("report", self.write("run.json", profile(colour="red"))).returncode, 0)

    def test_refuses_what_is_not_there_or_no_file(self):
        self.assertEqual(self.refused("/no/such.json"), "mpiprof: /no/such.json: No such file or directory\n")
        self.assertEqual(self.refused(self.folder.name), f"mpiprof: {self.folder.name}: Is a directory\n")

    def test_refuses_what_is_no_profile(self):
        for content in ("", "hello", "[]", "3", "null", "{}", '{"format": "other"}', '{"format": 1}'):
            self.assertIn("x.json: no ", self.refused(self.write("x.json", content)), content)

    def test_says_that_a_trace_is_one(self):
        for kind in ("trace\n\n", "traces\n"):
            self.assertIn("x.trace: a trace, not a profile", self.refused(self.write("x.trace", f"mpiprof-{kind}\0rest")))

    def test_refuses_a_cut_file(self):
        whole = json.dumps(profile())
        for length in range(1, len(whole) - 1, 97):
            self.assertIn("cut off", self.refused(self.write("x.json", whole[:length])))

    def test_refuses_a_newer_version(self):
        self.assertIn("of version 2, made by a newer mpiprof", self.refused(self.write("x.json", profile(version=2))))
        for version in ("1", 0, -1, 1.5, None):
            self.assertIn("'version'", self.refused(self.write("x.json", profile(version=version))))

    def test_names_the_field_that_is_wrong(self):
        without = profile()
        del without["operations"]
        self.assertIn("'operations' is missing", self.refused(self.write("x.json", without)))
        for values, message in [
            ({"lost": "many"}, "'lost' is no integer"),
            ({"lost": 1.5}, "'lost' is no integer"),
            ({"lost": 2**63}, "'lost' is no integer"),
            ({"program": 5}, "'program' is no string"),
            ({"calls": {}}, "'calls' is no array"),
            ({"calls": [5]}, "'calls[0]' is no object"),
            ({"operations": [{"operation": "send"}]}, "'operations[0].statistics' is missing"),
            ({"overflow": []}, "'overflow' is no object"),
            ({"ranks": []}, "'ranks' is empty"),
            ({"ranks": [{"first": 0, "last": 5}]}, "'ranks' has 0 to 5 in a world of 1"),
            ({"ranks": [{"first": -1, "last": 0}]}, "'ranks' has -1 to 0"),
        ]:
            self.assertIn(message, self.refused(self.write("x.json", profile(**values))))

    def test_refuses_files_of_different_jobs(self):
        one = self.write("one.json", profile(0, 3, job="a"))
        self.assertIn("of job 'b', the files before it of job 'a'", self.refused(one, self.write("two.json", profile(1, 3, job="b"))))
        # Files that name no job may be of any.
        paths = [one, self.write("two.json", profile(1, 3)), self.write("three.json", profile(2, 3, job="a"))]
        self.assertEqual(run("report", *paths).returncode, 0)

    def test_refuses_files_of_different_runs(self):
        one = self.write("one.json", profile(0, 2))
        self.assertIn("has rank 0 like a file before it", self.refused(one, self.write("two.json", profile(0, 2))))
        self.assertIn("of a run of 3 ranks", self.refused(one, self.write("two.json", profile(1, 3))))


class CommandLine(unittest.TestCase):
    def test_help_and_version(self):
        for arguments in (["--help"], ["report", "--help"], ["--version"]):
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(run("--version").stdout, r"^mpiprof \d+\.\d+\.\d+\n$")
        self.assertIn("report", run("--help").stdout)

    def test_wrong_usage_is_told_apart_from_bad_input(self):
        for arguments in ([], ["report"], ["reprot"], ["report", "--colour"]):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertEqual(result.stdout, "")
            self.assertNotEqual(result.stderr, "")


if __name__ == "__main__":
    unittest.main()
