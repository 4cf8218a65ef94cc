// Payload sizes as far as types tell them.
#include <mpiprof/core/message_nbytes.hpp>

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace {

using mpiprof::message_nbytes;

enum class colour : unsigned char { red };

struct point {
    int x;
    double y;
};

TEST(message_nbytes, of_scalars_is_their_size) {
    EXPECT_EQ(message_nbytes(true), 1);
    EXPECT_EQ(message_nbytes('x'), 1);
    EXPECT_EQ(message_nbytes(1), 4);
    EXPECT_EQ(message_nbytes(1.0), 8);
    EXPECT_EQ(message_nbytes(std::byte{1}), 1);
    EXPECT_EQ(message_nbytes(colour::red), 1);
    EXPECT_EQ(message_nbytes(std::complex<float>{}), 8);
}

TEST(message_nbytes, of_ranges_is_that_of_their_elements) {
    int const values[3] = {};
    EXPECT_EQ(message_nbytes(values), 12);
    EXPECT_EQ(message_nbytes(std::array<double, 4>{}), 32);
    EXPECT_EQ(message_nbytes(std::vector<short>(5)), 10);
    EXPECT_EQ(message_nbytes(std::vector<int>{}), 0);
    EXPECT_EQ(message_nbytes(std::span{values}), 12);
    EXPECT_EQ(message_nbytes(std::span<double, 0>{}), 0);
    EXPECT_EQ(message_nbytes(std::list<int>{1, 2}), 8);
    EXPECT_EQ(message_nbytes(std::string{"abc"}), 3);
    EXPECT_EQ(message_nbytes(std::string_view{"abcd"}), 4);
}

TEST(message_nbytes, of_ranges_of_ranges_is_the_sum) {
    EXPECT_EQ(message_nbytes(std::vector<std::vector<double>>{{1, 2}, {}, {3}}), 24);
    EXPECT_EQ(message_nbytes(std::vector<std::string>{"ab", "c"}), 3);
    double const matrix[2][3] = {};
    EXPECT_EQ(message_nbytes(matrix), 48);
}

TEST(message_nbytes, is_unknown_where_the_type_does_not_tell) {
    int value = 1;
    EXPECT_EQ(message_nbytes(&value), -1);
    EXPECT_EQ(message_nbytes(static_cast<char const*>("abc")), -1);
    EXPECT_EQ(message_nbytes(point{}), -1);
    EXPECT_EQ(message_nbytes(std::vector<point>(2)), -1);
    EXPECT_EQ(message_nbytes(std::vector<int*>{}), -1);
    EXPECT_EQ(message_nbytes(std::vector<bool>(8)), -1);
    EXPECT_EQ(message_nbytes(std::vector<std::vector<bool>>(1)), -1);
    EXPECT_EQ(message_nbytes(std::optional<int>{1}), -1);
    EXPECT_EQ(message_nbytes(std::variant<int, double>{1}), -1);
    EXPECT_EQ(message_nbytes(std::map<int, int>{{1, 1}}), -1);
}

TEST(message_nbytes, counts_in_64_bits) {
    auto const* const nowhere = reinterpret_cast<double const*>(std::uintptr_t{4096});
    EXPECT_EQ(message_nbytes(std::span{nowhere, std::size_t{1} << 30}), std::int64_t{1} << 33);
}

TEST(message_nbytes, is_a_constant_expression) { static_assert(message_nbytes(std::array<int, 3>{}) == 12); }

}  // namespace
