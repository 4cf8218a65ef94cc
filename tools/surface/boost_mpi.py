"""mpiprof's Boost.MPI against the installed Boost.MPI's headers: every public name is there, and every function is either
recorded (a test in tests/boost_mpi/one_record sees its one record) or stands here with the reason why not."""

import pathlib
import re
from collections import defaultdict

from clang.cindex import AccessSpecifier, CursorKind

from surface.declared import ROOT, parse

PAGE = ROOT / "docs/boost-mpi.md"
RECORDED = ROOT / "tests/boost_mpi/one_record"
BOOST = pathlib.Path("/usr/include/boost")

# What is Boost's own here, by the reason. A class that is not recorded stands for its members; of one that is, each member
# that is not is named.
UNRECORDED = {
    "Asks or sets what the process knows": """
        communicator() communicator::rank communicator::size communicator::group communicator::has_cartesian_topology
        communicator::has_graph_topology communicator::as_cartesian_communicator communicator::as_graph_communicator
        communicator::as_intercommunicator cartesian_communicator::ndims cartesian_communicator::rank
        cartesian_communicator::shifted_ranks cartesian_communicator::coordinates cartesian_communicator::topology
        intercommunicator::local_size intercommunicator::local_group intercommunicator::local_rank
        intercommunicator::remote_size intercommunicator::remote_group request() request::active request::trivial
        request::preserve cartesian_dimensions cartesian_dimension cartesian_topology error_string exception group status
        timer allocator""",
    "Asks a graph communicator for its graph": """
        adjacent_vertices edges get num_edges num_vertices out_degree out_edges source target vertices""",
    "A type, a constant, or a function of types": """
        any_source any_tag bitwise_and bitwise_or bitwise_xor comm_attach comm_create_kind comm_duplicate
        comm_take_ownership get_mpi_datatype is_commutative is_mpi_builtin_datatype is_mpi_byte_datatype
        is_mpi_complex_datatype is_mpi_datatype is_mpi_floating_point_datatype is_mpi_integer_datatype
        is_mpi_logical_datatype is_mpi_op logical_xor maximum minimum packed threading::funneled threading::level
        threading::multiple threading::serialized threading::single""",
    "Says what a call is to move; the call is recorded": """
        content get_content inplace inplace_t packed_iarchive packed_oarchive packed_skeleton_iarchive
        packed_skeleton_oarchive skeleton skeleton_proxy""",
    "Makes Boost's own request from Boost's communicator; `isend` and `irecv`, which are made of these, are recorded": """
        request::make_bottom_recv request::make_bottom_send request::make_dynamic
        request::make_dynamic_primitive_array_recv request::make_dynamic_primitive_array_send request::make_empty_recv
        request::make_empty_send request::make_packed_send request::make_serialized request::make_serialized_array
        request::make_trivial_recv request::make_trivial_send""",
    "MPI_Init comes before any recording, and MPI_Finalize ends it; the rest asks what the process knows": "environment",
    "Ends the program": "communicator::abort",
}
REASONS = {name: reason for reason, names in UNRECORDED.items() for name in names.split()}

# Single functions of a name whose others are recorded.
EXCEPTIONS = {
    "all_gatherv(const communicator &, const T &, T *, const std::vector<int> &, const std::vector<int> &)":
        "does not compile in any Boost up to 1.91: it passes one argument too many to its own implementation",
}

CLASSES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE}
FUNCTIONS = {CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE}
MEMBERS = {CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE, CursorKind.CONSTRUCTOR}
OTHERS = {CursorKind.ENUM_DECL, CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL, CursorKind.VAR_DECL,
          CursorKind.TYPE_ALIAS_TEMPLATE_DECL}


def namespace_members(cursor, *path):
    """What is declared in a namespace, wherever it is opened."""
    for child in cursor.get_children():
        if child.kind == CursorKind.NAMESPACE and path and child.spelling == path[0]:
            yield from namespace_members(child, *path[1:])
        elif not path:
            yield child


class Surface:
    """The public names of the installed Boost.MPI: headers outside detail/ and python/."""

    def __init__(self):
        headers = [path.relative_to(BOOST.parent).as_posix() for path in sorted((BOOST / "mpi").rglob("*.hpp"))
                   if not {"detail", "python"} & set(path.parts) and path.name != "python.hpp"]
        source = "#include <boost/mpi.hpp>\n" + "".join(f"#include <{header}>\n" for header in headers)
        unit, self.errors = parse(source, "openmpi")
        self.names = set()
        self.members = defaultdict(set)  # of a class: names
        self.functions = {}  # signature: the name it goes by
        for declared in namespace_members(unit.cursor, "boost", "mpi"):
            self.add(declared, "")
        for declared in namespace_members(unit.cursor, "boost", "mpi", "threading"):
            self.add(declared, "threading::")

    def add(self, declared, prefix):
        # A member that is defined outside of its class, and what headers for the library's own use declare.
        if declared.semantic_parent != declared.lexical_parent and declared.semantic_parent.kind in CLASSES: return
        if "/detail/" in declared.location.file.name or declared.spelling.startswith("operator"): return
        # Those of the archives' implementation, which stand at the top of their headers.
        if declared.spelling in ("iprimitive", "oprimitive"): return
        name = prefix + declared.spelling
        if declared.kind in FUNCTIONS:
            self.names.add(name)
            # A specialisation is its template's.
            if declared.canonical == declared and "<" not in declared.displayname.split("(")[0]:
                self.functions[signature(declared)] = name
        elif declared.kind in CLASSES:
            self.names.add(name)
            if declared.is_definition(): self.add_class(declared, name)
        elif declared.kind in OTHERS:
            self.names.add(name)
            if declared.kind == CursorKind.ENUM_DECL and not declared.is_scoped_enum():
                self.names.update(prefix + each.spelling for each in declared.get_children())

    def add_class(self, declared, name):
        if declared.displayname != declared.spelling: return  # templates, which are types only
        for member in declared.get_children():
            if member.kind not in MEMBERS or member.access_specifier != AccessSpecifier.PUBLIC: continue
            if member.spelling.startswith("operator"): continue
            if member.kind == CursorKind.CONSTRUCTOR or re.match(rf"{name}\b", member.spelling):
                self.functions[signature(member)] = signature(member)
            else:
                self.functions[f"{name}::{signature(member)}"] = f"{name}::{member.spelling}"
                self.members[name].add(member.spelling)


