// Typed calls: values, arrays and ranges in place of MPI's buffer, count and datatype. The values that arrive
// are looked at over the plain and the profiled communicator, the records over the latter.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <complex>
#include <deque>
#include <list>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace {

using cases::error_class;
using cases::recorded;
using cases::recorder;
using mpiprof::operation;
using mpiprof::raw::in_place;
using mpiprof::raw::mpi_values;

enum class color : short { red = 1, green = 2 };

struct point {
    double x, y;
};

static_assert(mpi_values<double> && mpi_values<bool> && mpi_values<std::byte> &&
              mpi_values<std::complex<float>>);
static_assert(mpi_values<color> && mpi_values<char16_t> && mpi_values<int[2][3]> &&
              mpi_values<std::array<color, 3>>);
static_assert(mpi_values<std::vector<double>> && mpi_values<std::vector<double> const&> &&
              mpi_values<std::string>);
static_assert(mpi_values<std::span<int const>> && mpi_values<std::string_view> &&
              mpi_values<std::span<int, 3>>);
static_assert(mpi_values<std::vector<std::array<std::array<int, 2>, 3>>> && mpi_values<std::span<double[3]>>);
static_assert(!mpi_values<int*> && !mpi_values<void*> && !mpi_values<std::nullptr_t> && !mpi_values<point>);
static_assert(!mpi_values<std::optional<int>> && !mpi_values<std::unique_ptr<int>> &&
              !mpi_values<std::vector<bool>>);
static_assert(!mpi_values<std::vector<int*>> && !mpi_values<std::vector<std::string>> &&
              !mpi_values<std::list<int>>);
static_assert(!mpi_values<std::deque<int>> && !mpi_values<std::vector<point>> &&
              !mpi_values<std::array<int*, 2>>);

/// The test over the plain communicator and over the profiled one.
template <class Test>
void over_both(MPI_Comm comm, Test test) {
    test(mpiprof::raw_communicator{comm});
    test(recorded(comm));
}

std::size_t ranks() { return static_cast<std::size_t>(cases::world_size()); }

/// n numbers that tell the rank and the place.
std::vector<int> numbers(std::size_t n, int rank = cases::world_rank()) {
    std::vector<int> made(n);
    std::iota(made.begin(), made.end(), 100 * rank);
    return made;
}

