"""viewers_test.py VIEWER_TRACES MPIPROF: exports for Perfetto and for Speedscope, against their formats' schemas and against
small_program (tests/traces/small_program.cpp), whose times are known."""

import collections
import json
import unittest

import jsonschema

import chrome_schema
from exported import HERE, Exported
from small_program import SLICES

# Its whole messages, as slices: from (rank, thread, begin) to (rank, thread, begin).
ARROWS = [((0, 1, 110), (1, 1, 112)), ((0, 1, 130), (1, 1, 151)), ((0, 1, 180), (1, 1, 185)), ((1, 1, 185), (0, 1, 180)),
          ((0, 1, 290), (2, 2, 295))]
# Bytes that the ranks' messages have in flight: [(time, bytes)].
IN_FLIGHT = {0: [(110, 100), (125, 0), (130, 1000), (165, 0), (180, 40), (205, 0), (290, 24), (310, 0)],
             1: [(185, 50), (200, 0)]}
BAD_NAME = 'a"b\\c\n\x01\ufffd'


def nanoseconds(microseconds):
    return round(microseconds * 1000)


class Chrome(Exported):
    def load(self, name):
        exported = json.loads(self.exported("chrome", *self.made(name)))
        jsonschema.Draft7Validator(chrome_schema.SCHEMA).validate(exported)
        return exported

    def events(self, name, phase):
        return [event for event in self.load(name)["traceEvents"] if event["ph"] == phase]

    def test_calls_and_phases_are_slices(self):
        found = collections.defaultdict(list)
        for slice in self.events("small", "X"):
            begin = nanoseconds(slice["ts"])
            found[slice["pid"], slice["tid"]].append((begin, begin + nanoseconds(slice["dur"]), slice["name"]))
        self.assertEqual(found, SLICES)

    def test_a_slice_says_what_is_known_of_its_call(self):
        slices = {(slice["pid"], nanoseconds(slice["ts"])): slice for slice in self.events("small", "X")}
        self.assertEqual(slices[0, 100]["cat"], "phase")
        sendrecv = slices[0, 180]
        self.assertEqual(sendrecv["cat"], "point-to-point")
        self.assertEqual(sendrecv["args"], {
            "region": "mpi:sendrecv kind=point-to-point bytes=40 peer=0 root=-1 tag=3 comm=42", "bytes": 40, "sent": 40,
            "received": 0, "peer_rank": 1, "tag": 3, "communicator": "halo", "site": "main.cpp:13",
            "phase": 'inner "quoted"'})
        self.assertEqual(slices[0, 320]["args"]["flags"], "failed")
        self.assertEqual(slices[0, 330]["args"]["partner"], "none")
        self.assertEqual(slices[2, 290]["args"]["communicator"], BAD_NAME)
        self.assertEqual(slices[1, 230]["args"]["root_rank"], 0)
        tests = slices[1, 130]["args"]
        self.assertEqual((tests["request"], tests["repeats"], tests["inside_us"]), ("irecv", 3, 0.009))
        self.assertEqual(sum("partner" in slice.get("args", {}) for slice in slices.values()), 1)

    def test_members_of_a_collective_have_one_number(self):
        members = collections.defaultdict(list)
        for slice in self.events("small", "X"):
            if slice["cat"] == "collective":
                members[slice["args"]["collective"]].append((slice["pid"], slice["name"]))
        everybody = range(4)
        self.assertCountEqual(members.values(), [
            [(rank, "bcast") for rank in everybody], [(rank, "allreduce") for rank in everybody],
            [(2, "barrier"), (3, "barrier")], [(0, "allreduce")]])

    def test_arrows_lead_from_sends_to_receives(self):
        events = self.load("small")["traceEvents"]

        def slice_of(arrow):
            """The innermost slice that the arrow's end lies in."""
            key, time = (arrow["pid"], arrow["tid"]), nanoseconds(arrow["ts"])
            begin, _, _ = [slice for slice in SLICES[key] if slice[0] <= time < slice[1]][-1]
            return (*key, begin)

        begins, ends = ({event["id"]: event for event in events if event["ph"] == phase} for phase in "sf")
        self.assertEqual(begins.keys(), ends.keys())
        self.assertEqual(sum(event["ph"] in "sf" for event in events), 2 * len(begins))
        for number in begins:
            self.assertLess(begins[number]["ts"], ends[number]["ts"])
        self.assertCountEqual([(slice_of(begins[number]), slice_of(ends[number])) for number in begins], ARROWS)

    def test_a_message_without_its_other_end_is_shown(self):
        alone = [(event["pid"], nanoseconds(event["ts"]), event["name"]) for event in self.events("small", "i")]
        self.assertEqual(alone, [(0, 330, "send without a receive")])

    def test_arrows_begin_in_the_call_that_started_their_request(self):
        arrows = {(event["ph"], event["id"]): (event["pid"], nanoseconds(event["ts"]))
                  for event in self.load("parts")["traceEvents"] if event["ph"] in "sf"}
        # The last nanosecond of a receive is in it, its end is not.
        self.assertCountEqual([(arrows["s", number], arrows["f", number]) for phase, number in arrows if phase == "s"],
                              [((0, 10), (1, 24)), ((0, 20), (1, 44))])

    def test_shows_what_a_rank_without_a_trace_leaves_open(self):
        events = self.load("parts")["traceEvents"]
        self.assertEqual([(event["pid"], nanoseconds(event["ts"]), event["name"]) for event in events if event["ph"] == "i"],
                         [(1, 89, "receive without a send")])
        members = [event["args"] for event in events if event.get("cat") == "collective"]
        self.assertEqual([(args["collective"], args["missing_members"]) for args in members], [(0, 1), (0, 1)])
        alone, = [event for event in events if event.get("args", {}).get("partner") == "none"]
        self.assertEqual((alone["pid"], alone["name"], alone["args"]["peer_rank"]), (1, "recv", 2))

    def test_resolves_call_sites_of_unmodified_programs(self):
        sites = {event["args"].get("site") for event in self.events("parts", "X")}
        self.assertEqual(sites, {"solver+0x1234", None})

    def test_says_how_well_clocks_are_known(self):
        other = self.load("clocks")["otherData"]
        self.assertEqual([(rank["clock_known"], rank["clock_error_ns"]) for rank in other["ranks"]], [
            ("compared at start and end", 0), ("compared at start and end", 15), ("compared once, drift unknown", 20),
            ("never compared", -1)])
        self.assertEqual(len(other["notes"]), 2)

    def test_counts_bytes_in_flight(self):
        found = collections.defaultdict(list)
        for counter in self.events("small", "C"):
            self.assertEqual(counter["name"], "bytes in flight")
            found[counter["pid"]].append((nanoseconds(counter["ts"]), counter["args"]["bytes"]))
        self.assertEqual(found, IN_FLIGHT)

    def test_names_ranks_and_threads(self):
        names = {(event["name"], event["pid"], event["tid"]): event["args"] for event in self.events("small", "M")}
        self.assertEqual(names["process_name", 2, 0], {"name": "rank 2 (node)"})
        self.assertEqual(names["process_sort_index", 3, 0], {"sort_index": 3})
        self.assertEqual(names["thread_name", 2, 1], {"name": "main thread"})
        self.assertEqual(names["thread_name", 2, 2], {"name": "worker"})

    def test_says_what_is_known_of_the_run(self):
        other = self.load("names")["otherData"]
        self.assertEqual(other["command"], './program "\\" \x07')
        self.assertEqual(other["program"], "\ufffd\ufffdprogram")
        rank, = other["ranks"]
        self.assertEqual((rank["host"], rank["dropped_records"], rank["kept_records"]), ('ho"st', 3, "newest"))
        self.assertEqual((rank["clock_known"], rank["clock_error_ns"]), ("the same clock", 0))

    def test_names_may_hold_anything(self):
        exported = self.load("names")
        slices = [event for event in exported["traceEvents"] if event["ph"] == "X"]
        self.assertEqual([slice["name"] for slice in slices], ['{"k": "v"}', "ä,\r\n\x01\ufffd", "barrier"])
        self.assertEqual(slices[2]["args"]["communicator"], "ends in \\")
        self.assertEqual(slices[2]["args"]["site"], 'di"r/\ufffd.cpp:9')
        self.assertIn('thr"ead\ufffd', [event["args"].get("name") for event in exported["traceEvents"] if event["ph"] == "M"])

    def test_keeps_nanoseconds_after_hours(self):
        slice, = self.events("one", "X")
        self.assertEqual((slice["ts"], slice["dur"]), (36000000000.007, 0.5))

    def test_a_trace_without_events(self):
        self.assertEqual([event["ph"] for event in self.load("nothing")["traceEvents"]], ["M", "M"])


