// gather, gatherv, all_gather and all_gatherv in all overloads.
#include "tests/boost_mpi/collectives.hpp"

#include <boost/mpi/collectives/all_gatherv.hpp>
#include <boost/version.hpp>
#include <numeric>

namespace boost_mpi_tests {

namespace {

template <class T>
class boost_mpi_gather : public of_type<T> {};
template <class T>
class boost_mpi_gatherv : public of_type<T> {};
template <class T>
class boost_mpi_all_gather : public of_type<T> {};
template <class T>
class boost_mpi_all_gatherv : public of_type<T> {};

TYPED_TEST_SUITE(boost_mpi_gather, value_types);
TYPED_TEST_SUITE(boost_mpi_gatherv, value_types);
TYPED_TEST_SUITE(boost_mpi_all_gather, value_types);
TYPED_TEST_SUITE(boost_mpi_all_gatherv, value_types);

/// What each rank gives.
template <class T>
using contributions = std::vector<std::vector<T>>;

template <class T>
contributions<T> of_each(std::vector<int> const& sizes) {
    contributions<T> all;
    for (int const size : sizes) all.push_back(values_of<T>(static_cast<int>(all.size()), size));
    return all;
}

template <class T>
std::vector<T> joined(contributions<T> const& all) {
    std::vector<T> values;
    for (auto const& each : all) values.insert(values.end(), each.begin(), each.end());
    return values;
}

template <class T>
std::vector<T> const& mine_of(contributions<T> const& all) {
    return all[static_cast<std::size_t>(world_rank())];
}

template <class T>
long long sum_of_nbytes(contributions<T> const& all) {
    long long sum = 0;
    for (auto const& each : all) sum += nbytes(each);
    return sum;
}

/// 0, 2, 0, 2, … or, for a start of 1, 1, 3, 1, 3, …
std::vector<int> uneven_sizes(int start = 0) {
    auto sizes = equal_sizes(start);
    for (std::size_t rank = 1; rank < sizes.size(); rank += 2) sizes[rank] = start + 2;
    return sizes;
}

/// The values at their displacements, nothing between them.
template <class T>
std::vector<T> placed(contributions<T> const& all, std::vector<int> const& displs) {
    std::vector<T> values(static_cast<std::size_t>(displs.back()) + all.back().size());
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        std::copy(all[rank].begin(), all[rank].end(), values.begin() + displs[rank]);
    return values;
}

template <class T>
record gather_record(char const* operation, int root, contributions<T> const& all) {
    return {.operation = operation,
            .root = root,
            .sent = nbytes(mine_of(all)),
            .received = is_root(root) ? sum_of_nbytes(all) : 0,
            .overhead = size_messages<T>(is_root(root) ? 1 + world_size() : 1)};
}

template <class T>
record all_gather_record(char const* operation, contributions<T> const& all) {
    return {.operation = operation,
            .sent = nbytes(mine_of(all)),
            .received = sum_of_nbytes(all),
            .overhead = size_messages<T>(1 + world_size())};
}

TYPED_TEST(boost_mpi_gather, of_values) {
    using T = TypeParam;
    auto const each = of_each<T>(equal_sizes(1));
    from_each_root(
        [&](auto const& world, int root) {
            T const mine = mine_of(each)[0];
            std::vector<T> all;
            std::vector<T> places(each.size());
            gather(world, mine, all, root);
            gather(world, mine, places.data(), root);
            if (is_root(root)) {
                EXPECT_EQ(all, joined(each));
                EXPECT_EQ(places, all);
            } else {
                EXPECT_TRUE(all.empty());
                EXPECT_EQ(places, std::vector<T>(each.size()));
                gather(world, mine, root);
            }
            if (is_root(root)) gather(world, mine, places.data(), root);
        },
        [&](int root) { return records(3, gather_record("gather", root, each)); },
        bytes_as_logged<T>("Gather", "Gatherv"));
}

TYPED_TEST(boost_mpi_gather, of_arrays) {
    using T = TypeParam;
    auto const each = of_each<T>(equal_sizes(2));
    from_each_root(
        [&](auto const& world, int root) {
            auto const& mine = mine_of(each);
            std::vector<T> all;
            std::vector<T> places(2 * each.size());
            gather(world, mine.data(), 2, all, root);
            gather(world, mine.data(), 2, places.data(), root);
            if (is_root(root)) {
                EXPECT_EQ(all, joined(each));
                EXPECT_EQ(places, all);
                gather(world, mine.data(), 2, all, root);
            } else if constexpr (is_serialised<T>) {
                // Without a place to put them to, Boost 1.74 compiles no gather of several.
                gather(world, mine.data(), 2, static_cast<T*>(nullptr), root);
            } else {
                gather(world, mine.data(), 2, root);
            }
        },
        [&](int root) { return records(3, gather_record("gather", root, each)); },
        bytes_as_logged<T>("Gather", "Gatherv"));
}

TYPED_TEST(boost_mpi_gather, of_nothing) {
    using T = TypeParam;
    auto const each = of_each<T>(equal_sizes(0));
    from_each_root(
        [&](auto const& world, int root) {
            T const unused{};
            std::vector<T> all(1);
            gather(world, &unused, 0, all, root);
            EXPECT_EQ(all.size(), is_root(root) ? 0 : 1);
        },
        [&](int root) { return records(1, gather_record("gather", root, each)); },
        bytes_as_logged<T>("Gather", "Gatherv"));
}

TYPED_TEST(boost_mpi_gatherv, of_arrays_and_vectors) {
    using T = TypeParam;
    auto const sizes = uneven_sizes();
    auto const each = of_each<T>(sizes);
    from_each_root(
        [&](auto const& world, int root) {
            // Boost asks an array's first value for its datatype, also of an array of none.
            auto mine = mine_of(each);
            int const n = static_cast<int>(mine.size());
            mine.reserve(1);
            auto const all = joined(each);
            std::vector<T> places(all.size() + 1);
            std::vector<T> others(all.size() + 1);
            gatherv(world, mine, places.data(), sizes, root);
            gatherv(world, mine.data(), n, others.data(), sizes, root);
            if (is_root(root)) {
                EXPECT_EQ(others, places);
                places.pop_back();
                EXPECT_EQ(places, all);
                gatherv(world, mine, others.data(), sizes, root);
                gatherv(world, mine, others.data(), sizes, root);
            } else {
                gatherv(world, mine, root);
                gatherv(world, mine.data(), n, root);
            }
        },
        [&](int root) { return records(4, gather_record("gatherv", root, each)); },
        bytes_as_logged<T>("Gather", "Gatherv"));
}

TYPED_TEST(boost_mpi_gatherv, with_gaps) {
    using T = TypeParam;
    auto const sizes = uneven_sizes(1);
    auto const displs = displacements(sizes, 1);
    auto const each = of_each<T>(sizes);
    from_each_root(
        [&](auto const& world, int root) {
            auto const& mine = mine_of(each);
            auto const expected = placed(each, displs);
            std::vector<T> places(expected.size());
            std::vector<T> others(expected.size());
            gatherv(world, mine, places.data(), sizes, displs, root);
            gatherv(world, mine.data(), static_cast<int>(mine.size()), others.data(), sizes, displs, root);
            EXPECT_EQ(places, is_root(root) ? expected : std::vector<T>(expected.size()));
            EXPECT_EQ(others, places);
        },
        [&](int root) { return records(2, gather_record("gatherv", root, each)); },
        bytes_as_logged<T>("Gather", "Gatherv"));
}

// Boost counts the places of serialised values from the first rank's on, so its displacement does nothing.
TYPED_TEST(boost_mpi_gatherv, with_a_gap_before_the_first) {
    using T = TypeParam;
    auto const sizes = uneven_sizes(1);
    auto const displs = displacements(sizes, 1, 1);
    auto const each = of_each<T>(sizes);
    from_each_root(
        [&](auto const& world, int root) {
            auto const expected = placed(each, is_serialised<T> ? displacements(sizes, 1) : displs);
            std::vector<T> places(expected.size());
            gatherv(world, mine_of(each), places.data(), sizes, displs, root);
            if (is_root(root)) {
                EXPECT_EQ(places, expected);
            }
        },
        [&](int root) { return records(1, gather_record("gatherv", root, each)); },
        bytes_as_logged<T>("Gather", "Gatherv"));
}

TYPED_TEST(boost_mpi_gatherv, needs_sizes_on_the_root_only) {
    using T = TypeParam;
    auto const sizes = uneven_sizes(1);
    auto const each = of_each<T>(sizes);
    from_each_root(
        [&](auto const& world, int root) {
            std::vector<int> const none;
            bool const leads = is_root(root);
            std::vector<T> places(placed(each, displacements(sizes, 1)).size());
            gatherv(world, mine_of(each), places.data(), leads ? sizes : none,
                    leads ? displacements(sizes, 1) : none, root);
            EXPECT_EQ(places.back() == each.back().back(), leads);
        },
        [&](int root) { return records(1, gather_record("gatherv", root, each)); },
        bytes_as_logged<T>("Gather", "Gatherv"));
}

TYPED_TEST(boost_mpi_all_gather, of_values_and_arrays) {
    using T = TypeParam;
    auto const one = of_each<T>(equal_sizes(1));
    auto const two = of_each<T>(equal_sizes(2));
    on_all(
        [&](auto const& world) {
            std::vector<T> all;
            std::vector<T> places(2 * one.size());
            all_gather(world, mine_of(two).data(), 2, all);
            EXPECT_EQ(all, joined(two));
            all_gather(world, mine_of(two).data(), 2, places.data());
            EXPECT_EQ(places, all);
            all_gather(world, mine_of(one)[0], all);
            EXPECT_EQ(all, joined(one));
            all_gather(world, mine_of(one)[0], places.data());
            places.resize(one.size());
            EXPECT_EQ(places, all);
        },
        {all_gather_record("allgather", two), all_gather_record("allgather", two),
         all_gather_record("allgather", one), all_gather_record("allgather", one)},
        bytes_as_logged<T>("Allgather", "Allgatherv"));
}

TYPED_TEST(boost_mpi_all_gather, of_nothing) {
    using T = TypeParam;
    on_all(
        [](auto const& world) {
            T const unused{};
            std::vector<T> all(1);
            all_gather(world, &unused, 0, all);
            EXPECT_TRUE(all.empty());
        },
        {all_gather_record("allgather", of_each<T>(equal_sizes(0)))},
        bytes_as_logged<T>("Allgather", "Allgatherv"));
}

TYPED_TEST(boost_mpi_all_gatherv, of_arrays_and_vectors) {
    using T = TypeParam;
    auto const sizes = uneven_sizes(1);
    auto const each = of_each<T>(sizes);
    auto const one = of_each<T>(equal_sizes(1));
    on_all(
        [&](auto const& world) {
            std::vector<T> all;
            all_gatherv(world, mine_of(each), all, sizes);
            EXPECT_EQ(all, joined(each));
            std::vector<T> places(all.size());
            all_gatherv(world, mine_of(each).data(), places.data(), sizes);
            EXPECT_EQ(places, all);
            all_gatherv(world, mine_of(one)[0], places.data(), equal_sizes(1));
            places.resize(one.size());
            EXPECT_EQ(places, joined(one));
        },
        {all_gather_record("allgatherv", each), all_gather_record("allgatherv", each),
         all_gather_record("allgatherv", one)},
        bytes_as_logged<T>("Allgather", "Allgatherv"));
}

TEST(boost_mpi_gathers, in_place_of_the_own_values) {
    same_as_boost([](auto const& world) {
        std::vector<int> sizes(static_cast<std::size_t>(world_size()), 0);
        sizes[0] = 1;
        std::vector<std::string> texts(world_rank() == 0 ? 1 : 0, std::string(100, 'x'));
        all_gatherv(world, texts, texts, sizes);
        EXPECT_EQ(texts, std::vector(1, std::string(100, 'x')));
    });
}

TYPED_TEST(boost_mpi_all_gatherv, with_gaps) {
    using T = TypeParam;
    auto const sizes = uneven_sizes();
    auto const displs = displacements(sizes, 1);
    auto const each = of_each<T>(sizes);
    on_all(
        [&](auto const& world) {
            auto const expected = placed(each, displs);
            std::vector<T> places(expected.size());
            auto mine = mine_of(each);
            mine.reserve(1);
            all_gatherv(world, mine.data(), places.data(), sizes, displs);
            EXPECT_EQ(places, expected);
        },
        {all_gather_record("allgatherv", each)}, bytes_as_logged<T>("Allgather", "Allgatherv"));
}

// Boost makes room in the vector for the values, not for what is between them.
TYPED_TEST(boost_mpi_all_gatherv, of_vectors_in_another_order) {
    using T = TypeParam;
    auto const sizes = equal_sizes(1);
    auto const each = of_each<T>(sizes);
    std::vector<int> displs(sizes.size());
    std::iota(displs.begin(), displs.end(), 0);
    on_all(
        [&](auto const& world) {
            std::vector<T> all;
            all_gatherv(world, mine_of(each), all, sizes, displs);
            EXPECT_EQ(all, joined(each));
        },
        {all_gather_record("allgatherv", each)}, bytes_as_logged<T>("Allgather", "Allgatherv"));
}

// The sizes of the archives are gathered, then the archives; the root sends its own too.
TEST(boost_mpi_gather, BM21_of_strings) {
    from_each_root(
        [](auto const& world, int root) {
            std::vector<std::string> all;
            gather(world, value_of<std::string>(world_rank()), all, root);
            all_gather(world, value_of<std::string>(world_rank()), all);
            EXPECT_EQ(all, one_for_each<std::string>());
        },
        [](int root) {
            auto const each = of_each<std::string>(equal_sizes(1));
            return records{gather_record("gather", root, each), all_gather_record("allgather", each)};
        },
        [](outcome const& run) {
            ASSERT_EQ(run.mpi_calls.size(), 4);
            EXPECT_EQ(run.mpi_calls[0].function, "Gather");
            EXPECT_EQ(run.mpi_calls[0].sent, 4);
            EXPECT_EQ(run.mpi_calls[1].function, "Gatherv");
            if (BOOST_VERSION == 107400) {
                EXPECT_EQ(run.mpi_calls[1].sent, 5 + world_rank());
            }
            EXPECT_EQ(run.mpi_calls[1].sent, run.calls[0].sent);
            EXPECT_EQ(run.mpi_calls[1].received, run.calls[0].received);
            EXPECT_EQ(run.mpi_calls[3].sent, run.calls[1].sent);
            EXPECT_EQ(run.mpi_calls[3].received, run.calls[1].received);
        });
}

TEST(boost_mpi_gather, copies_what_is_the_ranks_own) {
    std::vector<int> const sizes = equal_sizes(1);
    int const of_others = world_size() - 1;
    auto const loads_of = [](auto call) {
        particle::loads = 0;
        call();
        return particle::loads;
    };
    same_as_boost([&](auto const& world) {
        auto const mine = value_of<particle>(world_rank());
        std::vector<particle> all(sizes.size());
        EXPECT_EQ(loads_of([&] { gather(world, mine, all, 0); }), is_root(0) ? of_others : 0);
        EXPECT_EQ(loads_of([&] { gatherv(world, &mine, 1, all.data(), sizes, 0); }),
                  is_root(0) ? of_others : 0);
        EXPECT_EQ(loads_of([&] { all_gather(world, mine, all); }), of_others);
        EXPECT_EQ(loads_of([&] { all_gatherv(world, &mine, all.data(), sizes); }), of_others);
    });
}

}  // namespace

}  // namespace boost_mpi_tests
