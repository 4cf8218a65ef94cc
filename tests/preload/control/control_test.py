"""What programs say while they run, by MPI_Pcontrol and by mpiprof's functions, is what their profiles have."""

import os
import sys
import unittest

sys.path.insert(0, "tests/preload")
import preloaded  # noqa: E402
from preloaded import PRELOADED, program, run  # noqa: E402

LINKED = ["env", "LD_LIBRARY_PATH=" + os.path.dirname(preloaded.PRELOAD)]


def calls(profile):
    """How many calls there are of each operation in each phase."""
    found = {}
    for row in profile["calls"]:
        key = (row["operation"], row["phase"])
        found[key] = found.get(key, 0) + row["statistics"]["calls"]
    return found


class Control(unittest.TestCase):
    def run_well(self, *arguments, **how):
        finished = run(*arguments, **how)
        self.assertEqual(finished.status, 0, finished.stderr)
        return finished

    def check_pcontrol(self, profile, barriers=1):
        """PC1 and PC4: what was paused is not there, and a request that completed meanwhile is no leak."""
        found = calls(profile)
        self.assertEqual(found.pop(("barrier", ""), 0), barriers)
        self.assertEqual(found, {("irecv", ""): barriers, ("sendrecv", "three"): 3 * barriers})
        self.assertEqual(profile["outstanding"], [])
        self.assertEqual([(row["operation"], row["completions"]) for row in profile["completions"]],
                         [("sendrecv", 3 * barriers)])

    def test_pcontrol_pauses_and_resumes_at_any_time(self):
        # Without the preload library MPI ends the program at the first one, which comes before MPI_Init.
        both = self.run_well([program("pcontrol")], how=PRELOADED)
        self.assertEqual(both.outputs, [f"rank {rank}, codes 0, received 1\n" for rank in range(2)])
        for rank in range(2):
            profile = both.of_rank(rank)
            self.check_pcontrol(profile)
            self.assertEqual(profile["unbalanced_phases"], {"ends": 1, "begins": 2})
        self.assertEqual(both.stderr.count("no name (NULL)"), 1, both.stderr)

    def test_a_pause_before_the_first_call_is_kept(self):
        finished = self.run_well([program("pcontrol"), "paused"], how=PRELOADED)
        for rank in range(2):
            self.assertEqual(calls(finished.of_rank(rank)), {("sendrecv", "three"): 3})

    # E7
    def test_switched_off_it_is_not_there(self):
        finished = self.run_well([program("pcontrol")], how=PRELOADED, settings="off")
        self.assertEqual(finished.outputs, [f"rank {rank}, codes 0, received 1\n" for rank in range(2)])
        self.assertEqual((finished.profiles, finished.files), ({}, []))

    def test_fortran_says_the_same(self):
        for binding in ("mpif_h", "use_mpi", "use_mpi_f08"):
            with self.subTest(binding):
                finished = self.run_well([program("control_" + binding)], how=PRELOADED)
                self.assertEqual(finished.outputs, ["done\n"] * 2)
                for rank in range(2):
                    self.assertEqual(calls(finished.of_rank(rank)), {("barrier", ""): 1, ("barrier", "solve"): 2})
                    self.assertEqual(finished.of_rank(rank)["unbalanced_phases"], {"ends": 0, "begins": 0})

    def test_parts_of_a_program_are_profiled(self):
        parts = {("barrier", "left by an exception"): 9, ("barrier", "paused inside"): 5}
        for how in ([], ["resumed"]):
            finished = self.run_well([*LINKED, program("scoped"), *how])
            for rank in range(2):
                self.assertEqual(calls(finished.of_rank(rank)), parts)
        # What starts paused is as if it were linked only.
        finished = self.run_well([*LINKED, program("scoped")], how=PRELOADED, settings="start=paused")
        for rank in range(2):
            self.assertEqual(calls(finished.of_rank(rank)), parts)
        # And what is profiled as a whole stays so.
        finished = self.run_well([*LINKED, program("scoped")], how=PRELOADED)
        for rank in range(2):
            self.assertEqual(calls(finished.of_rank(rank)),
                             {("init", ""): 1, ("barrier", ""): 240, ("barrier", "left by an exception"): 19,
                              ("barrier", "paused inside"): 5})

    def test_without_a_profiled_part_nothing_is_left(self):
        for ranks, how in ((2, "nothing"), (0, "serial")):
            finished = self.run_well([*LINKED, program("scoped"), how], ranks=ranks)
            self.assertEqual((finished.profiles, finished.files, finished.stderr), ({}, [], ""))

    def test_linked_recordings_obey_all_of_it(self):
        finished = self.run_well([program("linked")])
        [(_, profile)] = finished.profiles.items()
        self.check_pcontrol(profile, barriers=2)
        self.assertEqual(profile["unbalanced_phases"], {"ends": 2, "begins": 2})
        self.assertEqual(finished.stderr.count("no name (NULL)"), 1, finished.stderr)

    def test_linked_and_preloaded_a_call_counts_once(self):
        finished = self.run_well([program("linked")], how=PRELOADED)
        self.check_pcontrol(finished.profiles["linked.mpiprof.json"], barriers=2)
        for rank in range(2):
            self.assertEqual(calls(finished.of_rank(rank)), {("init", ""): 1})

    def test_phases_of_a_program_name_its_plain_calls(self):
        finished = self.run_well([program("phases")], how=PRELOADED)
        for rank in range(2):
            profile = finished.of_rank(rank)
            self.assertEqual(calls(profile), {("init", "whole program"): 1, ("barrier", "whole program"): 2,
                                              ("barrier", "left open"): 1})
            self.assertEqual({row["name"]: row["entered"] for row in profile["phases"]},
                             {"whole program": 1, "solve": 1, "left open": 1})
            self.assertEqual(profile["unbalanced_phases"], {"ends": 0, "begins": 1})


