"""Instructions a call, counted by callgrind in the real MPI library."""

import collections
import pathlib
import re
import tempfile

from driver.tables import table


def parse(text):
    """Label of a dump, and the instructions in each function itself."""
    label = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
    if not label:
        return None, {}
    own = collections.Counter()
    function, inclusive = None, False
    for line in text.splitlines():
        if line.startswith("fn="):
            function = line[3:]
        elif line.startswith("calls="):
            inclusive = True
        elif re.match(r"[+*\-\d]", line) and function:
            if not inclusive:
                own[function] += int(line.split()[1])
            inclusive = False
    return label[1], own


def measure(programs, calls):
    """{operation: {variant: {function: instructions a call}}}."""
    with tempfile.TemporaryDirectory(dir=programs.scratch) as folder:
        valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--compress-strings=no", "--compress-pos=no",
                    f"--callgrind-out-file={folder}/dump"]
        programs.run("instructions", calls, under=valgrind)
        files = sorted(pathlib.Path(folder).glob("dump.*"), key=lambda path: int(path.suffix[1:]))
        dumps = dict(parse(path.read_text()) for path in files)
    found = {}
    for label in filter(None, dumps):
        name, part = label.rsplit("#", 1)
        if part == "2":
            twice, once = dumps[label], dumps[name + "#1"]
            operation, variant = name.split("/", 1)
            found.setdefault(operation, {})[variant] = {
                function: (twice[function] - once[function]) / calls for function in twice if twice[function] != once[function]}
    return found


def total(functions):
    return sum(functions.values())


def totals(found):
    return {operation: {variant: total(functions) for variant, functions in variants.items()}
            for operation, variants in found.items()}


def over_plain(variants, variant):
    """Of the totals of an operation's variants."""
    return variants[variant] - variants["plain"]


def show(found, closer):
    """A table of all variants, and of the variant `closer` where its instructions are."""
    sums = totals(found)
    operations = list(sums)
    rows = [[variant, *(f"{sums[operation][variant]:.0f}" if variant == "plain" else f"{over_plain(sums[operation], variant):+.0f}"
                        for operation in operations)] for variant in sums[operations[0]]]
    table("Instructions a call under callgrind, in the real MPI library: of the plain call, and over it\n"
          "(valgrind replaces the kernel's page, so that clock_gettime counts as the call of a system call)",
          ["variant", *operations], rows)

    for operation in operations:
        plain, other = found[operation]["plain"], found[operation][closer]
        more = {function: other.get(function, 0) - plain.get(function, 0) for function in {*plain, *other}}
        largest = sorted(more.items(), key=lambda item: -abs(item[1]))[:14]
        table(f"{operation}: where {closer} takes {over_plain(sums[operation], closer):+.0f} instructions",
              ["function", "more than plain"],
              [[readable(function), f"{count:+.0f}"] for function, count in largest if abs(count) >= 1])


def readable(function):
    """A function's name without namespaces and arguments that are clear."""
    name = re.sub(r"\(anonymous namespace\)::|benchmarks::|mpiprof::v1::", "", function)
    return name if len(name) <= 90 else name[:87] + "..."
