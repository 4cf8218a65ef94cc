// broadcast in all overloads, from every root.
#include "tests/boost_mpi/collectives.hpp"

#include <boost/mpi/skeleton_and_content.hpp>
#include <boost/serialization/list.hpp>
#include <boost/version.hpp>
#include <list>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

template <class T>
class boost_mpi_broadcast : public of_type<T> {};

TYPED_TEST_SUITE(boost_mpi_broadcast, value_types);

record bcast(int root, long long bytes, long long overhead = 0) {
    return {.operation = "bcast",
            .root = root,
            .sent = is_root(root) ? bytes : 0,
            .received = is_root(root) ? 0 : bytes,
            .overhead = overhead};
}

template <class T>
record bcast_of(int root, std::vector<T> const& values) {
    return bcast(root, nbytes(values), size_messages<T, std::size_t>(1));
}

template <class T>
void broadcasts(T const& value) {
    from_each_root(
        [&](auto const& world, int root) {
            T mine = is_root(root) ? value : T{};
            broadcast(world, mine, root);
            EXPECT_EQ(mine, value);
        },
        [&](int root) { return records{bcast_of(root, std::vector<T>{value})}; });
}

TYPED_TEST(boost_mpi_broadcast, of_a_value) { broadcasts(value_of<TypeParam>(3)); }

TYPED_TEST(boost_mpi_broadcast, of_an_array) {
    using T = TypeParam;
    auto const all = values_of<T>(0, 3);
    from_each_root(
        [&](auto const& world, int root) {
            auto mine = is_root(root) ? all : std::vector<T>(3);
            broadcast(world, mine.data(), 3, root);
            EXPECT_EQ(mine, all);
        },
        [&](int root) { return records{bcast_of(root, all)}; });
}

TYPED_TEST(boost_mpi_broadcast, of_nothing) {
    using T = TypeParam;
    from_each_root(
        [](auto const& world, int root) {
            T unused{};
            broadcast(world, &unused, 0, root);
        },
        [](int root) { return records{bcast_of(root, std::vector<T>{})}; });
}

TEST(boost_mpi_broadcasts, BM20_of_an_int) {
    broadcasts(7);
    EXPECT_EQ(nbytes(std::vector{7}), 4);
}

TEST(boost_mpi_broadcasts, BM20_of_a_string) {
    broadcasts(std::string{"hello"});
    if (BOOST_VERSION == 107400) {
        EXPECT_EQ(archive_nbytes(std::string{"hello"}), 9);
    }
}

TEST(boost_mpi_broadcasts, BM20_of_a_vector) {
    broadcasts(std::vector{1, 2, 3});
    if (BOOST_VERSION == 107400) {
        EXPECT_EQ(archive_nbytes(std::vector{1, 2, 3}), 20);
    }
}

TEST(boost_mpi_broadcasts, BM20_sends_the_size_first) {
    from_each_root(
        [](auto const& world, int root) {
            auto text = value_of<std::string>(is_root(root) ? 4 : 0);
            broadcast(world, text, root);
        },
        [](int root) { return records{bcast_of(root, values_of<std::string>(4, 1))}; },
        [](outcome const& run) {
            ASSERT_EQ(run.mpi_calls.size(), 2);
            auto const& call = run.calls[0];
            EXPECT_EQ(run.mpi_calls[0].sent + run.mpi_calls[0].received, call.overhead);
            EXPECT_EQ(run.mpi_calls[1].sent, call.sent);
            EXPECT_EQ(run.mpi_calls[1].received, call.received);
        });
}

TEST(boost_mpi_broadcasts, BM11_of_a_vector_of_bool) { broadcasts(std::vector{true, false}); }

/// Archives and skeletons go from the root to each other rank: the bytes that a record has once are sent as
/// often as that.
void expect_sent_to_each_other(outcome const& run) {
    long long bytes = 0;
    for (auto const& call : run.calls) bytes += call.sent;
    EXPECT_EQ(moved(run, "Isend"), bytes * (world_size() - 1));
}

/// Broadcasts `out` from the root to `in` elsewhere.
template <class World, class Out, class In>
void broadcast_between(World const& world, Out& out, In& in, int root) {
    if (is_root(root)) broadcast(world, out, root);
    else broadcast(world, in, root);
}

TEST(boost_mpi_broadcasts, of_archives) {
    auto const text = value_of<std::string>(2);
    from_each_root(
        [&](auto const& world, int root) {
            mpi::packed_oarchive out(world);
            out << text;
            auto const& readable = out;
            mpi::packed_iarchive in(world);
            broadcast_between(world, out, in, root);
            broadcast_between(world, readable, in, root);
            if (!is_root(root)) {
                std::string read;
                in >> read;
                EXPECT_EQ(read, text);
            }
        },
        [&](int root) { return records(2, bcast(root, nbytes(std::vector{text}))); },
        expect_sent_to_each_other, order::free);
}

TEST(boost_mpi_broadcasts, of_an_archive_that_was_received) {
    from_each_root(
        [](auto const& world, int root) {
            mpi::packed_iarchive archive(world);
            if (is_root(root)) archive.resize(5);
            broadcast(world, archive, root);
            EXPECT_EQ(archive.size(), is_root(root) || world_size() > 1 ? 5 : 0);
        },
        [](int root) { return records{bcast(root, 5)}; }, expect_sent_to_each_other, order::free);
}

/// Bytes of the skeleton of a list of so many values, by Boost.
long long skeleton_nbytes(std::list<int> const& values) {
    mpi::packed_skeleton_oarchive skeleton(mpi::communicator{});
    skeleton << values;
    return static_cast<long long>(skeleton.get_skeleton().size());
}

TEST(boost_mpi_broadcasts, of_skeletons_and_content) {
    std::list<int> const all{1, 2, 3};
    from_each_root(
        [&](auto const& world, int root) {
            std::list<int> values = is_root(root) ? all : std::list<int>{};
            mpi::skeleton_proxy<std::list<int>> shape{values};
            auto const& same_shape = shape;
            broadcast(world, shape, root);
            broadcast(world, same_shape, root);
            broadcast(world, mpi::skeleton(values), root);
            auto inside = mpi::get_content(values);
            auto const& same_inside = inside;
            broadcast(world, inside, root);
            broadcast(world, same_inside, root);
            EXPECT_EQ(values, all);
        },
        [&](int root) {
            auto const shape = bcast(root, skeleton_nbytes(all));
            auto const inside = bcast(root, 3 * datatype_nbytes<int>());
            return records{shape, shape, shape, inside, inside};
        },
        order::free);
}

TEST(boost_mpi_broadcasts, of_skeleton_archives) {
    std::list<int> const all{1, 2, 3};
    from_each_root(
        [&](auto const& world, int root) {
            mpi::packed_skeleton_oarchive out(world);
            out << all;
            auto const& readable = out;
            mpi::packed_skeleton_iarchive in(world);
            broadcast_between(world, out, in, root);
            broadcast_between(world, readable, in, root);
            if (!is_root(root)) {
                std::list<int> values;
                in >> values;
                EXPECT_EQ(values.size(), all.size());
            }
        },
        [&](int root) { return records(2, bcast(root, skeleton_nbytes(all))); }, expect_sent_to_each_other,
        order::free);
}

}  // namespace

}  // namespace boost_mpi_tests
