// reduce, all_reduce and scan in all overloads.
#include "tests/boost_mpi/collectives.hpp"

#include <mpiprof/boost_mpi/serialized_size.hpp>

#include <functional>
#include <stdexcept>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

/// Joins two values, of which the first comes from lower ranks.
struct join {
    int operator()(int first, int second) const { return first + second; }
    double operator()(double first, double second) const { return first + second; }
    pixel operator()(pixel const& first, pixel const& second) const {
        return {first.x + second.x, first.brightness + second.brightness};
    }
    std::string operator()(std::string const& first, std::string const& second) const {
        return first + second;
    }
    particle operator()(particle const& first, particle const& second) const {
        return {first.id + second.id, first.name + second.name};
    }
};

using reduced_types = testing::Types<int, double, pixel, std::string, particle>;

template <class T>
class boost_mpi_reduce : public of_type<T> {};
template <class T>
class boost_mpi_all_reduce : public of_type<T> {};
template <class T>
class boost_mpi_scan : public of_type<T> {};

TYPED_TEST_SUITE(boost_mpi_reduce, reduced_types);
TYPED_TEST_SUITE(boost_mpi_all_reduce, reduced_types);
TYPED_TEST_SUITE(boost_mpi_scan, reduced_types);

/// `n` values of a rank.
template <class T>
std::vector<T> contribution(int rank, int n) {
    return values_of<T>(rank, n);
}
template <class T>
std::vector<T> own(int n) {
    return contribution<T>(world_rank(), n);
}

/// Those of the ranks up to `last`, joined.
template <class T>
std::vector<T> joined(int last, int n) {
    auto values = contribution<T>(0, n);
    for (int rank = 1; rank <= last; ++rank) {
        auto const more = contribution<T>(rank, n);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = join{}(values[i], more[i]);
    }
    return values;
}
template <class T>
std::vector<T> result(int n) {
    return joined<T>(world_size() - 1, n);
}

/// How the bytes of serialised values come to be known.
enum class bytes { unknown, counted };

/// A reduction of `in` to `out` on the ranks that get it, in which serialised values' bytes are an estimate.
template <class T>
record reduction_record(char const* operation, std::vector<T> const& in, std::vector<T> const& out,
                        bool gets_result, int flags = 0, bytes how = bytes::unknown) {
    bool const known = !is_serialised<T> || how == bytes::counted;
    return {.operation = operation,
            .flags = flags | (is_serialised<T> ? mpiprof::call_estimated : 0),
            .sent = known ? nbytes(in) : -1,
            .received = !gets_result ? 0
                        : known      ? nbytes(out)
                                     : -1};
}

template <class T>
record reduce_record(int root, int n, bytes how = bytes::unknown) {
    auto expected = reduction_record("reduce", own<T>(n), result<T>(n), is_root(root), 0, how);
    expected.root = root;
    return expected;
}

template <class T>
record all_reduce_record(int n, int flags = 0, bytes how = bytes::unknown) {
    return reduction_record("allreduce", own<T>(n), result<T>(n), true, flags, how);
}

template <class T>
record scan_record(int n, bytes how = bytes::unknown) {
    return reduction_record("scan", own<T>(n), joined<T>(world_rank(), n), true, 0, how);
}

/// All overloads, each once.
template <class T, class World>
void reduces(World const& world, int root) {
    bool const leads = is_root(root);
    auto const one = own<T>(1)[0];
    auto const two = own<T>(2);
    T value{};
    std::vector<T> places(2);
    std::vector<T> values;
    reduce(world, one, value, join{}, root);
    reduce(world, two.data(), 2, places.data(), join{}, root);
    reduce(world, two, values, join{}, root);
    if (leads) {
        EXPECT_EQ(value, result<T>(1)[0]);
        EXPECT_EQ(places, result<T>(2));
        EXPECT_EQ(values, places);
        reduce(world, one, value, join{}, root);
        reduce(world, two.data(), 2, places.data(), join{}, root);
        reduce(world, two, values, join{}, root);
    } else {
        reduce(world, one, join{}, root);
        reduce(world, two.data(), 2, join{}, root);
        reduce(world, two, join{}, root);
    }
}

template <class T>
records of_reduces(int root, bytes how = bytes::unknown) {
    auto const one = reduce_record<T>(root, 1, how);
    auto const two = reduce_record<T>(root, 2, how);
    return {one, two, two, one, two, two};
}

