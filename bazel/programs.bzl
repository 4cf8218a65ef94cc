"""`mpi_program`: a program that is compiled as its author would, by the MPI library's own wrapper."""

load("@mpi//:defs.bzl", "MPICC", "MPICXX", "MPIFC", "only_with_fortran")

# MPICH's MPI_STATUSES_IGNORE is an address at which g++ sees that there is no array. mpif.h declares no procedures, so
# that buffers of several types are mismatches.
_COMPILERS = {
    "c": (MPICC, ["-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow"]),
    "c++": (MPICXX, ["-std=c++20", "-Wno-stringop-overflow"]),
    "fortran": (MPIFC, ["-fallow-argument-mismatch", "-w"]),
}

def _mpi_program_impl(ctx):
    compiler, options = _COMPILERS[ctx.attr.language]
    program = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.run_shell(
        outputs = [program],
        inputs = [ctx.file.src] + ctx.files.others,
        command = '"$@"',
        arguments = [compiler, "-O1", "-g"] + options + [
            file.path
            for file in ctx.files.others + [ctx.file.src]
            if file.extension != "h"
        ] + ["-I.", "-o", program.path] + ctx.attr.options,
        mnemonic = "MpiProgram",
        use_default_shell_env = True,
    )
    return [DefaultInfo(executable = program)]

_mpi_program = rule(
    implementation = _mpi_program_impl,
    attrs = {
        "language": attr.string(mandatory = True, values = _COMPILERS.keys()),
        "options": attr.string_list(),
        "others": attr.label_list(allow_files = True),
        "src": attr.label(allow_single_file = True, mandatory = True),
    },
    executable = True,
)

def mpi_program(name, src, language, options = [], others = [], target_compatible_with = [], **kwargs):
    """Compiles a program from source, without any library of mpiprof; Fortran only where MPI has it.

    Args:
      name: of the program.
      src: its source.
      language: "c", "c++" or "fortran".
      options: more options for compiler and linker.
      others: sources that are compiled along, before it, and headers.
      target_compatible_with: as for any target.
      **kwargs: what else any target takes.
    """
    _mpi_program(
        name = name,
        testonly = True,
        src = src,
        language = language,
        options = options,
        others = others,
        target_compatible_with = target_compatible_with + (only_with_fortran() if language == "fortran" else []),
        **kwargs
    )
