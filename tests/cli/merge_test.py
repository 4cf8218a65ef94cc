"""`mpiprof merge` from outside: what it makes, its error lines, its exit status, its progress."""

import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import unittest

from made_profile import profile

PROGRAM, WRITE_TRACES = (os.path.abspath(name) for name in sys.argv[1:3])
del sys.argv[1:3]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)


class Merge(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        subprocess.run([WRITE_TRACES, self.folder], check=True, timeout=60)
        self.traces = sorted(self.folder.glob("*.trace"))
        self.output = self.folder / "merged"

    def write(self, name, content):
        path = self.folder / name
        path.write_text(json.dumps(content))
        return path

    def merged(self, *files):
        result = run("merge", *files, "-o", self.output)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result)
        return result.stderr

    def refused(self, *files, output=None):
        before = sorted(self.folder.iterdir())
        result = run("merge", *files, "-o", output or self.output)
        self.assertEqual((result.returncode, result.stdout), (1, ""), result)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return result.stderr

    def calls(self, *files):
        result = run("export", "csv-calls", *files, "-o", self.folder / "calls.csv")
        self.assertEqual(result.returncode, 0, result)
        return (self.folder / "calls.csv").read_bytes()

    def test_traces_become_one_file(self):
        before = self.calls(*self.traces)
        self.assertEqual(self.merged(*reversed(self.traces)), "")
        self.assertEqual(self.calls(self.output), before)
        self.assertGreater(before.count(b"\n"), 20)

    def test_merged_ones_are_merged_on(self):
        self.merged(*self.traces[:2])
        first = self.output.rename(self.folder / "first")
        self.merged(self.traces[3], first, self.traces[2])
        some = self.output.read_bytes()
        self.merged(*self.traces)
        self.assertEqual(self.output.read_bytes(), some)

    def test_what_is_there_is_replaced(self):
        self.output.write_text("older")
        self.merged(*self.traces)
        self.assertTrue(self.output.read_bytes().startswith(b"mpiprof-traces\n"))

    def test_of_a_damaged_trace_what_precedes_is_kept(self):
        size = self.traces[0].stat().st_size
        with open(self.traces[0], "r+b") as file:
            file.truncate(size - 65536 + 64 + 40)
        line = self.merged(*self.traces)
        self.assertEqual(line.count("\n"), 1)
        self.assertRegex(line, r"^mpiprof: .*run.rank0.trace: byte \d+: cut off; up to 15 records of rank 0 are lost")
        self.assertEqual(self.calls(self.output), self.calls(*self.traces))

    def test_profiles_become_one_profile(self):
        paths = [self.write(f"run.rank{rank}.json", profile(rank, 3)) for rank in range(3)]
        self.merged(*paths)
        made = json.loads(self.output.read_text())
        self.assertEqual(made["ranks"], [{"first": 0, "last": 2}])
        self.assertEqual(run("report", self.output).stdout, run("report", *paths).stdout)

    def test_refusals_are_one_line(self):
        profile_path = self.write("run.json", profile())
        first = self.traces[0]
        self.assertIn("no trace like the files before it", self.refused(first, profile_path))
        self.assertIn("no profile like the files before it", self.refused(profile_path, first))
        self.assertIn("has rank 0 like a file before it", self.refused(first, first))
        self.assertIn("nothing: No such file or directory", self.refused(self.folder / "nothing"))
        self.assertIn("Is a directory", self.refused(self.folder))
        self.assertIn("cannot write", self.refused(first, output=self.folder / "no" / "folder"))
        self.assertIn("cannot write '/dev/full'", self.refused(first, output="/dev/full"))
        self.assertEqual(run("merge", first).returncode, 2)

    def test_an_input_is_not_replaced(self):
        before = self.traces[1].read_bytes()
        self.assertIn("run.rank1.trace': it is read too", self.refused(*self.traces, output=self.traces[1]))
        self.assertEqual(self.traces[1].read_bytes(), before)

    def test_shows_progress_on_a_terminal(self):
        ours, its = pty.openpty()
        subprocess.run([PROGRAM, "merge", *self.traces, "-o", self.output], stderr=its, check=True, timeout=60)
        os.close(its)
        shown = os.read(ours, 65536).decode()
        os.close(ours)
        self.assertRegex(shown, r"\[#+ *\] +\d+ %")
        self.assertIn("100 %", shown)
        self.assertTrue(shown.endswith("\r\033[K"), shown)


if __name__ == "__main__":
    unittest.main()