/// What all ranks' numbers(n) are, one after the other.
std::vector<int> numbers_of_all(std::size_t n) {
    std::vector<int> all;
    for (int rank = 0; rank < cases::world_size(); ++rank) {
        auto const part = numbers(n, rank);
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

/// The sum over the ranks of their numbers.
std::vector<int> sum_of_all(std::size_t n, int ranks = cases::world_size()) {
    std::vector<int> sum(n);
    for (int rank = 0; rank < ranks; ++rank) {
        auto const part = numbers(n, rank);
        for (std::size_t i = 0; i < n; ++i) sum[i] += part[i];
    }
    return sum;
}

/// From rank 0 to rank 1; `empty` becomes what was sent.
template <class Values>
void travels(Values const& sent, Values received, std::int64_t bytes) {
    over_both(MPI_COMM_WORLD, [&](auto const& world) {
        recorder const records;
        bool const sends = world.rank() == 0;
        if (sends) EXPECT_EQ(world.send(sent, 1, 7), MPI_SUCCESS);
        else EXPECT_EQ(world.recv(received, 0, 7), MPI_SUCCESS);
        if (!sends) {
            EXPECT_TRUE(std::equal(std::begin(sent), std::end(sent), std::begin(received)));
        }
        if constexpr (requires { world.identity(); }) {
            auto const call = records.call(sends ? operation::send : operation::recv);
            EXPECT_EQ(sends ? call.sent : call.received, bytes);
            EXPECT_EQ(call.peer, sends ? 1 : 0);
            EXPECT_EQ(call.tag, 7);
        }
    });
}

TEST(typed_values, are_ranges_in_one_piece_of_memory_and_arrays) {
    CASES_NEED_RANKS(2);
    travels(std::vector<double>{1, 2, 3}, std::vector<double>(3), 24);
    travels(std::string{"hello"}, std::string(5, ' '), 5);
    travels(std::u16string{u"hello"}, std::u16string(5, u' '), 10);
    travels(std::array<long, 2>{1, 2}, std::array<long, 2>{}, 16);
    travels(std::vector<color>{color::red, color::green}, std::vector<color>(2), 4);
    travels(std::vector<std::complex<double>>{{1, 2}}, std::vector<std::complex<double>>(1), 16);
    travels(std::vector<std::array<float, 3>>{{1, 2, 3}, {4, 5, 6}}, std::vector<std::array<float, 3>>(2),
            24);
    travels(std::vector<double>{}, std::vector<double>{}, 0);
}

TEST(typed_values, are_single_ones_too) {
    CASES_NEED_RANKS(2);
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        int const table[2][3] = {{1, 2, 3}, {4, 5, 6}};
        std::array<int, 6> in{};
        double number = 0;
        if (world.rank() == 0) {
            world.send(2.5, 1, 0);
            world.send(table, 1, 0);
        } else {
            MPI_Status status;
            EXPECT_EQ(world.recv(number, 0, 0), MPI_SUCCESS);
            EXPECT_EQ(number, 2.5);
            EXPECT_EQ(world.recv(std::span{in}, MPI_ANY_SOURCE, MPI_ANY_TAG, &status), MPI_SUCCESS);
            EXPECT_EQ(in, (std::array{1, 2, 3, 4, 5, 6}));
            EXPECT_EQ(status.MPI_SOURCE, 0);
        }
    });
}

TEST(typed_values, BM13_have_the_datatype_of_what_they_are_made_of) {
    CASES_NEED_RANKS(1);
    using mpiprof::raw::message_of;
    std::vector<std::array<double[2], 3>> const blocks(5);
    auto const message = message_of(blocks);
    EXPECT_EQ(message.buffer, blocks.data());
    EXPECT_EQ(message.count, 30);
    EXPECT_EQ(message.datatype, MPI_DOUBLE);
    EXPECT_EQ(mpiprof::raw::message_nbytes(message), 240);
    EXPECT_EQ(mpiprof::raw::message_nbytes(blocks), 240);
    EXPECT_EQ(message_of(std::span<char const>{}).count, 0);
    auto const light = color::green;
    EXPECT_EQ(message_of(light).datatype, MPI_SHORT);
    EXPECT_EQ((mpiprof::raw::message_nbytes(std::array<int, 0>{})), 0);
}

TEST(typed_values, larger_than_an_int_counts_are_rejected_by_mpi) {
    CASES_NEED_RANKS(1);
    cases::errors_return const guard;
    recorder const records;
    char nothing = 0;
    std::span<char> const large{&nothing, std::size_t{1} << 31};
    EXPECT_EQ(error_class(recorded(MPI_COMM_SELF).send(large, 0, 0)), MPI_ERR_COUNT);
    auto const call = records.call(operation::send);
    EXPECT_EQ(call.sent, 0);
    EXPECT_NE(call.flags & mpiprof::call_failed, 0);
}

