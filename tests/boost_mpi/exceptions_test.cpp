// Compiled with -DNDEBUG, without which Boost asserts before it throws.
#include "tests/boost_mpi/same_as_boost.hpp"
#include "tests/boost_mpi/types_of.hpp"

#include <boost/serialization/string.hpp>
#include <string>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

/// Ranks that are not there.
constexpr int nobody = 99;

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

/// Both throw the same, and the profiled call is recorded as failed, without bytes.
template <class Call>
void fails_as_with_boost(char const* operation, Call call) {
    SCOPED_TRACE(operation);
    mpi::communicator const plain;
    profiled_communicator const profiled;
    // As Boost's environment does.
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    auto const expected = thrown_by([&] { call(plain); });
    EXPECT_NE(expected, "");
    begin_run();
    EXPECT_EQ(thrown_by([&] { call(profiled); }), expected);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    PMPI_Errhandler_free(&before);
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 1);
    EXPECT_STREQ(name(calls[0].operation), operation);
    EXPECT_EQ(calls[0].flags, mpiprof::call_failed);
    EXPECT_EQ(calls[0].sent, 0);
    EXPECT_EQ(calls[0].received, 0);
    EXPECT_EQ(calls[0].overhead, 0);
    EXPECT_LE(calls[0].begin, calls[0].end);
    EXPECT_STREQ(calls[0].site.file(), __FILE__);
    EXPECT_TRUE(recorded().completions.empty());
}

TEST(boost_mpi_exceptions, E6_of_a_send) {
    fails_as_with_boost("send", [](auto const& world) { world.send(nobody, 0, 1); });
}

TEST(boost_mpi_exceptions, E6_of_a_serialised_send) {
    fails_as_with_boost("send", [](auto const& world) { world.send(nobody, 0, std::string{"abc"}); });
}

TEST(boost_mpi_exceptions, E6_of_an_isend) {
    fails_as_with_boost("isend", [](auto const& world) { world.isend(nobody, 0, 1); });
}

TEST(boost_mpi_exceptions, E6_of_a_serialised_isend) {
    fails_as_with_boost("isend", [](auto const& world) { world.isend(nobody, 0, std::string{"abc"}); });
}

TEST(boost_mpi_exceptions, E6_of_a_receive) {
    fails_as_with_boost("recv", [](auto const& world) {
        int number = 0;
        world.recv(nobody, 0, number);
    });
}

TEST(boost_mpi_exceptions, E6_of_an_irecv) {
    fails_as_with_boost("irecv", [](auto const& world) {
        int number = 0;
        world.irecv(nobody, 0, number);
    });
}

TEST(boost_mpi_exceptions, E6_of_broadcasts) {
    fails_as_with_boost("bcast", [](auto const& world) {
        int number = 0;
        broadcast(world, number, nobody);
    });
    fails_as_with_boost("bcast", [](auto const& world) {
        std::string text;
        broadcast(world, text, nobody);
    });
}

TEST(boost_mpi_exceptions, E6_of_a_truncated_receive) {
    fails_as_with_boost("recv", [](auto const& world) {
        int numbers[3] = {};
        world.isend(world_rank(), 0, numbers, 3);
        recorded() = {};
        world.recv(world_rank(), 0, numbers, 1);
    });
}

TEST(boost_mpi_exceptions, E6_leave_the_program_able_to_go_on) {
    fails_as_with_boost("send", [](auto const& world) { world.send(nobody, 0, 1); });
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
    EXPECT_TRUE(pmpi_log::calls().empty());
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 2);
    EXPECT_EQ(calls[0].flags, mpiprof::call_failed);
    EXPECT_EQ(calls[1].flags, mpiprof::call_failed);
}

TEST(boost_mpi_exceptions, E6_of_a_cartesian_communicator) {
    fails_as_with_boost("cart_create", [](auto const& world) {
        typename types<decltype(world)>::cartesian_communicator const grid(
            world, std::vector{mpi::cartesian_dimension(nobody)});
    });
}

TEST(boost_mpi_exceptions, E6_of_an_intercommunicator) {
    fails_as_with_boost("intercomm_create", [](auto const& world) {
        typename types<decltype(world)>::intercommunicator const across(world, nobody, world, 0);
    });
}

}  // namespace

}  // namespace boost_mpi_tests
