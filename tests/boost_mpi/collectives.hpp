// What the tests of collectives share: values of many types, and the records that are expected of them.
#pragma once

#include "tests/boost_mpi/same_as_boost.hpp"

#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <map>
#include <string>
#include <vector>

namespace boost_mpi_tests {

/// Sent as an MPI datatype, which has no padding.
struct pixel {
    int x;
    double brightness;

    bool operator==(pixel const&) const = default;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & x & brightness;
    }
};

/// Serialised. It counts how often it is loaded from an archive, in `loads`.
struct particle {
    static inline int loads = 0;

    int id = 0;
    std::string name = {};

    bool operator==(particle const&) const = default;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        if (Archive::is_loading::value) ++loads;
        archive & id & name;
    }
};

}  // namespace boost_mpi_tests

BOOST_IS_MPI_DATATYPE(boost_mpi_tests::pixel)

namespace boost_mpi_tests {

using records = std::vector<record>;

/// The types of values that each collective is tried with: MPI's own, MPI datatypes, serialised ones.
using value_types =
    testing::Types<int, double, pixel, std::string, std::vector<int>, std::map<int, std::string>, particle>;

/// A value that differs from number to number, and in size too where it can.
template <class T>
T value_of(int number) {
    auto const size = static_cast<std::size_t>(number + 1);
    if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(number + 1);
    else if constexpr (std::is_same_v<T, pixel>) return {number, 0.5 * number};
    else if constexpr (std::is_same_v<T, std::string>)
        return std::string(size, static_cast<char>('a' + number));
    else if constexpr (std::is_same_v<T, std::vector<int>>) return std::vector<int>(size, number);
    else if constexpr (std::is_same_v<T, particle>) return {number, value_of<std::string>(number)};
    else return {{number, value_of<std::string>(number)}, {number + 1, ""}};
}

/// The values of `n` numbers from `first` on.
template <class T>
std::vector<T> values_of(int first, int n) {
    std::vector<T> values;
    for (int i = 0; i < n; ++i) values.push_back(value_of<T>(first + i));
    return values;
}

/// One value for each rank.
template <class T>
std::vector<T> one_for_each() {
    return values_of<T>(0, world_size());
}

/// `n` for each rank.
inline std::vector<int> equal_sizes(int n) {
    return std::vector<int>(static_cast<std::size_t>(world_size()), n);
}

/// Where the values of each rank stand, from `first` on, with `gap` places between them.
inline std::vector<int> displacements(std::vector<int> const& sizes, int gap = 0, int first = 0) {
    std::vector<int> displs{first};
    for (std::size_t rank = 1; rank < sizes.size(); ++rank)
        displs.push_back(displs.back() + sizes[rank - 1] + gap);
    return displs;
}

template <class T>
inline constexpr bool is_serialised = !boost::mpi::is_mpi_datatype<T>::value;

/// Bytes of the values as they are sent together: by MPI, or by Boost.
template <class T>
long long nbytes(std::vector<T> const& values) {
    if constexpr (is_serialised<T>) {
        boost::mpi::packed_oarchive archive(boost::mpi::communicator{});
        for (auto const& each : values) archive << each;
        return static_cast<long long>(archive.size());
    } else {
        return static_cast<long long>(values.size()) * datatype_nbytes<T>();
    }
}

/// Bytes of `count` messages that tell a size, which there are for serialised values only.
template <class T, class Size = int>
long long size_messages(int count) {
    return is_serialised<T> ? count * static_cast<long long>(sizeof(Size)) : 0;
}

/// Tests of one type of values.
template <class T>
class of_type : public testing::Test {
  protected:
    // Boost commits a type's MPI datatype when it is first asked for it.
    void SetUp() override {
        if constexpr (!is_serialised<T>) boost::mpi::get_mpi_datatype(T{});
    }
};

inline bool is_root(int root) { return world_rank() == root; }

/// Bytes that calls of the function moved in a run, by the log.
inline long long moved(outcome const& run, std::string const& function) {
    long long bytes = 0;
    for (auto const& each : run.mpi_calls) {
        if (each.function == function) bytes += each.sent + each.received;
    }
    return bytes;
}

/// A check of a run with values of type T: if they are serialised, the records' bytes are those in the log.
/// The function `payload` moves the values, beside it `sizes` moves their sizes.
template <class T>
auto bytes_as_logged(char const* sizes, char const* payload) {
    return [=](outcome const& run) {
        if (!is_serialised<T>) return;
        long long bytes = 0;
        long long beside = 0;
        for (auto const& each : run.calls) {
            bytes += each.sent + each.received;
            beside += each.overhead;
        }
        EXPECT_EQ(bytes, moved(run, payload));
        EXPECT_EQ(beside, moved(run, sizes));
    };
}

/// Runs `scenario(world, root)` from each root; `expected(root)` are its records, `check(run)` looks at the
/// run.
template <class Scenario, class Expected, class Check>
void from_each_root(Scenario scenario, Expected expected, Check check, order how = order::fixed,
                    char const* file = __builtin_FILE()) {
    for (int root = 0; root < world_size(); ++root) {
        SCOPED_TRACE("root " + std::to_string(root));
        auto const run = same_as_boost([&](auto const& world) { scenario(world, root); }, how, file);
        EXPECT_EQ(run.calls, expected(root));
        EXPECT_TRUE(run.completions.empty());
        check(run);
    }
}

template <class Scenario, class Expected>
void from_each_root(Scenario scenario, Expected expected, order how = order::fixed,
                    char const* file = __builtin_FILE()) {
    from_each_root(scenario, expected, [](outcome const&) {}, how, file);
}

/// Runs `scenario(world)`, in which no rank is the root.
template <class Scenario, class Check>
void on_all(Scenario scenario, records const& expected, Check check, char const* file = __builtin_FILE()) {
    auto const run = same_as_boost(scenario, order::fixed, file);
    EXPECT_EQ(run.calls, expected);
    EXPECT_TRUE(run.completions.empty());
    check(run);
}

template <class Scenario>
void on_all(Scenario scenario, records const& expected, char const* file = __builtin_FILE()) {
    on_all(scenario, expected, [](outcome const&) {}, file);
}

}  // namespace boost_mpi_tests
