"""The programs of an example."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

def example_programs(name, **kwargs):
    """A program, and the same without profiling as `<name>_plain`.

    Args:
      name: of the program.
      **kwargs: what else cc_binary takes, but copts and local_defines.
    """
    cc_binary(name = name, **kwargs)
    # With lines, for `mpiprof run`.
    cc_binary(name = name + "_plain", copts = ["-g"], local_defines = ["MPIPROF_DISABLED"], **kwargs)
