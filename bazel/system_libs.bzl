"""C++ libraries from the system's package manager, one repository each."""

_HEAD = """
load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])
"""

_LOAD_MPI = """
load("@mpi//:defs.bzl", "only_with_mpi")
"""

_LIBRARY = """
cc_library(
    name = "{name}",
    linkopts = {linkopts},
    target_compatible_with = {compatible_with},
    deps = {deps},
)
"""

_ALIAS = """
alias(
    name = "{name}",
    actual = "{actual}",
)
"""

def _fail_missing(rctx, what):
    fail("{} not found by the compiler; on Debian install {}".format(what, rctx.attr.package))

def _system_library_impl(rctx):
    compiler = rctx.os.environ.get("CC") or "cc"

    rctx.file("probe.cc", "#if !__has_include(<{}>)\n#error\n#endif\n".format(rctx.attr.header))
    if rctx.execute([compiler, "-std=c++20", "-E", "probe.cc"]).return_code:
        _fail_missing(rctx, "<{}>".format(rctx.attr.header))

    files = {}
    for name in {lib: None for libs in rctx.attr.libraries.values() for lib in libs}:
        for file in ["lib{}.so".format(name), "lib{}.a".format(name)]:
            # The compiler answers with a full path only when the file exists.
            path = rctx.execute([compiler, "-print-file-name=" + file]).stdout.strip()
            if path.startswith("/"):
                files[name] = path
                break
        if name not in files:
            _fail_missing(rctx, "lib" + name)

    build = _HEAD
    compatible_with = "[]"
    if rctx.attr.built_with_mpi:
        grep = rctx.execute(["grep", "-q", "ompi_mpi_", files[rctx.attr.built_with_mpi]])
        compatible_with = "only_with_mpi(\"{}\")".format("mpich" if grep.return_code else "openmpi")
        build = _LOAD_MPI + _HEAD
    for name, libs in rctx.attr.libraries.items():
        build += _LIBRARY.format(
            name = name,
            linkopts = ["-l" + lib for lib in libs] + rctx.attr.linkopts,
            compatible_with = compatible_with,
            deps = rctx.attr.deps,
        )
    for name, actual in rctx.attr.aliases.items():
        build += _ALIAS.format(name = name, actual = actual)
    rctx.file("BUILD.bazel", build)

_system_library = repository_rule(
    implementation = _system_library_impl,
    attrs = {
        "aliases": attr.string_dict(doc = "Further targets, by the label each stands for."),
        "built_with_mpi": attr.string(doc = "The library that fixes the one MPI family its users can have."),
        "deps": attr.string_list(),
        "header": attr.string(mandatory = True),
        "libraries": attr.string_list_dict(doc = "Targets, by the libraries each links."),
        "linkopts": attr.string_list(),
        "package": attr.string(mandatory = True, doc = "The Debian package to name when something is missing."),
    },
    environ = ["CC", "PATH"],
    local = True,
)

def system_libs(skip = []):
    """Declares the repositories; what is missing on the system fails only for its users.

    Args:
      skip: names of repositories that exist already.
    """
    libraries = {
        "benchmark": dict(
            header = "benchmark/benchmark.h",
            libraries = {"benchmark": ["benchmark"]},
            linkopts = ["-lpthread"],
            package = "libbenchmark-dev",
        ),
        # Each library of Boost that is linked has its own repository, to be missing on its own.
        "boost": dict(
            aliases = {
                "mpi": "@boost_mpi//:mpi",
                "serialization": "@boost_serialization//:serialization",
            },
            header = "boost/version.hpp",
            libraries = {"headers": []},
            package = "libboost-dev",
        ),
        "boost_mpi": dict(
            built_with_mpi = "boost_mpi",
            deps = ["@boost_serialization//:serialization", "@mpi//:mpi"],
            header = "boost/mpi.hpp",
            libraries = {"mpi": ["boost_mpi"]},
            package = "libboost-mpi-dev",
        ),
        "boost_serialization": dict(
            deps = ["@boost//:headers"],
            header = "boost/serialization/serialization.hpp",
            libraries = {"serialization": ["boost_serialization"]},
            package = "libboost-serialization-dev",
        ),
        "cli11": dict(
            header = "CLI/CLI.hpp",
            libraries = {"cli11": []},
            package = "libcli11-dev",
        ),
        "dw": dict(
            header = "elfutils/libdwfl.h",
            libraries = {"dw": ["dw"]},
            package = "libdw-dev",
        ),
        "elf": dict(
            header = "gelf.h",
            libraries = {"elf": ["elf"]},
            package = "libelf-dev",
        ),
        "fmt": dict(
            header = "fmt/format.h",
            libraries = {"fmt": ["fmt"]},
            package = "libfmt-dev",
        ),
        "gtest": dict(
            header = "gtest/gtest.h",
            libraries = {"gtest": ["gtest"], "gtest_main": ["gtest_main", "gtest"]},
            linkopts = ["-lpthread"],
            package = "libgtest-dev",
        ),
        "hdf5": dict(
            header = "hdf5/serial/hdf5.h",
            libraries = {"hdf5": ["hdf5_serial"]},
            package = "libhdf5-dev",
        ),
        "json": dict(
            header = "nlohmann/json.hpp",
            libraries = {"json": []},
            package = "nlohmann-json3-dev",
        ),
        "otf2": dict(
            header = "otf2/otf2.h",
            libraries = {"otf2": ["otf2"]},
            package = "libotf2-trace-dev",
        ),
    }
    for name, attributes in libraries.items():
        if name not in skip:
            _system_library(name = name, **attributes)
