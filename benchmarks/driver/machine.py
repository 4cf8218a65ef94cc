"""What machine the numbers are of."""

import datetime
import os
import pathlib
import subprocess


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0].strip()
    except (OSError, IndexError):
        return "none"


def description(programs):
    cpu = next((line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")), "unknown")
    clock = pathlib.Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "cpu": f"{cpu}, {os.cpu_count()} cores",
        "kernel": os.uname().release,
        "clock source": clock.read_text().strip() if clock.exists() else "unknown",
        "load": f"{os.getloadavg()[0]:.2f} before the start",
        "compilers": f"{first_line(os.environ.get('CC', 'gcc'), '--version')} (of the programs); "
                     f"{first_line('g++', '--version')}, {first_line('clang++-14', '--version')} (of the part compile)",
        "MPI": first_line(programs.mpiexec, "--version"),
        "commit": first_line("git", "-C", str(pathlib.Path(__file__).parent), "describe", "--always", "--dirty"),
    }
