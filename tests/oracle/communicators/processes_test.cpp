// Communicators to processes of other worlds.
#include "tests/oracle/communicators/child.hpp"
#include "tests/oracle/profiled_test.hpp"

#include <array>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace oracle {
namespace {

// Debian's MPICH cannot: UCX has no ports, and its launcher refuses.
#ifdef OMPI_MAJOR_VERSION
constexpr bool has_processes = true;
#else
constexpr bool has_processes = false;
#endif

class processes : public profiled_test {
  protected:
    void SetUp() override {
        profiled_test::SetUp();
        PMPI_Comm_get_errhandler(world, &handler_);
        PMPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
        PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    }

    void TearDown() override {
        PMPI_Comm_set_errhandler(world, handler_);
        PMPI_Comm_set_errhandler(MPI_COMM_SELF, handler_);
        PMPI_Errhandler_free(&handler_);
        profiled_test::TearDown();
    }

    /// The one call of an operation; where the library has processes it made a communicator to `others`,
    /// which gets disconnected after `use`, and else it has failed.
    template <class Use>
    void expect_made(char const* operation, int code, int others, Use use) {
        EXPECT_EQ(code == MPI_SUCCESS, has_processes);
        EXPECT_EQ(of(operation), (totals{.calls = 1})) << operation;
        EXPECT_EQ(last(operation).failed, !has_processes);
        if (code != MPI_SUCCESS) return;
        int remote = 0;
        PMPI_Comm_remote_size(made, &remote);
        EXPECT_EQ(remote, others);
        use();
        mpi.comm_disconnect(&made);
        EXPECT_EQ(made, MPI_COMM_NULL);
        EXPECT_EQ(of("comm_disconnect"), (totals{.calls = 1}));
    }

    /// Rank 0 sends to each child.
    void greet(int children) {
        if (rank != 0) return;
        for (int child = 0; child < children; ++child) {
            mpi.send(in.data(), 1 + child, MPI_INT, child, greeting, made);
            EXPECT_EQ(last("send").peer, child);
            EXPECT_EQ(last("send").sent, 4 * (1 + child));
        }
    }

    /// Two ranks' ends of a connection.
    int connected_socket() {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* const name = reinterpret_cast<sockaddr*>(&address);
        socklen_t length = sizeof address;
        int const end = ::socket(AF_INET, SOCK_STREAM, 0);
        if (rank == 0) {
            ::bind(end, name, length);
            ::listen(end, 1);
            ::getsockname(end, name, &length);
            PMPI_Send(&address.sin_port, sizeof address.sin_port, MPI_BYTE, 1, 0, world);
            int const accepted = ::accept(end, nullptr, nullptr);
            ::close(end);
            return accepted;
        }
        PMPI_Recv(&address.sin_port, sizeof address.sin_port, MPI_BYTE, 0, 0, world, MPI_STATUS_IGNORE);
        ::connect(end, name, length);
        return end;
    }

    std::string program = own_program();
    MPI_Comm made = MPI_COMM_NULL;

  private:
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};
INSTANTIATE_TEST_SUITE_P(by, processes, testing::Values(&by_function, &by_member), form_name);

TEST_P(processes, spawned) {
    messages_get_lost();  // to the children, who keep no ledger
    int const code = mpi.comm_spawn(program.c_str(), MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, world, &made,
                                    MPI_ERRCODES_IGNORE);
    EXPECT_EQ(last("comm_spawn").root, 0);
    expect_made("comm_spawn", code, 2, [&] { greet(2); });
}

TEST_P(processes, spawned_of_several_programs) {
    messages_get_lost();  // to the children, who keep no ledger
    std::array<char*, 2> programs{program.data(), program.data()};
    std::array<int, 2> const counts{1, 2};
    std::array<MPI_Info, 2> const infos{MPI_INFO_NULL, MPI_INFO_NULL};
    int const code = mpi.comm_spawn_multiple(2, programs.data(), MPI_ARGVS_NULL, counts.data(), infos.data(),
                                             0, world, &made, MPI_ERRCODES_IGNORE);
    expect_made("comm_spawn_multiple", code, 3, [&] { greet(3); });
}

TEST_P(processes, nobodys_child) {
    mpi.comm_get_parent(&made);
    EXPECT_EQ(made, MPI_COMM_NULL);
    EXPECT_EQ(of("comm_get_parent"), (totals{.calls = 1}));
}

TEST_P(processes, accepted_and_connected) {
    if (size < 2) GTEST_SKIP() << "there is nobody to connect";
    std::array<char, MPI_MAX_PORT_NAME> port{};
    if (rank == 0) PMPI_Open_port(MPI_INFO_NULL, port.data());
    PMPI_Bcast(port.data(), MPI_MAX_PORT_NAME, MPI_CHAR, 0, world);
    if (rank == 0) {
        int const code = mpi.comm_accept(port.data(), MPI_INFO_NULL, 0, MPI_COMM_SELF, &made);
        expect_made("comm_accept", code, 1, [] {});
    } else if (rank == 1) {
        int const code = mpi.comm_connect(port.data(), MPI_INFO_NULL, 0, MPI_COMM_SELF, &made);
        expect_made("comm_connect", code, 1, [] {});
    }
}

TEST_P(processes, joined) {
    if (size < 2) GTEST_SKIP() << "there is nobody to join";
    if (rank >= 2) return;
    int const end = connected_socket();
    int const code = mpi.comm_join(end, &made);
    expect_made("comm_join", code, 1, [] {});
    ::close(end);
}

}  // namespace
}  // namespace oracle
