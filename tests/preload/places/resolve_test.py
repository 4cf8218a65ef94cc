"""`mpiprof report` finds the lines of call sites that are given by module and address.

The call sites are made from what objdump says of the modules, the lines are marked in the source, and addr2line agrees."""

import json
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, "tests/cli")
import built  # noqa: E402
from made_profile import over_ranks, profile, statistics  # noqa: E402

PROGRAM = os.path.abspath(sys.argv.pop(1))
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "places.c")
MAIN = "__attribute__((noipa)) int touch(int value) { return value; }\nint all(int);\nint main(void) { return all(3) == 0; }\n"


def site(operation, file, time=100, rank=0, rank_time=None, line=0):
    """A row of one call of `time` ns."""
    return {"operation": operation, "file": file, "line": line, "statistics": statistics(
        calls=1, time={"sum": time, "least": 1, "most": time}, rank_time=rank_time or over_ranks(1, time, time, time, rank))}


class Resolve(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.source = shutil.copy(SOURCE, self.path("places.c"))
        with open(self.path("main.c"), "w", encoding="utf-8") as file:
            file.write(MAIN)
        self.lines = built.marks(self.source)
        self.assertEqual(len(self.lines), 5)

    def path(self, name):
        return os.path.join(self.folder, name)

    def build_program(self, *flags, name="app"):
        built.run("gcc", "-g", "-Wl,--build-id", *flags, self.source, self.path("main.c"), "-o", self.path(name))
        return self.path(name)

    def site_of(self, module, address):
        return f"{module}@{built.build_id(module)}+{address:#x}"

    def report(self, *sites):
        return self.report_of(profile(call_sites=list(sites)))

    def report_of(self, *profiles):
        paths = [self.path(f"{number}.json") for number in range(len(profiles))]
        for path, each in zip(paths, profiles):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(each, file)
        return built.run(PROGRAM, "report", *paths)

    def rows(self, report):
        """Number of calls by what stands before it in the table of call sites."""
        table = report.split("\ncall site ")[1].split("\n\n")[0].splitlines()[1:]
        split = [re.match(r"(.+?) +(\d+) +[\d.]+ [num]?s ", line) for line in table]
        return {match[1]: int(match[2]) for match in split}

    def check_lines(self, module):
        addresses = built.returns(module, "touch")
        expected = {}
        for address in addresses:
            file, line = built.line_of(module, address)
            self.assertEqual(os.path.realpath(file), self.source)
            expected[f"places.c:{line} send"] = expected.get(f"places.c:{line} send", 0) + 1
        self.assertEqual(set(expected), {f"places.c:{line} send" for line in self.lines.values()})
        self.assertEqual(expected[f"places.c:{self.lines['inlined']} send"], 2)
        report = self.report(*[site("send", self.site_of(module, address)) for address in addresses])
        self.assertEqual(self.rows(report), expected)
        self.assertNotIn("Without line numbers", report)

    def test_of_position_independent_and_fixed_programs_and_of_libraries(self):
        for flags in (["-fPIE", "-pie"], ["-fno-pie", "-no-pie"], ["-fPIC", "-shared"], ["-O0"]):
            with self.subTest(flags):
                self.check_lines(self.build_program("-O2", *flags))

    def test_from_separate_files_for_debuggers(self):
        program = self.build_program("-O2")
        built.run("objcopy", "--only-keep-debug", program, self.path("app.debug"))
        addresses = built.returns(program, "touch")
        built.run("strip", program)
        built.run("objcopy", f"--add-gnu-debuglink={self.path('app.debug')}", program)
        report = self.report(*[site("send", self.site_of(program, address)) for address in addresses])
        self.assertEqual(set(self.rows(report)), {f"places.c:{line} send" for line in self.lines.values()})

    def test_without_lines_names_the_function_and_without_that_the_module(self):
        program = self.build_program("-O2", "-g0", "-Wl,--export-dynamic")
        addresses = built.returns(program, "touch")
        symbols = {line.split()[2]: int(line.split()[0], 16) for line in built.run("nm", program).splitlines()
                   if len(line.split()) == 3}
        owners = [max((start, name) for name, start in symbols.items() if start < address) for address in addresses]
        self.assertIn("hidden", [name for _, name in owners])
        sites = [site("send", self.site_of(program, address)) for address in addresses]
        expected = [f"{name}+{address - start:#x} send" for address, (start, name) in zip(addresses, owners)]
        report = self.report(*sites)
        self.assertEqual(sorted(self.rows(report)), sorted(expected))
        self.assertIn(f"\nWithout line numbers: {program}.\n", report)
        # Of a stripped program only what it exports is known.
        built.run("strip", program)
        for number, (start, name) in enumerate(owners):
            if name == "hidden":
                expected[number] = f"app+{addresses[number]:#x} send"
        self.assertEqual(sorted(self.rows(self.report(*sites))), sorted(expected))

    def test_names_functions_of_cplusplus_as_they_are_written(self):
        with open(self.path("inner.cpp"), "w", encoding="utf-8") as file:
            file.write('extern "C" void touch(int);\nnamespace inner { [[gnu::noinline]] void work(int n) { touch(n); touch(n); } }\n'
                       'extern "C" [[gnu::noipa]] void touch(int) {}\nint main() { inner::work(1); }\n')
        built.run("g++", "-O1", self.path("inner.cpp"), "-Wl,--build-id", "-o", self.path("app"))
        address = built.returns(self.path("app"), "touch")[0]
        self.assertIn("inner::work(int)+0x", self.report(site("send", self.site_of(self.path("app"), address))))

    def test_of_a_program_that_was_built_anew_or_is_gone_stays_unresolved(self):
        program = self.build_program("-O2")
        address = built.returns(program, "touch")[0]
        sites = [site("send", self.site_of(program, address)), site("recv", self.site_of(program, address))]
        self.build_program("-O0")
        report = self.report(*sites)
        self.assertEqual(set(self.rows(report)), {f"app+{address:#x} send", f"app+{address:#x} recv"})
        self.assertEqual(report.count("\nRebuilt since the run"), 1)
        self.assertIn(f": {program}.\n", report)
        os.unlink(program)
        report = self.report(*sites)
        self.assertEqual(set(self.rows(report)), {f"app+{address:#x} send", f"app+{address:#x} recv"})
        self.assertEqual(report.count("\nNot found, or not readable: "), 1)

    def test_without_a_build_id_takes_the_file_that_has_none_either(self):
        program = self.build_program("-O2", "-Wl,--build-id=none")
        address = built.returns(program, "touch")[0]
        self.assertIn("places.c:", self.report(site("send", f"{program}+{address:#x}")))
        self.build_program("-O2")
        self.assertIn("Rebuilt", self.report(site("send", f"{program}+{address:#x}")))

    def test_leaves_what_is_no_such_place(self):
        others = ["(no module)", "(other places)", "/src/+0x.cpp", "/src/a+0xg", "x+0x12", "+0x12", ""]
        report = self.report(*[site("send", text) for text in others], site("send", "/src/b+0x1", line=7))
        for text in others[:-1]:
            self.assertIn(text.removeprefix("/src/") + " send", self.rows(report))
        self.assertIn("unknown send", self.rows(report))
        self.assertIn("b+0x1:7 send", self.rows(report))

    def test_everywhere_in_a_profile(self):
        program = self.build_program("-O2")
        text, line = self.site_of(program, built.returns(program, "touch")[0]), built.line_of(program, built.returns(program, "touch")[0])[1]
        outstanding = {"operation": "isend", "communicator": 0, "peer": 1, "tag": 5, "file": text, "line": 0,
                       "requests": over_ranks(1, 3, 3, 3, 0)}
        in_progress = {"rank": 0, "operation": "recv", "file": text, "line": 0, "threads": 1, "since": 5, "duration": 9}
        report = self.report_of(profile(call_sites=[site("send", text)], outstanding=[outstanding], in_progress=[in_progress]))
        self.assertRegex(report, rf"\nplaces\.c:{line} isend +1 +5 +world +3 +1 +0\n")
        self.assertIn(f"in recv at places.c:{line}, ", report)

    def test_joins_frames_up_to_main(self):
        program = self.build_program("-O2")
        inner, outer = built.returns(program, "touch")[0], built.returns(program, "all")[0]
        text = " < ".join(self.site_of(program, address) for address in (inner, outer, inner))
        _, line = built.line_of(program, inner)
        self.assertEqual(list(self.rows(self.report(site("send", text)))), [f"places.c:{line} < main.c:3 send"])

    def test_adds_rows_of_one_line_rank_by_rank(self):
        program = self.build_program("-O2")
        line = self.lines["inlined"]
        one, other = [self.site_of(program, address) for address in built.returns(program, "touch")
                      if built.line_of(program, address)[1] == line]
        # Rank 0 has 100 + 30 ns there, rank 1 has 40 + 80 ns: the sums of the ranks differ by less than their parts.
        ranks = [profile(rank, 2, call_sites=[site("send", one, first, rank), site("send", other, second, rank)])
                 for rank, first, second in ((0, 100, 30), (1, 40, 80))]
        row = [text for text in self.report_of(*ranks).splitlines() if text.startswith(f"places.c:{line} send")]
        self.assertEqual(len(row), 1)
        # (130 - 125) / 130 on rank 0.
        self.assertRegex(row[0], r" 4 +250 ns .* 3\.8 +0 +0 +0$")
        # Merged before, the ranks' sums are not known; what is, is that one has 100 + 30 or 80 + 40 at least.
        merged = profile(0, 2, ranks=[{"first": 0, "last": 1}], call_sites=[
            site("send", one, 140, rank_time=over_ranks(2, 140, 40, 100, 0)),
            site("send", other, 110, rank_time=over_ranks(2, 110, 30, 80, 1))])
        row = [text for text in self.report_of(merged).splitlines() if text.startswith(f"places.c:{line} send")]
        self.assertRegex(row[0], r" 2 +250 ns .* 3\.8 +0 +0 +0$")


if __name__ == "__main__":
    unittest.main()
