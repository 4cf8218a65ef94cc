// Communicators: identities that are the same on all members and never come back, and names.
#include "tests/raw/recorder.hpp"
#include "tests/raw/summary.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <cstring>
#include <set>

namespace {

using cases::error_class;
using cases::recorded;
using cases::recorder;
using mpiprof::communicator_id;
using mpiprof::operation;

/// The number on each rank of the world.
std::vector<std::int64_t> from_all(std::int64_t mine) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(cases::world_size()));
    PMPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
    return all;
}

TEST(communicators, CM1_a_handle_that_comes_back_is_another_communicator) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 6> buffer{};
    std::set<communicator_id> ids;
    for (int i = 0; i < 6; ++i) {
        auto part = world.split(0, world.rank());
        ids.insert(part.identity());
        if (world.rank() == 0) cases::calls::send(buffer.data(), i + 1, MPI_INT, 1, 0, part.native());
        else cases::calls::recv(buffer.data(), 6, MPI_INT, 0, 0, part.native(), MPI_STATUS_IGNORE);
        auto const call = records.calls().back();
        EXPECT_EQ(call.communicator, part.identity());
        EXPECT_EQ(call.sent + call.received, 4 * (i + 1));
        EXPECT_EQ(part.free(), MPI_SUCCESS);
        EXPECT_FALSE(part);
    }
    EXPECT_EQ(ids.size(), 6U);
    EXPECT_FALSE(ids.contains(mpiprof::world_communicator));
}

TEST(communicators, CM1_the_same_when_mpiprof_sees_no_making_and_no_freeing) {
    CASES_NEED_RANKS(2);
    std::set<communicator_id> ids;
    for (int i = 0; i < 6; ++i) {
        MPI_Comm comm = MPI_COMM_NULL;
        PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
        ids.insert(recorded(comm).identity());
        PMPI_Comm_free(&comm);
    }
    EXPECT_EQ(ids.size(), 6U);
    EXPECT_FALSE(ids.contains(mpiprof::world_communicator));
}

TEST(communicators, CM2_a_split_that_leaves_a_rank_out) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const out = world.rank() == 0;
    auto const known = mpiprof::communicator_registry::instance().entries().size();
    auto part = world.split(out ? MPI_UNDEFINED : 0, 0);
    EXPECT_EQ(static_cast<bool>(part), !out);
    EXPECT_EQ(part.native() == MPI_COMM_NULL, out);
    EXPECT_EQ(mpiprof::communicator_registry::instance().entries().size(), known + (out ? 0 : 1));
    EXPECT_EQ(part.identity() == mpiprof::unknown_communicator, out);
    // The rank that was left out counted the call: the next communicator has one identity.
    auto next = world.dup();
    auto const ids = from_all(next.identity());
    EXPECT_EQ(ids[0], ids[1]);
    EXPECT_NE(next.identity(), part.identity());
    next.free();
    if (part) part.free();
}

TEST(communicators, CM3_a_null_communicator_of_plain_mpi) {
    CASES_NEED_RANKS(2);
    recorder const records;
    int const kind = cases::world_rank() == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED;
    MPI_Comm comm = MPI_COMM_NULL;
    EXPECT_EQ(PMPI_Comm_split_type(MPI_COMM_WORLD, kind, 0, MPI_INFO_NULL, &comm), MPI_SUCCESS);
    auto part = recorded(comm);
    EXPECT_EQ(static_cast<bool>(part), cases::world_rank() != 0);
    if (part) EXPECT_EQ(part.free(), MPI_SUCCESS);
    else EXPECT_EQ(part.identity(), mpiprof::unknown_communicator);
}

TEST(communicators, CM5_the_last_name_before_the_end_counts) {
    CASES_NEED_RANKS(2);
    auto const& profiler = cases::summary_profiler();
    auto const world = mpiprof::profile(MPI_COMM_WORLD, profiler);
    auto halo = world.dup();
    auto unnamed = world.dup();
    auto const id = halo.identity();
    auto const send = [&] {
        int value = 0;
        EXPECT_EQ(halo.identity(), id);
        if (halo.rank() == 0) halo.send(&value, 1, MPI_INT, 1, 0);
        else halo.recv(&value, 1, MPI_INT, 0, 0, MPI_STATUS_IGNORE);
    };
    PMPI_Comm_set_name(halo.native(), "halo");
    send();
    PMPI_Comm_set_name(halo.native(), "halo2");
    send();
    auto const unnamed_id = unnamed.identity();
    halo.free();
    unnamed.free();
    // The next one may get the same handle, but not the name.
    auto next = world.dup();

    auto const run = profiler.snapshot();
    auto const name_of = [&](communicator_id which) {
        for (auto const& row : run.communicators) {
            if (row.id == which) return row.name;
        }
        return std::string{"unknown"};
    };
    EXPECT_EQ(name_of(id), "halo2");
    EXPECT_EQ(name_of(unnamed_id), "");
    EXPECT_EQ(name_of(next.identity()), "");
    EXPECT_EQ(name_of(mpiprof::world_communicator), "MPI_COMM_WORLD");
    std::int64_t calls = 0;
    for (auto const& row : run.calls) {
        if (row.communicator == id && (row.operation == "send" || row.operation == "recv"))
            calls += row.statistics.calls;
    }
    EXPECT_EQ(calls, 2);
    next.free();
}

