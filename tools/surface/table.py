"""mpiprof's tables of MPI functions and of operations, as the preprocessor sees them."""

import dataclasses
import re
import subprocess

from surface.declared import ROOT, mpi_flags


@dataclasses.dataclass
class Row:
    """One function of mpiprof/raw/functions.inc."""
    group: str  # the heading that it stands under
    name: str  # without MPI_
    member: str  # the name of its object and its member function
    operation: str
    movement: str
    roles: list


def preprocessed(source, library):
    """What the preprocessor makes of this text with an MPI library."""
    return subprocess.run(["g++", *mpi_flags(library), "-E", "-P", "-x", "c++", "-"], input=source, check=True,
                          capture_output=True, text=True).stdout


def rows(library):
    """The rows that there are with an MPI library, in order."""
    lines = (ROOT / "mpiprof/raw/functions.inc").read_text().splitlines()
    # From the first row on, comments are headings: the preprocessor would drop them.
    first = next(i for i, line in enumerate(lines) if line.startswith("MPIPROF_"))
    lines = [re.sub(r"^// (.*)\.$", r"@group{\1}", line) if i >= first - 1 else line for i, line in enumerate(lines)]
    source = "\n".join([
        "#include <mpiprof/raw/features.hpp>",
        "#define MPIPROF_FUNCTION(NAME, OBJECT, OPERATION, MOVEMENT, ...)"
        " @row{NAME,OBJECT,OPERATION,MOVEMENT,__VA_ARGS__}", *lines])
    found, group = [], ""
    for kind, body in re.findall(r"@(group|row)\s*\{(.*?)\}", preprocessed(source, library), re.DOTALL):
        if kind == "group":
            group = body
        else:
            name, member, operation, movement, *roles = (each.strip() for each in body.split(","))
            found.append(Row(group, name, member, operation, movement, [each for each in roles if each]))
    return found


def version(library):
    """The MPI library and its version: "Open MPI 4.1.4"."""
    text = {"openmpi": "OMPI_MAJOR_VERSION.OMPI_MINOR_VERSION.OMPI_RELEASE_VERSION", "mpich": "MPICH_VERSION"}[library]
    expanded = preprocessed(f"#include <mpi.h>\n@{text}\n", library).split("@")[-1]
    number = re.sub(r'["\s]', "", expanded)
    return f"{'Open MPI' if library == 'openmpi' else 'MPICH'} {number}"


def operations():
    """{operation: its kind}."""
    text = (ROOT / "mpiprof/core/operation.hpp").read_text()
    return dict(re.findall(r"^\s*ROW\((\w+), (\w+), \w+\)", text, re.MULTILINE))
