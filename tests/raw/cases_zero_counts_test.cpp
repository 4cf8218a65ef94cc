// MPI_BOTTOM, null buffers and counts of zero.
#include "tests/raw/recorder.hpp"
#include "tests/raw/stderr_capture.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace {

using cases::error_class;
using cases::recorded;
using cases::recorder;
using mpiprof::operation;

TEST(bottom, B1_an_absolute_address_is_a_message_as_any_other) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int value = world.rank() == 0 ? 42 : 0;
    MPI_Aint address = 0;
    PMPI_Get_address(&value, &address);
    int const length = 1;
    MPI_Datatype const element = MPI_INT;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_create_struct(1, &length, &address, &element, &made);
    cases::committed const type{made};
    cases::stderr_capture captured;
    if (world.rank() == 0) world.send(MPI_BOTTOM, 1, type, 1, 0);
    else world.recv(MPI_BOTTOM, 1, type, 0, 0, MPI_STATUS_IGNORE);
    EXPECT_EQ(captured.text(), "");
    EXPECT_EQ(value, 42);
    if (world.rank() == 0) EXPECT_EQ(records.call(operation::send).sent, 4);
    else EXPECT_EQ(records.call(operation::recv).received, 4);
}

TEST(zero_counts, Z1_reductions_of_nothing) {
    CASES_NEED_RANKS(2);
    cases::errors_return const guard;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    EXPECT_EQ(error_class(world.reduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, 0)),
              error_class(PMPI_Reduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD)));
    EXPECT_EQ(error_class(world.allreduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM)),
              error_class(PMPI_Allreduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD)));
    std::vector<int> const nothing;
    EXPECT_EQ(world.allreduce(nothing.data(), static_cast<int*>(nullptr), nothing.size(), std::plus<>{}),
              MPI_SUCCESS);
    EXPECT_EQ(records.calls().size(), 3U);
    for (auto const& call : records.calls()) {
        EXPECT_EQ(call.sent, 0);
        EXPECT_EQ(call.received, 0);
    }
}

