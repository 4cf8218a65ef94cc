// Errors: their codes come back as they are, and what failed carries no bytes.
//
// It has an own main, without MPI_THREAD_MULTIPLE: with it MPICH 4.0.2 aborts when an error handler
// communicates, and Open MPI 4.1.4 waits for ever for a receive that failed before.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace {

using cases::error_class;
using cases::recorded;
using cases::recorder;
using mpiprof::operation;

TEST(errors, E1_codes_of_wrong_arguments_come_back) {
    CASES_NEED_RANKS(2);
    cases::errors_return const guard;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int value = 0;
    EXPECT_EQ(error_class(world.send(&value, 1, MPI_INT, 99, 0)), MPI_ERR_RANK);
    EXPECT_EQ(error_class(PMPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD)), MPI_ERR_RANK);
    EXPECT_EQ(error_class(world.send(&value, -1, MPI_INT, 0, 0)), MPI_ERR_COUNT);
    EXPECT_EQ(error_class(PMPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD)), MPI_ERR_COUNT);
    auto request = world.isend(&value, 1, MPI_INT, 99, 0);
    EXPECT_EQ(error_class(request.error()), MPI_ERR_RANK);
    EXPECT_EQ(error_class(world.bcast(&value, 1, MPI_INT, 99)), MPI_ERR_ROOT);
    EXPECT_EQ(records.calls().size(), 4U);
    for (auto const& call : records.calls()) {
        EXPECT_EQ(call.flags, mpiprof::call_failed) << mpiprof::name(call.operation);
        EXPECT_EQ(call.sent, 0);
        EXPECT_EQ(call.received, 0);
    }
    EXPECT_TRUE(records.completions().empty());
    EXPECT_EQ(records.call(operation::bcast).root, 99);
}

TEST(errors, E1_a_receive_that_is_too_small) {
    CASES_NEED_RANKS(2);
    cases::errors_return const guard;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 4> buffer{};
    if (world.rank() == 0) {
        world.send(buffer.data(), 4, MPI_INT, 1, 0);
    } else {
        EXPECT_EQ(error_class(world.recv(buffer.data(), 1, MPI_INT, 0, 0, MPI_STATUS_IGNORE)),
                  MPI_ERR_TRUNCATE);
        auto const recv = records.call(operation::recv);
        EXPECT_EQ(recv.flags, mpiprof::call_failed);
        EXPECT_EQ(recv.received, 0);
    }
}

struct plain_calls {
    static constexpr auto irecv = &PMPI_Irecv;
    static constexpr auto wait = &PMPI_Wait;
    static constexpr auto waitall = &PMPI_Waitall;
    static constexpr auto waitany = &PMPI_Waitany;
    static constexpr auto test = &PMPI_Test;
    static constexpr auto testall = &PMPI_Testall;
    static constexpr auto testany = &PMPI_Testany;
    static constexpr auto waitsome = &PMPI_Waitsome;
    static constexpr auto testsome = &PMPI_Testsome;
};

struct profiled_calls {
    static constexpr auto irecv = cases::calls::irecv;
    static constexpr auto wait = cases::calls::wait;
    static constexpr auto waitall = cases::calls::waitall;
    static constexpr auto waitany = cases::calls::waitany;
    static constexpr auto test = cases::calls::test;
    static constexpr auto testall = cases::calls::testall;
    static constexpr auto testany = cases::calls::testany;
    static constexpr auto waitsome = cases::calls::waitsome;
    static constexpr auto testsome = cases::calls::testsome;
};