TEST(typed_sends, have_all_modes) {
    CASES_NEED_RANKS(2);
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        std::vector<char> room(1000);
        PMPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
        auto const values = numbers(3, 0);
        std::vector<std::vector<int>> in(4, std::vector<int>(3));
        if (world.rank() == 0) {
            PMPI_Barrier(MPI_COMM_WORLD);  // the receive of the ready send is posted
            EXPECT_EQ(world.rsend(values, 1, 0), MPI_SUCCESS);
            EXPECT_EQ(world.bsend(values, 1, 1), MPI_SUCCESS);
            EXPECT_EQ(world.ssend(values, 1, 2), MPI_SUCCESS);
            EXPECT_EQ(world.send(values, 1, 3), MPI_SUCCESS);
        } else {
            auto first = world.irecv(in[0], 0, 0);
            auto second = world.irecv(in[1], 0, 1);
            PMPI_Barrier(MPI_COMM_WORLD);
            for (std::size_t const tag : {2U, 3U})
                EXPECT_EQ(world.recv(in[tag], 0, static_cast<int>(tag)), MPI_SUCCESS);
            EXPECT_EQ(first.wait() + second.wait(), MPI_SUCCESS);
            for (auto const& each : in) EXPECT_EQ(each, values);
        }
        void* address = nullptr;
        int size = 0;
        PMPI_Buffer_detach(&address, &size);
    });
}

TEST(typed_sends, make_requests_in_all_modes) {
    CASES_NEED_RANKS(2);
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        std::vector<char> room(1000);
        PMPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
        auto const values = numbers(3, 0);
        std::vector<std::vector<int>> in(8, std::vector<int>(3));
        using request = mpiprof::request_of<std::remove_cvref_t<decltype(world)>>;
        std::vector<request> all;
        if (world.rank() == 0) {
            PMPI_Barrier(MPI_COMM_WORLD);
            all.push_back(world.isend(values, 1, 0));
            all.push_back(world.ibsend(std::span{values}, 1, 1));
            all.push_back(world.issend(values, 1, 2));
            all.push_back(world.irsend(values, 1, 3));
            all.push_back(world.send_init(values, 1, 4));
            all.push_back(world.bsend_init(values, 1, 5));
            all.push_back(world.ssend_init(values, 1, 6));
            all.push_back(world.rsend_init(values, 1, 7));
        } else {
            for (int tag = 0; tag < 8; ++tag) {
                auto& room_for_one = in[static_cast<std::size_t>(tag)];
                all.push_back(tag % 2 == 0 ? world.irecv(room_for_one, 0, tag)
                                           : world.recv_init(room_for_one, 0, tag));
                if (tag % 2 == 1) all.back().start();
            }
            PMPI_Barrier(MPI_COMM_WORLD);
        }
        if (world.rank() == 0) {
            EXPECT_EQ(mpiprof::start_all(all.data() + 4, 4), MPI_SUCCESS);
        }
        EXPECT_EQ(mpiprof::wait_all(all.data(), all.size()), MPI_SUCCESS);
        for (auto& each : all) {
            EXPECT_EQ(each.error(), MPI_SUCCESS);
            if (each.active()) each.free();
        }
        if (world.rank() == 1) {
            for (auto const& each : in) EXPECT_EQ(each, values);
        }
        void* address = nullptr;
        int size = 0;
        PMPI_Buffer_detach(&address, &size);
    });
}

TEST(typed_receives, take_matched_messages) {
    CASES_NEED_RANKS(2);
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        recorder const records;
        if (world.rank() == 0) {
            for (int i = 0; i < 2; ++i) world.send(numbers(3), 1, 5);
            return;
        }
        std::vector<int> in(4);
        MPI_Status status;
        MPI_Message message = MPI_MESSAGE_NULL;
        world.mprobe(0, 5, &message, &status);
        EXPECT_EQ(world.mrecv(in, &message, &status), MPI_SUCCESS);
        EXPECT_EQ(in, (std::vector{0, 1, 2, 0}));
        in.assign(4, 9);
        world.mprobe(0, 5, &message, &status);
        EXPECT_EQ(world.imrecv(in, &message).wait(), MPI_SUCCESS);
        EXPECT_EQ(in, (std::vector{0, 1, 2, 9}));
        if constexpr (requires { world.identity(); }) {
            EXPECT_EQ(records.call(operation::mrecv).received, 12);
            EXPECT_EQ(records.completion(operation::imrecv).received, 12);
        }
    });
}