template <class T, class World>
void reduces_on_all(World const& world) {
    auto const one = own<T>(1)[0];
    auto const two = own<T>(2);
    T value{};
    std::vector<T> values(2);
    all_reduce(world, one, value, join{});
    EXPECT_EQ(value, result<T>(1)[0]);
    EXPECT_EQ(all_reduce(world, one, join{}), value);
    all_reduce(world, two.data(), 2, values.data(), join{});
    EXPECT_EQ(values, result<T>(2));
    value = one;
    values = two;
    all_reduce(world, mpi::inplace(value), join{});
    EXPECT_EQ(value, result<T>(1)[0]);
    all_reduce(world, mpi::inplace(values.data()), 2, join{});
    EXPECT_EQ(values, result<T>(2));
}

template <class T>
records of_reduces_on_all(bytes how = bytes::unknown) {
    int const in_place = mpiprof::call_in_place;
    return {all_reduce_record<T>(1, 0, how), all_reduce_record<T>(1, 0, how), all_reduce_record<T>(2, 0, how),
            all_reduce_record<T>(1, in_place, how), all_reduce_record<T>(2, in_place, how)};
}

template <class T, class World>
void scans(World const& world) {
    auto const one = own<T>(1)[0];
    auto const two = own<T>(2);
    T value{};
    std::vector<T> values(2);
    scan(world, one, value, join{});
    EXPECT_EQ(value, joined<T>(world_rank(), 1)[0]);
    EXPECT_EQ(scan(world, one, join{}), value);
    scan(world, two.data(), 2, values.data(), join{});
    EXPECT_EQ(values, joined<T>(world_rank(), 2));
}

template <class T>
records of_scans(bytes how = bytes::unknown) {
    return {scan_record<T>(1, how), scan_record<T>(1, how), scan_record<T>(2, how)};
}

TYPED_TEST(boost_mpi_reduce, to_each_root) {
    using T = TypeParam;
    from_each_root([](auto const& world, int root) { reduces<T>(world, root); },
                   [](int root) { return of_reduces<T>(root); });
}

TYPED_TEST(boost_mpi_reduce, of_nothing) {
    using T = TypeParam;
    from_each_root(
        [](auto const& world, int root) {
            T const in{};
            T out{};
            reduce(world, &in, 0, &out, join{}, root);
            EXPECT_EQ(out, T{});
        },
        [](int root) { return records{reduce_record<T>(root, 0)}; });
}

TYPED_TEST(boost_mpi_all_reduce, BM19_also_in_place) {
    using T = TypeParam;
    on_all([](auto const& world) { reduces_on_all<T>(world); }, of_reduces_on_all<T>());
}

TYPED_TEST(boost_mpi_scan, of_values_and_arrays) {
    using T = TypeParam;
    on_all([](auto const& world) { scans<T>(world); }, of_scans<T>());
}

TEST(boost_mpi_reductions, BM19_by_operators_of_mpi_and_lambdas) {
    int const sum = world_size() * (world_size() + 1) / 2;
    on_all(
        [&](auto const& world) {
            int const mine = world_rank() + 1;
            auto const lambda = [](int a, int b) { return a + b; };
            int largest = 0;
            reduce(world, mine, largest, mpi::maximum<int>{}, 0);
            EXPECT_EQ(largest, is_root(0) ? world_size() : 0);
            EXPECT_EQ(all_reduce(world, mine, std::plus<int>{}), sum);
            EXPECT_EQ(all_reduce(world, mine, std::plus<>{}), sum);
            EXPECT_EQ(all_reduce(world, mine, lambda), sum);
            EXPECT_EQ(scan(world, 1, std::plus<int>{}), mine);
            EXPECT_EQ(scan(world, 1, lambda), mine);
        },
        {reduce_record<int>(0, 1), all_reduce_record<int>(1), all_reduce_record<int>(1),
         all_reduce_record<int>(1), scan_record<int>(1), scan_record<int>(1)});
}

// What an operator does is no part of the profiled call: its own calls are calls like any others.
TEST(boost_mpi_reductions, BM19_whose_operator_communicates) {
    profiled_communicator const world;
    profiled_communicator const self(MPI_COMM_SELF, mpi::comm_attach);
    int joins = 0;
    begin_run();
    auto const text = all_reduce(world, value_of<std::string>(world_rank()),
                                 [&](std::string const& first, std::string const& second) {
                                     ++joins;
                                     return first + all_reduce(self, second, join{});
                                 });
    EXPECT_EQ(text, result<std::string>(1)[0]);
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), static_cast<std::size_t>(joins) + 1);
    for (auto const& each : calls) {
        EXPECT_EQ(each.communicator, &each == &calls.back() ? world.identity() : self.identity());
        EXPECT_GE(each.begin, calls.back().begin);
        EXPECT_LE(each.end, calls.back().end);
    }
}

