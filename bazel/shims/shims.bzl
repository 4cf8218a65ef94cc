"""Offline stand-ins for the repositories that Bazel 4 itself would download."""

def _rules_cc_shim_impl(rctx):
    rctx.file("BUILD.bazel")
    rctx.file("cc/BUILD.bazel")

    # A copy: Bazel would not notice that a link of an earlier work tree leads nowhere.
    rctx.template("cc/defs.bzl", Label("//bazel/shims:rules_cc_defs.bzl"), executable = False)

rules_cc_shim = repository_rule(implementation = _rules_cc_shim_impl)

# `bazel test` resolves these two tools even when no coverage is collected.
_COVERAGE_BUILD = """
[sh_binary(
    name = name,
    srcs = ["noop.sh"],
    visibility = ["//visibility:public"],
) for name in ["coverage_report_generator", "lcov_merger"]]
"""

def _remote_coverage_tools_shim_impl(rctx):
    rctx.file("BUILD.bazel", _COVERAGE_BUILD)
    rctx.file("noop.sh", "#!/bin/sh\n")

remote_coverage_tools_shim = repository_rule(implementation = _remote_coverage_tools_shim_impl)
