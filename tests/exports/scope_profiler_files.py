"""Reads files of scope-profiler, as its formats are described; shares no code with mpiprof.

Both readers check all that a reader may rely on and give a `Run`.
"""

import collections
import dataclasses
import json

import h5py
import numpy as np

SUMMARY = np.dtype([(name, np.int64) for name in ("total", "minimum", "maximum", "first", "last", "start_minimum",
                                                  "end_maximum")]
                   + [("gpu_count", np.uint64), ("gpu_total", np.int64), ("mean", np.float64), ("m2", np.float64)])


@dataclasses.dataclass
class Row:
    """A region of a rank."""
    events: list = dataclasses.field(default_factory=list)  # (start, end)
    calls: list = dataclasses.field(default_factory=list)  # (call, parent, thread), where they are recorded
    aggregate: dict = None
    exclusive: int = -1
    source: tuple = ("", -1)
    tags: list = dataclasses.field(default_factory=list)
    metadata: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Run:
    ranks: int
    metadata: dict
    rows: dict  # by (name, rank)
    threads: dict  # by rank: [(index, native id, name)]

    def check(self):
        """Ends are not before starts, starts are in order, and what a thread was in is nested."""
        by_lane = collections.defaultdict(list)
        for (_, rank), row in self.rows.items():
            assert row.events == sorted(row.events, key=lambda event: event[0])
            calls = row.calls or [(-1, -1, 0)] * len(row.events)
            assert len(calls) == len(row.events)
            for (start, end), (call, parent, thread) in zip(row.events, calls):
                assert start <= end
                by_lane[rank, thread].append((start, -end, call, parent))
        for (rank, _), events in by_lane.items():
            check_nesting(sorted(events))
            numbers = [call for lane, found in by_lane.items() if lane[0] == rank for *_, call, _ in found]
            assert numbers == [-1] * len(numbers) or len(set(numbers)) == len(numbers)
        for (_, rank), row in self.rows.items():
            assert 0 <= rank < self.ranks
            lanes = {thread for *_, thread in row.calls}
            assert lanes <= {index for index, *_ in self.threads.get(rank, [])} or not lanes
        return self


def check_nesting(events):
    """(start, -end, call, parent) in order: each lies within the one it is nested in."""
    stack = []
    for start, minus_end, call, parent in events:
        while stack and stack[-1][0] <= start:
            stack.pop()
        assert not stack or -minus_end <= stack[-1][0], "overlap without nesting"
        if call >= 0:
            assert parent == (stack[-1][1] if stack else -1), "another parent than by the times"
        stack.append((-minus_end, call))


def strings(dataset):
    """A column of text, which must be UTF-8 of variable length."""
    info = h5py.check_string_dtype(dataset.dtype)
    assert info.encoding == "utf-8" and info.length is None
    return list(dataset.asstr()[()])


def integers(dataset, dtype):
    assert dataset.dtype == np.dtype(dtype), (dataset.name, dataset.dtype)
    assert dataset.ndim == 1
    return [int(value) for value in dataset[()]]


def read_hdf5(path):
    with h5py.File(path, "r") as file:
        assert file.attrs.get_id("scope_profiler_schema").dtype == np.int64
        assert file.attrs["scope_profiler_schema"] == 3
        metadata = {name: value if isinstance(value, str) else int(value) for name, value in file["metadata"].attrs.items()}
        names = strings(file["region_table/names"])
        assert len(set(names)) == len(names)
        index = file["rank_region_index"]
        ids, ranks = integers(index["region_ids"], np.uint32), integers(index["ranks"], np.uint32)
        keys = [(names[region], rank) for region, rank in zip(ids, ranks)]
        assert len(set(keys)) == len(keys) == len(ids) == len(ranks)
        assert all(len(index[column]) == len(keys) for column in index)
        layout = {"columnar": columnar_rows, "aggregate": aggregate_rows}[file.attrs["storage_layout"]]
        count = max([int(metadata.get("mpi_size", 1))] + [rank + 1 for rank in ranks])
        return Run(count, metadata, dict(zip(keys, layout(file))), thread_table(file)).check()


def thread_table(file):
    threads = collections.defaultdict(list)
    if "thread_table" in file:
        table = file["thread_table"]
        for column in ("start_ns", "end_ns", "cpu_ns", "ident"):
            integers(table[column], np.int64)
        integers(table["daemon"], np.int8)
        for rank, *thread in zip(integers(table["ranks"], np.uint32), integers(table["index"], np.int64),
                                 integers(table["native_id"], np.int64), strings(table["name"])):
            threads[rank].append(tuple(thread))
    return dict(threads)


