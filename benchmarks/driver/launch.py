"""Builds the benchmark programs and runs them."""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Programs:
    """The programs that Bazel built, with a scratch folder for what they leave."""

    def __init__(self, scratch):
        self.scratch = pathlib.Path(scratch)
        self.folder = self._build()
        self.mpiexec = (self.folder / "mpiexec.txt").read_text().strip()

    @staticmethod
    def _build():
        bazel = [ROOT / "tools/bazel"]
        subprocess.run([*bazel, "build", "-c", "opt", "--noshow_progress", "//benchmarks:programs", "//benchmarks:mpiexec"],
                       cwd=ROOT, check=True, stdout=sys.stderr)
        shown = subprocess.run([*bazel, "info", "-c", "opt", "bazel-bin"], cwd=ROOT, check=True, capture_output=True,
                               text=True).stdout
        return pathlib.Path(shown.strip(), "benchmarks")

    def run(self, program, *arguments, ranks=None, under=(), preload=None):
        """What the program prints, run alone or by mpirun, in the repository's environment for MPI; with a library
        preloaded, whose path is from the root."""
        launcher = [self.mpiexec, "-n", str(ranks)] if ranks else []
        # A trace that is full shall go on writing. Each run has a folder of its own, so that nobody looks for the name of a second profile.
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            environment = dict(os.environ, MPIPROF=f"output={folder}/, trace_keep=newest")
            if preload:
                under = [*under, "env", f"LD_PRELOAD={self.folder.parent / preload}"]
            command = ["bash", "-c", 'source bazel/mpi_env.sh && mpi_environment "$0" && exec "$@"', folder, *launcher, *under,
                       self.folder / program, *map(str, arguments)]
            done = subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"tools/bench: {program} failed:\n{done.stderr}")
        return done.stdout
