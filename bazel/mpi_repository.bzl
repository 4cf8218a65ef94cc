"""`mpi_repository`: the MPI library that a compiler wrapper names, as `@mpi//:mpi`."""

_BUILD = """
load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

cc_library(
    name = "mpi",
    hdrs = glob(["include*/**/*.h"]),
    includes = {includes},
    linkopts = {linkopts},
)

# No platform has the value `incompatible`, so Bazel skips what asks for it.
constraint_setting(name = "compatibility")

constraint_value(
    name = "incompatible",
    constraint_setting = ":compatibility",
)
"""

_DEFS = '''"""The MPI library found by mpi_repository."""

MPI_FAMILY = "{family}"
MPI_VERSION = "{version}"
MPIEXEC = "{mpiexec}"

# The compiler wrappers for C, C++ and Fortran; "" where there is none.
MPICC = "{mpicc}"
MPICXX = "{mpicxx}"
MPIFC = "{mpifc}"

def only_with_mpi(family):
    """The target_compatible_with of what Bazel shall skip with other MPI libraries."""
    return [] if family == MPI_FAMILY else [Label("//:incompatible")]

def only_with_fortran():
    """The target_compatible_with of what Bazel shall skip where MPI has no Fortran."""
    return [] if MPIFC else [Label("//:incompatible")]
'''

def _find_program(rctx, name):
    path = rctx.path(name) if name.startswith("/") else rctx.which(name)
    return path if path and path.exists else None

def _find_wrapper(rctx):
    asked = rctx.os.environ.get("MPICXX")
    tried = [asked] if asked else ["mpicxx.openmpi", "mpicxx"]
    for name in tried:
        path = _find_program(rctx, name)
        if path:
            return path
    fail("mpi_repository: no MPI compiler wrapper, tried {}; on Debian install {}, or set MPICXX".format(
        " and ".join(tried),
        "libmpich-dev and mpich" if "mpich" in tried[0] else "libopenmpi-dev and openmpi-bin",
    ))

def _beside(wrapper, names):
    """The paths that programs of these names have where the wrapper is: mpicc.mpich beside mpicxx.mpich."""
    suffix = wrapper.basename[len(wrapper.basename.split(".")[0]):]
    return [str(wrapper.dirname.get_child(name + suffix)) for name in names]

def _find_compiler(rctx, wrapper, names):
    """The wrapper for another language, "" where there is none that works: it may lack its compiler."""
    for path in _beside(wrapper, names):
        if _find_program(rctx, path) and not rctx.execute([path, "--version"]).return_code:
            return path
    return ""

def _find_mpiexec(rctx, wrapper):
    asked = rctx.os.environ.get("MPIEXEC")
    tried = [asked] if asked else _beside(wrapper, ["mpirun", "mpiexec"])
    for name in tried:
        path = _find_program(rctx, name)
        if path:
            return path
    fail("mpi_repository: no MPI launcher for {}, tried {}; on Debian install {}, or set MPIEXEC".format(
        wrapper,
        " and ".join(tried),
        "mpich" if "mpich" in wrapper.basename else "openmpi-bin",
    ))

def _macro_value(header, name):
    for line in header.split("\n"):
        words = line.replace("\t", " ").split(" ")
        words = [word for word in words if word]
        if words[:2] == ["#define", name] and len(words) > 2:
            return words[2]
    return None

def _mpi_repository_impl(rctx):
    wrapper = _find_wrapper(rctx)
    shown = rctx.execute([wrapper, "-show"])
    if shown.return_code:
        fail("mpi_repository: `{} -show` failed: {}".format(wrapper, shown.stderr.strip()))

    roots = []
    includes = []
    linkopts = []
    for flag in shown.stdout.strip().split(" "):
        if flag.startswith("-I"):
            inside = [root for root in roots if flag[2:].startswith(root + "/")]
            if inside:
                includes.append("include{}{}".format(roots.index(inside[0]), flag[2 + len(inside[0]):]))
            else:
                includes.append("include{}".format(len(roots)))
                rctx.symlink(flag[2:], includes[-1])
                roots.append(flag[2:])
        elif flag in ["-lmpi_cxx", "-lmpichcxx"]:
            pass  # the C++ bindings
        elif flag[:2] in ["-L", "-l"] or flag.startswith("-Wl,") or flag == "-pthread":
            linkopts.append(flag)

    header = None
    for root in roots + ["/usr/include"]:
        if rctx.path(root + "/mpi.h").exists:
            header = rctx.read(root + "/mpi.h")
            break
    if not header:
        fail("mpi_repository: no mpi.h in the include path of {}".format(wrapper))

    rctx.file("BUILD.bazel", _BUILD.format(includes = includes, linkopts = linkopts))
    family = "other"
    for macro, its_family in {"MPICH_VERSION": "mpich", "OMPI_MAJOR_VERSION": "openmpi"}.items():
        if _macro_value(header, macro):
            family = its_family
    rctx.file("defs.bzl", _DEFS.format(
        family = family,
        version = "{}.{}".format(_macro_value(header, "MPI_VERSION"), _macro_value(header, "MPI_SUBVERSION")),
        mpiexec = _find_mpiexec(rctx, wrapper),
        mpicc = _find_compiler(rctx, wrapper, ["mpicc"]),
        mpicxx = wrapper,
        mpifc = _find_compiler(rctx, wrapper, ["mpifort", "mpif90"]),
    ))

mpi_repository = repository_rule(
    implementation = _mpi_repository_impl,
    doc = """Finds MPI from the wrapper $MPICXX, else mpicxx.openmpi, else mpicxx.

    `//:mpi` is the library, without the C++ bindings that MPI 3 removed: whoever includes mpi.h
    defines OMPI_SKIP_MPICXX or MPICH_SKIP_MPICXX. `//:defs.bzl` has MPI_FAMILY ("openmpi", "mpich"
    or "other"), MPI_VERSION (of the standard), MPIEXEC ($MPIEXEC, else the launcher beside the
    wrapper), MPICC, MPICXX and MPIFC (the wrappers beside it; "" where there is none), and only_with_mpi(family) and
    only_with_fortran() for target_compatible_with.""",
    environ = ["MPICXX", "MPIEXEC", "PATH"],
    local = True,
)
