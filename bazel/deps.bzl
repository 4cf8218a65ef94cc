"""`mpiprof_dependencies`: every repository of mpiprof, for WORKSPACE files.

All that a Bazel 4 project writes (its own @rules_cc etc. win when declared before the last line):

    local_repository(name = "mpiprof", path = "…")  # or http_archive
    load("@mpiprof//bazel:deps.bzl", "mpiprof_dependencies")
    mpiprof_dependencies()
"""

load("//bazel/shims:shims.bzl", "remote_coverage_tools_shim", "rules_cc_shim")
load(":mpi_repository.bzl", "mpi_repository")
load(":system_libs.bzl", "system_libs")

def mpiprof_dependencies():
    """Declares the repositories of mpiprof that do not exist yet."""
    existing = native.existing_rules()
    if "rules_cc" not in existing:
        rules_cc_shim(name = "rules_cc")
    if "remote_coverage_tools" not in existing:
        remote_coverage_tools_shim(name = "remote_coverage_tools")
    if "rules_java" not in existing:
        # Bazel 4 registers Java toolchains in every build; this is Debian's bazel-rules-java.
        native.local_repository(name = "rules_java", path = "/usr/share/bazel/rules/java")
    if "mpi" not in existing:
        mpi_repository(name = "mpi")
    system_libs(skip = existing.keys())
