"""`mpiprof run` from outside: a program started by it behaves as one started without, and what ranks leave is merged."""

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from made_profile import profile

PROGRAM = os.path.abspath(sys.argv.pop(1))
LAUNCHERS = ("MPIPROF", "PMI", "OMPI_", "SLURM_", "PALS_")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHERS)}
PYTHON = "/usr/bin/python3"


def wait_until(condition, seconds=20):
    """The condition's first true value; False after that many seconds without one."""
    end = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return value


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def is_gone(process):
    """Has the process ended, waited for or not?"""
    try:
        return read(f"/proc/{process}/stat").rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        os.chmod(self.path(name), mode)
        return self.path(name)

    def script(self, text):
        """The words that run a script in Python."""
        return [PYTHON, self.write(f"script{len(os.listdir(self.folder))}.py", text)]

    def compiled(self, source, *options):
        self.write("program.c", source)
        subprocess.run(["cc", "-o", self.path("program"), self.path("program.c"), *options], check=True, timeout=60)
        return self.path("program")

    def start(self, *words, environment={}, **options):
        return subprocess.Popen([PROGRAM, "run", *words], cwd=self.folder, env={**ENVIRONMENT, **environment}, **options)

    def run_it(self, *words, environment={}, **options):
        options = {"capture_output": True, "timeout": 60, **options}
        return subprocess.run([PROGRAM, "run", *words], cwd=self.folder, env={**ENVIRONMENT, **environment}, **options)

    def refused(self, status, *words, **options):
        """The line on standard error of a run in which the program was not started."""
        result = self.run_it(*words, text=True, **options)
        self.assertEqual((result.returncode, result.stdout), (status, ""), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr


class Statuses(Case):
    def test_exits_with_the_status_of_the_program(self):
        for first in range(0, 256, 16):
            jobs = {status: self.start("sh", "-c", f"exit {status}") for status in range(first, first + 16)}
            for status, job in jobs.items():
                self.assertEqual(job.wait(timeout=60), status)

    def test_dies_of_the_signal_that_the_program_died_of(self):
        for number in ("HUP", "INT", "QUIT", "ILL", "ABRT", "FPE", "KILL", "SEGV", "PIPE", "ALRM", "TERM", "USR1", "XCPU"):
            # An interactive shell's parent would not die of some of them.
            result = self.run_it(PYTHON, "-c", f"import os, signal; signal.signal(signal.SIG{number}, signal.SIG_DFL) if '{number}' != 'KILL' else 0; "
                                 f"os.kill(os.getpid(), signal.SIG{number})")
            self.assertEqual((result.returncode, result.stderr), (-getattr(signal, "SIG" + number), b""))

    def test_says_as_shells_do_what_cannot_be_executed(self):
        self.assertEqual(self.refused(127, "no-such-program"), "mpiprof: no-such-program: No such file or directory\n")
        self.assertEqual(self.refused(127, "./none"), "mpiprof: ./none: No such file or directory\n")
        self.assertEqual(self.refused(126, self.folder), f"mpiprof: {self.folder}: Is a directory\n")
        plain = self.write("plain", "#!/bin/sh\n")
        self.assertEqual(self.refused(126, plain), f"mpiprof: {plain}: Permission denied\n")
        self.assertIn("No such file", self.refused(127, self.write("by_nothing", "#!/no/such/shell\n", 0o755)))

    def test_runs_scripts_with_and_without_a_first_line(self):
        for first in ("#!/bin/sh\n", ""):
            self.assertEqual(self.run_it(self.write("script", first + "exit 9\n", 0o755)).returncode, 9)

    def test_finds_programs_in_the_path(self):
        self.write("tool", "#!/bin/sh\necho $0\n", 0o755)
        found = self.run_it("tool", environment={"PATH": "/nowhere:" + self.folder}, text=True)
        self.assertEqual(found.stdout, self.path("tool") + "\n")


class Inheritance(Case):
    def test_hands_arguments_on(self):
        for words in (["a b", "", "-x", "--output", "--", "*", "'"], ["--help"], ["--report"], ["run"]):
            result = self.run_it(PYTHON, "-c", "import sys; print(sys.argv[1:])", *words, text=True)
            self.assertEqual((result.stdout, result.stderr), (f"{words}\n", ""))

    def test_accepts_two_dashes_before_the_program(self):
        self.assertEqual(self.run_it("--report", "--", "echo", "-n", "--", "x", text=True).stdout, "-- x")
        self.assertIn("-weird: No such file", self.refused(127, "--", "-weird"))

    def test_leaves_the_streams_alone(self):
        data = os.urandom(300000)
        result = self.run_it("sh", "-c", "cat; echo problem >&2", input=data)
        self.assertEqual((result.stdout, result.stderr), (data, b"problem\n"))

    def test_holds_no_stream_open_that_the_program_closed(self):
        job = self.start("sh", "-c", "exec >&-; read line", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(job.stdout.read(), b"")
        self.assertIsNone(job.poll())
        job.communicate(b"\n", timeout=60)

    def test_needs_no_streams(self):
        shell = f'"$0" run sh -c "exit 5" <&- >&- 2>&-; echo $? >status; "$0" run none <&- >&- 2>&-; echo $? >>status'
        subprocess.run(["sh", "-c", shell, PROGRAM], cwd=self.folder, env=ENVIRONMENT, timeout=60, check=True)
        self.assertEqual(read(self.path("status")), "5\n127\n")

    def test_leaves_other_files_open_for_the_program_alone(self):
        reader, writer = os.pipe()
        job = self.start("sh", "-c", f"echo x >&{writer}; exec {writer}>&-; sleep 30", pass_fds=[writer])
        os.close(writer)
        with open(reader, "rb") as stream:
            self.assertEqual(stream.read(), b"x\n")
        self.assertIsNone(job.poll())
        job.terminate()
        job.wait(timeout=60)

    def test_keeps_mask_and_dispositions(self):
        def prepare():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2, signal.SIGCHLD])
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)

        def signals(words):
            text = subprocess.run([*words, "grep", "^Sig[BIC]", "/proc/self/status"], cwd=self.folder, env=ENVIRONMENT,
                                  capture_output=True, timeout=60, preexec_fn=prepare).stdout
            self.assertEqual(text.count(b"\n"), 3)
            return text

        self.assertEqual(signals([PROGRAM, "run"]), signals([]))

    def test_hands_an_alarm_on(self):
        result = self.run_it("sleep", "30", preexec_fn=lambda: signal.alarm(1))
        self.assertEqual(result.returncode, -signal.SIGALRM)

    def test_adds_to_the_environment(self):
        script = self.script("""
            import os
            print(os.environ["LD_PRELOAD"], os.environ["MPIPROF"], os.environ["MPIPROF_JOB"], sep="|")
        """)
        before = "/no/lib.so"
        preload, settings, job = self.run_it("--paused", *script, text=True, environment={
            "LD_PRELOAD": before, "MPIPROF": "sinks=none"}).stdout.strip().split("|")
        self.assertTrue(preload.endswith("/libmpiprof_preload.so:" + before), preload)
        self.assertEqual(settings, "sinks=none, start=paused, output=" + self.folder)
        self.assertNotEqual(job, "")
        outer = self.run_it(PROGRAM, "run", *script, text=True).stdout.strip().split("|")
        self.assertEqual(outer[0].count("libmpiprof_preload.so"), 1)

    def test_puts_the_address_sanitizer_first(self):
        source = """
            #include <stdio.h>
            #include <stdlib.h>
            int main(void) { puts(getenv("LD_PRELOAD")); return 0; }
        """
        ours = self.run_it(self.compiled(source), text=True).stdout.strip()
        # Named by hand, as for an extension module of an interpreter.
        given = self.run_it("sh", "-c", "echo $LD_PRELOAD", text=True, environment={"LD_PRELOAD": "/no/a.so /no/libasan.so.8:/no/b.so"},
                            stderr=subprocess.DEVNULL, capture_output=False, stdout=subprocess.PIPE)
        self.assertEqual(given.stdout.strip(), f"/no/libasan.so.8:{ours}:/no/a.so:/no/b.so")
        try:
            program = self.compiled(source, "-fsanitize=address")
        except subprocess.CalledProcessError:
            self.skipTest("the compiler has no AddressSanitizer")
        result = self.run_it(program, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout.strip(), rf"^(libasan\.so\.\d+:)?{ours}$")

    def test_starts_a_job_of_its_own_unless_it_is_within_one(self):
        def job(**environment):
            return self.run_it("sh", "-c", "echo $MPIPROF_JOB", text=True, environment=environment).stdout.strip()

        self.assertNotEqual(job(), job())
        self.assertEqual(job(MPIPROF_JOB="outer", PMIX_NAMESPACE="7"), "outer")
        self.assertEqual(job(PMIX_NAMESPACE="7"), job(PMIX_NAMESPACE="7"))
        self.assertNotEqual(job(PMIX_NAMESPACE="7"), job(PMIX_NAMESPACE="8"))
        # Open MPI's name repeats where process ids do.
        first, again, second = (job(PMIX_NAMESPACE="7", OMPI_MCA_orte_precondition_transports=number) for number in ("a-b", "a-b", "a-c"))
        self.assertEqual(first, again)
        self.assertNotEqual(first, second)
        self.assertNotEqual(job(SLURM_JOB_ID="7", SLURM_STEP_ID="1"), job(SLURM_JOB_ID="7", SLURM_STEP_ID="2"))