TEST(communicators, CM7_freed_with_transfers_pending) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const other = 1 - world.rank();
    auto part = world.dup();
    auto const id = part.identity();
    int out = 1;
    std::array<int, 2> in{};
    std::array<MPI_Request, 2> requests{};
    part.irecv(&in[0], 1, MPI_INT, other, 0, &requests[0]);
    auto object = part.irecv(other, 1, &in[1], 1);
    part.isend(&out, 1, MPI_INT, other, 0, &requests[1]);
    world.barrier();
    MPI_Comm const handle = part.native();
    part.free();
    int const code = cases::calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(code, MPI_SUCCESS);
    EXPECT_EQ(records.completion(operation::irecv).communicator, id);
    EXPECT_EQ(records.completion(operation::irecv).received, 4);
    EXPECT_EQ(records.completion(operation::isend).communicator, id);
    EXPECT_NE(handle, MPI_COMM_NULL);
    PMPI_Cancel(object.native());
    EXPECT_EQ(object.wait(), MPI_SUCCESS);
    auto const wait = records.call(operation::wait);
    EXPECT_EQ(wait.communicator, id);
    EXPECT_EQ(wait.request, operation::irecv);
}

TEST(communicators, CM12_freeing_no_communicator_is_an_error) {
    CASES_NEED_RANKS(1);
    cases::errors_return const guard;
    recorder const records;
    MPI_Comm none = MPI_COMM_NULL;
    int const plain = PMPI_Comm_free(&none);
    EXPECT_EQ(error_class(plain), MPI_ERR_COMM);
    EXPECT_EQ(error_class(cases::calls::comm_free(&none)), MPI_ERR_COMM);
    EXPECT_EQ(error_class(recorded(MPI_COMM_NULL).free()), MPI_ERR_COMM);
    auto const calls = records.calls(operation::comm_free);
    ASSERT_EQ(calls.size(), 2U);
    for (auto const& call : calls) {
        EXPECT_EQ(call.flags, mpiprof::call_failed);
        EXPECT_EQ(call.communicator, mpiprof::unknown_communicator);
    }
}

TEST(communicators, CM13_all_members_have_one_identity) {
    CASES_NEED_RANKS(4);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<MPI_Comm, 3> selves{};
    if (world.rank() == 0) {
        for (auto& self : selves) cases::calls::comm_dup(MPI_COMM_SELF, &self);
    }
    auto half = world.split(world.rank() % 2, world.rank());
    std::array<int, 1> value{};
    if (half.rank() == 0) half.send(value.data(), 1, MPI_INT, 1, 0);
    else half.recv(value.data(), 1, MPI_INT, 0, 0, MPI_STATUS_IGNORE);
    auto const ids = from_all(records.calls().back().communicator);
    EXPECT_EQ(ids[0], ids[2]);
    EXPECT_EQ(ids[1], ids[3]);
    EXPECT_NE(ids[0], ids[1]);
    auto quarter = half.split(half.rank(), 0);
    auto const quarters = from_all(quarter.identity());
    EXPECT_EQ(std::set<std::int64_t>(quarters.begin(), quarters.end()).size(), 4U);
    quarter.free();
    half.free();
    if (world.rank() == 0) {
        for (auto& self : selves) cases::calls::comm_free(&self);
    }
}

TEST(communicators, CM13_also_when_ranks_make_others_while_paused) {
    CASES_NEED_RANKS(2);
    recorder const records;
    mpiprof::profiler<cases::recording> const profiler;
    profiler.pause();
    MPI_Comm self = MPI_COMM_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    if (cases::world_rank() == 0) cases::calls::comm_dup(MPI_COMM_SELF, &self);
    cases::calls::comm_dup(MPI_COMM_WORLD, &comm);
    profiler.resume();
    EXPECT_TRUE(records.calls().empty());
    auto const ids = from_all(recorded(comm).identity());
    EXPECT_EQ(ids[0], ids[1]);
    cases::calls::comm_free(&comm);
    if (self != MPI_COMM_NULL) cases::calls::comm_free(&self);
}

