"""What a header declares, by libclang."""

import pathlib
import subprocess

from clang.cindex import Diagnostic, Index

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def mpi_flags(library):
    """Compiler flags for mpi.h of "openmpi" or "mpich", without its C++ bindings."""
    shown = subprocess.run([f"mpicxx.{library}", "-show"], check=True, capture_output=True, text=True).stdout.split()
    return ["-std=c++20", "-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1", f"-I{ROOT}",
            *(flag for flag in shown if flag.startswith("-I"))]


def parse(source, library, *flags):
    """The translation unit of this text, and its errors."""
    unit = Index.create().parse("names.cpp", unsaved_files=[("names.cpp", source)], args=[*mpi_flags(library), *flags])
    return unit, [f"{error.location.file}:{error.location.line}: {error.spelling}" for error in unit.diagnostics
                  if error.severity >= Diagnostic.Error]
