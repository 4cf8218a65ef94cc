"""What tests of `mpiprof export` have in common. Their first arguments are VIEWER_TRACES and MPIPROF."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
VIEWER_TRACES, MPIPROF = (os.path.abspath(name) for name in sys.argv[1:3])
del sys.argv[1:3]


class Exported(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def made(self, name):
        """The files of the trace of this name in viewer_traces.cpp."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        shown = subprocess.run([VIEWER_TRACES, name, folder], capture_output=True, text=True, check=True, timeout=60)
        return shown.stdout.split()

    def run_export(self, format_name, *files, output="-"):
        return subprocess.run([MPIPROF, "export", format_name, *files, "-o", output], capture_output=True, timeout=60)

    def exported(self, format_name, *files):
        """The export as text, which must be UTF-8."""
        path = self.folder / "exported"
        result = self.run_export(format_name, *files, output=path)
        self.assertEqual((result.returncode, result.stdout), (0, b""), result.stderr)
        return path.read_bytes().decode("utf-8")
