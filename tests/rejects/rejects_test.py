"""What must not compile does not, with a message that names what is wrong; what stands beside it does."""

import concurrent.futures
import os
import re
import pathlib
import subprocess
import tempfile
import unittest

ROOT = os.getcwd()
COMPILERS = ["g++", "clang++-14"]

# A communicator type whose traits are whole but for what a case leaves out.
FOREIGN = """
#include <mpiprof/core/communicator.hpp>
struct foreign {};
template <> struct mpiprof::communicator_traits<foreign> {
    struct request {};
    static int rank(foreign const&) { return 0; }
    static int size(foreign const&) { return 1; }
    static communicator_id identity(foreign const&) { return 1; }
    template <class V> static void send(foreign const&, int, int, V const*, std::size_t, call_site) {}
    template <class V> static void recv(foreign const&, int, int, V*, std::size_t, call_site) {}
    template <class V> static request isend(foreign const&, int, int, V const*, std::size_t, call_site) { return {}; }
    template <class V> static request irecv(foreign const&, int, int, V*, std::size_t, call_site) { return {}; }
    static void wait_all(foreign const&, request*, std::size_t, call_site) {}
    static void barrier(foreign const&, call_site) {}
    template <class V> static void bcast(foreign const&, V*, std::size_t, int, call_site) {}
    template <class V, class O> static void reduce(foreign const&, V const*, V*, std::size_t, O, int, call_site) {}
    template <class V, class O> static void allreduce(foreign const&, V const*, V*, std::size_t, O, call_site) {}
};
template <mpiprof::communicator Comm> void use(Comm const&) {}
void test(foreign const& comm) { use(comm); mpiprof::barrier(comm); }
"""

RAW = """
#include <mpiprof/raw.hpp>
#include <optional>
#include <variant>
#include <vector>
"""

BOOST = """
#include <mpiprof/boost_mpi.hpp>
#include <vector>
"""


def without(line):
    """FOREIGN without the traits' line that has this in it."""
    kept = [each for each in FOREIGN.splitlines() if line not in each]
    assert len(kept) == len(FOREIGN.splitlines()) - 1, line
    return "\n".join(kept)


def mpi_includes():
    shown = subprocess.run(["mpicxx.openmpi", "-show"], capture_output=True, text=True, check=True).stdout
    return [flag for flag in shown.split() if flag.startswith("-I")]


