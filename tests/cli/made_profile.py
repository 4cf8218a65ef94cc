"""Profiles as docs/file-format.md describes them, written without mpiprof."""


def statistics(**values):
    fields = ["calls", "failed", "incomplete", "estimated", "unknown", "completions", "sent", "received", "overhead"]
    made = {field: 0 for field in fields}
    made["time"] = {"sum": 0, "least": 0, "most": 0}
    made["rank_time"] = over_ranks()
    return {**made, **values}


def over_ranks(ranks=0, total=0, least=0, most=0, rank=-1):
    return {"ranks": ranks, "sum": total, "least": least, "most": most, "rank_of_most": rank}


def profile(rank=0, world_size=1, **values):
    """Of one rank."""
    made = {
        "format": "mpiprof-profile", "version": 1, "program": "made", "command": "made up", "start": "2026-01-01T00:00:00Z",
        "library": "no MPI", "clock": "steady", "bytes": "payload", "sink": "summary", "world_size": world_size,
        "ranks": [{"first": rank, "last": rank}], "hosts": [{"name": "node", "ranks": 1}],
        "run_time": over_ranks(1, 1000, 1000, 1000, rank), "mpi_time": over_ranks(1, 100, 100, 100, rank),
        "operations": [{"operation": "send", "statistics": statistics(
            calls=1, sent=10 + rank, time={"sum": 100, "least": 100, "most": 100}, rank_time=over_ranks(1, 100, 100, 100, rank))}],
        "call_sites": [], "calls": [], "completions": [], "communicators": [], "phases": [],
        "overflow": statistics(), "lost": 0,
    }
    return {**made, **values}
