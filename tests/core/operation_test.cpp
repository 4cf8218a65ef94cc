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

TEST(message_side, of_a_start_is_what_its_request_is_for) {
    using mpiprof::message_side;
    using mpiprof::message_side_of;
    struct started {
        operation request;
        message_side side;
    };
    for (auto const& [request, side] :
         {started{operation::send_init, message_side::sent},
          started{operation::psend_init, message_side::sent},
          started{operation::recv_init, message_side::arriving},
          started{operation::allreduce_init, message_side::shared},
          started{operation::barrier_init, message_side::none},
          // No such thing can be started, and a start of nothing known moves nothing known.
          started{operation::isend, message_side::none}, started{operation::none, message_side::none}}) {
        EXPECT_EQ(message_side_of(operation::start, request), side) << mpiprof::name(request);
        EXPECT_EQ(message_side_of(operation::startall, request), message_side::none);
        EXPECT_EQ(message_side_of(operation::wait, request), message_side::none);
    }
    EXPECT_EQ(message_side_of(operation::fetch_and_op), message_side::both);
    EXPECT_EQ(message_side_of(operation::isend, operation::none), message_side::sent);
}

TEST(message_side, of_a_call_that_makes_a_persistent_request_is_none) {
    int persistent = 0;
    for (std::size_t i = 1; i < mpiprof::operation_count; ++i) {
        auto const each = static_cast<operation>(i);
        if (!std::string{mpiprof::name(each)}.ends_with("_init")) continue;
        ++persistent;
        EXPECT_EQ(mpiprof::message_side_of(each), mpiprof::message_side::none) << mpiprof::name(each);
    }
    EXPECT_GT(persistent, 5);
}

TEST(completion_brings_message, of_what_receives) {
    for (auto const each : {operation::irecv, operation::imrecv, operation::recv_init, operation::sendrecv,
                            operation::isendrecv, operation::precv_init}) {
        EXPECT_TRUE(mpiprof::completion_brings_message(each)) << mpiprof::name(each);
    }
    for (auto const each : {operation::isend, operation::send_init, operation::ibcast, operation::bcast_init,
                            operation::file_iread, operation::rget}) {
        EXPECT_FALSE(mpiprof::completion_brings_message(each)) << mpiprof::name(each);
    }
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