class Speedscope(Exported):
    def load(self, name):
        exported = json.loads(self.exported("speedscope", *self.made(name)))
        schema = json.loads((HERE / "speedscope" / "file-format-schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft7Validator(schema).validate(exported)
        return exported

    def test_has_the_calls_and_phases_of_each_thread(self):
        exported = self.load("small")
        frames = exported["shared"]["frames"]
        found = {}
        for profile, key in zip(exported["profiles"], SLICES, strict=True):
            self.assertEqual(profile["unit"], "nanoseconds")
            self.assertIn(f"rank {key[0]} (node), ", profile["name"])
            self.assertLessEqual(profile["startValue"], profile["events"][0]["at"])
            self.assertGreaterEqual(profile["endValue"], profile["events"][-1]["at"])
            opened, slices, last = [], [], 0
            for event in profile["events"]:
                self.assertGreaterEqual(event["at"], last)
                last = event["at"]
                if event["type"] == "O":
                    opened.append((event["frame"], last))
                else:
                    frame, begin = opened.pop()
                    self.assertEqual(frame, event["frame"])
                    slices.append((begin, last, frames[frame]["name"]))
            self.assertEqual(opened, [])
            found[key] = sorted(slices)
        self.assertEqual(found, SLICES)

    def test_one_frame_for_a_call_site(self):
        frames = self.load("small")["shared"]["frames"]
        self.assertEqual([frame["name"] for frame in frames if frame.get("line") == 14], ["bcast"])
        self.assertIn({"name": "sendrecv", "file": "main.cpp", "line": 13}, frames)
        self.assertIn({"name": 'inner "quoted"'}, frames)

    def test_names_may_hold_anything(self):
        exported = self.load("names")
        self.assertEqual(exported["name"], "\ufffd\ufffdprogram")
        self.assertEqual([frame["name"] for frame in exported["shared"]["frames"]],
                         ['{"k": "v"}', "ä,\r\n\x01\ufffd", "barrier"])

    def test_a_trace_without_events(self):
        self.assertEqual([profile for profile in self.load("nothing")["profiles"] if profile["events"]], [])


if __name__ == "__main__":
    unittest.main()
