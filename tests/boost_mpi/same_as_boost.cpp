#include "tests/boost_mpi/same_as_boost.hpp"

#include <algorithm>
#include <ostream>
#include <string_view>

namespace boost_mpi_tests {

namespace {

/// A free order's calls in a fixed one: how requests complete is left to chance, what was moved is not.
std::vector<pmpi_log::call> in_fixed_order(std::vector<pmpi_log::call> calls) {
    std::erase_if(calls, [](pmpi_log::call const& each) {
        return each.function.starts_with("Wait") || each.function.starts_with("Test");
    });
    std::sort(calls.begin(), calls.end());
    return calls;
}

void expect_same_mpi_calls(outcome const& plain, outcome const& other, order how) {
    bool const free = how == order::free;
    EXPECT_EQ(free ? in_fixed_order(plain.mpi_calls) : plain.mpi_calls,
              free ? in_fixed_order(other.mpi_calls) : other.mpi_calls);
    EXPECT_EQ(plain.completed, other.completed);
}

/// In this source file, or where the exchange that several share makes its calls.
bool stands_in(mpiprof::call_site site, char const* file) {
    std::string_view const where = site.file();
    return where == file || where.ends_with("/exchange.hpp");
}

void expect_same_records(outcome const& first, outcome const& other) {
    EXPECT_EQ(first.calls, other.calls);
    EXPECT_EQ(first.completions, other.completions);
}

}  // namespace

collected& recorded() {
    static collected all;
    return all;
}

std::ostream& operator<<(std::ostream& out, record const& call) {
    out << "\n  " << call.operation;
    if (!call.request.empty()) out << " request=" << call.request;
    return out << " flags=" << call.flags << " peer=" << call.peer << " tag=" << call.tag
               << " root=" << call.root << " sent=" << call.sent << " received=" << call.received
               << " capacity=" << call.capacity << " overhead=" << call.overhead;
}

std::ostream& operator<<(std::ostream& out, completion const& done) {
    return out << "\n  " << done.operation << " peer=" << done.peer << " tag=" << done.tag
               << " received=" << done.received << (done.cancelled ? " cancelled" : "");
}

int world_rank() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int world_size() {
    int size = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

int next_rank() { return (world_rank() + 1) % world_size(); }
int previous_rank() { return (world_rank() + world_size() - 1) % world_size(); }

int type_nbytes(MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return size;
}

std::vector<record> calls_in(char const* file) {
    std::vector<record> calls;
    for (auto const& each : recorded().calls) {
        EXPECT_LE(each.begin, each.end);
        EXPECT_TRUE(stands_in(each.site, file)) << each.site.file();
        if ((each.flags & mpiprof::call_incomplete) != 0) continue;
        bool const is_irecv = each.operation == mpiprof::operation::irecv;
        calls.push_back({name(each.operation),
                         each.request == mpiprof::operation::none ? "" : name(each.request), each.flags,
                         each.peer, each.tag, each.root, each.sent, each.received,
                         is_irecv ? each.capacity : -1, each.overhead});
    }
    return calls;
}

std::vector<completion> completions_in(char const* file) {
    std::vector<completion> completions;
    for (auto const& each : recorded().completions) {
        EXPECT_LE(each.posted, each.observed);
        EXPECT_TRUE(stands_in(each.site, file)) << each.site.file();
        completions.push_back({name(each.operation), each.peer, each.tag, each.received, each.cancelled});
    }
    return completions;
}

void begin_run() {
    PMPI_Barrier(MPI_COMM_WORLD);
    recorded() = {};
    pmpi_log::clear();
}

outcome detail::same_as_boost(scenario_functions const& functions, order how, char const* file) {
    boost::mpi::communicator const plain;
    profiled_communicator const profiled;
    auto const run = [&](bool over_boost) {
        begin_run();
        if (over_boost) functions.over_boost(functions.scenario, plain);
        else functions.over_mpiprof(functions.scenario, profiled);
        return outcome{pmpi_log::calls(), pmpi_log::completed(), pmpi_log::queries(), calls_in(file),
                       completions_in(file)};
    };
    auto const expected = run(true);
    expect_same_records({}, expected);
    auto const first = run(false);
    expect_same_mpi_calls(expected, first, how);
    for (int const half : {0, 1}) {
        SCOPED_TRACE("half of the ranks over boost::mpi");
        bool const over_boost = world_rank() % 2 == half;
        auto const mixed = run(over_boost);
        expect_same_mpi_calls(expected, mixed, how);
        expect_same_records(over_boost ? outcome{} : first, mixed);
    }
    return first;
}

}  // namespace boost_mpi_tests