def signature(function):
    return function.displayname.replace("boost::mpi::", "")


def recorded():
    """The signatures whose record a test sees, with the operation."""
    pattern = re.compile(r'one_record\(\s*((?:"[^"]*"\s*)+),\s*operation::(\w+)')
    found = {}
    for path in sorted(RECORDED.glob("*.cpp")):
        for strings, operation in pattern.findall(path.read_text()):
            found["".join(re.findall(r'"([^"]*)"', strings))] = operation
    return found


def missing_names(surface):
    """Compiles a use of every name and every class's member, with profiling on and off."""
    lines = ["#include <mpiprof/boost_mpi.hpp>", "namespace used {"]
    lines += [f"using mpiprof::boost_mpi::{name};" for name in sorted(surface.names)]
    for name, members in sorted(surface.members.items()):
        lines.append(f"struct is_a_{name} : mpiprof::boost_mpi::{name} {{")
        lines += [f"using mpiprof::boost_mpi::{name}::{member};" for member in sorted(members)]
        lines.append("};")
    lines.append("}")
    wrong = []
    for flags in ([], ["-DMPIPROF_DISABLED"]):
        for error in parse("\n".join(lines), "openmpi", *flags)[1]:
            line = re.match(r"names\.cpp:(\d+):", error)
            wrong.append(f"{lines[int(line[1]) - 1]} {error}" if line else error)
    return wrong


def class_of(signature):
    return re.match(r"\w*", signature)[0]


def untreated(surface, records):
    wrong = [f"{signature} is recorded by a test, but Boost.MPI has no such function"
             for signature in sorted(records.keys() - surface.functions.keys())]
    for signature, name in sorted(surface.functions.items()):
        if {signature, name, class_of(signature)} & (records.keys() | REASONS.keys() | EXCEPTIONS.keys()): continue
        wrong.append(f"{signature}: no test in {RECORDED.relative_to(ROOT)} sees its record, and no reason why not stands in"
                     " tools/surface/boost_mpi.py")
    treated = REASONS.keys() | {surface.functions.get(signature) for signature in records} | set(map(class_of, records))
    wrong += [f"{name}: tools/surface/boost_mpi.py does not say how it is treated" for name in sorted(surface.names - treated)]
    known = surface.names | surface.functions.keys() | set(surface.functions.values())
    wrong += [f"{name} stands in tools/surface/boost_mpi.py, but Boost.MPI has no such name" for name in sorted(REASONS.keys() - known)]
    return wrong


def version():
    text = (BOOST / "version.hpp").read_text()
    return re.search(r'BOOST_LIB_VERSION "([\d_]+)"', text)[1].replace("_", ".")


def page(surface, records):
    lines = ["# Boost.MPI, name by name", "",
             f"Every public name of Boost.MPI {version()} is in `mpiprof::boost_mpi`. This page is written by `tools/coverage"
             " --write` from Boost's headers and from the tests in `tests/boost_mpi/one_record`, each of which makes one call"
             " and sees one record.", "",
             "Recorded functions and members have a place in the source as their last, defaulted parameter, so their"
             " addresses do not convert to those of Boost's: where one is needed, as for `std::mem_fn(&mpi::request::wait)`,"
             " a lambda does. Between two functions, for a `boost::mpi::communicator` and for a"
             " `boost::mpi::cartesian_communicator`, a profiled cartesian communicator goes to the first.", "", "## Recorded", "", "| function | recorded as |", "|---|---|"]
    lines += [f"| `{signature}` | {records[signature]} |" for signature in surface.functions if signature in records]
    lines += ["", "Of these overloads one is only passed on:", ""]
    lines += [f"- `{signature}`: {reason}." for signature, reason in EXCEPTIONS.items() if signature in surface.functions]
    lines += ["", "## Not recorded"]
    for reason, names in UNRECORDED.items():
        lines += ["", f"{reason}:", "", ", ".join(f"`{name}`" for name in sorted(names.split())) + "."]
    return "\n".join(lines) + "\n"


def check(write):
    """What is wrong; writes the page first if asked to."""
    surface, records = Surface(), recorded()
    wrong = surface.errors + missing_names(surface) + untreated(surface, records)
    if write: PAGE.write_text(page(surface, records))
    # The page is that of Debian 12's Boost.
    if version() == "1.74" and (not PAGE.exists() or PAGE.read_text() != page(surface, records)):
        wrong.append(f"{PAGE.relative_to(ROOT)} is not what tools/coverage --write makes")
    return wrong
