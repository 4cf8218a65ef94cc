"""`mpiprof export otf2`: the archive as python3-otf2 reads it, and what OTF2's own tools say of it."""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

from otf2 import CollectiveOp, GroupType, RegionRole, events
from otf2.definitions import InterComm
from otf2_archive import UNDEFINED, Archive, accepted_by_tools

TRACES = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
LOCATION_OF_THREAD_1 = 1 << 32


class Exported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([TRACES, cls.folder.name], check=True, timeout=60)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_export(self, trace, out, **options):
        return subprocess.run([PROGRAM, "export", "otf2", self.path(trace), "-o", out], capture_output=True, text=True,
                              timeout=60, **options)

    def export(self, name):
        out = self.path(name + ".otf2")
        result = self.run_export(name + ".mpitrace", out)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertEqual(accepted_by_tools(out), [(0, b"")] * 4)
        archive = Archive(out)
        archive.check()
        return archive


class Small(Exported):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.archive = cls.export(cls(), "small")

    def test_events_are_those_of_the_program(self):
        self.assertEqual(self.archive.counts(), {
            "Enter": 27, "Leave": 27, "MpiSend": 5, "MpiRecv": 4, "MpiIsend": 1, "MpiIsendComplete": 1,
            "MpiIrecvRequest": 1, "MpiIrecv": 1, "MpiRequestTest": 1, "MpiCollectiveBegin": 11, "MpiCollectiveEnd": 11})

    def test_regions_nest(self):
        self.assertEqual(self.archive.regions(0), [
            ("solve", 100, 340, 0), ("MPI_Send", 110, 120, 1), ("MPI_Isend", 130, 135, 1), ("MPI_Waitall", 140, 160, 1),
            ('inner "quoted"', 170, 210, 1), ("MPI_Sendrecv", 180, 200, 2), ("MPI_Bcast", 220, 240, 1),
            ("MPI_Allreduce", 250, 280, 1), ("MPI_Send", 290, 300, 1), ("MPI_Allreduce", 305, 310, 1),
            ("MPI_Send", 320, 325, 1), ("MPI_Send", 330, 335, 1)])
        self.assertEqual(self.archive.regions(2 + LOCATION_OF_THREAD_1), [("MPI_Recv", 295, 310, 0)])

    def test_enters_and_leaves_of_each_region_are_as_many(self):
        def names(kind):
            return sorted(event.region.name for event in self.archive.of(kind))
        self.assertEqual(names(events.Enter), names(events.Leave))

    def test_each_receive_has_its_send(self):
        number = {name: each._ref for name, each in self.archive.communicators.items()}
        [halo] = [ref for name, ref in number.items() if name == "halo"]
        [between] = [each._ref for each in self.archive.definitions.comms if isinstance(each, InterComm)]
        matched, sends, receives = self.archive.messages()
        self.assertEqual({key: pairs for key, pairs in matched.items() if pairs}, {
            (number["MPI_COMM_WORLD"], 0, 1, 7): [(100, 100)], (number["MPI_COMM_WORLD"], 0, 1, 8): [(1000, 1000)],
            (halo, 0, 1, 3): [(40, 40)], (halo, 1, 0, 4): [(50, 50)], (between, 0, 2, 5): [(24, 24)]})
        self.assertEqual(sends, [((number["MPI_COMM_WORLD"], 0, 3, 55), 330, 11)])
        self.assertEqual(receives, [])

    def test_messages_have_the_times_of_their_calls(self):
        self.assertEqual([(event.time, event.msg_length) for event in self.archive.of(events.MpiSend, 0)],
                         [(110, 100), (180, 40), (290, 24), (330, 11)])
        self.assertEqual([(type(event).__name__, event.time) for event in self.archive.events[1]
                          if hasattr(event, "request_id")],
                         [("MpiIrecvRequest", 126), ("MpiRequestTest", 150), ("MpiIrecv", 165)])

    def test_collectives(self):
        ended = [(event.time, event.collective_op, event.communicator.name, event.root, event.size_sent, event.size_received)
                 for event in self.archive.of(events.MpiCollectiveEnd, 0)]
        self.assertEqual(ended, [
            (240, CollectiveOp.BCAST, "MPI_COMM_WORLD", 0, 64, 0),
            (280, CollectiveOp.ALLREDUCE, "MPI_COMM_WORLD", UNDEFINED, 8, 8),
            (310, CollectiveOp.ALLREDUCE, "MPI_COMM_SELF", UNDEFINED, 8, 8)])

    def test_communicators(self):
        its = self.archive.communicators
        members = {name: [member.group._ref for member in each.group.members] for name, each in its.items()
                   if not isinstance(each, InterComm)}
        # A group of one that differs from process to process has no list in OTF2, but a type.
        self.assertEqual(members, {"MPI_COMM_WORLD": [0, 1, 2, 3], "MPI_COMM_SELF": [], "halo": [1, 0],
                                   'a"b\\c\n\x01\N{REPLACEMENT CHARACTER}': [2, 3]})
        self.assertEqual(its["MPI_COMM_SELF"].group.group_type, GroupType.COMM_SELF)
        self.assertEqual(its["halo"].parent, its["MPI_COMM_WORLD"])
        [between] = [each for each in its.values() if isinstance(each, InterComm)]
        self.assertEqual([[member.group._ref for member in group.members] for group in (between.groupA, between.groupB)],
                         [[0, 1], [2, 3]])

    def test_processes_and_threads(self):
        self.assertEqual([(number, each.group.name, each.name) for number, each in sorted(self.archive.locations.items())], [
            (0, "rank 0", "main thread"), (1, "rank 1", "main thread"), (2, "rank 2", "main thread"),
            (3, "rank 3", "main thread"), (2 + LOCATION_OF_THREAD_1, "rank 2", "worker")])
        self.assertEqual({each.group.system_tree_parent.name for each in self.archive.locations.values()}, {"node"})

    def test_clock_tells_the_time_of_day(self):
        self.assertEqual(self.archive.clock.realtime_timestamp, 1_700_000_000_000_000_000)
        self.assertEqual((self.archive.clock.global_offset, self.archive.clock.trace_length), (0, 340))

    def test_roles(self):
        roles = {each.name: each.region_role for each in self.archive.definitions.regions}
        self.assertEqual(roles, {
            "solve": RegionRole.CODE, 'inner "quoted"': RegionRole.CODE, "MPI_Send": RegionRole.POINT2POINT,
            "MPI_Isend": RegionRole.POINT2POINT, "MPI_Recv": RegionRole.POINT2POINT, "MPI_Irecv": RegionRole.POINT2POINT,
            "MPI_Wait": RegionRole.POINT2POINT, "MPI_Waitall": RegionRole.POINT2POINT, "MPI_Test": RegionRole.POINT2POINT,
            "MPI_Sendrecv": RegionRole.POINT2POINT, "MPI_Bcast": RegionRole.COLL_ONE2ALL,
            "MPI_Allreduce": RegionRole.COLL_ALL2ALL, "MPI_Barrier": RegionRole.BARRIER})

    def test_call_sites_repeats_and_failures_are_attributes(self):
        entered = {event.time: event for event in self.archive.of(events.Enter, 0)}
        site = self.archive.attribute(entered[110], "call site")
        self.assertEqual((site.file, site.line_number), ("main.cpp", 10))
        self.assertEqual(entered[100].attributes, None)
        [repeated] = [event for event in self.archive.of(events.Enter, 1) if event.region.name == "MPI_Test"]
        self.assertEqual(self.archive.attribute(repeated, "repeats"), 3)
        failed = [event.time for event in self.archive.of(events.Leave) if self.archive.attribute(event, "failed")]
        self.assertEqual(failed, [325])


