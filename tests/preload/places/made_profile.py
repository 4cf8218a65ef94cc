"""Profiles written without mpiprof, as docs/file-format.md describes them, with calls at given call sites."""

import json


def over_ranks(value, rank, ranks=1):
    return {"ranks": ranks, "sum": value * ranks, "least": value, "most": value, "rank_of_most": rank}


def statistics(calls, time, rank_time):
    fields = ["failed", "incomplete", "estimated", "unknown", "completions", "sent", "received", "overhead"]
    return {**{field: 0 for field in fields}, "calls": calls, "time": {"sum": time, "least": 1, "most": time},
            "rank_time": rank_time}


NOTHING = statistics(0, 0, {"ranks": 0, "sum": 0, "least": 0, "most": 0, "rank_of_most": -1})


def site(operation, file, time=100, rank=0, rank_time=None, line=0):
    """One call of `time` ns."""
    return {"operation": operation, "file": file, "line": line,
            "statistics": statistics(1, time, rank_time or over_ranks(time, rank))}


def profile(sites, first=0, last=0, world_size=1):
    """Of ranks first to last."""
    ranks = last - first + 1
    return {
        "format": "mpiprof-profile", "version": 1, "program": "made", "command": "made up", "start": "2026-01-01T00:00:00Z",
        "library": "no MPI", "clock": "steady", "bytes": "payload", "sink": "summary", "world_size": world_size,
        "ranks": [{"first": first, "last": last}], "hosts": [{"name": "node", "ranks": ranks}],
        "run_time": over_ranks(1000, first, ranks), "mpi_time": over_ranks(100, first, ranks),
        "operations": [{"operation": "send", "statistics": statistics(1, 100, over_ranks(100, first))}],
        "call_sites": sites, "calls": [], "completions": [], "communicators": [], "phases": [],
        "overflow": NOTHING, "lost": 0,
    }


def write(path, made):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(made, file)
    return path