TEST(typed_exchanges, go_both_ways) {
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        int const size = world.size();
        int const right = (world.rank() + 1) % size;
        int const left = (world.rank() + size - 1) % size;
        recorder const records;
        std::vector<int> in(3);
        double mine = world.rank();
        EXPECT_EQ(world.sendrecv(numbers(3), right, 1, in, left, 1), MPI_SUCCESS);
        EXPECT_EQ(in, numbers(3, left));
        EXPECT_EQ(world.sendrecv_replace(mine, right, 2, left, 2), MPI_SUCCESS);
        EXPECT_EQ(mine, left);
        if constexpr (requires { world.identity(); }) {
            EXPECT_EQ(records.call(operation::sendrecv).sent, 12);
            EXPECT_EQ(records.call(operation::sendrecv_replace).sent, 8);
        }
#if MPIPROF_INTERNAL_ISENDRECV
        auto const out = numbers(3);
        in.assign(3, 0);
        EXPECT_EQ(world.isendrecv(out, right, 3, in, left, 3).wait(), MPI_SUCCESS);
        EXPECT_EQ(in, numbers(3, left));
        EXPECT_EQ(world.isendrecv_replace(in, left, 4, right, 4).wait(), MPI_SUCCESS);
        EXPECT_EQ(in, numbers(3));
#endif
    });
}

TEST(typed_calls, are_recorded_where_the_user_made_them) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const self = recorded(MPI_COMM_SELF);
    double value = 1;
    self.bcast(value, 0);
    int const line = __LINE__ - 1;
    self.ibcast(value, 0, mpiprof::call_site{"their.cpp", 5}).wait();
    EXPECT_EQ(records.call(operation::bcast).site.line(), line);
    EXPECT_STREQ(records.call(operation::ibcast).site.file(), "their.cpp");
}

/// A blocking collective, its nonblocking form and, where MPI has it, its persistent one; each writes to
/// `out`, which is then looked at.
template <class Out, class Check, class Blocking, class Nonblocking, class Persistent>
void in_all_forms(Out& out, Check check, Blocking blocking, Nonblocking nonblocking, Persistent persistent) {
    auto const before = out;
    EXPECT_EQ(blocking(), MPI_SUCCESS);
    check();
    out = before;
    EXPECT_EQ(nonblocking().wait(), MPI_SUCCESS);
    check();
    if constexpr (!std::is_same_v<decltype(persistent()), int>) {
        out = before;
        auto request = persistent();
        EXPECT_EQ(request.start(), MPI_SUCCESS);
        EXPECT_EQ(request.wait(), MPI_SUCCESS);
        check();
        EXPECT_EQ(request.free(), MPI_SUCCESS);
    }
}

#if MPIPROF_INTERNAL_PERSISTENT_COLLECTIVES
#define PERSISTENT(CALL) world.CALL
#else
#define PERSISTENT(CALL) 0
#endif

/// The three forms of a call with these arguments.
#define FORMS(CALL, ...)                                                                                     \
    [&] { return world.CALL(__VA_ARGS__); }, [&] { return world.i##CALL(__VA_ARGS__); },                     \
        [&] { return PERSISTENT(CALL##_init(__VA_ARGS__)); }

TEST(typed_collectives, broadcast) {
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        recorder const records;
        auto values = world.rank() == 0 ? numbers(3) : std::vector<int>(3);
        in_all_forms(values, [&] { EXPECT_EQ(values, numbers(3, 0)); }, FORMS(bcast, values, 0));
        if constexpr (requires { world.identity(); }) {
            auto const call = records.call(operation::bcast);
            EXPECT_EQ(world.rank() == 0 ? call.sent : call.received, 12);
        }
    });
}

TEST(typed_collectives, reduce) {
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        bool const is_root = world.rank() == world.size() - 1;
        int const root = world.size() - 1;
        auto const in = numbers(3);
        // Nothing is written where there is no root, and so there may be nothing.
        std::vector<int> out(is_root ? 3 : 0);
        in_all_forms(
            out, [&] { EXPECT_EQ(out, sum_of_all(is_root ? 3 : 0)); },
            FORMS(reduce, in, out, std::plus<>{}, root));
        auto mine = numbers(3);
        if (is_root) EXPECT_EQ(world.reduce(in_place, mine, MPI_SUM, root), MPI_SUCCESS);
        else EXPECT_EQ(world.reduce(mine, out, MPI_SUM, root), MPI_SUCCESS);
        if (is_root) {
            EXPECT_EQ(mine, sum_of_all(3));
        }
    });
}