class Requests(Exported):
    def test_requests(self):
        archive = self.export("requests")
        found = [(type(event).__name__, event.time, getattr(event, "msg_tag", None), getattr(event, "msg_length", None))
                 for event in archive.events[0] if not isinstance(event, (events.Enter, events.Leave))]
        self.assertEqual(found, [
            ("MpiIsend", 22, 1, 500), ("MpiIrecvRequest", 22, None, None),
            ("MpiIsendComplete", 40, None, None), ("MpiIrecv", 40, 2, 300),
            ("MpiIsend", 50, 1, 500), ("MpiIsendComplete", 60, None, None),
            ("MpiIsend", 70, 3, 9), ("MpiRequestCancelled", 80, None, None),
            ("MpiIsend", 90, 4, 12),
            ("NonBlockingCollectiveRequest", 110, None, None), ("MpiRequestTest", 113, None, None),
            ("NonBlockingCollectiveComplete", 120, None, None),
            ("MpiIsend", 130, 5, 1), ("MpiIsend", 132, 5, 1),
            ("MpiIsendComplete", 140, None, None), ("MpiIsendComplete", 140, None, None),
            ("MpiCollectiveBegin", 200, None, None), ("MpiCollectiveEnd", 205, None, None),
            ("MpiRecv", 215, 9, 33), ("MpiIsend", 220, 11, 2)])
        [posted] = [event for event in archive.of(events.MpiIsend) if event.msg_tag == 4]
        [elsewhere] = archive.of(events.MpiIsendComplete, LOCATION_OF_THREAD_1)
        self.assertEqual((elsewhere.time, elsewhere.request_id), (100, posted.request_id))
        [done] = archive.of(events.NonBlockingCollectiveComplete)
        self.assertEqual((done.collective_op, done.root, done.size_sent, done.size_received), (CollectiveOp.BCAST, 1, 0, 77))
        [tested] = archive.of(events.MpiRequestTest)
        self.assertEqual(tested.request_id, done.request_id)

    def test_root_of_an_intercommunicator(self):
        archive = self.export("requests")
        self.assertEqual([(event.root, event.size_sent, event.size_received) for event in archive.of(events.MpiCollectiveEnd)],
                         [(UNDEFINED - 1, 3, 0), (0, 0, 3)])

    def test_bytes_that_otf2_has_no_record_for(self):
        archive = self.export("requests")
        left = {event.region.name: {key.name: value for key, value in event.attributes.items()}
                for event in archive.of(events.Leave, 0) if event.attributes}
        self.assertEqual(left, {"MPI_File_write": {"written": 4096}, "MPI_Put": {"peer": 1, "sent": 16},
                                "MPI_Neighbor_alltoall": {"sent": 8, "received": 16}})