COUNTER = """
    import collections, signal, sys, time
    seen = collections.Counter()
    def note(number, frame):
        seen[signal.Signals(number).name] += 1
    for name in {names}:
        signal.signal(getattr(signal, name), note)
    print("ready", flush=True)
    while not seen["{last}"]:
        time.sleep(0.01)
    time.sleep(0.1)
    print(sorted(seen.items()), flush=True)
"""


class Signals(Case):
    NAMES = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGCONT", "SIGTSTP", "SIGXCPU", "SIGWINCH", "SIGTERM")

    def counting(self, **options):
        job = self.start(*self.script(COUNTER.format(names=self.NAMES, last="SIGTERM")), stdout=subprocess.PIPE, text=True, **options)
        self.assertEqual(job.stdout.readline(), "ready\n")
        return job

    def check_all_once(self, job, send):
        for name in self.NAMES:
            send(getattr(signal, name))
            time.sleep(0.05)
        output, _ = job.communicate(timeout=60)
        self.assertEqual(output, f"{sorted((name, 1) for name in self.NAMES)}\n")
        self.assertEqual(job.returncode, 0)

    def test_passes_on_what_is_sent_to_it(self):
        job = self.counting()
        self.check_all_once(job, lambda number: os.kill(job.pid, number))

    def test_passes_nothing_on_that_its_group_got(self):
        job = self.counting(start_new_session=True)
        self.check_all_once(job, lambda number: os.killpg(job.pid, number))

    def test_tells_the_two_apart_signal_by_signal(self):
        """Each is sent to the group and then to the process alone, or the other way round."""
        job = self.counting(start_new_session=True)
        for name in ("SIGUSR1", "SIGUSR2", "SIGUSR1", "SIGUSR2"):
            number = getattr(signal, name)
            for send in (os.killpg, os.kill):
                send(job.pid, number)
                time.sleep(0.05)
        os.killpg(job.pid, signal.SIGCONT)
        os.killpg(job.pid, signal.SIGTERM)
        self.assertEqual(job.communicate(timeout=60)[0], "[('SIGCONT', 1), ('SIGTERM', 1), ('SIGUSR1', 4), ('SIGUSR2', 4)]\n")

    def test_a_program_that_leaves_the_group_gets_all(self):
        script = COUNTER.format(names=self.NAMES, last="SIGTERM").replace("import collections", "import os; os.setsid()\n    import collections")
        job = self.start(*self.script(script), stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.assertEqual(job.stdout.readline(), "ready\n")
        self.check_all_once(job, lambda number: os.killpg(job.pid, number))

    def test_dies_of_a_signal_that_the_program_does_not_handle(self):
        job = self.start("sleep", "30")
        self.assertTrue(wait_until(lambda: read(f"/proc/{job.pid}/task/{job.pid}/children").split()[1:]))
        time.sleep(0.2)
        job.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(timeout=60), -signal.SIGTERM)

    def test_takes_the_program_along_when_it_is_killed(self):
        job = self.start("sh", "-c", "echo $$; exec sleep 60", stdout=subprocess.PIPE, text=True, start_new_session=True)
        program = int(job.stdout.readline())
        job.kill()
        self.assertEqual(job.wait(timeout=60), -signal.SIGKILL)
        self.assertTrue(wait_until(lambda: is_gone(program)))
        # Nor does anything else of it go on.
        self.assertTrue(wait_until(lambda: subprocess.run(["pgrep", "-f", f"{PROGRAM} run sh -c echo"]).returncode == 1))

    def test_does_not_wait_for_what_the_program_leaves_running(self):
        begin = time.monotonic()
        result = self.run_it("sh", "-c", "sleep 30 >&- 2>&- <&- & echo $!; exit 3", text=True)
        self.addCleanup(os.kill, int(result.stdout), signal.SIGKILL)
        self.assertEqual(result.returncode, 3)
        self.assertLess(time.monotonic() - begin, 20)


