"""Programs built by a test, and what binutils know of them."""

import re
import subprocess


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, **more).stdout


def marks(source):
    """The numbers of the lines that end with a comment `mark NAME`, by name."""
    with open(source, encoding="utf-8") as file:
        found = [(re.search(r"[!/] mark (\w+)$", line.rstrip()), number) for number, line in enumerate(file, 1)]
    return {match[1]: number for match, number in found if match}


def build_id(module):
    """As a call site gives it: 16 digits."""
    return re.search(r"Build ID: ([0-9a-f]{16})", run("readelf", "-n", module))[1]


def returns(module, function):
    """Return addresses of the calls of a function, in order."""
    lines = run("objdump", "-d", "--no-show-raw-insn", module).splitlines()
    found = [after for line, after in zip(lines, lines[1:]) if re.search(rf"\bcall\b.*<{function}(@plt)?>", line)]
    return [int(line.split(":")[0], 16) for line in found]


def line_of(module, return_address):
    """(file, line) by addr2line; line None where it knows none."""
    text = run("addr2line", "-e", module, hex(return_address - 1)).split(" (")[0].strip()
    file, line = text.rsplit(":", 1)
    return file, int(line) if line.isdigit() and line != "0" else None
