// scatter, scatterv and all_to_all in all overloads.
#include "tests/boost_mpi/collectives.hpp"

#include <numeric>

namespace boost_mpi_tests {

namespace {

template <class T>
class boost_mpi_scatter : public of_type<T> {};
template <class T>
class boost_mpi_scatterv : public of_type<T> {};
template <class T>
class boost_mpi_all_to_all : public of_type<T> {};

TYPED_TEST_SUITE(boost_mpi_scatter, value_types);
TYPED_TEST_SUITE(boost_mpi_scatterv, value_types);
TYPED_TEST_SUITE(boost_mpi_all_to_all, value_types);

std::size_t own_index() { return static_cast<std::size_t>(world_rank()); }

/// `sizes[rank]` of the values for each rank, from its displacement on.
template <class T>
std::vector<std::vector<T>> parts(std::vector<T> const& values, std::vector<int> const& sizes,
                                  std::vector<int> const& displs) {
    std::vector<std::vector<T>> found;
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
        auto const first = values.begin() + displs[rank];
        found.emplace_back(first, first + sizes[rank]);
    }
    return found;
}

/// 1, 2, 0, 1, …
std::vector<int> uneven_sizes() {
    std::vector<int> sizes;
    for (int rank = 0; rank < world_size(); ++rank) sizes.push_back((rank + 1) % 3);
    return sizes;
}

int sum(std::vector<int> const& sizes) { return std::accumulate(sizes.begin(), sizes.end(), 0); }

template <class T>
record scatter_record(char const* operation, int root, std::vector<std::vector<T>> const& parts) {
    long long all = 0;
    for (auto const& part : parts) all += nbytes(part);
    return {.operation = operation,
            .root = root,
            .sent = is_root(root) ? all : 0,
            .received = nbytes(parts[own_index()]),
            .overhead = size_messages<T>(is_root(root) ? 1 + world_size() : 1)};
}

TYPED_TEST(boost_mpi_scatter, of_values) {
    using T = TypeParam;
    auto const all = one_for_each<T>();
    from_each_root(
        [&](auto const& world, int root) {
            T mine{};
            scatter(world, all, mine, root);
            EXPECT_EQ(mine, all[own_index()]);
            mine = {};
            // Without <T>, Boost's overloads for a vector and for a pointer are as good.
            if (is_root(root)) scatter<T>(world, all.data(), mine, root);
            else scatter(world, mine, root);
            EXPECT_EQ(mine, all[own_index()]);
        },
        [&](int root) {
            auto const sizes = equal_sizes(1);
            return records(2, scatter_record("scatter", root, parts(all, sizes, displacements(sizes))));
        },
        bytes_as_logged<T>("Scatter", "Scatterv"));
}

TYPED_TEST(boost_mpi_scatter, of_arrays) {
    using T = TypeParam;
    auto const all = values_of<T>(0, 2 * world_size());
    auto const sizes = equal_sizes(2);
    auto const each = parts(all, sizes, displacements(sizes));
    from_each_root(
        [&](auto const& world, int root) {
            std::vector<T> mine(2);
            scatter(world, all, mine.data(), 2, root);
            EXPECT_EQ(mine, each[own_index()]);
            mine.assign(2, {});
            scatter(world, all.data(), mine.data(), 2, root);
            EXPECT_EQ(mine, each[own_index()]);
            mine.assign(2, {});
            if (is_root(root)) scatter(world, all, mine.data(), 2, root);
            else scatter(world, mine.data(), 2, root);
            EXPECT_EQ(mine, each[own_index()]);
        },
        [&](int root) { return records(3, scatter_record("scatter", root, each)); },
        bytes_as_logged<T>("Scatter", "Scatterv"));
}

TYPED_TEST(boost_mpi_scatter, of_nothing) {
    using T = TypeParam;
    from_each_root(
        [&](auto const& world, int root) {
            std::vector<T> const all(1);
            T unused{};
            scatter(world, all, &unused, 0, root);
            EXPECT_EQ(unused, T{});
        },
        [&](int root) {
            return records(
                1, scatter_record("scatter", root, std::vector<std::vector<T>>(equal_sizes(0).size())));
        },
        bytes_as_logged<T>("Scatter", "Scatterv"));
}

TYPED_TEST(boost_mpi_scatterv, of_arrays_and_vectors) {
    using T = TypeParam;
    auto const sizes = uneven_sizes();
    int const n = sizes[own_index()];
    auto const all = values_of<T>(0, sum(sizes));
    auto const each = parts(all, sizes, displacements(sizes));
    from_each_root(
        [&](auto const& world, int root) {
            std::vector<T> const none(static_cast<std::size_t>(n) + 1);
            auto mine = none;
            auto const expect_mine = [&] {
                mine.pop_back();
                EXPECT_EQ(mine, each[own_index()]);
                mine = none;
            };
            scatterv(world, all, sizes, mine.data(), root);
            expect_mine();
            scatterv(world, all.data(), sizes, mine.data(), root);
            expect_mine();
            if (is_root(root)) scatterv(world, all, sizes, mine.data(), root);
            else scatterv(world, mine.data(), n, root);
            expect_mine();
            // These have no sizes, which the root needs.
            if (is_root(root)) scatterv(world, all, sizes, mine.data(), root);
            else scatterv(world, static_cast<T const*>(nullptr), mine.data(), n, root);
            expect_mine();
            if (is_root(root)) scatterv(world, all, sizes, mine.data(), root);
            else scatterv(world, std::vector<T>{}, mine.data(), n, root);
            expect_mine();
        },
        [&](int root) { return records(5, scatter_record("scatterv", root, each)); },
        bytes_as_logged<T>("Scatter", "Scatterv"));
}

// Boost takes serialised values one after the other, whatever the displacements.
TYPED_TEST(boost_mpi_scatterv, with_gaps) {
    using T = TypeParam;
    auto const sizes = uneven_sizes();
    int const n = sizes[own_index()];
    auto const displs = displacements(sizes, 1);
    auto const all = values_of<T>(0, sum(sizes) + world_size());
    auto const each = parts(all, sizes, is_serialised<T> ? displacements(sizes) : displs);
    from_each_root(
        [&](auto const& world, int root) {
            std::vector<T> mine(static_cast<std::size_t>(n) + 1);
            std::vector<T> again(mine.size());
            scatterv(world, all, sizes, displs, mine.data(), n, root);
            scatterv(world, all.data(), sizes, displs, again.data(), n, root);
            EXPECT_EQ(again, mine);
            mine.pop_back();
            EXPECT_EQ(mine, each[own_index()]);
        },
        [&](int root) { return records(2, scatter_record("scatterv", root, each)); },
        bytes_as_logged<T>("Scatter", "Scatterv"));
}

/// What one rank sends to another.
template <class T>
std::vector<T> between(int from, int to, int n) {
    return values_of<T>(2 * from + to, n);
}

/// What this rank sends to each, or what each sends to this one.
template <class T>
std::vector<T> sent_to_each(int n) {
    std::vector<T> values;
    for (int rank = 0; rank < world_size(); ++rank)
        for (auto const& value : between<T>(world_rank(), rank, n)) values.push_back(value);
    return values;
}
template <class T>
std::vector<T> given_by_each(int n) {
    std::vector<T> values;
    for (int rank = 0; rank < world_size(); ++rank)
        for (auto const& value : between<T>(rank, world_rank(), n)) values.push_back(value);
    return values;
}

/// Serialised values that a rank keeps are handed to nobody.
template <class T>
record all_to_all_record(int n) {
    record call{.operation = "alltoall", .overhead = size_messages<T>(2 * world_size())};
    for (int rank = 0; rank < world_size(); ++rank) {
        if (is_serialised<T> && rank == world_rank()) continue;
        call.sent += nbytes(between<T>(world_rank(), rank, n));
        call.received += nbytes(between<T>(rank, world_rank(), n));
    }
    return call;
}

TYPED_TEST(boost_mpi_all_to_all, of_values_and_arrays) {
    using T = TypeParam;
    on_all(
        [](auto const& world) {
            std::vector<T> given;
            all_to_all(world, sent_to_each<T>(1), given);
            EXPECT_EQ(given, given_by_each<T>(1));
            given.assign(given.size(), {});
            all_to_all(world, sent_to_each<T>(1).data(), given.data());
            EXPECT_EQ(given, given_by_each<T>(1));
            all_to_all(world, sent_to_each<T>(2), 2, given);
            EXPECT_EQ(given, given_by_each<T>(2));
            given.assign(given.size(), {});
            all_to_all(world, sent_to_each<T>(2).data(), 2, given.data());
            EXPECT_EQ(given, given_by_each<T>(2));
        },
        {all_to_all_record<T>(1), all_to_all_record<T>(1), all_to_all_record<T>(2), all_to_all_record<T>(2)},
        bytes_as_logged<T>("Alltoall", "Alltoallv"));
}

TYPED_TEST(boost_mpi_all_to_all, of_nothing) {
    using T = TypeParam;
    on_all(
        [](auto const& world) {
            T const unused{};
            T place = value_of<T>(3);
            all_to_all(world, &unused, 0, &place);
            EXPECT_EQ(place, value_of<T>(3));
        },
        {all_to_all_record<T>(0)}, bytes_as_logged<T>("Alltoall", "Alltoallv"));
}

TEST(boost_mpi_scatter, copies_what_is_the_roots_own_where_boost_does) {
    auto const loads_of = [](auto call) {
        particle::loads = 0;
        call();
        return particle::loads;
    };
    same_as_boost([&](auto const& world) {
        auto const all = one_for_each<particle>();
        particle mine;
        EXPECT_EQ(loads_of([&] { scatter(world, all, mine, 0); }), is_root(0) ? 0 : 1);
        EXPECT_EQ(loads_of([&] { scatterv(world, all, equal_sizes(1), &mine, 0); }), 1);
        std::vector<particle> given;
        EXPECT_EQ(loads_of([&] { all_to_all(world, all, given); }), world_size() - 1);
    });
}

}  // namespace

}  // namespace boost_mpi_tests
