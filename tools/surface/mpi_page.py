"""docs/mpi.md: MPI function by function, made of the table of MPI functions."""

# What a call sends and what it receives, by its movement. A start of a persistent request moves what is said here.
MOVEMENTS = {
    "nothing": ("", ""),
    "send": ("count × size", ""),
    "receive": ("", "what arrived, at completion"),
    "exchange": ("count × size", "what arrived, at completion"),
    "bcast": ("root: count × size", "others: count × size"),
    "reduce": ("count × size", "root: count × size"),
    "allreduce": ("count × size", "count × size"),
    "exscan": ("count × size", "count × size, 0 on rank 0"),
    "gather": ("own contribution", "root: sum over ranks"),
    "scatter": ("root: sum over ranks", "own part"),
    "allgather": ("own contribution", "sum over ranks"),
    "alltoall": ("sum over ranks", "sum over ranks"),
    "reduce_scatter": ("sum of all parts", "own part"),
    "neighbor_allgather": ("own contribution for each out-neighbour", "sum over in-neighbours"),
    "neighbor_alltoall": ("sum over out-neighbours", "sum over in-neighbours"),
    "put": ("origin bytes", ""),
    "get": ("", "origin bytes"),
    "fetch": ("origin bytes", "result bytes"),
    "write": ("to the file: count × size", ""),
    "read": ("", "from the file: what was read, at completion"),
}
# Roles that say too little without the parameter's name.
GENERAL = {"in", "out", "in_out", "in_array", "out_array", "length", "tag"}

HEAD = """# MPI, function by function

Every function of MPI that communicates, synchronises, completes a request, or makes or frees a communicator, a window or
a file, and those that ask about them. This page is written by `tools/coverage --write` from the table in
`mpiprof/raw/functions.inc`; a test holds the table against the `mpi.h` of the installed libraries. Each function is there
as `mpiprof::raw::<name>`, with MPI's own parameters, and each that has an argument `comm` as a member of
`raw_communicator`. Functions of MPI 4.0 are there where the MPI library has them; *and _c* says that the form for large
counts goes by the same operation. The libraries that were looked at are {libraries}.

Arguments are named by their role. *Size* is the datatype's, sums are over the ranks of the communicator, over the remote
group's for an intercommunicator, and over the neighbours that exist. A nonblocking call sends when it is posted. A
persistent one moves nothing: each of its starts moves what stands here. Calls of kind query are recorded with the setting
`queries=on` only.
"""


def arguments(row, names):
    return ", ".join(f"{role} `{name}`" if role in GENERAL else role for role, name in zip(row.roles, names, strict=True))


def moved(row):
    """What the row's calls send and what they receive."""
    for side in MOVEMENTS[row.movement]:
        yield side.replace("count", "partitions × count") if "partitions" in row.roles else side


def line(row, rows, names, operations, of_mpi_3):
    function = f"MPI_{row.name}" + (" and _c" if f"{row.name}_c" in rows else "")
    kind = operations[row.operation].replace("_", "-")
    since = "3.1" if row.name in of_mpi_3 else "4.0"
    cells = [function, row.operation, kind, arguments(row, names), *moved(row), since]
    return "| " + " | ".join(cells) + " |"


def text(versions, headers, tables, operations, without_row):
    """The page: of the library with the most functions."""
    library = max(tables, key=lambda each: len(tables[each]))
    rows = {row.name: row for row in tables[library]}
    of_mpi_3 = set.intersection(*({row.name for row in table} for table in tables.values()))
    lines, group = [HEAD.format(libraries=" and ".join(versions))], None
    for row in rows.values():
        if row.name.endswith("_c"): continue
        if row.group != group:
            group = row.group
            lines += ["", f"## {group}", "", "| function | operation | kind | arguments | sent | received | since MPI |",
                      "|---|---|---|---|---|---|---|"]
        names = next(header[row.name] for header in headers.values() if row.name in header)
        lines.append(line(row, rows, names, operations, of_mpi_3))
    lines += ["", "## Not in the table"]
    for reason, names in without_row.items():
        lines += ["", f"{reason}:", "", ", ".join(f"MPI_{name}" for name in names) + "."]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"
