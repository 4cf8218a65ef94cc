// The table of operations against itself: names, kinds and look-up.
#include <mpiprof/core/operation.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

namespace {

using mpiprof::find_kind;
using mpiprof::find_operation;
using mpiprof::kind;
using mpiprof::operation;

TEST(operation, has_a_name_and_kind_of_its_own) {
    std::set<std::string> names;
    for (std::size_t i = 1; i < mpiprof::operation_count; ++i) {
        auto const each = static_cast<operation>(i);
        EXPECT_TRUE(names.insert(mpiprof::name(each)).second) << mpiprof::name(each);
        EXPECT_NE(mpiprof::kind_of(each), kind::none) << mpiprof::name(each);
        EXPECT_EQ(find_operation(mpiprof::name(each), std::strlen(mpiprof::name(each))), each);
    }
    EXPECT_STREQ(mpiprof::name(operation::none), "");
}

TEST(operation, kinds_are_those_of_the_mpi_standard) {
    EXPECT_EQ(mpiprof::kind_of(operation::sendrecv_replace), kind::point_to_point);
    EXPECT_EQ(mpiprof::kind_of(operation::iprobe), kind::point_to_point);
    EXPECT_EQ(mpiprof::kind_of(operation::barrier), kind::collective);
    EXPECT_EQ(mpiprof::kind_of(operation::testsome), kind::wait);
    EXPECT_EQ(mpiprof::kind_of(operation::startall), kind::request);
    EXPECT_EQ(mpiprof::kind_of(operation::comm_split), kind::communicator);
}

TEST(find_operation, finds_whole_names_only) {
    EXPECT_EQ(find_operation("send", 4), operation::send);
    EXPECT_EQ(find_operation("send_init", 9), operation::send_init);
    EXPECT_EQ(find_operation("sendx", 4), operation::send);
    EXPECT_EQ(find_operation("sen", 3), operation::none);
    EXPECT_EQ(find_operation("Send", 4), operation::none);
    EXPECT_EQ(find_operation("", 0), operation::none);
    EXPECT_EQ(find_operation("send\0", 5), operation::none);
}

TEST(kind, names_are_spelled_as_region_names_do) {
    EXPECT_STREQ(mpiprof::name(kind::point_to_point), "point-to-point");
    EXPECT_STREQ(mpiprof::name(kind::one_sided), "one-sided");
    for (std::size_t i = 1; i < mpiprof::kind_count; ++i) {
        auto const each = static_cast<kind>(i);
        EXPECT_EQ(find_kind(mpiprof::name(each), std::strlen(mpiprof::name(each))), each);
    }
    EXPECT_EQ(find_kind("point_to_point", 14), kind::none);
}

}  // namespace
