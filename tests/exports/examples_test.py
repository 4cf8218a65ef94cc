"""Two examples on 4 ranks in every format, each read by a reader that is not ours, and counted by a PMPI counter.

Each example is traced as it is built with mpiprof, and without mpiprof by `mpiprof run`. What the MPI library was really asked
for is counted in another run: the examples do the same each time.
"""

import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path("tests/preload").resolve()))
import preloaded  # noqa: E402
from otf2 import events
from otf2_archive import Archive, accepted_by_tools
from scope_profiler_files import read_hdf5, read_json

RANKS = 4
HEAT, HEAT_PLAIN, FIELD, WORD_COUNT, WORD_COUNT_PLAIN, COUNTER = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:7])
del sys.argv[1:7]
# Operations that the counter does not count.
NOT_COUNTED = {"init", "init_thread", "comm_create", "comm_free"}


def counted(command):
    """{(rank, operation): (calls, sent, received)} of the program without mpiprof."""
    with tempfile.TemporaryDirectory() as folder:
        preloaded.run(["env", f"COUNTER_OUTPUT={folder}/counted", *command], RANKS, preloaded.PRELOADED, preload=COUNTER)
        found = {}
        for rank in range(RANKS):
            for line in pathlib.Path(folder, f"counted.{rank}").read_text().splitlines():
                name, calls, _, sent, received, _, _ = line.split()
                found[rank, name] = int(calls), int(sent), int(received)
        return found


