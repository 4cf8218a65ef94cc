"""tables_test.py VIEWER_TRACES MPIPROF: the exports that are tables, read by Python's csv; and what `mpiprof export` says
where it cannot do what it was asked for."""

import csv
import io
import json
import os
import sys
import unittest

from exported import HERE, Exported

sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from made_profile import over_ranks, profile, statistics  # noqa: E402

BAD_NAME = 'a"b\\c\n\x01\ufffd'


def call(row):
    return row["rank"], row["type"], row["operation"], int(row["begin_ns"]), int(row["end_ns"])


class Tables(Exported):
    def rows(self, format_name, *files):
        """Of which each must have all columns and no others."""
        lines = list(csv.reader(io.StringIO(self.exported(format_name, *files), newline=""), strict=True))
        for line in lines:
            self.assertEqual(len(line), len(lines[0]), line)
        return [dict(zip(lines[0], line)) for line in lines[1:]]

    def profile_file(self, **values):
        path = self.folder / "run.json"
        path.write_text(json.dumps(profile(**values)), encoding="utf-8")
        return path

    def test_a_row_for_each_event_in_order(self):
        rows = self.rows("csv-calls", *self.made("small"))
        self.assertEqual([call(row) for row in rows if row["rank"] == "1"], [
            ("1", "call", "recv", 112, 125), ("1", "call", "irecv", 126, 128), ("1", "repeated", "test", 130, 150),
            ("1", "completion", "irecv", 126, 165), ("1", "call", "wait", 151, 165),
            ("1", "completion", "sendrecv", 185, 205), ("1", "call", "sendrecv", 185, 205), ("1", "call", "bcast", 230, 245),
            ("1", "call", "allreduce", 255, 281)])
        self.assertEqual([(row["type"], row["phase"], row["begin_ns"]) for row in rows if row["type"].startswith("phase")], [
            ("phase_begin", "solve", "100"), ("phase_begin", 'inner "quoted"', "170"),
            ("phase_end", 'inner "quoted"', "210"), ("phase_end", "solve", "340")])
        # 16 of rank 0, 9, 5 and 3.
        self.assertEqual(len(rows), 33)

    def test_a_call_with_all_that_is_known_of_it(self):
        row, = [row for row in self.rows("csv-calls", *self.made("small")) if row["begin_ns"] == "290" and row["rank"] == "0"]
        self.assertEqual(row, {
            "rank": "0", "thread": "main thread", "type": "call", "operation": "send", "kind": "point-to-point", "request": "",
            "begin_ns": "290", "end_ns": "300", "communicator": str(0x99), "communicator_name": "communicator 99",
            "phase": "solve", "site": "main.cpp:16", "peer": "0", "peer_rank": "2", "root": "", "tag": "5", "sent": "24",
            "received": "0", "capacity": "", "overhead": "0", "written": "0", "read": "0", "taken_back": "", "waited_ns": "",
            "repeats": "1", "inside_ns": "10", "flags": "", "partner_rank": "2", "partner_posted_ns": "295",
            "partner_time_ns": "310", "collective": "", "missing_members": ""})

    def test_a_message_knows_its_other_end(self):
        partners = {call(row): (row["partner_rank"], row["partner_posted_ns"], row["partner_time_ns"])
                    for row in self.rows("csv-calls", *self.made("small")) if row["partner_rank"]}
        self.assertEqual(partners, {
            ("0", "call", "send", 110, 120): ("1", "112", "125"), ("1", "call", "recv", 112, 125): ("0", "110", "110"),
            ("0", "call", "isend", 130, 135): ("1", "126", "165"), ("1", "completion", "irecv", 126, 165): ("0", "130", "130"),
            ("0", "call", "sendrecv", 180, 200): ("1", "185", "205"),
            ("1", "completion", "sendrecv", 185, 205): ("0", "180", "180"),
            ("1", "call", "sendrecv", 185, 205): ("0", "180", "200"),
            ("0", "completion", "sendrecv", 180, 200): ("1", "185", "185"),
            ("0", "call", "send", 290, 300): ("2", "295", "310"), ("2", "call", "recv", 295, 310): ("0", "290", "290"),
            ("0", "call", "send", 330, 335): ("none", "none", "none")})

    def test_repeated_tests_failures_and_collectives(self):
        rows = {(row["rank"], row["begin_ns"], row["type"]): row for row in self.rows("csv-calls", *self.made("small"))}
        tests = rows["1", "130", "repeated"]
        self.assertEqual((tests["request"], tests["repeats"], tests["inside_ns"], tests["flags"], tests["capacity"]),
                         ("irecv", "3", "9", "incomplete", "2000"))
        self.assertEqual((tests["peer"], tests["peer_rank"]), ("-2", ""))
        self.assertEqual(rows["0", "320", "call"]["flags"], "failed")
        self.assertEqual((rows["2", "225", "call"]["collective"], rows["2", "225", "call"]["missing_members"]), ("0", "0"))
        self.assertEqual(rows["3", "228", "call"]["collective"], "0")
        self.assertEqual(rows["2", "290", "call"]["communicator_name"], BAD_NAME)

    def test_what_a_rank_without_a_trace_leaves_open(self):
        rows = {(row["rank"], row["begin_ns"]): row for row in self.rows("csv-calls", *self.made("parts"))}
        for rank in "01":
            reduce = rows[rank, "60"]
            self.assertEqual((reduce["collective"], reduce["missing_members"], reduce["site"]), ("0", "1", "solver+0x1234"))
        self.assertEqual([rows["1", "80"][key] for key in ("peer_rank", "partner_rank", "partner_time_ns")],
                         ["2", "none", "none"])
        self.assertEqual([rows["0", "19"][key] for key in ("type", "partner_rank", "partner_time_ns")],
                         ["completion", "1", "45"])

    def test_names_may_hold_anything(self):
        rows = self.rows("csv-calls", *self.made("names"))
        self.assertEqual([row["phase"] for row in rows],
                         ['{"k": "v"}', "ä,\r\n\x01\ufffd", "ä,\r\n\x01\ufffd", "ä,\r\n\x01\ufffd", '{"k": "v"}'])
        self.assertEqual((rows[2]["site"], rows[2]["communicator_name"]), ('di"r/\ufffd.cpp:9', "ends in \\"))

    def test_traces_with_one_event_and_none(self):
        row, = self.rows("csv-calls", *self.made("one"))
        self.assertEqual(call(row), ("0", "call", "barrier", 36_000_000_000_007, 36_000_000_000_507))
        self.assertEqual(self.rows("csv-calls", *self.made("nothing")), [])

    def test_the_rows_of_a_profile(self):
        sums = statistics(calls=3, failed=1, sent=5_000_000_000, time={"sum": 60, "least": 10, "most": 30, "deviation": 0.5},
                          durations=[0, 0, 3], rank_time=over_ranks(1, 60, 60, 60, 0))
        row, = self.rows("csv-summary", self.profile_file(
            calls=[{"operation": "send", "request": "", "communicator": 42, "file": "a,b.cpp", "line": 7, "phase": 'so"lve',
                    "statistics": sums}],
            communicators=[{"id": 42, "name": "halo", "size": 2, "parent": 0, "guessed": False, "ranks": 1}]))
        expected = {"communicator_name": "halo", "operation": "send", "request": "", "communicator": "42", "file": "a,b.cpp",
                    "line": "7", "phase": 'so"lve', "calls": "3", "failed": "1", "sent": "5000000000", "received": "0",
                    "time.sum": "60", "time.least": "10", "time.most": "30", "time.deviation": "0.5", "durations": "0 0 3",
                    "sizes": "", "rank_time.ranks": "1", "rank_time.most": "60", "rank_time.rank_of_most": "0"}
        self.assertEqual({key: row[key] for key in expected}, expected)

    def test_who_sent_to_whom(self):
        def peer(communicator, number):
            return {"rank": 1, "communicator": communicator, "peer": number, "sends": 2, "sent": 80, "receives": 1, "received": 8}

        path = self.profile_file(rank=1, world_size=4, program="small", job="job", 
                                 peers=[peer(0, 3), peer(1, 0), peer(0x2a, 1), peer(-1, -1)])
        rows = {row["communicator"]: row for row in self.rows("csv-peers", path)}
        self.assertEqual({key: row["peer_rank"] for key, row in rows.items()}, {"0": "3", "1": "1", "42": "", "-1": ""})
        self.assertEqual([rows["0"][key] for key in ("rank", "peer", "sends", "sent", "receives", "received")],
                         ["1", "3", "2", "80", "1", "8"])
        # Rank 1 of "halo" is rank 0 of the world, as the trace knows.
        rows = self.rows("csv-peers", path, *self.made("small"))
        self.assertEqual({row["communicator"]: row["peer_rank"] for row in rows}, {"0": "3", "1": "1", "42": "0", "-1": ""})


