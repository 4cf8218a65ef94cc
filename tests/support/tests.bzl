"""Tests of one kind, each from a source of its name."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def unit_tests(names, deps = []):
    """C++ tests without MPI, with GoogleTest's main.

    Args:
      names: of the tests; the source of each is `<name>.cpp`.
      deps: what they need beside mpiprof without MPI, and GoogleTest.
    """
    for name in names:
        cc_test(
            name = name,
            size = "small",
            srcs = [name + ".cpp"],
            tags = ["no_mpi"],
            deps = [
                "//mpiprof",
                "@gtest//:gtest_main",
            ] + deps,
        )

def python_test(name, main = None, args = [], data = [], **kwargs):
    """A test in Python, run by the system's interpreter.

    Args:
      name: of the test.
      main: its source, `<name>.py` unless another is given.
      args: arguments of the test; `$(rootpath ...)` of `data` is expanded.
      data: files that it reads.
      **kwargs: what else sh_test takes: size, tags, ...
    """
    main = main or name + ".py"
    native.sh_test(
        name = name,
        srcs = ["//tests/support:run_python_test.sh"],
        args = ["$(rootpath {})".format(main)] + args,
        data = [main] + [file for file in data if file != main],
        **kwargs
    )
