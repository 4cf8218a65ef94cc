// The table of MPI functions against the prototypes in mpi.h, and against itself.
#include <mpiprof/raw/functions.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace raw = mpiprof::raw;
using mpiprof::kind;
using raw::array_length;
using raw::direction;
using raw::movement;
using raw::role;
using raw::detail::fit;

#define MPIPROF_FUNCTION(NAME, ...)                                                                          \
    static_assert(fit(raw::rows::NAME::roles, raw::rows::NAME::function), "the roles do not fit "            \
                                                                          "MPI_" #NAME);
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

using enum role;

static_assert(fit(raw::roles{send_buffer, send_count, send_type, destination, send_tag, comm}, &MPI_Send));
static_assert(!fit(raw::roles{send_buffer, send_count, send_type, destination, send_tag}, &MPI_Send),
              "one is missing");
static_assert(!fit(raw::roles{send_buffer, send_count, send_type, destination, send_tag, comm, status},
                   &MPI_Send),
              "one is too much");
static_assert(!fit(raw::roles{send_count, send_buffer, send_type, destination, send_tag, comm}, &MPI_Send),
              "two are exchanged");
static_assert(!fit(raw::roles{receive_buffer, send_count, send_type, destination, send_tag, comm}, &MPI_Send),
              "MPI_Send does not write its buffer");
static_assert(!fit(raw::roles{send_buffer, send_count, send_type, destination, send_tag, comm_pointer},
                   &MPI_Send),
              "a handle is no pointer to one");
static_assert(!fit(raw::roles{send_buffer, send_count, send_type, destination, out, comm}, &MPI_Send),
              "what is passed by value is not written");
static_assert(!fit(raw::roles{new_request, status}, &MPI_Testall), "one array of many");
static_assert(fit(raw::roles{}, &MPI_Finalize));
static_assert(!fit(raw::roles{flag}, &MPI_Finalize), "MPI_Finalize has no arguments");

// What is passed out is a pointer, and what it points to can be written.
template <class... Arguments, std::size_t Count>
constexpr bool are_writable(raw::roles<Count> const& roles, int (*)(Arguments...)) {
    [[maybe_unused]] auto const* each = roles.begin();
    return ((raw::direction_of(*each++) == direction::in || raw::detail::is_pointer_to_writable<Arguments> ||
             raw::detail::is_same<Arguments, MPI_Request>) &&
            ...);
}

#define MPIPROF_FUNCTION(NAME, ...)                                                                          \
    static_assert(are_writable(raw::rows::NAME::roles, raw::rows::NAME::function), "MPI_" #NAME);
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

struct row {
    std::string name;
    mpiprof::operation operation;
    movement moves;
    std::vector<role> roles;

    bool has(role what) const { return std::find(roles.begin(), roles.end(), what) != roles.end(); }
};

std::vector<row> const& table() {
    static std::vector<row> const rows{
#define MPIPROF_FUNCTION(NAME, ...)                                                                          \
    row{raw::rows::NAME::name,                                                                               \
        raw::rows::NAME::operation,                                                                          \
        raw::rows::NAME::movement,                                                                           \
        {raw::rows::NAME::roles.begin(), raw::rows::NAME::roles.end()}},
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION
    };
    return rows;
}

TEST(functions, have_each_role_once_but_for_the_general_ones) {
    role const general[] = {in, out, in_out, in_array, out_array, length};
    for (auto const& row : table()) {
        for (auto const each : row.roles) {
            if (std::find(std::begin(general), std::end(general), each) != std::end(general)) continue;
            EXPECT_EQ(std::count(row.roles.begin(), row.roles.end(), each), 1) << row.name;
        }
    }
}

TEST(functions, have_what_belongs_together) {
    std::pair<role, role> const pairs[] = {
        {destination, send_tag},
        {source, receive_tag},
        {request_count, requests},
        {indices, completed_count},
        {target_count, target_type},
        {send_types, send_counts},
        {receive_types, receive_counts},
        {send_displacements, send_counts},
        {receive_displacements, receive_counts},
    };
    for (auto const& row : table()) {
        for (auto const& [one, other] : pairs) EXPECT_LE(row.has(one), row.has(other)) << row.name;
        EXPECT_EQ(row.has(destination), row.has(send_tag)) << row.name;
        EXPECT_EQ(row.has(source), row.has(receive_tag)) << row.name;
    }
}

TEST(functions, give_a_request_in_their_last_argument) {
    for (auto const& row : table()) {
        if (!row.has(new_request) && !row.has(new_persistent_request)) continue;
        EXPECT_TRUE(row.roles.back() == new_request || row.roles.back() == new_persistent_request)
            << row.name;
    }
}

TEST(functions, have_a_length_before_every_array_of_that_length) {
    for (auto const& row : table()) {
        for (auto at = row.roles.begin(); at != row.roles.end(); ++at) {
            if (raw::length_of(*at) == array_length::preceding) {
                EXPECT_NE(std::find(row.roles.begin(), at, length), at) << row.name;
            }
            if (raw::length_of(*at) == array_length::requests ||
                raw::length_of(*at) == array_length::completed) {
                EXPECT_TRUE(row.has(request_count)) << row.name;
            }
        }
    }
}

// What a call of this movement sends or receives follows from these arguments.
std::vector<std::vector<role>> needed(movement moves) {
    std::vector<role> const sends{send_buffer, send_count, send_type};
    std::vector<role> const receives{receive_buffer, receive_count, receive_type};
    switch (moves) {
    case movement::send:
    case movement::put:
    case movement::write:
        return {sends};
    case movement::receive:
    case movement::get:
        return {receives};
    case movement::bcast:
        return {sends, {root, comm}};
    case movement::reduce:
        return {sends, {receive_buffer, root, comm}};
    case movement::allreduce:
    case movement::exscan:
        return {sends, {receive_buffer, comm}};
    case movement::gather:
    case movement::scatter:
        return {{send_buffer, receive_buffer, root, comm}};
    case movement::allgather:
    case movement::alltoall:
    case movement::neighbor_allgather:
    case movement::neighbor_alltoall:
        return {{send_buffer, receive_buffer, comm}};
    case movement::reduce_scatter:
        return {{send_buffer, receive_buffer, receive_type, comm}};
    case movement::fetch:
        return {{send_buffer, send_type, receive_buffer, target, window}};
    case movement::exchange:
        return {sends, {destination, source}};
    case movement::read:
        return {{file, receive_buffer}};
    case movement::nothing:
        return {};
    }
    return {};
}

TEST(functions, have_the_arguments_that_tell_what_they_move) {
    for (auto const& row : table()) {
        for (auto const& roles : needed(row.moves)) {
            for (auto const each : roles)
                EXPECT_TRUE(row.has(each)) << row.name << ' ' << static_cast<int>(each);
        }
    }
}

TEST(functions, are_one_sided_for_a_window_and_io_for_a_file_and_queries_move_nothing) {
    for (auto const& row : table()) {
        auto const what = mpiprof::kind_of(row.operation);
        if (what == kind::query) {
            EXPECT_EQ(row.moves, movement::nothing) << row.name;
            EXPECT_FALSE(row.has(new_request) || row.has(new_comm) || row.has(request)) << row.name;
        } else {
            EXPECT_EQ(row.has(window) || row.has(window_pointer) || row.has(new_window),
                      what == kind::one_sided)
                << row.name;
            EXPECT_LE(row.has(file) || row.has(file_pointer) || row.has(new_file), what == kind::io)
                << row.name;
        }
    }
}

TEST(functions, are_of_the_kind_that_their_operation_is) {
    auto const kind_of = [](char const* name) {
        auto const found =
            std::find_if(table().begin(), table().end(), [&](row const& each) { return each.name == name; });
        return found == table().end() ? kind::none : mpiprof::kind_of(found->operation);
    };
    EXPECT_EQ(kind_of("MPI_Imrecv"), kind::point_to_point);
    EXPECT_EQ(kind_of("MPI_Ineighbor_alltoallw"), kind::collective);
    EXPECT_EQ(kind_of("MPI_Testsome"), kind::wait);
    EXPECT_EQ(kind_of("MPI_Request_get_status"), kind::request);
    EXPECT_EQ(kind_of("MPI_Win_create"), kind::one_sided);
    EXPECT_EQ(kind_of("MPI_File_open"), kind::io);
    EXPECT_EQ(kind_of("MPI_Comm_set_name"), kind::communicator);
    EXPECT_EQ(kind_of("MPI_Finalize"), kind::environment);
    EXPECT_EQ(kind_of("MPI_Comm_rank"), kind::query);
    EXPECT_EQ(kind_of("MPI_Pack"), kind::query);
}

TEST(functions, go_by_the_operation_of_their_name) {
    for (auto const& row : table()) {
        std::string name = row.name.substr(4);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (name.ends_with("_c")) name.resize(name.size() - 2);
        EXPECT_EQ(name, mpiprof::name(row.operation)) << row.name;
    }
}

TEST(functions, have_forms_by_what_the_library_has) {
    auto const has = [](char const* name) {
        return std::any_of(table().begin(), table().end(),
                           [&](row const& each) { return each.name == name; });
    };
    EXPECT_TRUE(has("MPI_Send"));
    EXPECT_TRUE(has("MPI_Ibcast"));
    EXPECT_EQ(has("MPI_Send_c"), MPI_VERSION >= 4);
    EXPECT_EQ(has("MPI_Ibcast_c"), MPI_VERSION >= 4);
    if (MPI_VERSION >= 4) {
        EXPECT_TRUE(has("MPI_Bcast_init"));
        EXPECT_TRUE(has("MPI_Psend_init"));
        EXPECT_TRUE(has("MPI_Session_init"));
        EXPECT_TRUE(has("MPI_Isendrecv"));
        EXPECT_TRUE(has("MPI_Comm_idup_with_info"));
    }
}

TEST(direction_of, is_that_of_what_an_argument_refers_to) {
    EXPECT_EQ(raw::direction_of(send_buffer), direction::in);
    EXPECT_EQ(raw::direction_of(receive_buffer), direction::out);
    EXPECT_EQ(raw::direction_of(requests), direction::in_out);
    EXPECT_EQ(raw::direction_of(statuses), direction::out);
    EXPECT_EQ(raw::direction_of(message), direction::in_out);
    EXPECT_EQ(raw::direction_of(new_comm), direction::out);
    EXPECT_EQ(raw::direction_of(comm_pointer), direction::in_out);
    EXPECT_EQ(raw::direction_of(comm), direction::in);
}

TEST(length_of, is_what_gives_an_array_its_length) {
    EXPECT_EQ(raw::length_of(requests), array_length::requests);
    EXPECT_EQ(raw::length_of(indices), array_length::completed);
    EXPECT_EQ(raw::length_of(receive_counts), array_length::ranks);
    EXPECT_EQ(raw::length_of(out_array), array_length::preceding);
    EXPECT_EQ(raw::length_of(send_buffer), array_length::none);
}

}  // namespace
