// Compiled with -DNDEBUG, without which Boost asserts before it throws.
#include "tests/boost_mpi/same_as_boost.hpp"
#include "tests/boost_mpi/types_of.hpp"

#include <boost/serialization/string.hpp>
#include <functional>
#include <string>
#include <vector>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

/// Ranks that are not there.
constexpr int nobody = 99;
constexpr int tag_of_nobody = 7;

/// What Boost threw: "MPI_Send 6"; "" if nothing.
template <class Call>
std::string thrown_by(Call call) {
    try {
        call();
    } catch (mpi::exception const& error) {
        int error_class = 0;
        PMPI_Error_class(error.result_code(), &error_class);
        return std::string{error.routine()} + ' ' + std::to_string(error_class);
    }
    return "";
}

/// As where there is an environment of Boost's.
class errors_are_thrown {
  public:
    errors_are_thrown() {
        PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before_);
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    ~errors_are_thrown() {
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before_);
        PMPI_Errhandler_free(&before_);
    }
    errors_are_thrown(errors_are_thrown const&) = delete;
    errors_are_thrown& operator=(errors_are_thrown const&) = delete;

  private:
    MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

/// Both throw the same, and the profiled call is recorded as failed, without bytes. A send or receive is one
/// with `peer`, of this tag.
template <class Call>
void fails_as_with_boost(char const* operation, Call call, int peer = nobody, int tag = tag_of_nobody) {
    SCOPED_TRACE(operation);
    mpi::communicator const plain;
    profiled_communicator const profiled;
    errors_are_thrown const here;
    auto const expected = thrown_by([&] { call(plain); });
    EXPECT_NE(expected, "");
    begin_run();
    EXPECT_EQ(thrown_by([&] { call(profiled); }), expected);
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 1);
    EXPECT_STREQ(name(calls[0].operation), operation);
    EXPECT_EQ(calls[0].flags, mpiprof::call_failed);
    EXPECT_EQ(calls[0].peer, peer);
    EXPECT_EQ(calls[0].tag, tag);
    EXPECT_EQ(calls[0].sent, 0);
    EXPECT_EQ(calls[0].received, 0);
    EXPECT_EQ(calls[0].overhead, 0);
    EXPECT_LE(calls[0].begin, calls[0].end);
    EXPECT_STREQ(calls[0].site.file(), __FILE__);
    if (kind_of(calls[0].operation) != mpiprof::kind::wait) {
        EXPECT_TRUE(recorded().completions.empty());
    }
}

TEST(boost_mpi_exceptions, E6_of_a_send) {
    fails_as_with_boost("send", [](auto const& world) { world.send(nobody, tag_of_nobody, 1); });
}

TEST(boost_mpi_exceptions, E6_of_a_serialised_send) {
    fails_as_with_boost("send",
                        [](auto const& world) { world.send(nobody, tag_of_nobody, std::string{"abc"}); });
}

TEST(boost_mpi_exceptions, E6_of_an_isend) {
    fails_as_with_boost("isend", [](auto const& world) { world.isend(nobody, tag_of_nobody, 1); });
}

TEST(boost_mpi_exceptions, E6_of_a_serialised_isend) {
    fails_as_with_boost("isend",
                        [](auto const& world) { world.isend(nobody, tag_of_nobody, std::string{"abc"}); });
}

TEST(boost_mpi_exceptions, E6_of_a_receive) {
    fails_as_with_boost("recv", [](auto const& world) {
        int number = 0;
        world.recv(nobody, tag_of_nobody, number);
    });
}

TEST(boost_mpi_exceptions, E6_of_an_irecv) {
    fails_as_with_boost("irecv", [](auto const& world) {
        int number = 0;
        world.irecv(nobody, tag_of_nobody, number);
    });
}

TEST(boost_mpi_exceptions, E6_of_a_sendrecv) {
    fails_as_with_boost("sendrecv", [](auto const& world) {
        int number = 0;
        world.sendrecv(nobody, tag_of_nobody, 5, world_rank(), 0, number);
    });
    fails_as_with_boost("sendrecv", [](auto const& world) {
        std::string text;
        world.sendrecv(nobody, tag_of_nobody, std::string{"abc"}, world_rank(), 0, text);
    });
}

TEST(boost_mpi_exceptions, E6_of_probes) {
    fails_as_with_boost("probe", [](auto const& world) { world.probe(nobody, tag_of_nobody); });
    fails_as_with_boost("iprobe", [](auto const& world) { world.iprobe(nobody, tag_of_nobody); });
}

/// The same of a collective whose root is nobody.
template <class Call>
void collective_fails_as_with_boost(char const* operation, Call call) {
    fails_as_with_boost(operation, call, mpiprof::not_applicable, mpiprof::not_applicable);
    ASSERT_EQ(recorded().calls.size(), 1);
    EXPECT_EQ(recorded().calls[0].root, nobody);
}

TEST(boost_mpi_exceptions, E6_of_broadcasts) {
    auto const fail_with = [](auto value) {
        collective_fails_as_with_boost("bcast",
                                       [=](auto const& world) mutable { broadcast(world, value, nobody); });
    };
    fail_with(1);
    fail_with(std::string{"abc"});
}

TEST(boost_mpi_exceptions, E6_of_gathers_and_scatters) {
    auto const fail_with = [](auto value) {
        std::vector all(static_cast<std::size_t>(world_size()), value);
        std::vector const sizes(all.size(), 1);
        collective_fails_as_with_boost("gather",
                                       [=](auto const& world) mutable { gather(world, value, all, nobody); });
        collective_fails_as_with_boost("gatherv", [=](auto const& world) mutable {
            gatherv(world, &value, 1, all.data(), sizes, nobody);
        });
        collective_fails_as_with_boost("scatter",
                                       [=](auto const& world) mutable { scatter(world, value, nobody); });
        collective_fails_as_with_boost(
            "scatterv", [=](auto const& world) mutable { scatterv(world, &value, 1, nobody); });
    };
    fail_with(1);
    fail_with(std::string{"abc"});
}

