"""Tests of the preload library."""

load("//tests/support:tests.bzl", "python_test")
load("@mpi//:defs.bzl", "MPIEXEC", "MPI_FAMILY")

def preload_test(name, args = [], programs = [], data = [], tags = [], **kwargs):
    """A test in Python that runs programs under the preload library by the module `preloaded`.

    Args:
      name: of the test; its source is `<name>.py`, unless `main` is another.
      args: arguments after those that the module takes.
      programs: that it runs, of its own package.
      data: what else it reads.
      tags: as for any test; `preload` is one more, and it takes two cores.
      **kwargs: what else a test takes.
    """
    python_test(
        name = name,
        args = [
            "--mpiexec=" + MPIEXEC,
            "--family=" + MPI_FAMILY,
            "--preload=$(rootpath //mpiprof/preload:libmpiprof_preload.so)",
            "--mpiprof=$(rootpath //mpiprof/cli:mpiprof)",
        ] + args,
        data = programs + data + [
            "//bazel:mpi_env.sh",
            "//mpiprof/cli:mpiprof",
            "//mpiprof/preload",
            "//mpiprof/preload:libmpiprof_preload.so",
            "//tests/preload:preloaded.py",
        ],
        tags = tags + ["cpu:2", "preload"],
        **kwargs
    )
