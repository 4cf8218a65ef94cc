// What a program asks of MPI, which is recorded where it is asked for (MPIPROF=queries=on, as this program
// runs).
#include "tests/oracle/layouts.hpp"
#include "tests/oracle/profiled_test.hpp"

#include <array>
#include <cstdlib>
#include <initializer_list>
#include <mpiprof/raw/features.hpp>

namespace oracle {
namespace {

class queries : public profiled_test {
  protected:
    /// One call of each, which moved nothing.
    void expect_calls(std::initializer_list<char const*> operations) {
        for (char const* operation : operations) EXPECT_EQ(of(operation), (totals{.calls = 1})) << operation;
    }

    int number = 0;
    int flag = 0;
    std::array<int, 64> numbers{};
    std::array<char, 4096> text{};
};
INSTANTIATE_TEST_SUITE_P(by, queries, testing::Values(&by_function, &by_member), form_name);

TEST_P(queries, packing) {
    layouts const all;
    auto const& [type, count, nbytes] = all.all()[2];
    std::array<char, 512> packed{};
    auto const room = static_cast<int>(packed.size());
    mpi.pack_size(count, type, world, &number);
    EXPECT_GE(number, nbytes);
    int place = 0;
    mpi.pack(in.data(), count, type, packed.data(), room, &place, world);
    place = 0;
    mpi.unpack(packed.data(), room, &place, out.data(), count, type, world);
    EXPECT_EQ(out[4], in[4]);
    expect_calls({"pack_size", "pack", "unpack"});
}

TEST_P(queries, packing_for_others) {
    std::array<char, 512> packed{};
    auto const room = static_cast<MPI_Aint>(packed.size());
    MPI_Aint place = 0;
    MPI_Aint needed = 0;
    mpi.pack_external_size("external32", 5, MPI_INT, &needed);
    EXPECT_EQ(needed, 20);
    mpi.pack_external("external32", in.data(), 5, MPI_INT, packed.data(), room, &place);
    place = 0;
    mpi.unpack_external("external32", packed.data(), room, &place, out.data(), 5, MPI_INT);
    expect_calls({"pack_external_size", "pack_external", "unpack_external"});
}

TEST_P(queries, statuses_and_datatypes) {
    MPI_Status status;
    PMPI_Sendrecv(in.data(), 6, MPI_INT, next(), 1, out.data(), 10, MPI_INT, previous(), 1, world, &status);
    mpi.get_count(&status, MPI_INT, &number);
    EXPECT_EQ(number, 6);
    mpi.get_elements(&status, MPI_INT, &number);
    EXPECT_EQ(number, 6);
    MPI_Count large = 0;
    mpi.get_elements_x(&status, MPI_INT, &large);
    EXPECT_EQ(large, 6);
    mpi.test_cancelled(&status, &flag);
    EXPECT_EQ(flag, 0);
    mpi.type_size(MPI_DOUBLE, &number);
    EXPECT_EQ(number, 8);
    mpi.type_size_x(MPI_DOUBLE, &large);
    EXPECT_EQ(large, 8);
    expect_calls(
        {"get_count", "get_elements", "get_elements_x", "test_cancelled", "type_size", "type_size_x"});
}

#if MPIPROF_INTERNAL_LARGE_COUNTS
// The form of large counts is no one of these: they give counts back.
TEST_P(queries, of_large_counts) {
    std::array<char, 512> packed{};
    MPI_Count const room = static_cast<MPI_Count>(packed.size());
    MPI_Count large = 0;
    MPI_Count place = 0;
    mpi.pack_size_c(5, MPI_INT, world, &large);
    mpi.pack_c(in.data(), 5, MPI_INT, packed.data(), room, &place, world);
    place = 0;
    mpi.unpack_c(packed.data(), room, &place, out.data(), 5, MPI_INT, world);
    EXPECT_EQ(place, 20);
    mpi.pack_external_size_c("external32", 5, MPI_INT, &large);
    place = 0;
    mpi.pack_external_c("external32", in.data(), 5, MPI_INT, packed.data(), room, &place);
    place = 0;
    mpi.unpack_external_c("external32", packed.data(), room, &place, out.data(), 5, MPI_INT);
    MPI_Status status;
    PMPI_Sendrecv(in.data(), 6, MPI_INT, next(), 1, out.data(), 10, MPI_INT, previous(), 1, world, &status);
    mpi.get_count_c(&status, MPI_INT, &large);
    EXPECT_EQ(large, 6);
    mpi.get_elements_c(&status, MPI_INT, &large);
    EXPECT_EQ(large, 6);
    mpi.type_size_c(MPI_DOUBLE, &large);
    EXPECT_EQ(large, 8);
    expect_calls({"pack_size", "pack", "unpack", "pack_external_size", "pack_external", "unpack_external",
                  "get_count", "get_elements", "type_size"});
}
#endif

TEST_P(queries, communicators) {
    MPI_Group group = MPI_GROUP_NULL;
    mpi.comm_rank(world, &number);
    EXPECT_EQ(number, rank);
    mpi.comm_size(world, &number);
    EXPECT_EQ(number, size);
    mpi.comm_compare(world, MPI_COMM_SELF, &number);
    mpi.comm_test_inter(world, &flag);
    EXPECT_EQ(flag, 0);
    mpi.comm_group(world, &group);
    PMPI_Group_free(&group);
    mpi.comm_get_name(world, text.data(), &number);
    EXPECT_STREQ(text.data(), "MPI_COMM_WORLD");
    mpi.topo_test(world, &number);
    EXPECT_EQ(number, MPI_UNDEFINED);
    expect_calls({"comm_rank", "comm_size", "comm_compare", "comm_test_inter", "comm_group", "comm_get_name",
                  "topo_test"});
}

TEST_P(queries, intercommunicators) {
    if (size < 2) GTEST_SKIP() << "there are no two groups";
    MPI_Comm side = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_split(world, rank == 0 ? 0 : 1, 0, &side);
    PMPI_Intercomm_create(side, 0, world, rank == 0 ? 1 : 0, 7, &between);
    mpi.comm_remote_size(between, &number);
    EXPECT_EQ(number, rank == 0 ? size - 1 : 1);
    mpi.comm_remote_group(between, &group);
    PMPI_Group_free(&group);
    expect_calls({"comm_remote_size", "comm_remote_group"});
    PMPI_Comm_free(&between);
    PMPI_Comm_free(&side);
}

TEST_P(queries, cartesian_topologies) {
    std::array<int, 1> dims{};
    std::array<int, 1> periods{1};
    std::array<int, 1> coordinates{};
    int from = 0;
    int to = 0;
    MPI_Comm ring = MPI_COMM_NULL;
    mpi.dims_create(size, 1, dims.data());
    EXPECT_EQ(dims[0], size);
    PMPI_Cart_create(world, 1, dims.data(), periods.data(), 0, &ring);
    mpi.cartdim_get(ring, &number);
    mpi.cart_get(ring, 1, dims.data(), periods.data(), coordinates.data());
    mpi.cart_coords(ring, rank, 1, coordinates.data());
    mpi.cart_rank(ring, coordinates.data(), &number);
    EXPECT_EQ(number, rank);
    mpi.cart_shift(ring, 0, 1, &from, &to);
    EXPECT_EQ(to, next());
    mpi.cart_map(world, 1, dims.data(), periods.data(), &number);
    expect_calls(
        {"dims_create", "cartdim_get", "cart_get", "cart_coords", "cart_rank", "cart_shift", "cart_map"});
    PMPI_Comm_free(&ring);
}

TEST_P(queries, graphs) {
    std::vector<int> ends;
    std::vector<int> edges;
    for (int i = 0; i < size; ++i) {
        edges.push_back((i + 1) % size);
        ends.push_back(i + 1);
    }
    MPI_Comm ring = MPI_COMM_NULL;
    PMPI_Graph_create(world, size, ends.data(), edges.data(), 0, &ring);
    int nodes = 0;
    mpi.graphdims_get(ring, &nodes, &number);
    EXPECT_EQ(nodes, size);
    mpi.graph_get(ring, size, size, ends.data(), edges.data());
    mpi.graph_neighbors_count(ring, rank, &number);
    EXPECT_EQ(number, 1);
    mpi.graph_neighbors(ring, rank, 1, numbers.data());
    EXPECT_EQ(numbers[0], next());
    mpi.graph_map(world, size, ends.data(), edges.data(), &number);
    expect_calls({"graphdims_get", "graph_get", "graph_neighbors_count", "graph_neighbors", "graph_map"});
    PMPI_Comm_free(&ring);
}

TEST_P(queries, distributed_graphs) {
    int const from = previous();
    int const to = next();
    MPI_Comm ring = MPI_COMM_NULL;
    PMPI_Dist_graph_create_adjacent(world, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                    &ring);
    int in_degree = 0;
    int out_degree = 0;
    mpi.dist_graph_neighbors_count(ring, &in_degree, &out_degree, &flag);
    EXPECT_EQ(in_degree, 1);
    EXPECT_EQ(out_degree, 1);
    mpi.dist_graph_neighbors(ring, 1, &numbers[0], MPI_UNWEIGHTED, 1, &numbers[1], MPI_UNWEIGHTED);
    EXPECT_EQ(numbers[1], next());
    expect_calls({"dist_graph_neighbors_count", "dist_graph_neighbors"});
    PMPI_Comm_free(&ring);
}

TEST_P(queries, windows) {
    MPI_Win window = MPI_WIN_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    int* memory = nullptr;
    PMPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, world, &memory, &window);
    MPI_Aint nbytes = 0;
    mpi.win_get_group(window, &group);
    PMPI_Group_free(&group);
    mpi.win_get_name(window, text.data(), &number);
    mpi.win_shared_query(window, 0, &nbytes, &number, &memory);
    EXPECT_EQ(nbytes, 64);
    expect_calls({"win_get_group", "win_get_name", "win_shared_query"});
#if MPIPROF_INTERNAL_LARGE_COUNTS
    MPI_Aint unit = 0;
    mpi.win_shared_query_c(window, 0, &nbytes, &unit, &memory);
    EXPECT_EQ(unit, 4);
    EXPECT_EQ(of("win_shared_query"), (totals{.calls = 2}));
#endif
    PMPI_Win_free(&window);
}

TEST_P(queries, files) {
    auto const path = std::string{std::getenv("MPI_TEST_DIR")} + "/queries";
    MPI_File file = MPI_FILE_NULL;
    PMPI_File_open(world, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                   MPI_INFO_NULL, &file);
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Offset offset = -1;
    MPI_Aint extent = 0;
    MPI_Datatype element = MPI_DATATYPE_NULL;
    MPI_Datatype view = MPI_DATATYPE_NULL;
    mpi.file_get_size(file, &offset);
    EXPECT_EQ(offset, 0);
    mpi.file_get_group(file, &group);
    PMPI_Group_free(&group);
    mpi.file_get_amode(file, &number);
    mpi.file_get_atomicity(file, &flag);
    EXPECT_EQ(flag, 0);
    mpi.file_get_position(file, &offset);
    mpi.file_get_position_shared(file, &offset);
    mpi.file_get_byte_offset(file, 16, &offset);
    EXPECT_EQ(offset, 16);
    mpi.file_get_type_extent(file, MPI_INT, &extent);
    EXPECT_EQ(extent, 4);
    mpi.file_get_view(file, &offset, &element, &view, text.data());
    EXPECT_STREQ(text.data(), "native");
    expect_calls({"file_get_size", "file_get_group", "file_get_amode", "file_get_atomicity",
                  "file_get_position", "file_get_position_shared", "file_get_byte_offset",
                  "file_get_type_extent", "file_get_view"});
#if MPIPROF_INTERNAL_LARGE_COUNTS
    MPI_Count large = 0;
    mpi.file_get_type_extent_c(file, MPI_INT, &large);
    EXPECT_EQ(large, 4);
    EXPECT_EQ(of("file_get_type_extent"), (totals{.calls = 2}));
#endif
    PMPI_File_close(&file);
}

TEST_P(queries, environment) {
    mpi.initialized(&flag);
    EXPECT_NE(flag, 0);
    mpi.finalized(&flag);
    EXPECT_EQ(flag, 0);
    mpi.query_thread(&number);
    mpi.is_thread_main(&flag);
    EXPECT_NE(flag, 0);
    mpi.get_version(&numbers[0], &numbers[1]);
    EXPECT_EQ(numbers[0], MPI_VERSION);
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    mpi.get_library_version(version.data(), &number);
    mpi.get_processor_name(text.data(), &number);
    expect_calls({"initialized", "finalized", "query_thread", "is_thread_main", "get_version",
                  "get_library_version", "get_processor_name"});
}

#if MPIPROF_INTERNAL_SESSIONS
TEST_P(queries, sessions) {
    MPI_Session session = MPI_SESSION_NULL;
    mpi.session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    mpi.session_get_num_psets(session, MPI_INFO_NULL, &number);
    EXPECT_GE(number, 1);
    int length = static_cast<int>(text.size());
    mpi.session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, text.data());
    mpi.session_finalize(&session);
    expect_calls({"session_init", "session_get_num_psets", "session_get_nth_pset", "session_finalize"});
}
#endif

}  // namespace
}  // namespace oracle