def by_all_compilers(function):
    """Two at a time."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return zip(COMPILERS, pool.map(function, COMPILERS))


class Rejects(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Precompiles the umbrellas, which take longest to read."""
        cls.flags = ["-std=c++20", "-I" + ROOT, *mpi_includes()]
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())

        def precompile(compiler):
            for name in ("raw", "boost_mpi"):
                header = cls.precompiled(compiler, name)
                header.parent.mkdir(exist_ok=True)
                header.write_text(f"#include <mpiprof/{name}.hpp>\n")
                subprocess.run([compiler, *cls.flags, "-x", "c++-header", header, "-o", f"{header}.gch"], check=True)

        list(by_all_compilers(precompile))

    @classmethod
    def precompiled(cls, compiler, name):
        return pathlib.Path(cls.folder, compiler, name + ".hpp")

    def compile(self, compiler, code):
        umbrella = re.match(r"\s*#include <mpiprof/(raw|boost_mpi)\.hpp>", code)
        first = ["-include", self.precompiled(compiler, umbrella[1])] if umbrella else []
        return subprocess.run([compiler, *self.flags, *first, "-fsyntax-only", "-x", "c++", "-"], input=code,
                              capture_output=True, text=True)

    def compile_by_all(self, code):
        return by_all_compilers(lambda compiler: self.compile(compiler, code))

    def accepts(self, code):
        for compiler, result in self.compile_by_all(code):
            with self.subTest(compiler=compiler):
                self.assertEqual(result.returncode, 0, result.stderr)

    def rejects(self, code, *messages):
        for compiler, result in self.compile_by_all(code):
            with self.subTest(compiler=compiler):
                self.assertNotEqual(result.returncode, 0)
                for message in messages:
                    self.assertRegex(result.stderr, message)
                said = [line for line in result.stderr.splitlines() if "In file included from" not in line]
                self.assertLess(len(said), 80, result.stderr)

    def test_a_communicator_without_one_of_its_calls(self):
        self.accepts(FOREIGN)
        for call, part in [("wait_all", "completes_requests"), ("barrier", "has_collectives"), ("identity", "has_identity"),
                           ("send", "sends_and_receives"), ("irecv", "starts_requests")]:
            self.rejects(without(f" {call}(foreign"), "constraints? not satisfied", part, f"::{call}")

    def test_a_communicator_with_the_wrong_type(self):
        self.rejects(FOREIGN.replace("int rank(", "long rank("), "rank", "same_as")
        self.rejects(FOREIGN.replace("request isend", "int isend"), "isend")

    def test_a_type_that_never_opted_in(self):
        self.rejects(FOREIGN + "struct other {}; void more(other const& o) { mpiprof::barrier(o); }",
                     "has_communicator_traits", "other")
        self.rejects(FOREIGN + "void more() { mpiprof::barrier(5); }", "has_communicator_traits")

    def test_a_bare_mpi_comm_is_no_communicator(self):
        self.accepts(RAW + "void test() { mpiprof::barrier(mpiprof::raw_communicator{MPI_COMM_WORLD}); }")
        self.rejects(RAW + "void test() { mpiprof::barrier(MPI_COMM_WORLD); }", "has_communicator_traits")

    def test_a_temporary_is_not_profiled(self):
        foreign = RAW + FOREIGN
        self.accepts(foreign + "void more(foreign const& f) { auto comm = mpiprof::profile(f); mpiprof::barrier(comm); }")
        self.rejects(foreign + "void more() { auto comm = mpiprof::profile(foreign{}); }", "profile", "rvalue|lvalue|temporary")

    def test_BM11_BM13_BM15_values_that_mpi_cannot_describe(self):
        code = RAW + "void test(%s value) { mpiprof::profile(MPI_COMM_WORLD).send(0, 1, &value, 1); }"
        self.accepts(code % "double")
        for value in ("int*", "std::optional<int>", "std::variant<int, double>", "std::vector<bool>"):
            self.rejects(code % value, "send", "mpi_type|named_type")

    def refuses(self, code, cases):
        """`code` with all the statements that are the cases' keys has one error for each, a line that is its value."""
        for compiler, result in self.compile_by_all(code % "; ".join(cases)):
            with self.subTest(compiler=compiler):
                errors = [line for line in result.stderr.splitlines() if "error:" in line]
                self.assertEqual(len(errors), len(cases), result.stderr)
                for statement, message in cases.items():
                    matches = [line for line in errors if re.search("error: static.assert.*mpiprof: .*" + message, line)]
                    self.assertEqual(len(matches), list(cases.values()).count(message), (statement, errors))

    def test_BM11_BM13_BM15_typed_calls_say_what_mpi_cannot_describe(self):
        code = RAW + """
#include <array>
#include <deque>
#include <memory>
#include <string>
struct point { double x, y; };
struct other_point { float x, y; };
auto const world = mpiprof::profile(MPI_COMM_WORLD);
template <class T> void send(T const& value) { world.send(value, 1, 0); }
void test() { %s; }
"""
        self.accepts(code % "send(std::vector<std::array<double, 3>>{}); send(std::string{}); send(5)")
        pointer = "a pointer means nothing.*std::span"
        optional = "MPI has no datatype for std::optional"
        ranges = "the elements are ranges.*one by one"
        apart = "not in one piece of memory.*copy them to a std::vector"
        other = "MPI has no datatype for this type.*MPI_Type_create_struct"
        self.refuses(code, {
            "send((double*)nullptr)": pointer,
            "send((void const*)nullptr)": pointer,
            "send(std::vector<float*>{})": pointer,
            "send(std::array<char const*, 2>{})": pointer,
            "send(std::unique_ptr<int>{})": pointer,
            "send(std::vector<std::shared_ptr<int>>{})": pointer,
            "send(std::optional<int>{})": optional,
            "send(std::vector<std::optional<long>>{})": optional,
            "send(std::vector<bool>{})": r"no elements in memory.*std::vector<char>",
            "send(std::deque<int>{})": apart,
            "send(std::vector<std::string>{})": ranges,
            "send(std::array<std::vector<int>, 2>{})": ranges,
            "send(point{})": other,
            "send(std::vector<other_point>{})": other,
            "send(std::variant<int, double>{})": other,
        })

    def test_typed_calls_refuse_what_would_be_gone_or_is_const(self):
        code = RAW + """
#include <array>
#include <span>
void test(std::vector<int>& out, std::vector<int> const& in, std::vector<long>& other) {
    auto const world = mpiprof::profile(MPI_COMM_WORLD);
    %s;
}
"""
        self.accepts(code % "world.send(std::vector<int>(3), 1, 0); world.isend(std::span{in}, 1, 0); world.bcast(out, other[0])")
        self.refuses(code, {
            "world.isend(std::vector<int>(3), 1, 0)": "temporary is gone before the request completes",
            "world.gatherv(in, out, other, in, 0)": "counts and displacements are ranges of int",
            "world.iallgatherv(in, out, in, std::array<int, 3>{})": "temporary is gone before the request completes",
            "world.ibcast(std::vector<int>(3), 0)": "received in a temporary is lost",
            "world.recv(std::vector<long>(3), 1, 0)": "received in a temporary is lost",
            "world.recv(in, 1, 0)": "the values are const",
            "world.bcast(std::span{in}, 0)": "the values are const",
            "world.allreduce(in, other, std::plus<>{})": "of different types",
            "world.allreduce(in, out, std::minus<>{})": "MPI has no operator of this name",
        })

    def test_BM11_a_vector_of_bools_over_boost(self):
        code = BOOST + "void test(std::vector<%s>& v) { mpiprof::boost_mpi::communicator world; %s }"
        calls = [f"world.{call}(0, 1, v);" for call in ("send", "recv", "isend", "irecv")]
        self.accepts(code % ("char", " ".join(calls)))
        for call in calls:
            self.rejects(code % ("bool", call), r"error: static.assert.* failed.*Boost\.MPI cannot \w+ a std::vector<bool>")

    def test_collectives_that_boost_does_not_compile_either(self):
        code = BOOST + """
#include <boost/mpi/collectives/all_gatherv.hpp>
#include <boost/serialization/string.hpp>
void test(%s::communicator const& world, int* in, int* out, std::vector<int> const& sizes, std::string* texts) { %s }
"""
        fits = "all_gatherv(world, in, out, sizes, sizes); gather(world, *texts, 0);"
        does_not = "all_gatherv(world, *in, out, sizes, sizes); gather(world, texts, 2, 0);"
        for communicator in ("boost::mpi", "mpiprof::boost_mpi"):
            with self.subTest(communicator=communicator):
                self.accepts(code % (communicator, fits))
                self.rejects(code % (communicator, does_not), "no matching function.*all_gatherv_impl",
                             "no matching function.*gather_impl")

    def test_operators_that_mpi_does_not_have(self):
        code = RAW + "void test(int* in, int* out) { mpiprof::profile(MPI_COMM_WORLD).allreduce(in, out, 1, %s); }"
        self.accepts(code % "std::plus<int>{}")
        self.rejects(code % "std::minus<>{}", "allreduce", "mpi_operator|named_operator")

    def test_policies_that_are_not_whole(self):
        code = RAW + """
struct my_sink { static constexpr char const* name = "mine"; void record(mpiprof::call const&) %s {} };
struct my_clock {
    using time_point = %s;
    static constexpr bool enabled = true;
    static constexpr char const* name = "mine";
    static time_point now() noexcept { return {}; }
    static std::int64_t nanoseconds(time_point, time_point) noexcept { return 0; }
};
using mine = mpiprof::instrumentation<my_clock, mpiprof::bytes::payload, my_sink>;
static_assert(mine::enabled);
"""
        self.accepts(code % ("noexcept", "long"))
        self.rejects(code % ("", "long"), "sink", "noexcept|noexcept requirement")
        self.rejects(code % ("noexcept", "double"), "timing_policy", "integral")

    def test_counting_archives_without_what_counts_them(self):
        code = """
#include <mpiprof/boost_mpi.hpp>
%s
template struct mpiprof::boost_mpi::detail::archive_counter<mpiprof::bytes::serialized>;
"""
        self.accepts(code % "#include <mpiprof/boost_mpi/serialized_size.hpp>")
        self.rejects(code % "", "mpiprof/boost_mpi/serialized_size.hpp>: include it")

    def test_a_function_whose_roles_do_not_fit_its_prototype(self):
        code = """
#include <mpiprof/raw.hpp>
struct row {
    static constexpr auto function = &MPI_Wait;
    static constexpr auto operation = mpiprof::operation::wait;
    static constexpr auto movement = mpiprof::raw::movement::nothing;
    static constexpr mpiprof::raw::roles roles{mpiprof::raw::role::request, mpiprof::raw::role::%s};
};
int wait(MPI_Request* request, MPI_Status* status) {
    return mpiprof::raw::function<row, mpiprof::off>{}(request, status);
}
"""
        self.accepts(code % "status")
        self.rejects(code % "flag", "the row's roles do not fit its function")

    def test_an_older_language_is_told_in_one_line(self):
        for compiler in COMPILERS:
            result = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", "-I" + ROOT, "-x", "c++", "-"],
                                    input="#include <mpiprof/core/config.hpp>\n", capture_output=True, text=True)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("mpiprof needs C++20", result.stderr.splitlines()[1] + result.stderr.splitlines()[0])


if __name__ == "__main__":
    unittest.main()
