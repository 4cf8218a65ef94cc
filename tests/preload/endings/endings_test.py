"""How programs begin and end under the preload library: as without it, and what was measured can be read."""

import csv
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, "tests/preload")

from preloaded import FAMILY, MPIEXEC, MPIPROF, PRELOAD, program

ENVIRONMENT = os.path.abspath("bazel/mpi_env.sh")
ENDINGS, BOOST, WRAPPED = program("endings"), program("boost"), program("wrapped")


class Job:
    """A program that runs in a folder of its own, in which its profiles and shards are."""

    def __init__(self, *command, ranks=2, preload="", settings="", outside=False, by_command=False):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        for name in ("launcher", "shards"):
            os.mkdir(os.path.join(self.folder, name))
        variables = [f"MPIPROF=shards={self.folder}/shards{',' if settings else ''}{settings}"]
        if preload:
            variables.append(f"LD_PRELOAD={preload}")
        # Without a launcher where there are no ranks.
        launcher = [MPIEXEC, "-n", str(ranks)] if ranks else []
        start = ["env", *variables, *launcher] if outside else [*launcher, "env", *variables]
        if by_command:
            start += [MPIPROF, "run"]
        self.process = subprocess.Popen(
            ["bash", "-c", 'source "$0"; mpi_environment "$1"; shift; exec "$@"', ENVIRONMENT, os.path.join(self.folder, "launcher"),
             *start, *command],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self):
        """Waits for the end. One that does not come is the failure of the test."""
        try:
            output, self.stderr = self.process.communicate(timeout=50)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.communicate()
            raise
        self.status = self.process.returncode
        # Launchers mix the lines of ranks, and say what they think of an ending.
        self.lines = sorted(line for line in output.splitlines() if re.match(r"rank \d|[01] [01]|nothing|before|after", line))
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.communicate()
        self.temporary.cleanup()

    def profile(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return json.load(file)

    @property
    def names(self):
        return sorted(os.path.basename(path) for path in glob.glob(os.path.join(self.folder, "*.json")))

    def shards(self):
        return sorted(glob.glob(os.path.join(self.folder, "shards", "*")))

    def report(self):
        """What `mpiprof report` says of the shards, with single spaces."""
        result = subprocess.run([MPIPROF, "report", *self.shards()], capture_output=True, text=True, timeout=50)
        return re.sub(" +", " ", result.stdout) if result.returncode == 0 else result.stderr


def statistics(profile, operation):
    for row in profile["operations"]:
        if row["operation"] == operation:
            return row["statistics"]
    return {"calls": 0, "sent": 0, "received": 0}


class Jobs(unittest.TestCase):
    def same(self, how, plain, other):
        self.assertEqual(other.lines, plain.lines, other.stderr)
        # What MPICH's launcher makes of ranks that have not called MPI_Finalize depends on time, without mpiprof too.
        if (FAMILY, how) != ("mpich", "exit"):
            self.assertEqual(other.status, plain.status, other.stderr)

    def pair(self, how, program=ENDINGS, **arguments):
        """The jobs of the program alone and under the preload library: what is to be seen of it is the same."""
        # MPICH's launcher mixes into the status of ranks that die what it has done to the others, if that is in time.
        for _ in range(3 if FAMILY == "mpich" else 1):
            plain = self.enterContext(Job(program, how, **arguments))
            profiled = self.enterContext(Job(program, how, preload=PRELOAD, **arguments))
            plain.end()
            profiled.end()
            if profiled.status == plain.status:
                break
        self.same(how, plain, profiled)
        # Of a job that is killed the launcher does not always pass on the last words.
        if plain.status == 0 and not plain.stderr:
            self.assertEqual(profiled.stderr, "")
        self.assertNotRegex(profiled.stderr, "(?m)^mpiprof:")
        self.assertEqual((plain.names, plain.shards()), ([], []))
        return plain, profiled

    def ends(self, how, exchanges, **others):
        """A program that reaches its end leaves a file for each rank, with so many exchanges and other calls."""
        _, job = self.pair(how)
        self.assertEqual(job.names, ["endings.mpiprof.rank0.json", "endings.mpiprof.rank1.json"])
        self.assertEqual(job.shards(), [])
        for name in job.names:
            profile = job.profile(name)
            self.assertEqual(profile["unfinished"], [])
            made = statistics(profile, "sendrecv")
            self.assertEqual((made["calls"], made["sent"], made["received"]), (exchanges, 24 * exchanges, 24 * exchanges))
            for operation, calls in others.items():
                self.assertEqual(statistics(profile, operation)["calls"], calls, operation)
        return job

    def dies(self, how, *last, program=ENDINGS, calls="sendrecv 20 .* 480 480"):
        """One that does not, leaves what its ranks recorded, and in which calls they were."""
        _, job = self.pair(how, program)
        self.assertEqual(job.names, [])
        self.assertEqual(len(job.shards()), 2)
        report = job.report()
        self.assertRegex(report, f"(?m)^{calls}$")
        self.assertIn("Unfinished: 2 ranks (0-1) did not reach the end", report)
        self.assertNotIn("Running", report)
        told = sorted(re.findall(r"(?m)^(Ranks? [^a-z]*w\w+ in \w+)\b.* or more after the start\.$", report))
        self.assertEqual(told, sorted(last), report)
        return report

    def traced(self, how):
        """A traced run by `mpiprof run` leaves a finished trace of each rank, however it ends: {rank: exchanges in it}."""
        job = self.enterContext(Job(ENDINGS, how, by_command=True, settings="sinks=summary+trace")).end()
        names = [f"endings.mpiprof.rank{rank}.trace" for rank in range(2)]
        paths = [os.path.join(job.folder, name) for name in names]
        for _ in range(200):
            if all(map(os.path.exists, paths)) and not job.shards():
                break
            time.sleep(0.1)
        self.assertEqual(job.shards(), [], job.stderr)
        table = subprocess.run([MPIPROF, "export", "csv-calls", *paths, "-o", "-"], capture_output=True, text=True, timeout=50)
        self.assertEqual(table.returncode, 0, table.stderr)
        rows = list(csv.DictReader(table.stdout.splitlines()))
        return {rank: sum(row["rank"] == str(rank) and row["type"] == "call" and row["operation"] == "sendrecv" for row in rows)
                for rank in range(2)}

    def gathered(self, how, exchanges, unfinished, **last):
        """Started by `mpiprof run`, it leaves one profile, however it ends."""
        plain = self.enterContext(Job(ENDINGS, how)).end()
        job = self.enterContext(Job(ENDINGS, how, by_command=True)).end()
        self.same(how, plain, job)
        for _ in range(200):
            # MPICH's launcher does not wait for what comes after a rank's death.
            if job.names == ["endings.mpiprof.json"] and not job.shards():
                break
            time.sleep(0.1)
        self.assertEqual((job.names, job.shards()), (["endings.mpiprof.json"], []), job.stderr)
        profile = job.profile("endings.mpiprof.json")
        self.assertEqual(profile["ranks"], [{"first": 0, "last": 1}])
        self.assertEqual(profile["unfinished"], profile["ranks"] if unfinished else [])
        self.assertEqual(statistics(profile, "sendrecv")["calls"], exchanges)
        told = {f"rank{row['rank']}": row["operation"] for row in profile["in_progress"]}
        self.assertEqual(told, last)


class Endings(Jobs):
    def test_finalize(self):
        self.ends("finalize", 10, init=1)

    def test_T1_levels_of_threads(self):
        for level in ("single", "funneled", "serialized"):
            self.ends(level, 10, init_thread=1)
        # Four threads with a hundred more each.
        self.ends("multiple", 410, init_thread=1, comm_dup=4, comm_free=4)

    def test_Y3_init_without_arguments(self):
        self.ends("null", 10, init=1)

    def test_Y1_calls_at_any_time(self):
        self.ends("any_time", 10)

    def test_Y7_Y8_callbacks_within_finalize(self):
        # The callback's calls are part of MPI_Finalize.
        self.ends("callbacks", 10)
        self.ends("world_callbacks", 10)

    def test_finalize_after_main(self):
        self.ends("destructor", 10)
        self.ends("atexit", 10)

    def test_finalize_in_another_thread(self):
        self.ends("thread", 10, init_thread=1)

    def test_a_call_after_the_end(self):
        self.ends("late", 10, send=0)

    def test_E4_error_handlers_that_call_mpi(self):
        job = self.ends("errors", 15, send=1)
        self.assertEqual(statistics(job.profile(job.names[0]), "send")["failed"], 1)

    def test_error_handlers_that_jump(self):
        # The call that never returned is no call; those after it are.
        self.ends("jump", 15, send=0)

    def test_CM4_no_communicator_for_a_rank(self):
        self.ends("no_communicator", 10, comm_split=1)

    def test_a_signal_that_the_program_handles(self):
        self.ends("handler", 15)

    def test_K1_a_forked_child_records_nothing(self):
        self.ends("fork", 15)

    def test_K2_another_program_of_the_same_output(self):
        _, job = self.pair("system", ranks=0)
        self.assertEqual(job.names, ["endings.mpiprof.2.json", "endings.mpiprof.json"])
        self.assertEqual([statistics(job.profile(name), "sendrecv")["calls"] for name in job.names], [15, 10])
        self.assertEqual(job.shards(), [])

    def test_K4_the_launcher_under_the_preload_too(self):
        _, job = self.pair("finalize", outside=True)
        self.assertEqual(job.names, ["endings.mpiprof.rank0.json", "endings.mpiprof.rank1.json"])
        self.assertEqual(job.shards(), [])

    def test_E7_switched_off(self):
        _, job = self.pair("finalize", settings="off")
        self.assertEqual((job.names, job.shards()), ([], []))

    def test_a_program_without_mpi(self):
        _, job = self.pair("no_mpi")
        self.assertEqual((job.names, job.shards()), ([], []))

    def test_X1_abort(self):
        self.dies("abort", "Rank 0 was in recv", "Rank 1 was in abort")

    def test_exit_without_finalize(self):
        self.dies("exit")
        self.dies("exit3", "Rank 0 was in recv")

    def test_signals(self):
        for how in ("term", "int", "kill", "segv", "xcpu"):
            with self.subTest(how):
                self.dies(how, "Rank 0 was in recv")

    def test_X6_an_exception_that_nobody_catches(self):
        self.dies("throw", "Rank 1 was in recv")

    @unittest.skipIf(FAMILY == "mpich", "Debian has Boost.MPI for Open MPI alone")
    def test_X6_E6_errors_in_boost_mpi(self):
        allreduces = "allreduce 20 .* 80 80"
        self.dies("throw", "Rank 1 was in recv", program=BOOST, calls=allreduces)
        # An assertion of Boost's, about what the call has returned.
        report = self.dies("bad_rank", "Rank 1 was in recv", program=BOOST, calls=allreduces)
        self.assertIn("Failed: 1 call,", report)

    def test_X1_by_the_command(self):
        self.gathered("finalize", 20, False)
        self.gathered("exit", 20, True)
        self.gathered("abort", 20, True, rank0="recv", rank1="abort")
        self.gathered("kill", 20, True, rank0="recv")

    def test_traces_by_the_command(self):
        for how in ("finalize", "abort", "kill"):
            self.assertEqual(self.traced(how), {0: 10, 1: 10}, how)

    def test_X4_a_job_that_hangs(self):
        with Job(ENDINGS, "hang", preload=PRELOAD) as job:
            # What is read while calls go on may be of different moments.
            self.wait_for(job, r"Ranks 0-1 are in recv\b.*, for at most (.*)\.")
            first = job.report()
            self.assertIn("Running: 2 ranks (0-1) still ran when this was taken", first)
            self.assertRegex(first, "(?m)^sendrecv 20 .* 480 480$")
            self.assertNotIn("Unfinished", first)
            time.sleep(0.2)
            self.assertGreaterEqual(self.seconds_in_recv(job.report()) - self.seconds_in_recv(first), 0.19)
            self.assertIsNone(job.process.poll())
            job.process.terminate()
            job.end()
            # MPICH's launcher, terminated, returns one thing or another.
            if FAMILY == "openmpi":
                self.assertNotEqual(job.status, 0)
            self.assertEqual(job.lines, ["rank 0 got 2", "rank 1 got 1"])
            after = job.report()
            self.assertRegex(after, r"(?m)^Ranks 0-1 were in recv\b.*, called .* or more after the start\.$")
            self.assertRegex(after, "(?m)^sendrecv 20 .* 480 480$")
            self.assertIn("Unfinished: 2 ranks (0-1)", after)

    def wait_for(self, job, pattern):
        report = ""
        for _ in range(200):
            report = job.report() if len(job.shards()) == 2 else ""
            if re.search(pattern, report):
                return report
            time.sleep(0.1)
        self.fail(f"no line '{pattern}' in: {report}")

    def seconds_in_recv(self, report):
        number, unit = re.search(r"are in recv\b.*, for at most ([\d.]+) (\w+)\.", report).groups()
        return float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1}[unit]