class Filters(unittest.TestCase):
    def profile_of(self, settings, ranks=4):
        finished = run([program("linked"), "around"], ranks=ranks, settings=settings)
        self.assertEqual(finished.status, 0, finished.stderr)
        self.assertEqual(len(finished.profiles), 1, finished.stderr)
        return list(finished.profiles.values())[0]

    def check(self, profile, operations, received, ranks):
        self.assertEqual({row["operation"]: row["statistics"]["calls"] for row in profile["operations"]}, operations)
        self.assertEqual(sum(row["statistics"]["received"] for row in profile["operations"]), received)
        self.assertEqual(profile["ranks"], ranks)

    def test_operations_are_left_out(self):
        everybody = [{"first": 0, "last": 3}]
        self.check(self.profile_of("exclude=test*"), {"send": 16, "irecv": 16, "barrier": 4}, 16 * 8, everybody)
        self.check(self.profile_of("exclude=test*+irecv"), {"send": 16, "barrier": 4}, 0, everybody)
        profile = self.profile_of("include=irecv+barrier")
        self.check(profile, {"irecv": 16, "barrier": 4}, 16 * 8, everybody)
        self.assertEqual(profile["filters"], "include=irecv+barrier")

    @unittest.skipUnless(preloaded.FAMILY == "openmpi", "Debian's Boost.MPI is made for Open MPI")
    def test_completions_go_with_what_posted_them_by_boost_too(self):
        for settings, expected in (("exclude=wait*+test*", {"irecv": (18, 18), "isend": (6, 6), "send": (12, 0)}),
                                   ("exclude=irecv+test*", {"isend": (6, 6), "send": (12, 0), "wait": (6, 0), "waitall": (6, 0)}),
                                   ("include=wait*", {"wait": (6, 0), "waitall": (6, 0)})):
            finished = run([program("boost_requests")], settings=settings)
            self.assertEqual(finished.status, 0, finished.stderr)
            [profile] = finished.profiles.values()
            self.assertEqual({row["operation"]: (row["statistics"]["calls"], row["statistics"]["completions"])
                              for row in profile["operations"]}, expected)

    def test_ranks_are_left_out(self):
        for some, ranks, left_out in (("1-2", [(1, 2)], [(0, 0), (3, 3)]), ("3+0+9", [(0, 0), (3, 3)], [(1, 2)])):
            profile = self.profile_of(f"exclude=test*, ranks={some}")
            ranges = [{"first": first, "last": last} for first, last in ranks]
            self.check(profile, {"send": 8, "irecv": 8, "barrier": 2}, 8 * 8, ranges)
            self.assertEqual([(each["first"], each["last"]) for each in profile["left_out"]], left_out)
            self.assertEqual(profile["hosts"][0]["ranks"], 2)

    def test_ranks_that_are_left_out_write_no_files(self):
        finished = run([program("linked"), "around"], ranks=3, settings="ranks=1, merge=files")
        self.assertEqual((finished.status, list(finished.profiles), finished.files),
                         (0, ["linked.mpiprof.rank1.json"], []), finished.stderr)
        with preloaded.folder() as place:
            run([program("linked"), "around"], ranks=3, settings="exclude=test*, ranks=1, merge=files", cwd=place)
            text = preloaded.report(os.path.join(place, "linked.mpiprof.rank1.json"))
        self.assertIn("Filters: exclude=test*, ranks=1.\nLeft out: 2 ranks of 3 (0, 2), as the filters say.\n", text)
        self.assertNotIn("Missing", text)

    def test_the_same_for_unmodified_programs(self):
        finished = run([program("pcontrol")], how=PRELOADED, settings="include=barrier+init, ranks=1")
        self.assertEqual((finished.status, list(finished.profiles)), (0, ["pcontrol.mpiprof.rank1.json"]), finished.stderr)
        self.assertEqual(calls(finished.of_rank(1)), {("barrier", ""): 1})

    def test_no_rank_that_there_is_leaves_no_profile(self):
        finished = run([program("linked"), "around"], settings="ranks=7-9")
        self.assertEqual((finished.status, finished.profiles, finished.files), (0, {}, []), finished.stderr)
        self.assertIn("none of the ranks", finished.stderr)

    def test_what_is_wrong_is_told_in_one_line_and_changes_nothing(self):
        finished = run([program("linked"), "around"], settings="exclude=tset*, ranks=a-b")
        lines = [line for line in finished.stderr.splitlines() if line.startswith("mpiprof: MPIPROF:")]
        self.assertEqual([line.split(";")[0] for line in lines],
                         ["mpiprof: MPIPROF: exclude 'tset*' is not known", "mpiprof: MPIPROF: ranks 'a-b' is not known"])
        [profile] = finished.profiles.values()
        self.assertEqual((profile["filters"], profile["ranks"]), ("", [{"first": 0, "last": 1}]))


if __name__ == "__main__":
    unittest.main()