TEST(boost_mpi_exceptions, E6_of_a_reduction) {
    collective_fails_as_with_boost("reduce",
                                   [](auto const& world) { reduce(world, 1, std::plus<int>{}, nobody); });
}

TEST(boost_mpi_exceptions, E6_of_a_truncated_receive) {
    fails_as_with_boost(
        "recv",
        [](auto const& world) {
            int numbers[3] = {};
            world.isend(world_rank(), 0, numbers, 3);
            recorded() = {};
            world.recv(world_rank(), 0, numbers, 1);
        },
        world_rank(), 0);
}

/// Waits by `wait(first, last)` for a truncated receive between two that are not.
template <class Wait>
void truncated_between_two(char const* operation, Wait wait) {
    fails_as_with_boost(
        operation,
        [&](auto const& world) {
            auto const here = world_rank();
            int numbers[3] = {1, 2, 3};
            int arrived[3] = {};
            world.send(here, 1, numbers, 1);
            world.send(here, 2, numbers, 3);
            world.send(here, 3, numbers, 1);
            std::vector requests{world.irecv(here, 1, &arrived[0], 1), world.irecv(here, 2, &arrived[1], 1),
                                 world.irecv(here, 3, &arrived[2], 1)};
            recorded() = {};
            wait(requests.begin(), requests.end());
        },
        mpiprof::not_applicable, mpiprof::not_applicable);
}

TEST(boost_mpi_exceptions, E6_of_a_wait_for_many_complete_what_did) {
    truncated_between_two("waitall", [](auto first, auto last) { wait_all(first, last); });
    EXPECT_EQ(completions_in(__FILE__), (std::vector<completion>{{"irecv", world_rank(), 1, 4}}));
    truncated_between_two("waitsome", [](auto first, auto last) { wait_some(first, last); });
    EXPECT_EQ(completions_in(__FILE__).size(), 2);
    truncated_between_two("testsome", [](auto first, auto last) { test_some(first, last); });
    EXPECT_EQ(completions_in(__FILE__).size(), 2);
}

TEST(boost_mpi_exceptions, E6_of_a_wait_for_any_and_a_test_of_any) {
    auto const second_to_last = [](auto first, auto last) { return wait_any(std::next(first), last); };
    truncated_between_two("waitany", second_to_last);
    truncated_between_two("testany", [](auto first, auto last) { test_any(std::next(first), last); });
}

TEST(boost_mpi_exceptions, of_a_wait_leave_nothing_to_complete) {
    errors_are_thrown const here;
    profiled_communicator const world;
    int numbers[2] = {};
    world.send(world_rank(), 1, numbers, 2);
    auto truncated = world.irecv(world_rank(), 1, numbers, 1);
    begin_run();
    EXPECT_EQ(thrown_by([&] { truncated.wait(); }), "MPI_Wait " + std::to_string(MPI_ERR_TRUNCATE));
    EXPECT_FALSE(truncated.active());
    truncated.wait();
    EXPECT_EQ(calls_in(__FILE__), (std::vector<record>{{.operation = "wait", .flags = mpiprof::call_failed},
                                                       {.operation = "wait"}}));
    EXPECT_TRUE(recorded().completions.empty());
}

TEST(boost_mpi_exceptions, E6_leave_the_program_able_to_go_on) {
    fails_as_with_boost("send", [](auto const& world) { world.send(nobody, tag_of_nobody, 1); });
    auto const run = same_as_boost([](auto const& world) {
        int number = 0;
        world.send(next_rank(), 0, 5);
        world.recv(previous_rank(), 0, number);
        EXPECT_EQ(number, 5);
    });
    EXPECT_EQ(run.calls.size(), 2);
}

/// A value that cannot be serialised.
struct unserialisable {
    template <class Archive>
    void serialize(Archive&, unsigned) {
        throw std::runtime_error{"unserialisable"};
    }
};

TEST(boost_mpi_exceptions, of_the_users_pass_through) {
    profiled_communicator const world;
    unserialisable value;
    begin_run();
    EXPECT_THROW(world.send(next_rank(), 0, value), std::runtime_error);
    EXPECT_THROW(world.isend(next_rank(), 0, value), std::runtime_error);
    std::vector<unserialisable> all(static_cast<std::size_t>(world_size()) * 2);
    EXPECT_THROW(gather(world, all.data(), 2, all, 0), std::runtime_error);
    EXPECT_THROW(all_gather(world, value, all.data()), std::runtime_error);
    EXPECT_TRUE(pmpi_log::calls().empty());
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 4);
    for (auto const& each : calls) EXPECT_EQ(each.flags, mpiprof::call_failed);
}

TEST(boost_mpi_exceptions, E6_of_a_cartesian_communicator) {
    fails_as_with_boost(
        "cart_create",
        [](auto const& world) {
            typename types<decltype(world)>::cartesian_communicator const grid(
                world, std::vector{mpi::cartesian_dimension(nobody)});
        },
        mpiprof::not_applicable, mpiprof::not_applicable);
}

TEST(boost_mpi_exceptions, E6_of_an_intercommunicator) {
    fails_as_with_boost(
        "intercomm_create",
        [](auto const& world) {
            typename types<decltype(world)>::intercommunicator const across(world, nobody, world, 0);
        },
        mpiprof::not_applicable, mpiprof::not_applicable);
}

}  // namespace

}  // namespace boost_mpi_tests