@unittest.skipIf(FAMILY == "openmpi", "Open MPI 4 has no sessions")
class Sessions(Jobs):
    """T6: programs without MPI_Init and MPI_COMM_WORLD, wrapped or not. MPICH 4.0 has mpi://WORLD in the order of MPI_COMM_WORLD."""

    def check(self, job, closed, exchanges=10):
        self.assertEqual((job.status, job.stderr, job.shards()), (0, "", []))
        self.assertEqual([re.sub(r".*\.mpiprof\.", "", name) for name in job.names], ["rank0.json", "rank1.json"])
        communicators = set()
        for rank, name in enumerate(job.names):
            profile = job.profile(name)
            self.assertEqual((profile["world_size"], profile["ranks"]), (2, [{"first": rank, "last": rank}]))
            made = statistics(profile, "sendrecv")
            self.assertEqual((made["calls"], made["sent"], made["received"]), (exchanges, 24 * exchanges, 24 * exchanges))
            self.assertEqual(statistics(profile, "session_finalize")["calls"], closed)
            self.assertEqual(statistics(profile, "barrier")["calls"], 1)
            made = [row for row in profile["communicators"] if not row["name"].startswith("MPI_COMM_")]
            self.assertEqual([row["size"] for row in made if row["guessed"]], [])
            communicators.update(row["id"] for row in made)
        # That of all, and one of each half.
        self.assertEqual(len(communicators), 3)

    def test_T6_one_session(self):
        # The call that ends the run is not in it.
        self.check(self.pair("session")[1], 0)
        self.check(self.enterContext(Job(WRAPPED, "session")).end(), 0)

    def test_sessions_at_once(self):
        self.check(self.pair("sessions")[1], 1)
        self.check(self.enterContext(Job(WRAPPED, "sessions")).end(), 1)

    def test_a_session_and_the_world(self):
        self.check(self.enterContext(Job(WRAPPED, "session_and_world")).end(), 1, exchanges=15)

    def test_a_session_of_one_rank(self):
        job = self.enterContext(Job(WRAPPED, "session", ranks=1)).end()
        self.assertEqual((job.names, job.shards()), (["wrapped.mpiprof.json"], []))