def aggregate_rows(file):
    index = file["rank_region_index"]
    columns = [integers(index["aggregate_counts"], np.uint64)]
    columns += [integers(index[f"aggregate_{name}"], np.int64) for name in ("totals", "minimums", "maximums", "exclusives")]
    return [Row(aggregate=dict(zip(("count", "total", "minimum", "maximum", "exclusive"), values))) for values in zip(*columns)]


def columnar_rows(file):
    index, events = file["rank_region_index"], file["events"]
    length = len(events["start_deltas"])
    assert all(len(events[column]) == length for column in events)
    columns = {name: integers(events[name], np.int64) for name in events}
    slices = list(zip(integers(index["event_offsets"], np.uint64), integers(index["event_counts"], np.uint64)))
    end = 0
    for offset, count in sorted(slices):
        assert offset >= end, "rows overlap"
        end = offset + count
    assert end <= length
    rows = [columnar_row(columns, offset, count) for offset, count in slices]
    for row, file_name, line, text, tags, exclusive in zip(
            rows, strings(index["source_files"]), integers(index["source_lines"], np.int64), strings(index["source_texts"]),
            strings(index["tags"]), integers(index["exclusive_totals"], np.int64)):
        row.source, row.tags, row.exclusive = (file_name, line), json.loads(tags), exclusive
        assert text == ""
    if "event_metadata" in index:
        for row, text in zip(rows, strings(index["event_metadata"])):
            row.metadata = json.loads(text)
            assert len(row.metadata) in (0, len(row.events))
    if "summary_statistics" in index:
        assert index["summary_statistics"].dtype == SUMMARY
        for row, summary in zip(rows, index["summary_statistics"][()]):
            check_summary(row.events, summary)
    return rows


def columnar_row(columns, offset, count):
    part = slice(offset, offset + count)
    starts = np.cumsum(np.array(columns["start_deltas"][part], dtype=np.int64)).tolist()
    row = Row(events=[(start, start + duration) for start, duration in zip(starts, columns["durations"][part])])
    if "call_ids" in columns:
        row.calls = list(zip(*(columns[name][part] for name in ("call_ids", "parent_ids", "thread_ids"))))
    return row


def check_summary(events, summary):
    durations = np.array([end - start for start, end in events], dtype=np.int64)
    expected = {"total": durations.sum(), "minimum": durations.min(), "maximum": durations.max(), "first": durations[0],
                "last": durations[-1], "start_minimum": min(start for start, _ in events),
                "end_maximum": max(end for _, end in events), "gpu_count": 0, "gpu_total": 0}
    assert {name: summary[name] for name in expected} == expected
    np.testing.assert_allclose([summary["mean"], summary["m2"]], [durations.mean(), durations.var() * len(durations)],
                               rtol=1e-9, atol=1e-9)


def read_json(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file, parse_float=reject, parse_constant=reject)
    assert document["format"] == "scope-profiler-profile" and document["format_version"] == 1
    assert document["time_unit"] == "nanoseconds"
    rows = {}
    for row in document["regions"]:
        key = row["name"], row["rank"]
        assert key not in rows
        rows[key] = json_row(row)
        assert (rows[key].aggregate is None) == document["event_data_available"]
    threads = {int(rank): [(thread["index"], thread["native_id"], thread["name"]) for thread in of_rank]
               for rank, of_rank in document.get("threads", {}).items()}
    return Run(document["num_ranks"], document["metadata"], rows, threads).check()


def json_row(row):
    made = Row(source=(row.get("source_file", ""), row.get("source_lineno", -1)), tags=row.get("tags", []))
    if "aggregate" in row:
        made.aggregate = row["aggregate"]
        return made
    assert len(row["start_times_ns"]) == len(row["end_times_ns"])
    made.events = list(zip(row["start_times_ns"], row["end_times_ns"]))
    if "call_ids" in row:
        made.calls = list(zip(row["call_ids"], row["parent_ids"], row["thread_ids"]))
    made.exclusive = row.get("exclusive_total_ns", -1)
    made.metadata = row.get("event_metadata", [])
    return made


def reject(text):
    raise AssertionError(f"a number that is no integer: {text}")