TEST(typed_collectives, allreduce_and_scans) {
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        recorder const records;
        auto const in = numbers(3);
        std::vector<int> out(3);
        in_all_forms(out, [&] { EXPECT_EQ(out, sum_of_all(3)); }, FORMS(allreduce, in, out, std::plus<>{}));
        in_all_forms(
            out, [&] { EXPECT_EQ(out, sum_of_all(3, world.rank() + 1)); },
            FORMS(scan, in, out, std::plus<>{}));
        out.assign(3, 0);
        in_all_forms(
            out, [&] { EXPECT_EQ(out, sum_of_all(3, world.rank())); }, FORMS(exscan, in, out, MPI_SUM));
        out = in;
        in_all_forms(out, [&] { EXPECT_EQ(out, sum_of_all(3)); }, FORMS(allreduce, in_place, out, MPI_SUM));
        int most = 0;
        EXPECT_EQ(world.allreduce(world.rank(), most, mpiprof::maximum{}), MPI_SUCCESS);
        EXPECT_EQ(most, world.size() - 1);
        if constexpr (requires { world.identity(); }) {
            EXPECT_EQ(records.calls(operation::allreduce)[0].sent, 12);
        }
    });
}

TEST(typed_collectives, reduce_and_scatter) {
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        auto const place = static_cast<std::size_t>(world.rank());
        auto const in = numbers(2 * ranks());
        auto const sum = sum_of_all(2 * ranks());
        std::vector<int> const mine{sum[2 * place], sum[2 * place + 1]};
        std::vector<int> out(2);
        in_all_forms(out, [&] { EXPECT_EQ(out, mine); }, FORMS(reduce_scatter_block, in, out, std::plus<>{}));
        std::vector<int> const counts(ranks(), 2);
        in_all_forms(
            out, [&] { EXPECT_EQ(out, mine); }, FORMS(reduce_scatter, in, out, counts, std::plus<>{}));
        auto both = in;
        EXPECT_EQ(world.reduce_scatter_block(in_place, both, MPI_SUM), MPI_SUCCESS);
        EXPECT_EQ(both[0], mine[0]);
    });
}

TEST(typed_collectives, gather_and_scatter) {
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        bool const is_root = world.rank() == 0;
        recorder const records;
        auto const in = numbers(2);
        auto const all = numbers_of_all(2);
        // What only the root has does not count elsewhere, even where it does not divide.
        std::vector<int> out(is_root ? 2 * ranks() : 1);
        in_all_forms(
            out, [&] { EXPECT_EQ(out, is_root ? all : std::vector<int>(1)); }, FORMS(gather, in, out, 0));
        std::vector<int> mine(2);
        in_all_forms(mine, [&] { EXPECT_EQ(mine, in); }, FORMS(scatter, all, mine, 0));
        if (is_root) {
            EXPECT_EQ(world.gather(in_place, out, 0), MPI_SUCCESS);
            EXPECT_EQ(world.scatter(out, in_place, 0), MPI_SUCCESS);
        } else {
            EXPECT_EQ(world.gather(in, out, 0), MPI_SUCCESS);
            EXPECT_EQ(world.scatter(out, mine, 0), MPI_SUCCESS);
            EXPECT_EQ(mine, in);
        }
        if constexpr (requires { world.identity(); }) {
            auto const call = records.calls(operation::gather)[0];
            EXPECT_EQ(call.sent, 8);
            EXPECT_EQ(call.received, is_root ? 8 * world.size() : 0);
            EXPECT_EQ(records.calls(operation::scatter)[0].received, 8);
        }
    });
}

