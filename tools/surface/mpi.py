"""mpiprof's table of MPI functions against the mpi.h of each installed library: every function has a row, or stands here
with the reason why not. Makes docs/mpi.md of the table."""

import re

from clang.cindex import CursorKind

from surface import mpi_page, table
from surface.declared import ROOT, parse

PAGE = ROOT / "docs/mpi.md"
LIBRARIES = ["openmpi", "mpich"]

# What has no row: patterns of names without MPI_, by the reason. The first that matches a name is its reason.
OUTSIDE = {
    "Converts a handle or a status between languages": r"\w+_[cf](08)?2[cf](08)?",
    "Keeps a user's data with a handle": r"""
        (Comm|Type|Win)_(create|free)_keyval (Comm|Type|Win)_(delete|get|set)_attr Keyval_.* Attr_.*""",
    "Hints": "Info_.* (Comm|Win|File)_[gs]et_info Session_get(_pset)?_info",
    "Handles errors": "Errhandler_.* (Comm|Win|File|Session)_[a-z]+_errhandler Error_.* Add_error_.*",
    "Makes, frees or describes a datatype": "Type_(?!size).* Get_address Address Register_datarep(_c)?",
    "Makes, frees or asks a group": "Group_.*",
    "Makes, frees or asks an operation on values, or applies it to this process's": "Op_.* Reduce_local(_c)?",
    "Looks into the MPI library, or tells it what is being profiled": "T_.* Pcontrol",
    "Writes a status": "Status_set_.*",
    "A generalised request is the program's own operation, not communication; the call that waits for it is recorded":
        "Grequest_.*",
    "Allocates memory": "(Alloc|Free)_mem",
    "Names a port to other jobs; what then connects them has a row": "(Open|Close)_port (Publish|Unpublish|Lookup)_name",
    "A clock or arithmetic: returns a value, not a code": "Wtime Wtick Aint_(add|diff)",
}


def pattern_of(name):
    """The pattern that says why there is no row for a function; None if there is to be one."""
    return next((pattern for patterns in OUTSIDE.values() for pattern in patterns.split() if re.fullmatch(pattern, name)), None)


def declared(library):
    """The functions that the library's mpi.h declares: {name without MPI_: names of the parameters}, and errors."""
    unit, errors = parse("#include <mpi.h>\n", library)
    return {cursor.spelling.removeprefix("MPI_"): [each.spelling for each in cursor.get_arguments()]
            for cursor in functions(unit.cursor) if cursor.spelling.startswith("MPI_")}, errors


def functions(cursor):
    """The function declarations in a translation unit, those in extern "C" among them."""
    for child in cursor.get_children():
        if child.kind == CursorKind.FUNCTION_DECL: yield child
        elif child.kind in (CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL): yield from functions(child)


def untreated(headers, tables):
    """Functions without a row and without a reason, or with both, and reasons without a function."""
    wrong, used = [], set()
    for library, header in headers.items():
        rows = {row.name for row in tables[library]}
        for name in header:
            pattern = pattern_of(name)
            used.add(pattern)
            if name not in rows and not pattern:
                wrong.append(f"{library}: MPI_{name} has no row in mpiprof/raw/functions.inc, and no reason why not stands in"
                             " tools/surface/mpi.py")
            if name in rows and pattern: wrong.append(f"{library}: MPI_{name} has a row, and '{pattern}' says that it has none")
        wrong += [f"{library}: row {name} is no function of its mpi.h" for name in sorted(rows - header.keys())]
    return wrong + [f"tools/surface/mpi.py: '{pattern}' is no function of an installed MPI library"
                    for patterns in OUTSIDE.values() for pattern in patterns.split() if pattern not in used]


def without_row(headers):
    """{reason: the functions that have none}."""
    names = sorted({name for header in headers.values() for name in header})
    return {reason: [name for name in names if pattern_of(name) in patterns.split()] for reason, patterns in OUTSIDE.items()}


def misnamed(rows, operations):
    """Rows and operations that do not go by their function's name."""
    wrong = []
    for row in rows:
        plain = row.name.lower().removesuffix("_c")
        if row.operation != plain: wrong.append(f"row {row.name} has the operation {row.operation}")
        if row.member != row.name.lower(): wrong.append(f"row {row.name} has the object {row.member}")
    known = {row.operation for row in rows}
    wrong += [f"operation {name} has no row in mpiprof/raw/functions.inc" for name in operations if name not in known]
    return wrong + [f"operation {name} is not in mpiprof/core/operation.hpp" for name in sorted(known - operations.keys())]


def check(write):
    """What is wrong; writes the page first if asked to."""
    headers, tables, wrong = {}, {}, []
    for library in LIBRARIES:
        headers[library], errors = declared(library)
        tables[library] = table.rows(library)
        wrong += errors
    operations = table.operations()
    wrong += untreated(headers, tables)
    wrong += misnamed(list({row.name: row for rows in tables.values() for row in rows}.values()), operations)
    if wrong: return wrong
    versions = [table.version(library) for library in LIBRARIES]
    page = mpi_page.text(versions, headers, tables, operations, without_row(headers))
    if write: PAGE.write_text(page)
    # The page is that of Debian 12's libraries.
    if versions == ["Open MPI 4.1.4", "MPICH 4.0.2"] and (not PAGE.exists() or PAGE.read_text() != page):
        wrong.append(f"{PAGE.relative_to(ROOT)} is not what tools/coverage --write makes")
    return wrong