/// Rank 1 receives two messages, the first of which does not fit; returns what `complete` does there.
template <class Calls>
std::vector<int> receive_one_too_large(Calls calls, auto complete) {
    std::array<int, 8> buffer{};
    std::array<MPI_Request, 2> requests{};
    bool const receives = cases::world_rank() == 1;
    if (receives) {
        calls.irecv(buffer.data(), 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
        calls.irecv(buffer.data() + 4, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[1]);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    if (!receives) {
        PMPI_Send(buffer.data(), 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
        PMPI_Send(buffer.data(), 3, MPI_INT, 1, 2, MPI_COMM_WORLD);
        PMPI_Send(nullptr, 0, MPI_INT, 1, 3, MPI_COMM_WORLD);
        return {};
    }
    // When this one is here, both are.
    PMPI_Recv(nullptr, 0, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return complete(calls, requests.data());
}

/// `complete(calls, requests)` completes both requests, and returns what the calls said. Profiled ones say
/// what plain ones say, one of them fails, and the request that succeeded is completed.
void expect_one_completion(mpiprof::operation which, auto complete) {
    cases::errors_return const guard;
    auto const plain = receive_one_too_large(plain_calls{}, complete);
    recorder const records;
    auto const in_flight = mpiprof::raw::request_table::instance().size();
    auto const profiled = receive_one_too_large(profiled_calls{}, complete);
    EXPECT_EQ(profiled, plain);
    // The request that failed is over too: what gets its handle next must not be taken for it.
    EXPECT_EQ(mpiprof::raw::request_table::instance().size(), in_flight);
    if (cases::world_rank() != 1) return;
    auto const done = records.completion(operation::irecv);
    EXPECT_EQ(done.tag, 2);
    EXPECT_EQ(done.received, 12);
    auto const calls = records.calls(which);
    EXPECT_EQ(std::count_if(calls.begin(), calls.end(),
                            [](auto const& call) { return call.flags == mpiprof::call_failed; }),
              1);
}

/// The classes of a code and of the codes in the statuses, where the code says to look there; then which
/// requests are over. Some libraries leave one pending when another one failed: it is completed now.
std::vector<int> told(auto calls, int code, MPI_Status const* statuses, MPI_Request* requests) {
    std::vector<int> all{error_class(code)};
    for (int i = 0; i < 2; ++i) {
        if (all.front() == MPI_ERR_IN_STATUS && statuses != nullptr)
            all.push_back(error_class(statuses[i].MPI_ERROR));
        all.push_back(requests[i] == MPI_REQUEST_NULL);
    }
    all.push_back(calls.waitall(2, requests, MPI_STATUSES_IGNORE));
    return all;
}

TEST(errors, E3_wait_completes_what_succeeded) {
    CASES_NEED_RANKS(2);
    expect_one_completion(operation::wait, [](auto calls, MPI_Request* requests) {
        return std::vector{error_class(calls.wait(&requests[0], MPI_STATUS_IGNORE)),
                           error_class(calls.wait(&requests[1], MPI_STATUS_IGNORE))};
    });
}

TEST(errors, E3_waitall_completes_what_succeeded) {
    CASES_NEED_RANKS(2);
    expect_one_completion(operation::waitall, [](auto calls, MPI_Request* requests) {
        std::array<MPI_Status, 2> statuses{};
        int const code = calls.waitall(2, requests, statuses.data());
        return told(calls, code, statuses.data(), requests);
    });
}

TEST(errors, E3_waitall_that_ignores_statuses_completes_what_succeeded) {
    CASES_NEED_RANKS(2);
    expect_one_completion(operation::waitall, [](auto calls, MPI_Request* requests) {
        int const code = calls.waitall(2, requests, MPI_STATUSES_IGNORE);
        return told(calls, code, nullptr, requests);
    });
}

TEST(errors, E3_testall_completes_what_succeeded) {
    CASES_NEED_RANKS(2);
    expect_one_completion(operation::testall, [](auto calls, MPI_Request* requests) {
        std::array<MPI_Status, 2> statuses{};
        int code = MPI_SUCCESS;
        for (int flag = 0; code == MPI_SUCCESS && flag == 0;)
            code = calls.testall(2, requests, &flag, statuses.data());
        return told(calls, code, statuses.data(), requests);
    });
}

TEST(errors, E3_waitany_completes_what_succeeded) {
    CASES_NEED_RANKS(2);
    expect_one_completion(operation::waitany, [](auto calls, MPI_Request* requests) {
        std::vector<int> said;
        for (int completed = 0; completed < 2; ++completed) {
            int index = -1;
            said.push_back(error_class(calls.waitany(2, requests, &index, MPI_STATUS_IGNORE)));
            said.push_back(index);
        }
        return said;
    });
}

TEST(errors, E3_testany_completes_what_succeeded) {
    CASES_NEED_RANKS(2);
    expect_one_completion(operation::testany, [](auto calls, MPI_Request* requests) {
        std::vector<int> said;
        for (int completed = 0; completed < 2; ++completed) {
            int index = -1;
            int code = MPI_SUCCESS;
            for (int flag = 0; code == MPI_SUCCESS && flag == 0;)
                code = calls.testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
            said.insert(said.end(), {error_class(code), index});
        }
        return said;
    });
}

TEST(errors, E3_test_completes_what_succeeded) {
    CASES_NEED_RANKS(2);
    expect_one_completion(operation::test, [](auto calls, MPI_Request* requests) {
        std::vector<int> said;
        for (int i = 0; i < 2; ++i) {
            int code = MPI_SUCCESS;
            for (int flag = 0; code == MPI_SUCCESS && flag == 0;)
                code = calls.test(&requests[i], &flag, MPI_STATUS_IGNORE);
            said.push_back(error_class(code));
        }
        return said;
    });
}

/// Calls `some(statuses)` until both requests are over. Returns how many ended in success and how many not,
/// by the codes in the statuses; how many a call reports at once is up to the library.
std::vector<int> ended(MPI_Request* requests, auto some) {
    std::array<MPI_Status, 2> statuses{};
    std::array<int, 2> indices{};
    int succeeded = 0;
    int failed = 0;
    while (requests[0] != MPI_REQUEST_NULL || requests[1] != MPI_REQUEST_NULL) {
        int completed = 0;
        int const code = some(&completed, indices.data(), statuses.data());
        for (int i = 0; i < completed; ++i) {
            bool const one_failed = error_class(code) == MPI_ERR_IN_STATUS &&
                                    statuses.at(static_cast<std::size_t>(i)).MPI_ERROR != MPI_SUCCESS;
            ++(one_failed ? failed : succeeded);
        }
    }
    return {succeeded, failed};
}

TEST(errors, E3_waitsome_completes_what_succeeded) {
    CASES_NEED_RANKS(2);
    expect_one_completion(operation::waitsome, [](auto calls, MPI_Request* requests) {
        return ended(requests, [&](int* completed, int* indices, MPI_Status* statuses) {
            return calls.waitsome(2, requests, completed, indices, statuses);
        });
    });
}

TEST(errors, E3_waitsome_that_ignores_statuses_completes_what_succeeded) {
    CASES_NEED_RANKS(2);
    expect_one_completion(operation::waitsome, [](auto calls, MPI_Request* requests) {
        std::vector<int> said;
        while (requests[0] != MPI_REQUEST_NULL || requests[1] != MPI_REQUEST_NULL) {
            std::array<int, 2> indices{};
            int completed = 0;
            said.push_back(
                error_class(calls.waitsome(2, requests, &completed, indices.data(), MPI_STATUSES_IGNORE)));
            said.push_back(completed);
        }
        return said;
    });
}

TEST(errors, E3_testsome_completes_what_succeeded) {
    CASES_NEED_RANKS(2);
    expect_one_completion(operation::testsome, [](auto calls, MPI_Request* requests) {
        return ended(requests, [&](int* completed, int* indices, MPI_Status* statuses) {
            return calls.testsome(2, requests, completed, indices, statuses);
        });
    });
}

TEST(errors, E3_objects_of_requests_that_failed) {
    CASES_NEED_RANKS(2);
    cases::errors_return const guard;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 8> buffer{};
    if (world.rank() == 0) {
        PMPI_Barrier(MPI_COMM_WORLD);
        world.send(buffer.data(), 4, MPI_INT, 1, 1);
        world.send(buffer.data(), 3, MPI_INT, 1, 2);
        return;
    }
    mpiprof::request_of<decltype(world)> requests[2] = {world.irecv(0, 1, buffer.data(), 1),
                                                        world.irecv(0, 2, buffer.data() + 4, 4)};
    PMPI_Barrier(MPI_COMM_WORLD);
    EXPECT_NE(mpiprof::wait_all(requests, 2), MPI_SUCCESS);
    mpiprof::wait_all(requests, 2);
    for (auto const& request : requests) EXPECT_FALSE(request.active());
    EXPECT_EQ(records.completion(operation::irecv).tag, 2);
    EXPECT_EQ(records.completion(operation::irecv).received, 12);
    // The object of the one that failed is free for another request.
    requests[0] = world.irecv(MPI_PROC_NULL, 5, buffer.data(), 1);
    EXPECT_EQ(requests[0].wait(), MPI_SUCCESS);
    EXPECT_EQ(records.completions(operation::irecv).back().tag, 5);
}

TEST(errors, E1_codes_of_all_kinds_of_calls_come_back) {
    CASES_NEED_RANKS(2);
    cases::errors_return const guard;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int value = 0;
    int other = 0;
    int flag = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Message message = MPI_MESSAGE_NULL;
    EXPECT_EQ(error_class(world.send_init(&value, 1, MPI_INT, 99, 0, &request)), MPI_ERR_RANK);
    EXPECT_EQ(
        error_class(world.sendrecv(&value, 1, MPI_INT, 99, 0, &value, 1, MPI_INT, 0, 0, MPI_STATUS_IGNORE)),
        MPI_ERR_RANK);
    EXPECT_EQ(error_class(world.improbe(99, 0, &flag, &message, MPI_STATUS_IGNORE)), MPI_ERR_RANK);
    EXPECT_EQ(error_class(world.mprobe(99, 0, &message, MPI_STATUS_IGNORE)), MPI_ERR_RANK);
    EXPECT_EQ(error_class(world.ibcast(&value, 1, MPI_INT, 99, &request)), MPI_ERR_ROOT);
    EXPECT_EQ(error_class(world.allreduce(&value, &other, 1, MPI_INT, MPI_OP_NULL)), MPI_ERR_OP);
    EXPECT_NE(world.cart_create(-1, &value, &value, 0, &made), MPI_SUCCESS);
    EXPECT_NE(world.irecv(&value, 1, MPI_DATATYPE_NULL, 0, 0).error(), MPI_SUCCESS);
    EXPECT_EQ(records.calls().size(), 8U);
    for (auto const& call : records.calls()) {
        EXPECT_EQ(call.flags, mpiprof::call_failed) << mpiprof::name(call.operation);
        EXPECT_EQ(call.sent, 0) << mpiprof::name(call.operation);
        EXPECT_EQ(call.received, 0) << mpiprof::name(call.operation);
    }
    EXPECT_TRUE(records.completions().empty());
    EXPECT_EQ(cases::requests_in_flight(), 0U);
}

/// An error handler of the program's that communicates; and what it saw.
struct communicating_handler {
    static inline int calls = 0;
    static inline int code = MPI_SUCCESS;

    static void handle(MPI_Comm* comm, int* error, ...) {
        ++calls;
        code = *error;
        int rank = -1;
        PMPI_Comm_rank(*comm, &rank);
        int const out = rank;
        int in = -1;
        recorded(MPI_COMM_SELF).sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, MPI_STATUS_IGNORE);
        EXPECT_EQ(in, rank);
    }
};

TEST(errors, E4_an_error_handler_that_communicates) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    auto part = world.dup();
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_create_errhandler(&communicating_handler::handle, &handler);
    PMPI_Comm_set_errhandler(part.native(), handler);
    int value = 0;
    int const code = part.send(&value, 1, MPI_INT, 99, 0);
    EXPECT_EQ(error_class(code), MPI_ERR_RANK);
    EXPECT_EQ(communicating_handler::calls, 1);
    EXPECT_EQ(communicating_handler::code, code);
    EXPECT_EQ(records.call(operation::send).flags, mpiprof::call_failed);
    EXPECT_EQ(records.call(operation::sendrecv).sent, 4);
    EXPECT_EQ(records.completion(operation::sendrecv).communicator, mpiprof::self_communicator);

    int const other = 1 - part.rank();
    auto received = part.irecv(other, 1, &value, 1);
    EXPECT_EQ(part.send(&value, 1, MPI_INT, other, 1), MPI_SUCCESS);
    received.wait();
    ASSERT_EQ(records.calls(operation::send).size(), 2U);
    EXPECT_EQ(records.calls(operation::send)[1].sent, 4);
    EXPECT_EQ(communicating_handler::calls, 1);
    PMPI_Errhandler_free(&handler);
    part.free();
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    testing::InitGoogleTest(&argc, argv);
    int const failed = RUN_ALL_TESTS();
    MPI_Finalize();
    return failed;
}