TEST(typed_collectives, to_all) {
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        recorder const records;
        auto const in = numbers(2);
        std::vector<int> out(2 * ranks());
        in_all_forms(out, [&] { EXPECT_EQ(out, numbers_of_all(2)); }, FORMS(allgather, in, out));
        auto const parts = numbers(ranks());
        std::vector<int> received(ranks());
        std::vector<int> expected;
        for (int rank = 0; rank < world.size(); ++rank) expected.push_back(100 * rank + world.rank());
        in_all_forms(received, [&] { EXPECT_EQ(received, expected); }, FORMS(alltoall, parts, received));
        EXPECT_EQ(world.alltoall(in_place, received), MPI_SUCCESS);
        EXPECT_EQ(received, parts);
        // Values that are arrays, to values that are not.
        std::array<short, 2> const pair{static_cast<short>(world.rank()), 7};
        std::vector<short> pairs(2 * ranks());
        EXPECT_EQ(world.allgather(pair, pairs), MPI_SUCCESS);
        EXPECT_EQ(pairs.back(), 7);
        if constexpr (requires { world.identity(); }) {
            EXPECT_EQ(records.calls(operation::allgather)[0].received, 8 * world.size());
            EXPECT_EQ(records.calls(operation::alltoall)[0].sent, 4 * world.size());
        }
    });
}

TEST(typed_collectives, with_counts_and_displacements) {
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        bool const is_root = world.rank() == 0;
        // Rank r has r + 1 numbers, which stand two apart.
        std::vector<int> counts, displacements, all;
        for (int rank = 0; rank < world.size(); ++rank) {
            counts.push_back(rank + 1);
            displacements.push_back(static_cast<int>(all.size()));
            auto const part = numbers(static_cast<std::size_t>(rank) + 1, rank);
            all.insert(all.end(), part.begin(), part.end());
            all.push_back(-1);
        }
        auto const mine = numbers(static_cast<std::size_t>(world.rank()) + 1);
        std::vector<int> out(all.size(), -1);
        in_all_forms(
            out, [&] { EXPECT_EQ(out, is_root ? all : std::vector<int>(all.size(), -1)); },
            FORMS(gatherv, mine, out, counts, displacements, 0));
        std::vector<int> part(mine.size());
        in_all_forms(
            part, [&] { EXPECT_EQ(part, mine); }, FORMS(scatterv, all, counts, displacements, part, 0));
        out.assign(all.size(), -1);
        in_all_forms(out, [&] { EXPECT_EQ(out, all); }, FORMS(allgatherv, mine, out, counts, displacements));
        // All send the first numbers that they have to rank 0, and to it alone.
        std::vector<int> const nothing(ranks());
        auto sent = nothing;
        sent[0] = world.rank() + 1;
        auto const received = is_root ? counts : nothing;
        out.assign(all.size(), -1);
        in_all_forms(
            out, [&] { EXPECT_EQ(out, is_root ? all : std::vector<int>(all.size(), -1)); },
            FORMS(alltoallv, mine, sent, nothing, out, received, displacements));
        // What is the root's alone may be anything elsewhere.
        std::vector<int> nowhere;
        if (is_root) world.gatherv(mine, out, counts, displacements, 0);
        else EXPECT_EQ(world.gatherv(mine, nowhere, nowhere, nowhere, 0), MPI_SUCCESS);
    });
}

TEST(typed_collectives, Z1_Z6_of_nothing) {
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        std::vector<double> nothing;
        EXPECT_EQ(world.bcast(nothing, 0), MPI_SUCCESS);
        EXPECT_EQ(world.allreduce(nothing, std::span<double>{}, std::plus<>{}), MPI_SUCCESS);
        EXPECT_EQ(world.reduce(nothing, nothing, std::plus<>{}, 0), MPI_SUCCESS);
        EXPECT_EQ(world.gather(nothing, nothing, 0), MPI_SUCCESS);
        EXPECT_EQ(world.allgather(nothing, nothing), MPI_SUCCESS);
        EXPECT_EQ(world.alltoall(nothing, nothing), MPI_SUCCESS);
    });
}