TEST(zero_counts, Z2_empty_lists_of_requests) {
    CASES_NEED_RANKS(1);
    recorder const records;
    std::optional<cases::request_in_flight> other;
    for (bool const in_flight : {false, true}) {
        if (in_flight) other.emplace();
        int index = 0;
        int flag = 0;
        EXPECT_EQ(cases::calls::waitany(0, nullptr, &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(index, MPI_UNDEFINED);
        EXPECT_EQ(cases::calls::waitall(0, nullptr, MPI_STATUSES_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(cases::calls::testall(0, nullptr, &flag, MPI_STATUSES_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(flag, 1);
        mpiprof::request_of<decltype(recorded(MPI_COMM_WORLD))>* const none = nullptr;
        EXPECT_EQ(mpiprof::wait_all(none, 0), MPI_SUCCESS);
    }
    EXPECT_TRUE(records.completions().empty());
    EXPECT_EQ(records.calls(operation::waitall).size(), 4U);
}

TEST(zero_counts, Z3_elements_of_a_type_without_any) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    cases::committed const empty{cases::contiguous(0, MPI_INT)};
    int const out = 0;
    int in = 0;
    EXPECT_EQ(world.alltoall(&out, 5, empty, &in, 5, empty), MPI_SUCCESS);
    auto const call = records.call(operation::alltoall);
    EXPECT_EQ(call.sent, 0);
    EXPECT_EQ(call.received, 0);
}

/// A recording of its own for each capacity.
template <std::size_t Capacity>
using summary_of = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload,
                                            mpiprof::sinks::basic_summary<Capacity>>;

/// No number in it is one that JSON cannot hold, or a count that wrapped around.
void expect_sound(nlohmann::json const& value) {
    if (value.is_structured()) {
        for (auto const& each : value) expect_sound(each);
    } else if (value.is_number()) {
        EXPECT_TRUE(std::isfinite(value.get<double>())) << value;
        EXPECT_GE(value.get<double>(), -1.0) << value;
        EXPECT_LE(value.get<double>(), 1e18) << value;
    } else {
        EXPECT_FALSE(value.is_null());
    }
}

/// The profile of a recording as its file has it, read back.
template <std::size_t Capacity>
nlohmann::json profile_of(mpiprof::profiler<summary_of<Capacity>> const& profiler) {
    auto const parsed = nlohmann::json::parse(mpiprof::results::to_json(profiler.snapshot()), nullptr, false);
    EXPECT_FALSE(parsed.is_discarded());
    expect_sound(parsed);
    return parsed;
}

TEST(zero_counts, Z5_a_run_without_calls_has_a_profile) {
    CASES_NEED_RANKS(2);
    mpiprof::profiler<summary_of<8>> const profiler{{.output = cases::in_test_directory("empty.json")}};
    auto const run = profile_of<8>(profiler);
    EXPECT_TRUE(run.at("operations").empty());
    EXPECT_TRUE(run.at("calls").empty());
    EXPECT_TRUE(run.at("completions").empty());
    EXPECT_EQ(run.at("mpi_time").at("sum"), 0);
    EXPECT_EQ(run.at("world_size"), 2);
}

TEST(zero_counts, Z5_a_run_of_one_barrier_has_a_profile) {
    CASES_NEED_RANKS(2);
    mpiprof::profiler<summary_of<16>> const profiler{{.output = cases::in_test_directory("barrier.json")}};
    mpiprof::profile(MPI_COMM_WORLD, profiler).barrier();
    auto const run = profile_of<16>(profiler);
    ASSERT_EQ(run.at("operations").size(), 1U);
    EXPECT_EQ(run.at("operations")[0].at("operation"), "barrier");
    EXPECT_EQ(run.at("operations")[0].at("statistics").at("calls"), 1);
    EXPECT_EQ(run.at("operations")[0].at("statistics").at("sent"), 0);
    EXPECT_TRUE(run.at("completions").empty());
}

TEST(zero_counts, Z5_a_run_of_one_message_has_a_profile) {
    CASES_NEED_RANKS(2);
    mpiprof::profiler<summary_of<32>> const profiler{{.output = cases::in_test_directory("message.json")}};
    auto const world = mpiprof::profile(MPI_COMM_WORLD, profiler);
    int value = 0;
    if (world.rank() == 0) world.send(&value, 1, MPI_INT, 1, 0);
    else world.recv(&value, 1, MPI_INT, 0, 0, MPI_STATUS_IGNORE);
    auto const run = profile_of<32>(profiler);
    ASSERT_EQ(run.at("operations").size(), 1U);
    EXPECT_EQ(run.at("operations")[0].at("operation"), world.rank() == 0 ? "send" : "recv");
    EXPECT_EQ(run.at("operations")[0].at("statistics").at(world.rank() == 0 ? "sent" : "received"), 4);
}

TEST(zero_counts, Z6_a_message_of_nothing_is_a_message) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::vector<int> nothing;
    cases::stderr_capture captured;
    if (world.rank() == 0) {
        EXPECT_EQ(world.send(nullptr, 0, MPI_BYTE, 1, 0), MPI_SUCCESS);
        EXPECT_EQ(world.send(1, 0, nothing.data(), nothing.size()), MPI_SUCCESS);
    } else {
        EXPECT_EQ(world.recv(nullptr, 0, MPI_BYTE, 0, 0, MPI_STATUS_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(world.recv(0, 0, nothing.data(), nothing.size()), MPI_SUCCESS);
    }
    EXPECT_EQ(captured.text(), "");
    auto const calls = records.calls(world.rank() == 0 ? operation::send : operation::recv);
    ASSERT_EQ(calls.size(), 2U);
    for (auto const& call : calls) {
        EXPECT_EQ(call.sent, 0);
        EXPECT_EQ(call.received, 0);
        EXPECT_EQ(call.peer, 1 - world.rank());
        EXPECT_EQ(call.flags, 0);
    }
}

TEST(bottom, B1_in_requests_and_collectives) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int value = world.rank() == 0 ? 42 : 0;
    MPI_Aint address = 0;
    PMPI_Get_address(&value, &address);
    int const length = 1;
    MPI_Datatype const element = MPI_INT;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_create_struct(1, &length, &address, &element, &made);
    cases::committed const type{made};
    bool const sends = world.rank() == 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (sends) world.isend(MPI_BOTTOM, 1, type, 1, 0, &request);
    else world.irecv(MPI_BOTTOM, 1, type, 0, 0, &request);
    cases::calls::wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(value, 42);
    value = sends ? 43 : 0;
    world.bcast(MPI_BOTTOM, 1, type, 0);
    EXPECT_EQ(value, 43);
    if (sends) world.send_init(MPI_BOTTOM, 1, type, 1, 1, &request);
    else world.recv_init(MPI_BOTTOM, 1, type, 0, 1, &request);
    cases::calls::start(&request);
    cases::calls::wait(&request, MPI_STATUS_IGNORE);
    cases::calls::request_free(&request);
    EXPECT_EQ(records.call(operation::bcast).sent, sends ? 4 : 0);
    EXPECT_EQ(records.call(operation::bcast).received, sends ? 0 : 4);
    if (sends) {
        EXPECT_EQ(records.call(operation::isend).sent, 4);
        EXPECT_EQ(records.call(operation::start).sent, 4);
    } else {
        EXPECT_EQ(records.completion(operation::irecv).received, 4);
        EXPECT_EQ(records.completion(operation::recv_init).received, 4);
    }
}

TEST(zero_counts, Z6_requests_of_nothing) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const other = 1 - world.rank();
    std::array<MPI_Request, 2> requests{};
    world.irecv(nullptr, 0, MPI_BYTE, other, 1, &requests[0]);
    world.isend(nullptr, 0, MPI_BYTE, other, 1, &requests[1]);
    cases::calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    std::vector<int> nothing;
    auto received = world.irecv(other, 2, nothing.data(), nothing.size());
    auto sent = world.isend(other, 2, nothing.data(), nothing.size());
    received.wait();
    sent.wait();
    world.sendrecv(nullptr, 0, MPI_BYTE, other, 3, nullptr, 0, MPI_BYTE, other, 3, MPI_STATUS_IGNORE);
    EXPECT_EQ(records.completions(operation::irecv).size(), 2U);
    EXPECT_EQ(records.completions(operation::isend).size(), 2U);
    for (auto const& done : records.completions()) {
        EXPECT_EQ(done.received, 0);
        EXPECT_EQ(done.peer, other);
    }
    for (auto const& call : records.calls()) {
        EXPECT_EQ(call.sent, 0);
        EXPECT_EQ(call.flags, 0);
    }
}

TEST(zero_counts, Z6_parts_of_nothing) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 2> const none{};
    int value = 0;
    world.gatherv(nullptr, 0, MPI_INT, &value, none.data(), none.data(), MPI_INT, 0);
    world.alltoallv(&value, none.data(), none.data(), MPI_INT, &value + 1, none.data(), none.data(), MPI_INT);
    world.bcast(nullptr, 0, MPI_INT, 0);
    world.reduce_scatter(&value, &value + 1, none.data(), MPI_INT, MPI_SUM);
    EXPECT_EQ(records.calls().size(), 4U);
    for (auto const& call : records.calls()) {
        EXPECT_EQ(call.sent, 0) << mpiprof::name(call.operation);
        EXPECT_EQ(call.received, 0) << mpiprof::name(call.operation);
        EXPECT_EQ(call.flags, 0) << mpiprof::name(call.operation);
    }
}

}  // namespace
