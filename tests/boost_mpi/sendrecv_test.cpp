// sendrecv: both sides of it, as Boost makes them.
#include "tests/boost_mpi/same_as_boost.hpp"

#include "tests/boost_mpi/saves_counted.hpp"

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <string>
#include <vector>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

constexpr int send_tag = 4;

/// Tells its messages by the sender's rank, so that what is sent and what arrives differ in size.
std::string text_from(int rank) { return std::string(static_cast<std::size_t>(rank + 1), 'x'); }

record sendrecv_of(int to, long long sent) {
    return {.operation = "sendrecv", .peer = to, .tag = send_tag, .sent = sent};
}

TEST(boost_mpi_sendrecv, of_a_value_with_a_datatype) {
    auto const run = same_as_boost([](auto const& world) {
        int number = 0;
        auto const status =
            world.sendrecv(next_rank(), send_tag, world_rank(), previous_rank(), send_tag, number);
        EXPECT_EQ(number, previous_rank());
        EXPECT_EQ(status.source(), previous_rank());
        EXPECT_EQ(status.tag(), send_tag);
    });
    auto const bytes = datatype_nbytes<int>();
    EXPECT_EQ(run.mpi_calls,
              (std::vector<pmpi_log::call>{{"Sendrecv", bytes, bytes, next_rank(), send_tag}}));
    EXPECT_EQ(run.calls, (std::vector{sendrecv_of(next_rank(), bytes)}));
    EXPECT_EQ(run.completions, (std::vector<completion>{{"sendrecv", previous_rank(), send_tag, bytes}}));
}

TEST(boost_mpi_sendrecv, of_a_serialised_value) {
    auto const run = same_as_boost(
        [](auto const& world) {
            std::string text;
            auto const status = world.sendrecv(next_rank(), send_tag, text_from(world_rank()),
                                               mpi::any_source, mpi::any_tag, text);
            EXPECT_EQ(text, text_from(previous_rank()));
            EXPECT_EQ(status.source(), previous_rank());
        },
        order::free);
    EXPECT_EQ(run.calls, (std::vector{sendrecv_of(next_rank(), archive_nbytes(text_from(world_rank())))}));
    EXPECT_EQ(run.completions, (std::vector<completion>{{"sendrecv", previous_rank(), send_tag,
                                                         archive_nbytes(text_from(previous_rank()))}}));
    EXPECT_EQ(pmpi_log::calls("Isend").at(0).sent, run.calls.at(0).sent);
}

TEST(boost_mpi_sendrecv, of_a_vector_is_serialised) {
    std::vector const numbers{1, 2, 3};
    auto const run = same_as_boost(
        [&](auto const& world) {
            std::vector<int> arrived;
            world.sendrecv(next_rank(), send_tag, numbers, previous_rank(), send_tag, arrived);
            EXPECT_EQ(arrived, numbers);
        },
        order::free);
    auto const bytes = archive_nbytes(numbers);
    EXPECT_EQ(run.calls, (std::vector{sendrecv_of(next_rank(), bytes)}));
    EXPECT_EQ(run.completions, (std::vector<completion>{{"sendrecv", previous_rank(), send_tag, bytes}}));
}

TEST(boost_mpi_sendrecv, with_the_null_process_on_one_side_or_both) {
    auto const run = same_as_boost(
        [](auto const& world) {
            int number = 7;
            std::string text = "unchanged";
            world.sendrecv(MPI_PROC_NULL, send_tag, 5, MPI_PROC_NULL, 9, number);
            EXPECT_EQ(number, 7);
            world.sendrecv(MPI_PROC_NULL, send_tag, text, MPI_PROC_NULL, 9, text);
            EXPECT_EQ(text, "unchanged");
            auto const sending = world.isend(world_rank(), 9, text_from(1));
            world.sendrecv(MPI_PROC_NULL, send_tag, std::string{"abc"}, world_rank(), 9, text);
            EXPECT_EQ(text, text_from(1));
        },
        order::free);
    constexpr int nobody = mpiprof::null_process;
    auto const bytes = archive_nbytes(text_from(1));
    ASSERT_EQ(run.calls.size(), 4);
    for (int const i : {0, 1, 3}) EXPECT_EQ(run.calls.begin()[i], sendrecv_of(nobody, 0));
    EXPECT_EQ(run.completions,
              (std::vector<completion>{
                  {"sendrecv", nobody, 9}, {"sendrecv", nobody, 9}, {"sendrecv", world_rank(), 9, bytes}}));
}

TEST(boost_mpi_sendrecv, serialises_once) {
    profiled_communicator const world;
    saves_counted value;
    saves_counted::saves = 0;
    world.sendrecv(next_rank(), send_tag, value, previous_rank(), send_tag, value);
    EXPECT_EQ(saves_counted::saves, 1);
}

}  // namespace

}  // namespace boost_mpi_tests