TEST(typed_collectives, lengths_that_do_not_fit_are_rejected_by_mpi) {
    CASES_NEED_RANKS(2);
    cases::errors_return const guard;
    over_both(MPI_COMM_WORLD, [](auto const& world) {
        std::vector<int> two(2), three(3);
        auto const rejected = [](int code) { return error_class(code) == MPI_ERR_COUNT; };
        EXPECT_TRUE(rejected(world.allreduce(two, three, std::plus<>{})));
        EXPECT_TRUE(rejected(world.scan(three, two, std::plus<>{})));
        EXPECT_TRUE(rejected(world.reduce(two, three, std::plus<>{}, world.rank())));
        EXPECT_TRUE(rejected(world.reduce_scatter_block(three, two, std::plus<>{})));
        EXPECT_TRUE(rejected(world.reduce_scatter_block(in_place, three, std::plus<>{})));
        EXPECT_TRUE(rejected(world.gather(two, three, world.rank())));
        EXPECT_TRUE(rejected(world.scatter(three, two, world.rank())));
        EXPECT_TRUE(rejected(world.allgather(two, three)));
        EXPECT_TRUE(rejected(world.alltoall(three, two)));
        EXPECT_TRUE(rejected(world.alltoall(two, three)));
    });
    std::array<int, 3> three{};
    auto const world = recorded(MPI_COMM_WORLD);
    auto const gathered = world.iallgather(std::span<int>{}, three);
    auto const reduced = world.iallreduce(std::span<int>{}, three, std::plus<>{});
    for (auto const* request : {&gathered, &reduced}) {
        EXPECT_EQ(error_class(request->error()), MPI_ERR_COUNT);
        EXPECT_FALSE(request->active());
    }
}

TEST(typed_collectives, between_two_groups) {
    CASES_NEED_RANKS(3);
    int const side = cases::world_rank() == 0 ? 0 : 1;
    MPI_Comm group = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    PMPI_Comm_split(MPI_COMM_WORLD, side, 0, &group);
    PMPI_Intercomm_create(group, 0, MPI_COMM_WORLD, 1 - side, 0, &between);
    over_both(between, [&](auto const& comm) {
        std::size_t const others = side == 0 ? 2 : 1;
        std::vector<int> out(2 * others);
        EXPECT_EQ(comm.allgather(numbers(2), out), MPI_SUCCESS);
        EXPECT_EQ(out, side == 0 ? (std::vector{100, 101, 200, 201}) : (std::vector{0, 1}));
        // To rank 0, which is alone on its side.
        out.assign(out.size(), 0);
        EXPECT_EQ(comm.gather(numbers(2), out, side == 0 ? MPI_ROOT : 0), MPI_SUCCESS);
        if (side == 0) {
            EXPECT_EQ(out, (std::vector{100, 101, 200, 201}));
        }
        std::vector<int> sum(2), nothing;
        int const anything = 0;
        if (side == 0) EXPECT_EQ(comm.reduce(anything, sum, std::plus<>{}, MPI_ROOT), MPI_SUCCESS);
        else EXPECT_EQ(comm.reduce(numbers(2), nothing, std::plus<>{}, 0), MPI_SUCCESS);
        if (side == 0) {
            EXPECT_EQ(sum, (std::vector{300, 302}));
        }
    });
    PMPI_Comm_free(&between);
    PMPI_Comm_free(&group);
}

