// Sizes of messages that a user asks for: by buffer, count and datatype, and of values that MPI has a type
// for.
#include "tests/raw/world.hpp"

#include <mpiprof/raw.hpp>

#include <gtest/gtest.h>

#include <array>
#include <complex>

namespace {

using mpiprof::raw::message_nbytes;

template <class T>
std::int64_t size_by_mpi() {
    int size = 0;
    PMPI_Type_size(mpiprof::raw::datatype_of<T>(), &size);
    return size;
}

TEST(message_nbytes, of_a_message_is_count_times_size) {
    CASES_NEED_RANKS(1);
    EXPECT_EQ(message_nbytes(mpiprof::raw::message{nullptr, 3, MPI_DOUBLE}), 24);
    EXPECT_EQ(message_nbytes(mpiprof::raw::message{nullptr, 0, MPI_DATATYPE_NULL}), 0);
    EXPECT_EQ(message_nbytes(mpiprof::raw::message{nullptr, 3, MPI_DATATYPE_NULL}), -1);
    EXPECT_EQ(message_nbytes(mpiprof::raw::message{nullptr, -1, MPI_INT}), -1);
    EXPECT_EQ(message_nbytes(mpiprof::raw::message{nullptr, INT64_MAX, MPI_INT}), -1);
}

template <class T>
class named_type : public testing::Test {};

using named_types =
    testing::Types<char, signed char, unsigned char, wchar_t, short, unsigned short, int, unsigned, long,
                   unsigned long, long long, unsigned long long, float, double, long double, bool, std::byte,
                   std::complex<float>, std::complex<double>, std::complex<long double>>;
TYPED_TEST_SUITE(named_type, named_types);

TYPED_TEST(named_type, has_the_size_that_mpi_gives_it) {
    CASES_NEED_RANKS(1);
    EXPECT_EQ(size_by_mpi<TypeParam>(), static_cast<std::int64_t>(sizeof(TypeParam)));
    std::array<TypeParam, 3> const values{};
    EXPECT_EQ(message_nbytes(values[0]), size_by_mpi<TypeParam>());
    EXPECT_EQ(message_nbytes(std::span{values}), 3 * size_by_mpi<TypeParam>());
    EXPECT_EQ(message_nbytes(std::span<TypeParam>{}), 0);
}

}  // namespace
