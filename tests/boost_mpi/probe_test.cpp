// probe and iprobe: what they find is told, and moves no bytes.
#include "tests/boost_mpi/same_as_boost.hpp"

#include "tests/boost_mpi/library.hpp"

#include <boost/serialization/string.hpp>
#include <string>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

constexpr int tag = 6;

record probing(std::string const& operation) {
    return {.operation = operation, .peer = previous_rank(), .tag = tag};
}

TEST(boost_mpi_probe, then_a_receive_by_its_status) {
    auto const run = same_as_boost([](auto const& world) {
        std::string text;
        world.send(next_rank(), tag, std::string{"abc"});
        auto const status = world.probe();
        EXPECT_EQ(status.source(), previous_rank());
        EXPECT_EQ(status.tag(), tag);
        world.recv(status.source(), status.tag(), text);
        EXPECT_EQ(text, "abc");
    });
    auto const bytes = archive_nbytes(std::string{"abc"});
    EXPECT_EQ(run.calls, (std::vector<record>{
                             {.operation = "send", .peer = next_rank(), .tag = tag, .sent = bytes},
                             probing("probe"),
                             {.operation = "recv", .peer = previous_rank(), .tag = tag, .received = bytes}}));
    EXPECT_EQ(pmpi_log::calls("Probe").size(), 1);
    EXPECT_TRUE(run.completions.empty());
}

TEST(boost_mpi_probe, leaves_the_status_to_count_in) {
    same_as_boost([](auto const& world) {
        int numbers[3] = {1, 2, 3};
        int arrived[3] = {};
        world.send(next_rank(), tag, numbers, 3);
        auto const status = world.probe(previous_rank(), tag);
        EXPECT_EQ(library::count_in<int>(status), 3);
        world.recv(status.source(), status.tag(), arrived, 3);
        EXPECT_EQ(arrived[2], 3);
    });
}

TEST(boost_mpi_probe, without_waiting) {
    auto const run = same_as_boost([](auto const& world) {
        EXPECT_FALSE(world.iprobe(previous_rank(), tag));
        PMPI_Barrier(MPI_COMM_WORLD);
        world.send(next_rank(), tag, 5);
        auto found = world.iprobe();
        while (!found) found = world.iprobe(mpi::any_source);
        EXPECT_EQ(found->source(), previous_rank());
        EXPECT_EQ(found->tag(), tag);
        int number = 0;
        world.recv(found->source(), found->tag(), number);
        EXPECT_EQ(number, 5);
    });
    ASSERT_EQ(run.calls.size(), 3);
    EXPECT_EQ(run.calls[1], probing("iprobe"));
}

TEST(boost_mpi_probe, that_finds_nothing_is_counted) {
    profiled_communicator const world;
    begin_run();
    EXPECT_FALSE(world.iprobe(mpi::any_source, tag));
    EXPECT_FALSE(world.iprobe(previous_rank(), mpi::any_tag));
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 2);
    for (auto const& each : calls) {
        EXPECT_EQ(each.operation, mpiprof::operation::iprobe);
        EXPECT_EQ(each.flags, mpiprof::call_incomplete);
        EXPECT_EQ(each.sent + each.received, 0);
    }
    EXPECT_EQ(calls[0].peer, mpiprof::any_source);
    EXPECT_EQ(calls[0].tag, tag);
    EXPECT_EQ(calls[1].peer, previous_rank());
    EXPECT_EQ(calls[1].tag, mpiprof::any_tag);
}

TEST(boost_mpi_probe, of_the_null_process) {
    auto const run = same_as_boost([](auto const& world) {
        EXPECT_EQ(world.probe(MPI_PROC_NULL, tag).source(), MPI_PROC_NULL);
        EXPECT_TRUE(world.iprobe(MPI_PROC_NULL, tag));
    });
    constexpr int nobody = mpiprof::null_process;
    EXPECT_EQ(run.calls, (std::vector<record>{{.operation = "probe", .peer = nobody, .tag = tag},
                                              {.operation = "iprobe", .peer = nobody, .tag = tag}}));
}

TEST(boost_mpi_probe, BM23_gives_what_boosts_gives) {
    mpi::communicator const plain;
    profiled_communicator const profiled;
    static_assert(std::is_same_v<decltype(plain.iprobe()), decltype(profiled.iprobe())>);
    static_assert(std::is_same_v<decltype(plain.probe()), decltype(profiled.probe())>);
    EXPECT_EQ(static_cast<bool>(plain.iprobe()), static_cast<bool>(profiled.iprobe()));
}

}  // namespace

}  // namespace boost_mpi_tests