/// A ring, or a row, of all ranks.
class row_of_ranks {
  public:
    explicit row_of_ranks(int is_ring) {
        int const size = cases::world_size();
        PMPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_ring, 0, &comm_);
    }
    row_of_ranks(row_of_ranks const&) = delete;
    row_of_ranks& operator=(row_of_ranks const&) = delete;
    ~row_of_ranks() { PMPI_Comm_free(&comm_); }
    MPI_Comm comm() const { return comm_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

TEST(typed_neighbors, G5_a_buffer_is_divided_by_the_degree) {
    CASES_NEED_RANKS(3);
    row_of_ranks const ring{1};
    over_both(ring.comm(), [](auto const& world) {
        recorder const records;
        int const left = (world.rank() + 2) % 3;
        int const right = (world.rank() + 1) % 3;
        std::vector<double> const values(6, world.rank());
        std::vector<double> out(6);
        std::vector<double> const expected{1.0 * left,  1.0 * left,  1.0 * left,
                                           1.0 * right, 1.0 * right, 1.0 * right};
        in_all_forms(
            out, [&] { EXPECT_EQ(out, expected); }, FORMS(neighbor_alltoall, std::span{values}, out));
        in_all_forms(
            out, [&] { EXPECT_EQ(out, expected); },
            FORMS(neighbor_allgather, std::span{values}.first(3), out));
        if constexpr (requires { world.identity(); }) {
            EXPECT_EQ(records.call(operation::neighbor_alltoall).sent, 48);
            EXPECT_EQ(records.call(operation::neighbor_alltoall).received, 48);
            EXPECT_EQ(records.call(operation::neighbor_allgather).sent, 48);
        }
        std::vector<int> const counts{1, 2}, displacements{0, 1};
        std::vector<int> mine = numbers(3), theirs(3);
        EXPECT_EQ(
            world.neighbor_alltoallv(mine, std::array{2, 1}, std::array{0, 2}, theirs, counts, displacements),
            MPI_SUCCESS);
        EXPECT_EQ(theirs, (std::vector{100 * left + 2, 100 * right, 100 * right + 1}));
        std::vector<int> pairs(4);
        EXPECT_EQ(world.neighbor_allgatherv(numbers(2), pairs, std::array{2, 2}, std::array{2, 0}),
                  MPI_SUCCESS);
        EXPECT_EQ(pairs, (std::vector{100 * right, 100 * right + 1, 100 * left, 100 * left + 1}));
    });
}

TEST(typed_neighbors, those_that_a_grid_does_not_have_have_their_place) {
    CASES_NEED_RANKS(3);
    row_of_ranks const row{0};
    over_both(row.comm(), [](auto const& world) {
        recorder const records;
        std::vector<int> out(2, -1);
        int const rank = world.rank();
        EXPECT_EQ(world.neighbor_alltoall(std::array{10 * rank, 10 * rank + 1}, out), MPI_SUCCESS);
        EXPECT_EQ(out, (std::vector{rank > 0 ? 10 * rank - 9 : -1, rank < 2 ? 10 * rank + 10 : -1}));
        if constexpr (requires { world.identity(); }) {
            EXPECT_EQ(records.call(operation::neighbor_alltoall).sent, rank == 1 ? 8 : 4);
        }
    });
}

TEST(typed_neighbors, in_and_out_may_differ) {
    CASES_NEED_RANKS(3);
    // Rank 0 sends to 1 and 2.
    int const rank = cases::world_rank();
    int const from = 0;
    std::array const to{1, 2};
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0 ? 0 : 1, &from, MPI_UNWEIGHTED,
                                    rank == 0 ? 2 : 0, to.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    over_both(comm, [&](auto const& world) {
        std::vector<int> const in = rank == 0 ? std::vector{5, 6} : std::vector<int>{};
        std::vector<int> out(rank == 0 ? 0 : 1);
        EXPECT_EQ(world.neighbor_alltoall(in, out), MPI_SUCCESS);
        if (rank > 0) {
            EXPECT_EQ(out[0], 4 + rank);
        }
    });
    PMPI_Comm_free(&comm);
}

}  // namespace