TEST(communicators, CM6_the_communicator_of_one_rank) {
    CASES_NEED_RANKS(2);
    recorder const records;
    int const one = 1;
    int sum = 0;
    EXPECT_EQ(recorded(MPI_COMM_SELF).allreduce(&one, &sum, 1, MPI_INT, MPI_SUM), MPI_SUCCESS);
    EXPECT_EQ(sum, 1);
    EXPECT_EQ(records.call(operation::allreduce).communicator, mpiprof::self_communicator);
    EXPECT_EQ(records.call(operation::allreduce).sent, 4);
    EXPECT_EQ(records.call(operation::allreduce).received, 4);
    auto const run = cases::summary_profiler().snapshot();
    int found = 0;
    for (auto const& row : run.communicators) {
        if (row.id != mpiprof::self_communicator) continue;
        ++found;
        EXPECT_EQ(row.size, 1);
    }
    EXPECT_EQ(found, 1);
}

TEST(communicators, CM10_grids_that_leave_ranks_out) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 3> const all{2, 1, 1};
    std::array<int, 3> const one{1, 1, 1};
    std::array<int, 3> const open{};
    MPI_Comm comm = MPI_COMM_NULL;
    EXPECT_EQ(world.cart_create(3, all.data(), open.data(), 0, &comm), MPI_SUCCESS);
    auto grid = recorded(comm);
    EXPECT_NE(grid.identity(), mpiprof::world_communicator);
    EXPECT_EQ(from_all(grid.identity()), std::vector(2, grid.identity()));
    std::set<communicator_id> ids{grid.identity()};
    for (int i = 0; i < 2; ++i) {
        MPI_Comm part = MPI_COMM_NULL;
        EXPECT_EQ(grid.cart_create(3, one.data(), open.data(), 0, &part), MPI_SUCCESS);
        EXPECT_EQ(part == MPI_COMM_NULL, grid.rank() == 1);
        if (part == MPI_COMM_NULL) {
            EXPECT_FALSE(recorded(part));
            continue;
        }
        auto small = recorded(part);
        EXPECT_TRUE(ids.insert(small.identity()).second);
        EXPECT_EQ(small.barrier(), MPI_SUCCESS);
        EXPECT_EQ(records.calls(operation::barrier).back().communicator, small.identity());
        small.free();
    }
    // Both have counted the creating calls alike.
    auto after = grid.dup();
    EXPECT_EQ(from_all(after.identity()), std::vector(2, after.identity()));
    after.free();
    grid.free();
    EXPECT_EQ(records.calls(operation::cart_create).size(), 3U);
    for (auto const& call : records.calls(operation::cart_create)) EXPECT_EQ(call.flags, 0);
}

#ifdef MPICH_NUMVERSION  // Open MPI has no limit that a test could reach.

/// How many duplicates there can be.
std::size_t most_duplicates(auto duplicate) {
    std::vector<MPI_Comm> made;
    for (MPI_Comm comm = MPI_COMM_NULL; duplicate(&comm) == MPI_SUCCESS;) made.push_back(comm);
    for (auto& comm : made) PMPI_Comm_free(&comm);
    return made.size();
}

TEST(communicators, CM11_no_communicator_is_used_up) {
    CASES_NEED_RANKS(2);
    cases::errors_return const guard;
    auto const world = recorded(MPI_COMM_WORLD);
    auto const plain = most_duplicates([](MPI_Comm* comm) { return PMPI_Comm_dup(MPI_COMM_WORLD, comm); });
    auto const profiled = most_duplicates([&](MPI_Comm* comm) { return world.comm_dup(comm); });
    EXPECT_GT(plain, 100U);
    EXPECT_EQ(profiled, plain);
}

#endif

TEST(communicators, CM1_entered_twice_and_known_until_it_is_freed) {
    auto& identities = mpiprof::raw::communicator_identities::instance();
    MPI_Comm twice = MPI_COMM_NULL;
    PMPI_Comm_dup(MPI_COMM_WORLD, &twice);
    auto const met = identities.find(twice);
    auto const entered = identities.created(met, 7, twice);
    EXPECT_NE(entered, met);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(identities.find(twice), entered);
        EXPECT_EQ(identities.known(twice), entered);
    }
    PMPI_Comm_free(&twice);
}

}  // namespace
