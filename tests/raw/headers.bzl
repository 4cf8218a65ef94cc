"""`every_header`: a header that includes every header of mpiprof that some libraries offer."""

def _every_header_impl(ctx):
    includes = {}
    for dep in ctx.attr.deps:
        for header in dep[CcInfo].compilation_context.headers.to_list():
            path = header.short_path
            if path.startswith("mpiprof/") and path.endswith(".hpp"):
                includes["#include <{}>".format(path)] = None
    ctx.actions.write(ctx.outputs.out, "\n".join(["#pragma once"] + sorted(includes)) + "\n")

every_header = rule(
    implementation = _every_header_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "out": attr.output(mandatory = True),
    },
)