/// Serialised values are counted too.
using counting = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::serialized,
                                          mpiprof::sinks::callback<collect>>;
using counting_communicator = mpiprof::boost_mpi::basic_communicator<counting>;

template <class Scenario>
void records_counted(Scenario scenario, records const& expected) {
    begin_run();
    scenario(counting_communicator{});
    EXPECT_EQ(calls_in(__FILE__), expected);
}

TYPED_TEST(boost_mpi_reduce, counts_what_is_reduced) {
    using T = TypeParam;
    for (int root = 0; root < world_size(); ++root) {
        records_counted([&](auto const& world) { reduces<T>(world, root); },
                        of_reduces<T>(root, bytes::counted));
    }
}

TYPED_TEST(boost_mpi_all_reduce, counts_what_is_reduced_also_in_place) {
    using T = TypeParam;
    records_counted([](auto const& world) { reduces_on_all<T>(world); },
                    of_reduces_on_all<T>(bytes::counted));
}

TYPED_TEST(boost_mpi_scan, counts_what_is_reduced) {
    using T = TypeParam;
    records_counted([](auto const& world) { scans<T>(world); }, of_scans<T>(bytes::counted));
}

/// Counts how often it is copied and moved.
struct counted {
    static inline int copies = 0;
    static inline int moves = 0;

    counted() = default;
    counted(counted const&) { ++copies; }
    counted(counted&&) noexcept { ++moves; }
    counted& operator=(counted const&) = default;
    counted& operator=(counted&&) = default;

    template <class Archive>
    void serialize(Archive&, unsigned) {}
};

TEST(boost_mpi_reductions, copy_and_move_as_often_as_boosts) {
    std::vector<int> copies;
    std::vector<int> moves;
    same_as_boost([&](auto const& world) {
        auto const last = [](counted const&, counted const& value) { return value; };
        counted::copies = counted::moves = 0;
        [[maybe_unused]] auto const reduced = all_reduce(world, counted{}, last);
        [[maybe_unused]] auto const scanned = scan(world, counted{}, last);
        copies.push_back(counted::copies);
        moves.push_back(counted::moves);
    });
    EXPECT_EQ(copies, std::vector(copies.size(), copies[0]));
    EXPECT_EQ(moves, std::vector(moves.size(), moves[0]));
}

/// Notes when it is saved to be counted.
struct watched {
    static inline std::vector<std::int64_t> counted = {};

    template <class Archive>
    void serialize(Archive&, unsigned) {
        if (std::is_same_v<Archive, mpiprof::boost_mpi::size_oarchive>)
            counted.push_back(mpiprof::timing::steady::now());
    }
};

TEST(boost_mpi_reductions, count_outside_the_measured_time) {
    counting_communicator const world;
    watched value;
    begin_run();
    watched::counted.clear();
    all_reduce(world, mpi::inplace(value), [](watched const&, watched const& last) { return last; });
    ASSERT_EQ(watched::counted.size(), 2);
    ASSERT_EQ(recorded().calls.size(), 1);
    EXPECT_LE(watched::counted[0], recorded().calls[0].begin);
    EXPECT_GE(watched::counted[1], recorded().calls[0].end);
}

/// It cannot be saved.
struct unsavable {
    template <class Archive>
    void serialize(Archive&, unsigned) {
        throw std::runtime_error{"unsavable"};
    }
};

// Boost saves nothing where there is one rank, and so cannot fail.
TEST(boost_mpi_reductions, that_cannot_be_counted_go_on) {
    counting_communicator const self(MPI_COMM_SELF, mpi::comm_attach);
    unsavable value;
    begin_run();
    EXPECT_NO_THROW(
        reduce(self, value, value, [](unsavable const& first, unsavable const&) { return first; }, 0));
    EXPECT_EQ(calls_in(__FILE__), (records{{.operation = "reduce",
                                            .flags = mpiprof::call_estimated,
                                            .root = 0,
                                            .sent = -1,
                                            .received = -1}}));
}

}  // namespace

}  // namespace boost_mpi_tests