class Example:
    """A traced run in all formats."""

    def __init__(self, folder, command, how):
        self.folder = pathlib.Path(folder)
        done = preloaded.run(command, RANKS, how, "sinks=summary+trace", cwd=folder)
        assert done.status == 0, done.stderr
        traces = sorted(str(path) for path in self.folder.glob("*.trace"))
        assert len(traces) == RANKS, done.files
        self.command("merge", *traces, "-o", "run.trace")
        [profile] = self.folder.glob("*.mpiprof.json")
        for name in ("chrome", "speedscope", "csv-calls", "csv-summary", "csv-peers", "otf2", "scope-profiler",
                     "scope-profiler-hdf5"):
            self.command("export", name, "run.trace", profile, "-o", name)

    def command(self, *arguments):
        done = subprocess.run([preloaded.MPIPROF, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=60)
        # Of programs without debug information call sites have no lines.
        said = [line for line in done.stderr.splitlines() if not line.startswith("mpiprof: Without line numbers: ")]
        assert (done.returncode, said) == (0, []), (arguments, done.stderr)

    def rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def json(self, name):
        return json.loads((self.folder / name).read_text())


def calls_in_chrome(run):
    found = collections.Counter()
    for event in run.json("chrome")["traceEvents"]:
        if event["ph"] == "X" and event["cat"] != "phase":
            found[event["pid"], event["name"]] += event["args"].get("repeats", 1)
    return found


def calls_in_table(run):
    found = collections.Counter()
    for row in run.rows("csv-calls"):
        if row["type"] in ("call", "repeated"):
            found[int(row["rank"]), row["operation"]] += int(row["repeats"])
    return found


def bytes_in_table(run):
    """{(rank, operation): [sent, received]}: what a request brought counts for what made it."""
    found = collections.defaultdict(lambda: [0, 0])
    for row in run.rows("csv-calls"):
        if row["type"] == "phase_begin" or row["type"] == "phase_end": continue
        sums = found[int(row["rank"]), row["operation"]]
        # Those that startall started are in the call's sums already.
        if row["type"] != "completion": sums[0] += int(row["sent"] or 0)
        sums[1] += int(row["received"] or 0)
    return {key: tuple(sums) for key, sums in found.items() if any(sums)}


def calls_in_summary(run):
    found = collections.Counter()
    for row in run.rows("csv-summary"):
        found[row["operation"]] += int(row["calls"])
    return found


def region_calls(run):
    """Of scope-profiler's files: {(rank, operation): calls}; a folded run of tests says how many it is."""
    found = collections.Counter()
    for (name, rank), row in run.rows.items():
        if not name.startswith("mpi:"): continue
        repeats = [each.get("repeats", 1) for each in row.metadata] or [1] * len(row.events)
        found[rank, name[len("mpi:"):].split()[0]] += sum(repeats)
    return found


class Formats(unittest.TestCase):
    """What holds of any traced run."""
    maxDiff = None

    def check(self, run, expected):
        calls = {key: number for key, (number, _, _) in expected.items()}
        in_chrome = calls_in_chrome(run)
        self.assertEqual(self.without(in_chrome, calls), calls)
        in_table = calls_in_table(run)
        self.assertEqual(self.without(in_table, calls), calls)
        of_all_ranks = collections.Counter()
        for (_, name), number in in_table.items(): of_all_ranks[name] += number
        self.assertEqual(calls_in_summary(run), of_all_ranks)
        bytes_moved = {key: moved for key, (_, *moved) in expected.items() if any(moved)}
        self.assertEqual(bytes_in_table(run), {key: tuple(moved) for key, moved in bytes_moved.items()})
        for read, name in ((read_json, "scope-profiler"), (read_hdf5, "scope-profiler-hdf5")):
            regions = read(run.folder / name)
            regions.check()
            self.assertEqual(self.without(region_calls(regions), calls), calls)
        self.check_forms(run)

    def check_forms(self, run):
        """What each format demands, and that all messages have both ends."""
        self.check_speedscope(run)
        self.check_otf2(run)
        self.check_arrows(run)

    def without(self, found, calls):
        """Without what nobody counted; there is nothing else."""
        others = {name for key, name in found if (key, name) not in calls}
        self.assertLessEqual(others, NOT_COUNTED)
        return {key: number for key, number in found.items() if key in calls}

    def check_speedscope(self, run):
        profiles = run.json("speedscope")["profiles"]
        self.assertEqual(len(profiles), RANKS)
        for profile in profiles:
            stack = []
            for event in profile["events"]:
                if event["type"] == "O": stack.append(event["frame"])
                else: self.assertEqual(stack.pop(), event["frame"])
            self.assertEqual(stack, [])

    def check_otf2(self, run):
        self.assertEqual(accepted_by_tools(str(run.folder / "otf2")), [(0, b"")] * 4)
        archive = Archive(str(run.folder / "otf2"))
        archive.check()
        matched, sends, receives = archive.messages()
        self.assertEqual((sends, receives), ([], []))
        for pairs in matched.values():
            for sent, received in pairs: self.assertEqual(sent, received)
        collectives = sum(row["kind"] == "collective" and row["type"] == "call" for row in run.rows("csv-calls"))
        self.assertEqual(len(archive.of(events.MpiCollectiveEnd)), collectives)

    def check_arrows(self, run):
        """No message arrives before it is sent, and all arrive."""
        trace = run.json("chrome")["traceEvents"]
        starts = {event["id"]: event["ts"] for event in trace if event["ph"] == "s"}
        ends = {event["id"]: event["ts"] for event in trace if event["ph"] == "f"}
        self.assertEqual(starts.keys(), ends.keys())
        self.assertTrue(starts)
        for message, time in starts.items(): self.assertLessEqual(time, ends[message])
        self.assertFalse([event for event in trace if event.get("args", {}).get("partner") == "none"])


class Heat(Formats):
    @classmethod
    def setUpClass(cls):
        cls.expected = counted([HEAT_PLAIN, FIELD, "100"])
        # The counter does not see what requests bring: neighbours give each other rows of one size.
        for rank in range(RANKS):
            calls, _, _ = cls.expected[rank, "irecv"]
            cls.expected[rank, "irecv"] = calls, 0, cls.expected[rank, "isend"][1]

    def run_it(self, program, how, expected):
        run = Example(self.enterContext(tempfile.TemporaryDirectory()), [program, FIELD, "100"], how)
        self.check(run, expected)
        return run

    def test_built_with_mpiprof(self):
        # Its MPI_Init is a plain one.
        expected = {key: value for key, value in self.expected.items() if key[1] != "init"}
        run = self.run_it(HEAT, preloaded.PLAIN, expected)
        phases = collections.Counter(event["name"] for event in run.json("chrome")["traceEvents"]
                                     if event["ph"] == "X" and event["cat"] == "phase")
        self.assertEqual(phases, {"scatter": 4, "exchange": 400, "update": 400, "check": 4, "gather": 4})

    def test_as_it_is(self):
        self.run_it(HEAT_PLAIN, preloaded.BY_COMMAND, self.expected)


class WordCount(Formats):
    @classmethod
    def setUpClass(cls):
        cls.expected = counted([WORD_COUNT_PLAIN])

    def test_as_it_is(self):
        run = Example(self.enterContext(tempfile.TemporaryDirectory()), [WORD_COUNT_PLAIN], preloaded.BY_COMMAND)
        self.check(run, self.expected)

    def test_built_with_mpiprof(self):
        """There a record is a call of Boost.MPI's, which sends each value as one message."""
        run = Example(self.enterContext(tempfile.TemporaryDirectory()), [WORD_COUNT], preloaded.PLAIN)
        self.check_forms(run)
        sends = {key: (calls, sent) for key, (calls, sent, _) in self.expected.items() if key[1] == "send"}
        calls, moved = calls_in_table(run), bytes_in_table(run)
        self.assertEqual({key: (number, moved[key][0]) for key, number in calls.items() if key[1] == "send"}, sends)
        received = sum(moved[key][1] for key in moved if key[1] == "recv")
        self.assertEqual(received, sum(sent for _, sent in sends.values()))


if __name__ == "__main__":
    unittest.main()
