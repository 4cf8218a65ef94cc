"""The OTF2 archive of a real run: every message of it has both ends, whoever made and completed its requests."""

import os
import subprocess
import sys
import tempfile
import unittest

from otf2 import events
from otf2.definitions import InterComm
from otf2_archive import Archive, accepted_by_tools

LAUNCHER, TRACED, PROGRAM = (os.path.abspath(sys.argv.pop(1)) if "/" in sys.argv[1] else sys.argv.pop(1) for _ in range(3))
ENVIRONMENT_FILE = os.path.abspath("bazel/mpi_env.sh")
SOURCE = 'source "$0"; mpi_environment "$1"; shift; exec timeout 100 "$@"'


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        path = os.path.realpath(folder.name)
        os.mkdir(f"{path}/mpi")
        os.mkdir(f"{path}/run")
        environment = {**os.environ, "MPIPROF": f"sinks=summary+trace,shards={path}/mpi,output={path}/run/run.json"}
        subprocess.run(["bash", "-c", SOURCE, ENVIRONMENT_FILE, f"{path}/mpi", LAUNCHER, "-n", "4", TRACED], cwd=path,
                       env=environment, stdin=subprocess.DEVNULL, check=True)
        traces = [f"{path}/run/{name}" for name in os.listdir(f"{path}/run") if not name.endswith(".json")]
        subprocess.run([PROGRAM, "export", "otf2", *traces, "-o", f"{path}/out"], check=True, timeout=60)
        cls.said = accepted_by_tools(f"{path}/out")
        cls.archive = Archive(f"{path}/out")

    def test_tools_like_it(self):
        self.assertEqual(self.said, [(0, b"")] * 4)
        self.archive.check()

    def test_each_message_has_both_ends(self):
        matched, sends, receives = self.archive.messages()
        self.assertEqual((sends, receives), ([], []))
        world = self.archive.communicators["MPI_COMM_WORLD"]._ref
        [between] = [each._ref for each in self.archive.definitions.comms if isinstance(each, InterComm)]
        expected = {(between, 0, 1, 41): [(32, 32)], (between, 2, 3, 41): [(32, 32)]}
        sizes = {10: [56] * 4, 20: [80], 21: [264], 30: [24], **{tag: [800 * tag] for tag in range(5)}}
        for rank in range(4):
            for tag, its in sizes.items():
                expected[world, rank, (rank + 1) % 4, tag] = [(size, size) for size in its]
        self.assertEqual(matched, expected)

    def test_events_are_those_of_the_program(self):
        counts = self.archive.counts()
        self.assertEqual(counts.pop("Enter"), counts.pop("Leave"))
        self.assertEqual(counts, {
            "MpiIsend": 40, "MpiIsendComplete": 40, "MpiIrecvRequest": 44, "MpiIrecv": 44, "MpiSend": 10, "MpiRecv": 6,
            "MpiCollectiveBegin": 12, "MpiCollectiveEnd": 12, "NonBlockingCollectiveRequest": 4,
            "NonBlockingCollectiveComplete": 4})

    def test_another_thread_completes_a_receive(self):
        elsewhere = [number for number, its in self.archive.events.items() for event in its
                     if isinstance(event, events.MpiIrecv) and event.msg_tag == 30]
        self.assertEqual(sorted(number & 0xFFFFFFFF for number in elsewhere), [0, 1, 2, 3])
        self.assertTrue(all(number >= 1 << 32 for number in elsewhere), elsewhere)


if __name__ == "__main__":
    unittest.main()
