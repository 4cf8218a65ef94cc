// wrapped HOW: a program whose calls go through mpiprof's own functions, and ends in one of some ways.
#include <mpiprof/raw.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace raw = mpiprof::raw;

/// `times` times 24 bytes to the next rank, and as many from the one before.
void exchange(int times, MPI_Comm comm) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    double const out[3] = {1.0 + rank, 2, 3};
    double in[3] = {};
    for (int i = 0; i < times; ++i) {
        raw::sendrecv(out, 3, MPI_DOUBLE, (rank + 1) % size, 1, in, 3, MPI_DOUBLE, (rank + size - 1) % size,
                      1, comm, MPI_STATUS_IGNORE);
    }
    std::printf("rank %d got %g\n", rank, in[0]);
}

int deleted(MPI_Comm comm, int, void* value, void*) {
    int const out = 5;
    int in = 0;
    raw::sendrecv(&out, 1, MPI_INT, 0, 2, &in, 1, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE);
    std::printf("%s: %d\n", static_cast<char const*>(value), in);
    return MPI_SUCCESS;
}

void set_callback(char const* when) {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &deleted, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, const_cast<char*>(when));
}

/// The later ones are called first, and those calls are recorded; the earlier ones when the run has ended.
int call_from_callbacks() {
    set_callback("before the hook");
    exchange(10, MPI_COMM_WORLD);
    set_callback("after the hook");
    return MPI_Finalize();
}

/// What is called when MPI is gone is MPI's own affair.
int ask_after_the_end() {
    exchange(10, MPI_COMM_WORLD);
    MPI_Finalize();
    int initialized = 0;
    int finalized = 0;
    raw::initialized(&initialized);
    raw::finalized(&finalized);
    mpiprof::profiler const late;
    std::printf("%d %d\n", initialized, finalized);
    return 0;
}

void write_snapshot() {
    if (auto const write = mpiprof::process::instance().hooks.write_snapshot; write != nullptr) write();
}

/// One before there is anything, two of all ranks, one of rank 0 alone, one when all is over.
int write_snapshots() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    write_snapshot();
    exchange(3, MPI_COMM_WORLD);
    write_snapshot();
    exchange(4, MPI_COMM_WORLD);
    std::thread{write_snapshot}.join();
    if (rank == 0) write_snapshot();
    exchange(5, MPI_COMM_WORLD);
    MPI_Finalize();
    write_snapshot();
    return 0;
}

#if MPI_VERSION >= 4

/// Exchanges over a communicator of all ranks, 10 times, and meets in one of each half.
void use(MPI_Session session) {
    int rank = 0;
    MPI_Group everybody = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &everybody);
    MPI_Group_rank(everybody, &rank);
    raw::comm_create_from_group(everybody, "endings", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&everybody);
    MPI_Comm_set_name(comm, "everybody");
    exchange(10, comm);
    raw::comm_split(comm, rank % 2, rank, &half);
    raw::barrier(half);
    raw::comm_free(&half);
    raw::comm_free(&comm);
}

int use_sessions(std::size_t number) {
    std::vector<MPI_Session> sessions(number);
    for (auto& session : sessions) raw::session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    use(sessions[0]);
    for (auto& session : sessions) raw::session_finalize(&session);
    return 0;
}

/// The run ends with MPI_Finalize where there is one to come.
int use_session_and_world() {
    MPI_Session session = MPI_SESSION_NULL;
    raw::session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    use(session);
    MPI_Init(nullptr, nullptr);
    raw::session_finalize(&session);
    exchange(5, MPI_COMM_WORLD);
    return MPI_Finalize();
}

#endif

}  // namespace

int main(int argc, char** argv) {
    std::string_view const how = argc > 1 ? argv[1] : "";
#if MPI_VERSION >= 4
    if (how == "session") return use_sessions(1);
    if (how == "sessions") return use_sessions(2);
    if (how == "session_and_world") return use_session_and_world();
#endif
    MPI_Init(&argc, &argv);
    if (how == "callbacks") return call_from_callbacks();
    if (how == "any_time") return ask_after_the_end();
    if (how == "snapshots") return write_snapshots();
    std::fprintf(stderr, "no such ending: %s\n", argv[1]);
    return 2;
}