class AtTheEnd(Case):
    """Between the program's end and its own `mpiprof run` gathers shards and merges."""

    def test_opens_nothing_of_others_and_no_fifo(self):
        os.mkdir(self.path("shards"))
        os.mkfifo(self.path("shards/fifo.shards"))
        os.mkfifo(self.path("fifo"))
        os.symlink(self.path("fifo"), self.path("shards/link.shards"))
        os.mkdir(self.path("shards/folder.shards"))
        self.assertEqual(self.run_it("--shards", "shards", "sh", "-c", "exit 4").returncode, 4)


    def start_merging(self, text):
        """One that merges only when the file is let go that this process keeps locked."""
        made = {**profile(0, 1), "job": "pmix:job", "world_size": 1, "ranks": [{"first": 0, "last": 0}]}
        path = self.write("made.mpiprof.rank0.json", json.dumps(made))
        file = open(path, encoding="utf-8")
        self.addCleanup(file.close)
        fcntl.flock(file, fcntl.LOCK_EX)
        job = self.start("sh", "-c", text, environment={"PMIX_NAMESPACE": "job"})
        self.assertTrue(wait_until(lambda: any(os.path.realpath(f"/proc/{job.pid}/fd/{name}") == path for name in os.listdir(f"/proc/{job.pid}/fd"))))
        return job, file

    def test_can_be_interrupted_and_the_rest_is_done_all_the_same(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            job, file = self.start_merging("exit 4")
            job.send_signal(number)
            self.assertEqual(job.wait(timeout=5), -number)
            file.close()
            self.assertTrue(wait_until(lambda: not os.path.exists(self.path("made.mpiprof.rank0.json"))))
            self.assertTrue(os.path.exists(self.path("made.mpiprof.json")))
            os.remove(self.path("made.mpiprof.json"))

    def test_keeps_the_status_whatever_else_comes(self):
        for text, status in (("exit 4", 4), ("kill -USR2 $$", -signal.SIGUSR2), ("kill -INT $$", -signal.SIGINT)):
            job, file = self.start_merging(text)
            for number in (signal.SIGUSR1, signal.SIGPIPE, signal.SIGCHLD, signal.SIGWINCH):
                job.send_signal(number)
            file.close()
            self.assertEqual(job.wait(timeout=60), status)
            os.remove(self.path("made.mpiprof.json"))

    def test_is_not_interrupted_by_what_the_program_got(self):
        for name in ("INT", "TERM", "TSTP"):
            script = f"trap 'exit 4' {name}; kill -{name} 0; sleep 5"
            for _ in range(5):
                self.assertEqual(self.run_it("sh", "-c", script, start_new_session=True).returncode, 4)


class Terminal(Case):
    def start_on_terminal(self, script):
        """The process, the leader of the terminal's foreground group, and the terminal."""
        words = [PROGRAM, "run", *self.script(script)]
        process, terminal = pty.fork()
        if process == 0:
            # As a shell's job: of a session, but not its leader, whose group is never stopped by a terminal.
            os.chdir(self.folder)
            child = os.fork()
            if child == 0:
                os.setpgid(0, 0)
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                os.tcsetpgrp(0, os.getpgrp())
                signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                os.execve(words[0], words, ENVIRONMENT)
            while True:
                _, status = os.waitpid(child, os.WUNTRACED)
                if not os.WIFSTOPPED(status):
                    os._exit(os.waitstatus_to_exitcode(status) & 255)
                os.write(1, b"stopped\n")
                time.sleep(0.1)
                os.killpg(child, signal.SIGCONT)
        self.addCleanup(os.close, terminal)
        return process, terminal

    def read_until(self, terminal, text):
        seen = b""
        while text not in seen:
            try:
                part = os.read(terminal, 1000)
            except OSError:
                part = b""
            self.assertTrue(part, seen)
            seen += part
        return seen

    def test_interrupts_come_once(self):
        process, terminal = self.start_on_terminal(COUNTER.format(names=("SIGINT", "SIGQUIT"), last="SIGQUIT"))
        self.read_until(terminal, b"ready")
        os.write(terminal, b"\x03")
        time.sleep(0.2)
        os.write(terminal, b"\x1c")
        self.read_until(terminal, b"[('SIGINT', 1), ('SIGQUIT', 1)]")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 0)

    def test_stops_and_goes_on_with_the_program(self):
        process, terminal = self.start_on_terminal(COUNTER.format(names=("SIGINT",), last="SIGINT"))
        self.read_until(terminal, b"ready")
        for _ in range(2):
            os.write(terminal, b"\x1a")
            self.read_until(terminal, b"stopped")
            time.sleep(0.3)
        os.write(terminal, b"\x03")
        self.read_until(terminal, b"[('SIGINT', 1)]")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 0)