class Command(Exported):
    def refused(self, status, *arguments, **options):
        result = self.run_export(*arguments, **options)
        self.assertEqual((result.returncode, result.stdout), (status, b""))
        return result.stderr.decode()

    def test_a_format_says_what_it_needs(self):
        path = self.folder / "run.json"
        path.write_text(json.dumps(profile()), encoding="utf-8")
        for name in ("chrome", "speedscope", "csv-calls"):
            said = self.refused(1, name, path)
            self.assertEqual(said.count("\n"), 1, said)
            self.assertIn(f"'{name}' needs a trace", said)
            self.assertIn("MPIPROF=sinks=summary+trace", said)
        self.assertIn("'csv-peers' needs the profile", self.refused(1, "csv-peers", *self.made("one")))

    def test_a_trace_and_a_profile_of_different_runs(self):
        # small_program is of 4 ranks and of the job "job".
        def refused(**values):
            path = self.folder / "run.json"
            path.write_text(json.dumps(profile(**values)), encoding="utf-8")
            said = self.refused(1, "csv-peers", path, *self.made("small"))
            self.assertEqual(said.count("\n"), 1, said)
            self.assertTrue(said.endswith("; give the files of one run\n"), said)
            return said

        self.assertIn("of a run of 4 ranks, the profile of one of 3;", refused(world_size=3, job="job", program="small"))
        self.assertIn("of job 'job', the profile of job 'another'", refused(world_size=4, job="another", program="small"))
        self.assertIn("of program 'small', the profile of program 'made'", refused(world_size=4))

    def test_a_file_is_known_by_its_content(self):
        trace, = self.made("one")
        other = self.folder / "trace.json"
        os.rename(trace, other)
        self.assertIn("one.cpp:1", self.exported("chrome", other))

    def test_what_cannot_be_read_or_written(self):
        files = self.made("one")
        self.assertIn("/none/such: No such file", self.refused(1, "chrome", "/none/such"))
        target = self.folder / "none" / "such"
        self.assertIn(f"'{target}': No such file", self.refused(1, "chrome", *files, output=target))
        self.assertIn("xml not in", self.refused(2, "xml", *files))

    def test_a_file_that_cannot_be_written_is_left_as_it_was(self):
        target = self.folder / "full.json"
        os.symlink("/dev/full", target)
        self.assertIn("full.json': No space left", self.refused(1, "chrome", *self.made("small"), output=target))
        self.assertEqual(sorted(os.listdir(self.folder)), ["full.json", "small"])

    def test_standard_output_has_the_text_and_nothing_else(self):
        files = self.made("names")
        result = self.run_export("chrome", *files)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stdout.decode(), self.exported("chrome", *files))
        self.assertIn("3 records of rank 0", result.stderr.decode())
        self.assertIn("cannot go to standard output", self.refused(1, "otf2", *files))


if __name__ == "__main__":
    unittest.main()