class Others(Exported):
    def test_sums_beyond_31_bits(self):
        archive = self.export("large_sum")
        self.assertEqual(sum(event.size_sent for event in archive.of(events.MpiCollectiveEnd)), 3_145_728_000)

    def test_a_rank_without_a_trace_is_a_location(self):
        archive = self.export("rank_missing")
        self.assertEqual([(number, each.name, each.number_of_events) for number, each in sorted(archive.locations.items())],
                         [(0, "main thread", 3), (1, "not traced", 0), (2, "main thread", 3)])
        _, sends, receives = archive.messages()
        self.assertEqual(sorted(key[1:] for key, *_ in sends), [(0, 1, 0), (2, 1, 0)])
        self.assertEqual(receives, [])

    def test_a_call_site_that_cannot_be_resolved_is_a_file_by_what_is_known(self):
        entered, _ = self.export("rank_missing").of(events.Enter)
        site = next(iter(entered.attributes.values()))
        self.assertEqual((site.file, site.line_number), ("app+0x10", 0))

    def test_a_communicator_of_unknown_members_is_defined(self):
        archive = self.export("unknown_members")
        [sent] = archive.of(events.MpiSend)
        self.assertEqual((sent.time, sent.communicator.name, sent.receiver), (10, "communicator 1234", 1))
        self.assertEqual([member.group.name for member in sent.communicator.group.members], ["unknown rank"] * 2)

    def test_no_events(self):
        self.assertEqual(self.export("no_events").counts(), {})


class Folder(Exported):
    def refused(self, out, **options):
        result = self.run_export("small.mpitrace", out, **options)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(f"'{out}'", result.stderr)
        self.assertEqual([name for name in os.listdir(self.folder.name) if ".tmp" in name], [])
        return result.stderr

    def test_an_archive_of_ours_is_replaced(self):
        out = self.path("replaced")
        self.assertEqual(self.run_export("requests.mpitrace", out).returncode, 0)
        self.assertEqual(self.run_export("small.mpitrace", out + "/").returncode, 0)
        self.assertEqual(sorted(os.listdir(out)), ["traces", "traces.def", "traces.otf2"])
        self.assertEqual(Archive(out).clock.trace_length, 340)

    def test_an_empty_folder_is_filled(self):
        out = self.path("empty")
        os.mkdir(out)
        self.assertEqual(self.run_export("small.mpitrace", out).returncode, 0)

    def test_other_content_stays(self):
        out = self.path("noted")
        self.assertEqual(self.run_export("small.mpitrace", out).returncode, 0)
        with open(os.path.join(out, "notes.txt"), "w", encoding="utf-8") as file:
            file.write("mine")
        self.assertIn("'notes.txt'", self.refused(out))
        self.assertTrue(os.path.exists(os.path.join(out, "notes.txt")))

    def test_an_archive_of_another_tool_stays(self):
        out = self.path("foreign")
        os.mkdir(out)
        with open(os.path.join(out, "traces.otf2"), "w", encoding="utf-8") as file:
            file.write("something else")
        self.assertIn("not mpiprof's", self.refused(out))

    def test_a_file_is_refused(self):
        self.refused(self.path("small.mpitrace"))

    def test_a_folder_that_cannot_be_made(self):
        self.assertIn("No such file", self.refused(self.path("nowhere/out")))

    def test_a_full_disk(self):
        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        self.refused(self.path("full"), preexec_fn=no_room)


if __name__ == "__main__":
    unittest.main()