class WhatCannotWork(Case):
    def test_mpi_linked_statically(self):
        source = "int PMPI_Init(void) { return 0; }\nint main(void) { return PMPI_Init(); }\n"
        line = "MPI is linked into it statically, where its calls cannot be seen; relink with the shared MPI library"
        for options in ([], ["-static"]):
            self.assertIn(line, self.refused(125, self.compiled(source, *options)))
        # A program's own MPI_Init may count its calls.
        source = "int MPI_Init(void) { return 0; }\nint main(void) { return MPI_Init(); }\n"
        self.assertEqual(self.run_it(self.compiled(source)).returncode, 0)

    def test_mpi_linked_statically_and_stripped(self):
        source = """
            char const* const texts[] = {"MPICH Version:\\t%s", "MPIR_CVAR_DEFAULT_THREAD_LEVEL"};
            int main(int argc, char** argv) { return texts[argc - 1][0] != 'M'; }
        """
        self.assertIn("statically", self.refused(125, self.compiled(source, "-s")))
        # The texts alone, in a program that has its symbols, are just texts.
        self.assertEqual(self.run_it(self.compiled(source)).returncode, 0)

    def test_static_programs_without_mpi_run(self):
        program = self.compiled("int main(void) { return 4; }\n", "-static")
        self.assertEqual((self.run_it(program).returncode, self.run_it(program).stderr), (4, b""))

    def test_another_processor(self):
        with open(self.compiled("int main(void) { return 0; }\n"), "r+b") as file:
            file.seek(18)
            file.write((243).to_bytes(2, "little"))
        self.assertIn("made for another processor (ELF machine 243, 64 bits)", self.refused(125, self.path("program")))

    @unittest.skipUnless(os.geteuid() == 0, "needs another user's program")
    def test_programs_that_gain_rights(self):
        program = self.compiled("int main(void) { return 0; }\n")
        try:
            os.chown(program, 65534, 65534)
        except OSError:
            self.skipTest("no other users in this sandbox")
        for owner, mode, text in ((65534, 0o4755, "is set-user-ID"), (65534, 0o2755, "is set-group-ID")):
            os.chown(program, owner, owner)
            os.chmod(program, mode)
            self.assertIn(text, self.refused(125, program))
        # Its own rights are no gain.
        os.chown(program, os.getuid(), os.getgid())
        os.chmod(program, 0o4755)
        self.assertEqual(self.run_it(program).returncode, 0)


