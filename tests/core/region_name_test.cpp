// Region names: written as scope-profiler writes them, read as it reads them.
#include <mpiprof/core/region_name.hpp>

#include <gtest/gtest.h>

#include <array>

namespace {

using mpiprof::format_region;
using mpiprof::kind;
using mpiprof::operation;
using mpiprof::parse_region;
using mpiprof::region_metadata;

constexpr region_metadata example{operation::send, kind::point_to_point, 32, 2, -1, 9, 7, operation::none};
constexpr char const* example_name = "mpi:send kind=point-to-point bytes=32 peer=2 root=-1 tag=9 comm=7";

TEST(format_region, writes_the_canonical_line) { EXPECT_EQ(format_region(example), example_name); }

TEST(format_region, appends_the_request_of_a_wait) {
    EXPECT_EQ(format_region({operation::wait, kind::wait, 8, 0, -1, 3, 0, operation::irecv}),
              "mpi:wait kind=wait bytes=8 peer=0 root=-1 tag=3 comm=0 request=irecv");
}

TEST(region_bytes, are_sent_or_received_or_written_or_read) {
    mpiprof::call record;
    EXPECT_EQ(region_bytes(record), 0);
    record.read = 5;
    EXPECT_EQ(region_bytes(record), 5);
    record.written = 4;
    EXPECT_EQ(region_bytes(record), 4);
    record.received = 3;
    EXPECT_EQ(region_bytes(record), 3);
    record.sent = 2;
    EXPECT_EQ(region_bytes(record), 2);
    record.capacity = 0;
    EXPECT_EQ(region_bytes(record), 0);
}

TEST(format_region, is_a_constant_expression) {
    constexpr auto length = [] {
        std::array<char, mpiprof::region_name_capacity> buffer{};
        return format_region(buffer, example);
    }();
    static_assert(length == std::string_view{example_name}.size());
}

TEST(format_region, tells_the_whole_length_when_the_buffer_is_short) {
    std::array<char, 10> buffer{};
    buffer.fill('#');
    EXPECT_EQ(format_region(std::span{buffer}.first(8), example), std::string_view{example_name}.size());
    EXPECT_EQ(std::string_view(buffer.data(), 10), "mpi:send##");
    EXPECT_EQ(format_region({}, example), std::string_view{example_name}.size());
}

TEST(format_region, writes_the_extremes_of_each_number) {
    region_metadata region{operation::sendrecv_replace,
                           kind::point_to_point,
                           INT64_MAX,
                           INT64_MIN,
                           INT64_MIN,
                           INT64_MIN,
                           INT64_MIN,
                           operation::reduce_scatter_block};
    auto const text = format_region(region);
    EXPECT_LE(text.size(), mpiprof::region_name_capacity);
    EXPECT_NE(text.find("bytes=9223372036854775807 peer=-9223372036854775808 "), std::string::npos);
    EXPECT_EQ(parse_region(text), region);
}

TEST(parse_region, is_a_constant_expression) {
    static_assert(parse_region(example_name) == example);
    static_assert(!parse_region("mpi:send"));
}

TEST(parse_region, reads_back_every_operation) {
    for (std::size_t i = 1; i < mpiprof::operation_count; ++i) {
        auto const each = static_cast<operation>(i);
        region_metadata const region{each, mpiprof::kind_of(each), 1, 2, 3, 4, 5, each};
        EXPECT_EQ(parse_region(format_region(region)), region) << mpiprof::name(each);
    }
}

TEST(parse_region, takes_fields_in_any_order_and_further_ones) {
    EXPECT_EQ(
        parse_region(
            "mpi:send \t comm=7 tag=9 site=a.cpp:3 root=-1 peer=2 empty= =x bytes=32\n kind=point-to-point "),
        example);
}

TEST(parse_region, takes_the_last_of_a_key_given_twice) {
    auto const region =
        parse_region("mpi:send kind=wait kind=point-to-point bytes=1 bytes=32 peer=2 root=-1 tag=9 comm=7");
    EXPECT_EQ(region, example);
}

TEST(parse_region, rejects_what_is_no_region_name) {
    for (auto const* text : {
             "",
             "mpi:",
             "solve",
             " mpi:send kind=point-to-point bytes=32 peer=2 root=-1 tag=9 comm=7",
             "MPI:send kind=point-to-point bytes=32 peer=2 root=-1 tag=9 comm=7",
             "mpi: send kind=point-to-point bytes=32 peer=2 root=-1 tag=9 comm=7",
             "mpi:launch kind=point-to-point bytes=32 peer=2 root=-1 tag=9 comm=7",
             "mpi:send kind=pointless bytes=32 peer=2 root=-1 tag=9 comm=7",
             "mpi:send kind= bytes=32 peer=2 root=-1 tag=9 comm=7",
             "mpi:send bytes=32 peer=2 root=-1 tag=9 comm=7",
             "mpi:send kind=point-to-point bytes=32 peer=2 root=-1 tag=9",
             "mpi:send kind=point-to-point bytes=32x peer=2 root=-1 tag=9 comm=7",
             "mpi:send kind=point-to-point bytes= peer=2 root=-1 tag=9 comm=7",
             "mpi:send kind=point-to-point bytes=- peer=2 root=-1 tag=9 comm=7",
             "mpi:send kind=point-to-point bytes=1.5 peer=2 root=-1 tag=9 comm=7",
             "mpi:send kind=point-to-point bytes=9223372036854775808 peer=2 root=-1 tag=9 comm=7",
             "mpi:send kind=point-to-point bytes=99999999999999999999 peer=2 root=-1 tag=9 comm=7",
             "mpi:send kind=point-to-point bytes=32 peer=2 root=-1 tag=9 comm=7 stray",
             "mpi:wait kind=wait bytes=32 peer=2 root=-1 tag=9 comm=7 request=nothing",
         }) {
        EXPECT_FALSE(parse_region(text)) << text;
    }
}

TEST(metadata_of, takes_the_sent_bytes_else_the_received_ones) {
    mpiprof::call record;
    record.operation = operation::bcast;
    record.root = 1;
    record.received = 40;
    EXPECT_EQ(mpiprof::metadata_of(record).bytes, 40);
    record.sent = 8;
    EXPECT_EQ(mpiprof::metadata_of(record).bytes, 8);
    EXPECT_EQ(mpiprof::metadata_of(record).kind, kind::collective);
    EXPECT_EQ(mpiprof::metadata_of(record).root, 1);
}

TEST(metadata_of, takes_the_capacity_of_a_nonblocking_receive) {
    mpiprof::call record;
    record.operation = operation::irecv;
    record.capacity = 400;
    EXPECT_EQ(mpiprof::metadata_of(record).bytes, 400);
}

}  // namespace