class Wrapped(Jobs):
    """Programs that call mpiprof's functions, without the preload library."""

    def run_wrapped(self, how):
        job = self.enterContext(Job(WRAPPED, how)).end()
        self.assertEqual((job.status, job.stderr, job.shards()), (0, "", []))
        return job

    def exchanges(self, job):
        found = {}
        for name in job.names:
            made = statistics(job.profile(name), "sendrecv")
            found[name.removeprefix("wrapped.mpiprof.").removesuffix(".json")] = (made["calls"], made["sent"])
        return found

    def test_Y7_calls_in_callbacks_before_the_end_of_the_run(self):
        job = self.run_wrapped("callbacks")
        self.assertEqual(job.lines, ["after the hook: 5"] * 2 + ["before the hook: 5"] * 2 + ["rank 0 got 2", "rank 1 got 1"])
        self.assertEqual(self.exchanges(job), {"rank0": (11, 244), "rank1": (11, 244)})

    def test_Y1_calls_after_the_end(self):
        job = self.run_wrapped("any_time")
        self.assertEqual(job.lines, ["1 1", "1 1", "rank 0 got 2", "rank 1 got 1"])
        self.assertEqual(self.exchanges(job), {"rank0": (10, 240), "rank1": (10, 240)})

    def test_snapshots_of_each_rank_alone(self):
        job = self.run_wrapped("snapshots")
        self.assertEqual(self.exchanges(job), {
            "snapshot1.rank0": (3, 72), "snapshot1.rank1": (3, 72), "snapshot2.rank0": (7, 168), "snapshot2.rank1": (7, 168),
            "snapshot3.rank0": (7, 168), "rank0": (12, 288), "rank1": (12, 288)})
        for name in job.names:
            profile = job.profile(name)
            self.assertEqual((profile["unfinished"], profile["running"]), (profile["ranks"],) * 2 if "snapshot" in name else ([], []))


if __name__ == "__main__":
    unittest.main()