class Options(Case):
    def test_wrong_ones_are_told_before_the_program_starts(self):
        for words, line in [
            ([], "mpiprof: run: which program? (mpiprof run --help)\n"),
            (["--colour", "true"], "mpiprof: run: the option --colour is not known (mpiprof run --help)\n"),
            (["--sinks", "colour", "true"], "mpiprof: --sinks 'colour' is not known; allowed: none, or with + between them: summary+trace\n"),
            (["--merge=colour", "true"], "mpiprof: --merge 'colour' is not known; allowed: auto, collective, files\n"),
            (["--ranks", "3-1", "true"], "mpiprof: --ranks '3-1' is not known; allowed: ranks with + between them, as 0-3+8\n"),
            (["--include", "send+colour", "true"], "mpiprof: --include 'send+colour' is not known; allowed: operations with + between them, "
             "as send+recv, where * may stand for the end of a name, as test*\n"),
            (["--depth", "many", "true"], "mpiprof: --depth 'many' is not known; allowed: a number of frames from 1 to 16\n"),
            (["--clock", "colour", "true"], "mpiprof: --clock 'colour' is not known; allowed: auto, steady\n"),
            (["--output", "a,b", "true"], "mpiprof: --output 'a,b': a value cannot have commas in it, nor begin or end with a space\n"),
            (["--output", "none/run.json", "true"], f"mpiprof: --output 'none/run.json': there is no directory {self.folder}/none\n"),
            (["--shards", "none/such", "true"], f"mpiprof: --shards 'none/such': there is no directory {self.folder}/none/such\n"),
        ]:
            self.assertEqual(self.refused(2, *words), line)
        result = self.run_it("--output", text=True)
        self.assertEqual((result.returncode, result.stdout), (2, ""))

    def test_stand_for_settings(self):
        os.mkdir(self.path("there"))
        for words, settings in [
            (["--ranks", "0-3+8", "--include=send+all*", "--exclude", "allgather", "--depth", "3"],
             f"ranks=0-3+8, include=send+all*, exclude=allgather, depth=3, output={self.folder}"),
            (["--report", "--queries"], f"report=stderr, queries=on, output={self.folder}"),
            (["--output", "run.json"], f"output={self.folder}/run.json"),
            (["--output=there/"], f"output={self.folder}/there"),
            (["--shards", "there"], f"shards={self.folder}/there, output={self.folder}"),
            (["--shards", "none", "--clock", "steady"], f"clock=steady, shards=none, output={self.folder}"),
        ]:
            self.assertEqual(self.run_it(*words, "sh", "-c", "echo $MPIPROF", text=True).stdout, settings + "\n")

    def test_help(self):
        result = self.run_it("--help", text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("--output FILE", result.stdout)


# Stands for a rank: writes a rank file as a profiled program does.
RANK = """
    import json, os, sys
    rank, size, sent = (int(word) for word in sys.argv[1:4])
    output = os.environ["MPIPROF"].split("output=")[-1].split(",")[0]
    if not output.endswith(".json"):
        output += "/made.mpiprof.json"
    made = json.loads(os.environ["MADE"])
    made["job"] = os.environ["MPIPROF_JOB"] + "".join(sys.argv[4:])
    made["world_size"] = size
    made["ranks"] = [{"first": rank, "last": rank}]
    made["operations"][0]["statistics"]["sent"] = sent
    path, number = output[:-5] + f".rank{rank}.json", 1
    while os.path.exists(path):
        number += 1
        path = output[:-5] + f".rank{rank}.{number}.json"
    with open(path + ".tmp", "w") as file:
        json.dump(made, file)
    os.rename(path + ".tmp", path)
"""


class Merging(Case):
    def setUp(self):
        super().setUp()
        self.rank = " ".join(self.script(RANK))
        # As the launcher would say it to all ranks.
        self.environment = {"MADE": json.dumps(profile()), "PMIX_NAMESPACE": "job"}

    def files(self):
        return sorted(name for name in os.listdir(self.folder) if ".json" in name)

    def sent(self, name):
        return [row["statistics"]["sent"] for row in json.loads(read(self.path(name)))["operations"]]

    def ranks(self, text, *options, **environment):
        return self.run_it(*options, "sh", "-c", text.format(rank=self.rank), text=True, environment={**self.environment, **environment})

    def test_merges_when_all_ranks_are_there(self):
        for rank in (2, 0, 1):
            result = self.ranks(f"{{rank}} {rank} 3 {10 + rank}")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            if rank != 1:
                self.assertNotIn("made.mpiprof.json", self.files())
        self.assertEqual(self.files(), ["made.mpiprof.json"])
        self.assertEqual(self.sent("made.mpiprof.json"), [33])

    def test_merges_what_one_command_started(self):
        result = self.ranks("{rank} 0 2 5 & {rank} 1 2 6; wait", "--report", "--output", "run.json", PMIX_NAMESPACE="")
        self.assertEqual(self.files(), ["run.json"])
        self.assertRegex(result.stderr, r"^mpiprof report: made, 2 ranks on 1 host")
        self.assertRegex(result.stderr, r"\nsend +2 .* 11 +0\n")

    def test_merges_the_ranks_that_were_chosen(self):
        result = self.ranks("{rank} 1 4 5; {rank} 3 4 6", "--ranks", "1+3+7", PMIX_NAMESPACE="")
        self.assertEqual((self.files(), result.stderr), (["made.mpiprof.json"], ""))
        result = self.ranks("{rank} 1 4 5", "--ranks", "1+3", PMIX_NAMESPACE="")
        self.assertIn("mpiprof: 1 of 2 ranks left a profile; to see them", result.stderr)

    def test_lets_a_profile_be_that_is_there(self):
        self.write("made.mpiprof.json", "mine")
        self.ranks("{rank} 0 2 5; {rank} 1 2 6")
        self.assertEqual(self.files(), ["made.mpiprof.2.json", "made.mpiprof.json"])
        self.assertEqual(read(self.path("made.mpiprof.json")), "mine")

    def test_says_what_is_missing_when_it_is_all_over(self):
        result = self.ranks("{rank} 0 3 5; {rank} 2 3 6", PMIX_NAMESPACE="")
        self.assertEqual(result.stderr, "mpiprof: 2 of 3 ranks left a profile; to see them: mpiprof report "
                         f"{self.folder}/made.mpiprof.rank*.json\n")
        self.assertEqual(self.files(), ["made.mpiprof.rank0.json", "made.mpiprof.rank2.json"])
        # A rank cannot know.
        self.assertEqual(self.ranks("{rank} 0 3 5", PMIX_NAMESPACE="other").stderr, "")

    def test_keeps_jobs_apart(self):
        """Rank files of an earlier job are neither merged nor removed, whether there are all of them or not."""
        stale = json.dumps({**profile(0, 2), "job": "pmix:earlier"})
        for name in ("made.mpiprof.rank0.json", "made.mpiprof.rank1.json", "made.mpiprof.rank5.json"):
            self.write(name, stale)
        self.write("made.mpiprof.rank1.2.json", "no profile")
        before = self.files()
        self.ranks("{rank} 1 2 5")
        self.assertEqual(self.files(), sorted(before + ["made.mpiprof.rank1.3.json"]))
        self.ranks("{rank} 0 2 6")
        self.assertEqual(self.files(), sorted(before + ["made.mpiprof.json"]))
        self.assertEqual(self.sent("made.mpiprof.json"), [11])

    def test_merges_several_jobs_of_one_command_and_several_recordings_of_a_job(self):
        self.ranks("{rank} 0 2 1 /a; {rank} 1 2 2 /a; {rank} 1 2 20 /b; {rank} 0 2 10 /b; {rank} 0 2 100 /a; {rank} 1 2 200 /a", PMIX_NAMESPACE="")
        self.assertEqual(self.files(), ["made.mpiprof.2.json", "made.mpiprof.3.json", "made.mpiprof.json"])
        self.assertEqual([self.sent(name) for name in self.files()], [[300], [30], [3]])

    def test_merges_nothing_twice(self):
        """The one that merged was killed before it had removed the ranks' files."""
        for text in ("{rank} 0 2 1; {rank} 1 2 2", "{rank} 0 2 10; {rank} 1 2 20"):
            kept = text + "; mkdir -p kept; cp made.mpiprof.rank*.json kept"
            self.ranks(kept)
            merged = self.files()
            self.ranks("cp kept/* .")
            self.assertEqual(self.files(), merged)
        self.assertEqual([self.sent(name) for name in self.files()], [[30], [3]])
        self.ranks("cp kept/* .; {rank} 1 2 200; {rank} 0 2 100")
        self.assertEqual([self.sent(name) for name in self.files()], [[30], [300], [3]])

    def test_one_of_those_that_come_at_a_time_merges(self):
        for attempt in range(5):
            output = f"run{attempt}.json"
            jobs = [self.start("--report", "--output", output, "sh", "-c", f"{self.rank} {rank} 8 {1 << rank}",
                               environment={**self.environment, "PMIX_NAMESPACE": str(attempt)}, stderr=subprocess.PIPE) for rank in range(8)]
            told = b"".join(job.communicate(timeout=60)[1] for job in jobs)
            self.assertEqual(told.count(b"mpiprof report"), 1, told)
            self.assertEqual(self.sent(output), [255])
        self.assertEqual(self.files(), [f"run{attempt}.json" for attempt in range(5)])

    def test_names_without_the_usual_ending(self):
        made = {**profile(0, 2), "job": "pmix:job"}
        for name, rank in (("run.5.2.rank0", 0), ("run.5.rank0", 0), ("run.5.rank1", 1), ("run.rank0", 0)):
            job = "pmix:earlier" if name == "run.5.rank0" else "pmix:job"
            self.write(name, json.dumps({**made, "job": job, "ranks": [{"first": rank, "last": rank}]}))
        self.ranks("true", "--output", "run.5")
        self.assertEqual(sorted(name for name in os.listdir(self.folder) if name.startswith("run")), ["run.5", "run.5.rank0", "run.rank0"])

    def test_a_profile_that_cannot_be_read_stays(self):
        self.write("made.mpiprof.rank1.json", json.dumps({**profile(1, 2), "job": "pmix:job", "lost": "many"}))
        result = self.ranks("{rank} 0 2 5")
        self.assertEqual(result.stderr, f"mpiprof: {self.folder}/made.mpiprof.rank1.json: 'lost' is no integer of 64 bits\n")
        self.assertEqual(self.files(), ["made.mpiprof.rank0.json", "made.mpiprof.rank1.json"])


if __name__ == "__main__":
    unittest.main()
