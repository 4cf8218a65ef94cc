// Identities: the same from the same history, distinct otherwise.
#include <mpiprof/run/communicators.hpp>

#include <gtest/gtest.h>

#include <set>

namespace {

/// A communicator of so many members, of whom no more is known.
constexpr mpiprof::communicator_members of_size(int size) { return {.size = size}; }

TEST(hash_identity, is_48_bits_and_never_world_or_self) {
    std::set<mpiprof::communicator_id> seen;
    int keys = 0;
    for (std::uint64_t parent = 0; parent < 20; ++parent) {
        for (std::uint64_t creation = 0; creation < 50; ++creation) {
            for (std::uint64_t first = 0; first < 20; ++first) {
                auto const id = mpiprof::detail::hash_identity(parent, creation, first);
                EXPECT_GT(id, mpiprof::self_communicator);
                EXPECT_LT(id, std::int64_t{1} << 48);
                seen.insert(id);
                ++keys;
            }
        }
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(keys));
}

TEST(communicator_registry, numbers_the_creating_calls_of_each_parent) {
    auto& registry = mpiprof::communicator_registry::instance();
    EXPECT_EQ(registry.next_creation(1001), 0U);
    EXPECT_EQ(registry.next_creation(1001), 1U);
    EXPECT_EQ(registry.next_creation(1002), 0U);
}

TEST(communicator_registry, remembers_parent_size_and_last_name) {
    auto& registry = mpiprof::communicator_registry::instance();
    auto const id = registry.add_created(1003, 0, 2, of_size(8));
    registry.rename(id, "halo");
    registry.rename(id, "halo2");
    registry.rename(id + 1, "nobody");
    int found = 0;
    for (auto const& each : registry.entries()) {
        EXPECT_NE(each.name, "nobody");
        if (each.id != id) continue;
        ++found;
        EXPECT_EQ(each.name, "halo2");
        EXPECT_EQ(each.parent, 1003);
        EXPECT_EQ(each.size, 8);
        EXPECT_FALSE(each.guessed);
    }
    EXPECT_EQ(found, 1);
}

TEST(communicator_registry, finds_one_by_its_identity) {
    auto& registry = mpiprof::communicator_registry::instance();
    auto const between =
        registry.add_created(1005, 0, 2, {.size = 7, .remote_size = 3, .rank = 1, .first = 4});
    auto const found = registry.find(between);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->id, between);
    EXPECT_EQ(found->parent, 1005);
    EXPECT_EQ(found->size, 7);
    EXPECT_EQ(found->remote_size, 3);
    EXPECT_EQ(found->rank, 1);
    EXPECT_EQ(found->first, 4);
    EXPECT_FALSE(registry.find(between + 1).has_value());
}

TEST(communicator_registry, gives_both_sides_of_a_connection_one_identity) {
    auto& registry = mpiprof::communicator_registry::instance();
    auto const connect = [&](std::uint64_t groups, int tag) {
        return registry.add_connected(1004, groups, tag, of_size(4));
    };
    auto const first = connect(7, 1);
    auto const other_groups = connect(8, 1);
    auto const other_tag = connect(7, 2);
    auto const second = connect(7, 1);
    EXPECT_EQ((std::set{first, other_groups, other_tag, second}.size()), 4U);
    for (auto const& each : registry.entries()) {
        if (each.id != first) continue;
        EXPECT_EQ(each.parent, 1004);
        EXPECT_EQ(each.size, 4);
        EXPECT_FALSE(each.guessed);
    }
}

TEST(communicator_registry, tells_communicators_met_without_their_making_apart) {
    auto& registry = mpiprof::communicator_registry::instance();
    auto const first = registry.add_met(0, of_size(4));
    auto const second = registry.add_met(0, of_size(4));
    auto const other = registry.add_met(1, of_size(4));
    EXPECT_EQ((std::set{first, second, other}.size()), 3U);
}

}  // namespace
