"""scope_profiler_test.py TRACES MPIPROF: exports in scope-profiler's formats, read as their description has it."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import made_profile  # noqa: E402
import scope_profiler_files as files  # noqa: E402

TRACES, MPIPROF = (os.path.abspath(name) for name in sys.argv[1:3])
DATA = pathlib.Path(__file__).resolve().parent / "data"
READERS = {"scope-profiler": files.read_json, "scope-profiler-hdf5": files.read_hdf5}
# CLOCK_MONOTONIC at the start of the traces that are made.
START = 5_000_000_000


def message(operation, count, peer, tag, comm):
    return f"mpi:{operation} kind=point-to-point bytes={count} peer={peer} root=-1 tag={tag} comm={comm}"


def collective(operation, count, comm, root=-1):
    return f"mpi:{operation} kind=collective bytes={count} peer=-1 root={root} tag=-1 comm={comm}"


def wait(operation, count=0, peer=-1, tag=-1, comm=-1):
    request = " request=irecv" if operation != "waitall" else ""
    return f"mpi:{operation} kind=wait bytes={count} peer={peer} root=-1 tag={tag} comm={comm}{request}"


# The regions of small_program (tests/traces/small_program.cpp): begin, end, call, parent, thread, time in no other region.
SMALL = {
    0: {
        "solve": (100, 340, 0, -1, 0, 90),
        message("send", 100, 1, 7, 0): (110, 120, 1, 0, 0, 10),
        message("isend", 1000, 1, 8, 0): (130, 135, 2, 0, 0, 5),
        wait("waitall"): (140, 160, 3, 0, 0, 20),
        'inner "quoted"': (170, 210, 4, 0, 0, 20),
        message("sendrecv", 40, 0, 3, 0x2a): (180, 200, 5, 4, 0, 20),
        collective("bcast", 64, 0, root=0): (220, 240, 6, 0, 0, 20),
        collective("allreduce", 8, 0): (250, 280, 7, 0, 0, 30),
        message("send", 24, 0, 5, 0x99): (290, 300, 8, 0, 0, 10),
        collective("allreduce", 8, 1): (305, 310, 9, 0, 0, 5),
        message("send", 0, 1, 99, 0): (320, 325, 10, 0, 0, 5),
        message("send", 11, 3, 55, 0): (330, 335, 11, 0, 0, 5),
    },
    1: {
        message("recv", 100, 0, 7, 0): (112, 125, 0, -1, 0, 13),
        message("irecv", 2000, -2, 8, 0): (126, 128, 1, -1, 0, 2),
        # Three tests, 9 ns inside of them.
        wait("test", 2000, -2, 8, 0): (130, 139, 2, -1, 0, 9),
        wait("wait", 2000, 0, 8, 0): (151, 165, 3, -1, 0, 14),
        message("sendrecv", 50, 1, 4, 0x2a): (185, 205, 4, -1, 0, 20),
        collective("bcast", 64, 0, root=0): (230, 245, 5, -1, 0, 15),
        collective("allreduce", 8, 0): (255, 281, 6, -1, 0, 26),
    },
    2: {
        collective("bcast", 64, 0, root=0): (225, 246, 0, -1, 0, 21),
        collective("allreduce", 8, 0): (252, 282, 1, -1, 0, 30),
        collective("barrier", 0, 0x77): (290, 300, 2, -1, 0, 10),
        message("send", 0, -3, 1, 0): (301, 302, 3, -1, 0, 1),
        message("recv", 24, 0, 5, 0x99): (295, 310, 4, -1, 1, 15),
    },
    3: {
        collective("bcast", 64, 0, root=0): (228, 247, 0, -1, 0, 19),
        collective("allreduce", 8, 0): (251, 283, 1, -1, 0, 32),
        collective("barrier", 0, 0x77): (292, 300, 2, -1, 0, 8),
    },
}


class Exports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def made(self, name):
        listed = subprocess.run([TRACES, name, self.folder], check=True, capture_output=True, text=True)
        return listed.stdout.split()

    def exported(self, form, inputs):
        path = os.path.join(self.folder, form)
        subprocess.run([MPIPROF, "export", form, *inputs, "-o", path], check=True, timeout=20)
        self.assertEqual(len([name for name in os.listdir(self.folder) if name.startswith(form + ".")]), 0)
        return path

    def runs(self, inputs):
        """The run in both formats, which say the same."""
        read = {form: reader(self.exported(form, inputs)) for form, reader in READERS.items()}
        return read["scope-profiler"], read["scope-profiler-hdf5"]

    def run_of(self, name):
        text, binary = self.runs(self.made(name))
        self.assertEqual(text, binary)
        return text

    def test_says_why_a_file_cannot_be_written(self):
        for path, why in ((os.path.join(self.folder, "nowhere/x.h5"), "No such file or directory"), ("/dev/full", "No space left on device")):
            result = subprocess.run([MPIPROF, "export", "scope-profiler-hdf5", *self.made("small"), "-o", path],
                                    capture_output=True, text=True, timeout=20)
            said = [line for line in result.stderr.splitlines() if "cannot write" in line or "HDF5" in line]
            self.assertEqual((result.returncode, said), (1, [f"mpiprof: cannot write '{path}': {why}"]))

    def test_reader_reads_what_scope_profiler_wrote(self):
        for run in (files.read_hdf5(DATA / "scope_profiler_schema3.h5"), files.read_json(DATA / "scope_profiler_v1.json")):
            row = run.rows["solve", 0]
            self.assertEqual((row.events, row.source, row.tags), ([(10, 15), (20, 33), (40, 55)], ("solver.py", 7), ["golden"]))

    def test_golden_program(self):
        run = self.run_of("small")
        found = {}
        for (name, rank), row in run.rows.items():
            (start, end), = row.events
            found.setdefault(rank, {})[name] = (start - START, end - START, *row.calls[0], row.exclusive)
        self.assertEqual(found, SMALL)
        self.assertEqual(run.ranks, 4)
        self.assertEqual(run.rows[wait("test", 2000, -2, 8, 0), 1].metadata, [{"repeats": 3}])
        self.assertEqual({key for key, row in run.rows.items() if row.metadata}, {(wait("test", 2000, -2, 8, 0), 1)})
        self.assertEqual([(index, name) for index, _, name in run.threads[2]], [(0, "main thread"), (1, "worker")])

    def test_metadata(self):
        metadata = self.run_of("small").metadata
        del metadata["timestamp"]
        self.assertEqual(metadata, {
            "source": "mpiprof", "mpi_size": 4, "label": "small", "command": "./small", "hostname": "node", "num_nodes": 1,
            "start_time_ns": START, "finalize_time_ns": START + 340, "clock_error_ns": 0, "dropped_records": 0})

    def test_tags(self):
        run = self.run_of("small")
        self.assertEqual(run.rows[wait("wait", 2000, 0, 8, 0), 1].tags, [
            "mpi", "mpi.kind:wait", "mpi.operation:wait", "mpi.bytes:2000", "mpi.peer:0", "mpi.root:-1", "mpi.tag:8",
            "mpi.communicator:0", "mpi.request:irecv"])
        self.assertEqual(run.rows[collective("bcast", 64, 0, root=0), 2].tags, [
            "mpi", "mpi.kind:collective", "mpi.operation:bcast", "mpi.bytes:64", "mpi.peer:-1", "mpi.root:0", "mpi.tag:-1",
            "mpi.communicator:0"])
        self.assertEqual(run.rows["solve", 0].tags, [])

    def test_members_of_a_communicator_name_it_alike(self):
        """Case CM13."""
        names = {rank: [name for name, of in self.run_of("small").rows if of == rank and "sendrecv" in name] for rank in (0, 1)}
        self.assertEqual([name.split("comm=")[1] for name in names[0] + names[1]], ["42", "42"])

    def test_names_are_no_paths(self):
        """Case RG1; and RG7, ranks with other regions."""
        run = self.run_of("names")
        self.assertEqual(list(run.rows), [(name, 0) for name in ("a/b", "x/../y", ".", "..", "", "\u00e4\ufffd\"\\\n")] + [("io", 1)])
        self.assertEqual(run.ranks, 3)

    def test_large_numbers_are_exact(self):
        """Cases L1 and RG9."""
        run = self.run_of("large")
        self.assertIn((message("send", 5_000_000_000, 0, 2147483647, 0), 0), run.rows)
        row = run.rows[collective("bcast", 1 << 20, 0, root=0), 0]
        total = sum(int(tag.split(":")[1]) * len(row.events) for tag in row.tags if tag.startswith("mpi.bytes:"))
        self.assertEqual(total, 3_145_728_000)

    def test_places_in_the_source(self):
        sources = {name.split()[0]: row.source for (name, _), row in self.run_of("places").rows.items()}
        self.assertEqual(sources, {"mpi:send": ("", -1), "mpi:ssend": ("a.cpp", 5), "mpi:bsend": ("program+0x12", -1),
                                   "mpi:rsend": ("solve.cpp", 12)})

    def test_times_of_another_machine(self):
        """They are brought to the clock of the first rank."""
        run = self.run_of("machines")
        self.assertEqual([run.rows[collective("barrier", 0, 0), rank].events for rank in (0, 1)],
                         [[(START + 100, START + 200)], [(START + 110, START + 200)]])
        self.assertEqual((run.metadata["clock_error_ns"], run.metadata["num_nodes"]), (7, 2))

    def test_no_events(self):
        run = self.run_of("nothing")
        self.assertEqual((run.rows, run.ranks), ({}, 1))

    def test_hdf5_is_of_the_types_of_scope_profiler(self):
        path = self.exported("scope-profiler-hdf5", self.made("small"))
        with h5py.File(DATA / "scope_profiler_schema3.h5") as golden, h5py.File(path) as ours:
            def compare(name, found):
                self.assertEqual(type(ours[name]), type(found))
                if isinstance(found, h5py.Dataset):
                    self.assertTrue(ours[name].id.get_type() == found.id.get_type(), name)
                for attribute in found.attrs:
                    self.assertTrue(ours[name].attrs.get_id(attribute).get_type() == found.attrs.get_id(attribute).get_type(),
                                    attribute)
            golden.visititems(compare)
            compare("/", golden["/"])

    def test_h5dump_reads_it(self):
        path = self.exported("scope-profiler-hdf5", self.made("small"))
        shown = subprocess.run(["h5dump", "-d", "/region_table/names", path], check=True, capture_output=True, text=True)
        self.assertIn(message("isend", 1000, 1, 8, 0), shown.stdout)
        self.assertEqual(shown.stderr, "")

    def profile(self, **values):
        path = os.path.join(self.folder, "profile.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(made_profile.profile(**values), file)
        return [path]

    @staticmethod
    def calls(operation, count, total, least, most, **values):
        row = {"operation": operation, "request": "", "communicator": 0, "file": "a.cpp", "line": 1, "phase": ""}
        time = {"sum": total, "least": least, "most": most}
        return {**row, "statistics": made_profile.statistics(calls=count, time=time), **values}

    def sums(self, **values):
        text, binary = self.runs(self.profile(**values))
        self.assertTrue(all(row.tags[0] == "mpi" for (name, _), row in text.rows.items() if name.startswith("mpi:")))
        for row in text.rows.values():
            row.tags = []
        self.assertEqual(text, binary)
        return text

    def test_sums_of_a_profile(self):
        run = self.sums(rank=2, world_size=4, calls=[
            self.calls("send", 2, 30, 10, 20), self.calls("send", 1, 5, 5, 5, line=2), self.calls("barrier", 1, 7, 7, 7),
            self.calls("wait", 3, 9, 2, 4, request="isend", communicator=-1)],
            phases=[{"name": "once", "entered": 1, "depth": 1, "rank_time": made_profile.over_ranks(1, 50, 50, 50, 2)},
                    {"name": "often", "entered": 3, "depth": 1, "rank_time": made_profile.over_ranks(1, 60, 60, 60, 2)}])
        fields = ("count", "total", "minimum", "maximum", "exclusive")
        self.assertEqual({name: tuple(row.aggregate[field] for field in fields) for (name, _), row in run.rows.items()}, {
            message("send", -1, -1, -1, 0): (3, 35, 5, 20, 35),
            collective("barrier", 0, 0): (1, 7, 7, 7, 7),
            wait("wait", -1).replace("irecv", "isend"): (3, 9, 2, 4, 9),
            "once": (1, 50, 50, 50, 50),
            "often": (3, 60, 0, 60, 60)})
        self.assertEqual(({rank for _, rank in run.rows}, run.ranks), ({2}, 4))

    def test_sums_over_ranks(self):
        run = self.sums(world_size=4, ranks=[{"first": 0, "last": 3}], calls=[self.calls("bcast", 4, 40, 10, 10)],
                        overflow=made_profile.statistics(calls=2, time={"sum": 3, "least": 1, "most": 2}))
        self.assertEqual(set(run.rows), {(collective("bcast", -1, 0), 0), ("mpi:other", 0)})
        self.assertEqual((run.ranks, run.metadata["label"]), (1, "made, sums of 4 ranks"))

    def test_json_goes_to_standard_output_too(self):
        made = self.made("small")
        with open(self.exported("scope-profiler", made), encoding="utf-8") as file:
            shown = subprocess.run([MPIPROF, "export", "scope-profiler", *made, "-o", "-"], check=True, capture_output=True,
                                   text=True, timeout=20)
            self.assertEqual(shown.stdout, file.read())

    def test_errors_name_the_file(self):
        for form in READERS:
            path = os.path.join(self.folder, "missing", "out")
            failed = subprocess.run([MPIPROF, "export", form, *self.made("small"), "-o", path], capture_output=True, text=True,
                                    timeout=20)
            self.assertEqual(failed.returncode, 1)
            self.assertRegex(failed.stderr, f"^mpiprof: [^\n]*'{path}'[^\n]*\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
