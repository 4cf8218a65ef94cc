"""The programs of an example."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

def example_programs(name, **kwargs):
    """A program, and the same without profiling as `<name>_plain`.

    Args:
      name: of the program.
      **kwargs: what else cc_binary takes, but local_defines.
    """
    cc_binary(name = name, **kwargs)
    cc_binary(name = name + "_plain", local_defines = ["MPIPROF_DISABLED"], **kwargs)
