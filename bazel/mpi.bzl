"""`mpi_test`: a test that runs under mpirun, once for each number of ranks."""

load("@mpi//:defs.bzl", "MPIEXEC", "MPI_FAMILY")
load("@rules_cc//cc:defs.bzl", "cc_binary")

def _mpi_ranks_test_impl(ctx):
    launcher = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.expand_template(
        template = ctx.file._launcher,
        output = launcher,
        is_executable = True,
        substitutions = {
            "%{binary}": ctx.executable.binary.short_path,
            "%{env}": "\n".join([
                "export {}='{}'".format(name, ctx.expand_location(value, ctx.attr.data).replace("'", "'\\''"))
                for name, value in ctx.attr.env.items()
            ]),
            "%{environment}": ctx.file._environment.short_path,
            "%{mpiexec}": MPIEXEC,
            "%{rank}": ctx.file._rank.short_path,
            "%{ranks}": str(ctx.attr.ranks),
            "%{workspace}": ctx.workspace_name,
        },
    )
    runfiles = ctx.runfiles(files = [ctx.file._environment, ctx.file._rank] + ctx.files.data)
    for target in [ctx.attr.binary] + ctx.attr.data:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = launcher, runfiles = runfiles)]

_mpi_ranks_test = rule(
    implementation = _mpi_ranks_test_impl,
    attrs = {
        "binary": attr.label(cfg = "target", executable = True, mandatory = True),
        "data": attr.label_list(allow_files = True),
        "env": attr.string_dict(),
        "ranks": attr.int(mandatory = True),
        "_environment": attr.label(allow_single_file = True, default = "//bazel:mpi_env.sh"),
        "_launcher": attr.label(allow_single_file = True, default = "//bazel:mpi_test.sh"),
        "_rank": attr.label(allow_single_file = True, default = "//bazel:mpi_rank.sh"),
    },
    test = True,
)

def mpi_test(
        name,
        ranks = [1, 2, 4],
        args = [],
        data = [],
        deps = [],
        env = {},
        flaky = False,
        size = "small",
        tags = [],
        target_compatible_with = [],
        timeout = None,
        visibility = None,
        **kwargs):
    """Builds one program and runs it under mpirun at each number of ranks.

    The program is `<name>_program`, the tests are `<name>_<ranks>`, and `<name>` is the suite of them.
    A test passes when every rank exits with 0; the XML report is that of rank 0.

    Args:
      name: of the test suite.
      ranks: the numbers of ranks to test with.
      args: arguments of the program; `$(rootpath …)` of `data` is expanded.
      data: files that the program reads at run time.
      deps: of the program; with MPICH what makes it yield is one more.
      env: environment variables of the program; `$(rootpath …)` of `data` is expanded.
      flaky: as for any test.
      size: as for any test; "small" also means a time limit of one minute.
      tags: of program and tests; tests of several ranks get `cpu:2` too.
      target_compatible_with: of program and tests.
      timeout: as for any test.
      visibility: of the suite and the tests.
      **kwargs: what else cc_binary takes: srcs, copts, …
    """
    program = name + "_program"
    cc_binary(
        name = program,
        testonly = True,
        tags = tags,
        target_compatible_with = target_compatible_with,
        deps = deps + ([Label("//bazel:yield")] if MPI_FAMILY == "mpich" else []),
        **kwargs
    )
    for count in ranks:
        _mpi_ranks_test(
            name = "{}_{}".format(name, count),
            args = args,
            binary = program,
            data = data,
            env = env,
            flaky = flaky,
            ranks = count,
            size = size,
            tags = tags + (["cpu:2"] if count > 1 else []),
            target_compatible_with = target_compatible_with,
            timeout = timeout,
            visibility = visibility,
        )
    native.test_suite(
        name = name,
        tags = [tag for tag in tags if tag == "manual"],
        tests = ["{}_{}".format(name, count) for count in ranks],
        visibility = visibility,
    )
