"""The repositories of mpiprof for MODULE.bazel; Bazel 4 cannot load this file."""

load(":mpi_repository.bzl", "mpi_repository")
load(":system_libs.bzl", "system_libs")

def _system_impl(_mctx):
    mpi_repository(name = "mpi")
    system_libs()

system = module_extension(implementation = _system_impl)
