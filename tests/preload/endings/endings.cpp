// endings HOW: a program that knows nothing of mpiprof, exchanges messages that can be counted by hand, and
// ends in one of many ways, or begins in an unusual one. What it prints is the same whoever watches.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mpi.h>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

int rank = 0;
int size = 1;

void ask_place() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/// `times` times 24 bytes to the next rank, and as many from the one before.
void exchange(int times, MPI_Comm comm = MPI_COMM_WORLD) {
    int here = 0;
    int all = 0;
    MPI_Comm_rank(comm, &here);
    MPI_Comm_size(comm, &all);
    double const out[3] = {1.0 + here, 2, 3};
    double in[3] = {};
    for (int i = 0; i < times; ++i) {
        MPI_Sendrecv(out, 3, MPI_DOUBLE, (here + 1) % all, 1, in, 3, MPI_DOUBLE, (here + all - 1) % all, 1,
                     comm, MPI_STATUS_IGNORE);
    }
    std::printf("rank %d got %g\n", rank, in[0]);
    std::fflush(stdout);
}

/// Until the job's end comes for it.
void wait_for_nothing() {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// All have exchanged their messages, and the others wait, before one of them dies.
void settle(int dying = 1) {
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == dying) ::usleep(200'000);
}

int finalize() {
    int const code = MPI_Finalize();
    std::printf("rank %d finalized: %d\n", rank, code);
    return 0;
}

int end_all() {
    settle();
    std::exit(0);
}

int end_one(int status) {
    settle();
    if (rank == 1) std::exit(status);
    wait_for_nothing();
    return 0;
}

int abort_one() {
    settle();
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);
    wait_for_nothing();
    return 0;
}

int raise_on_one(int signal) {
    settle();
    if (rank == 1) {
        ::raise(signal);
        ::pause();
    }
    wait_for_nothing();
    return 0;
}

int crash() {
    settle();
    int volatile* volatile nowhere = nullptr;
    if (rank == 1) *nowhere = 1;
    wait_for_nothing();
    return 0;
}

int exceed_time() {
    settle();
    ::rlimit const second{1, 10};
    if (rank == 1) ::setrlimit(RLIMIT_CPU, &second);
    for (double volatile work = 0; rank == 1;) work = work + 1;
    wait_for_nothing();
    return 0;
}

int throw_on_one() {
    settle(0);
    if (rank == 0) throw std::runtime_error("nobody catches this");
    wait_for_nothing();
    return 0;
}

int hang() {
    settle();
    wait_for_nothing();
    return 0;
}

volatile std::sig_atomic_t signals = 0;

/// The program has a handler of its own.
int handle_signal() {
    std::signal(SIGTERM, [](int) { signals = signals + 1; });
    ::raise(SIGTERM);
    std::printf("rank %d handled %d\n", rank, static_cast<int>(signals));
    exchange(5);
    return finalize();
}

int fork_child() {
    std::fflush(stdout);
    std::atexit([] { std::fflush(stdout); });
    auto const child = ::fork();
    if (child == 0) std::exit(0);
    int status = 0;
    ::waitpid(child, &status, 0);
    std::printf("rank %d child %d\n", rank, status);
    exchange(5);
    return finalize();
}

/// Another program of MPI, and its profile has the same name.
int run_other(char const* self) {
    std::fflush(stdout);
    int const status = std::system((std::string{"env -u PMIX_RANK "} + self + " finalize").c_str());
    std::printf("rank %d other %d\n", rank, status);
    exchange(5);
    return finalize();
}

int deleted(MPI_Comm comm, int, void*, void*) {
    int finalized = -1;
    int value = 5;
    int got = 0;
    MPI_Finalized(&finalized);
    MPI_Sendrecv(&value, 1, MPI_INT, 0, 2, &got, 1, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE);
    std::printf("rank %d in its callback: %d %d\n", rank, finalized, got);
    return MPI_SUCCESS;
}

int call_from_callbacks() {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &deleted, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
    return finalize();
}

int world_key = MPI_KEYVAL_INVALID;

int ask_in_callback() {
    MPI_Comm_create_keyval(
        MPI_COMM_NULL_COPY_FN,
        [](MPI_Comm comm, int, void*, void*) {
            int there = -1;
            void* value = nullptr;
            MPI_Comm_get_attr(comm, world_key, &value, &there);
            return MPI_SUCCESS;
        },
        &world_key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_WORLD, world_key, &world_key);
    return finalize();
}

int handled = 0;

void send_to_self(int value) {
    int got = 0;
    MPI_Sendrecv(&value, 1, MPI_INT, 0, 2, &got, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    handled += got;
}

void send_nowhere() {
    int value = 0;
    MPI_Send(&value, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
}

void ask_and_send(MPI_Comm* comm, int*, ...) {
    int here = -1;
    MPI_Comm_rank(*comm, &here);
    send_to_self(here + 1);
}

std::jmp_buf before_the_error;

void jump_out(MPI_Comm*, int*, ...) { std::longjmp(before_the_error, 1); }

void have_errors_handled(MPI_Comm_errhandler_function* function) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(function, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
}

int handle_errors() {
    have_errors_handled(&ask_and_send);
    send_nowhere();
    std::printf("rank %d handled %d\n", rank, handled);
    exchange(5);
    return finalize();
}

int jump_out_of_errors() {
    have_errors_handled(&jump_out);
    if (setjmp(before_the_error) == 0) send_nowhere();
    else std::printf("rank %d jumped\n", rank);
    exchange(5);
    return finalize();
}

/// What may be called at any time.
void ask_about_mpi() {
    int initialized = -1;
    int finalized = -1;
    int version = 0;
    int minor = 0;
    int length = 0;
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    MPI_Get_version(&version, &minor);
    MPI_Get_library_version(library, &length);
    std::printf("%d %d %d.%d %zu %.10s\n", initialized, finalized, version, minor, std::strlen(library),
                library);
}

int ask_before_and_after(int* argc, char*** argv) {
    ask_about_mpi();
    MPI_Init(argc, argv);
    ask_place();
    exchange(10);
    MPI_Finalize();
    ask_about_mpi();
    return 0;
}

int send_after_the_end() {
    finalize();
    std::fflush(stdout);
    // It may end the job, before the others have said that they are done.
    ::usleep(300'000);
    int value = 0;
    int const code = MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    std::printf("rank %d sent: %d\n", rank, code);
    return 0;
}

struct finalizer {
    bool wanted = false;
    ~finalizer() {
        if (wanted) finalize();
    }
};
finalizer at_the_end;

int finalize_in_destructor() {
    at_the_end.wanted = true;
    return 0;
}

int finalize_at_exit() {
    std::atexit([] { finalize(); });
    return 0;
}

/// As much as the level allows: messages in four threads, each with a communicator of its own.
int use_threads(int wanted, int* argc, char*** argv) {
    int provided = -1;
    MPI_Init_thread(argc, argv, wanted, &provided);
    ask_place();
    std::printf("rank %d level %d\n", rank, provided - wanted);
    exchange(10);
    if (provided == MPI_THREAD_MULTIPLE) {
        std::vector<MPI_Comm> comms(4);
        for (auto& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        std::vector<std::thread> threads;
        for (auto const comm : comms) threads.emplace_back([comm] { exchange(100, comm); });
        for (auto& thread : threads) thread.join();
        for (auto& comm : comms) MPI_Comm_free(&comm);
    }
    return finalize();
}

/// MPI lives and ends in a thread that is not the first.
int finalize_in_thread() {
    std::thread{[] {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
        ask_place();
        exchange(10);
        finalize();
    }}.join();
    int finalized = -1;
    MPI_Finalized(&finalized);
    std::printf("rank %d finalized in a thread: %d\n", rank, finalized);
    return 0;
}

int make_no_communicator() {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, rank, &made);
    std::printf("rank %d has %d\n", rank, made == MPI_COMM_NULL);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    return finalize();
}

/// Without MPI_Init and MPI_COMM_WORLD; of `sessions` one after another is closed.
int use_sessions([[maybe_unused]] int sessions) {
#if MPI_VERSION >= 4
    std::vector<MPI_Session> open(static_cast<std::size_t>(sessions));
    for (auto& session : open) MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group everybody = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Group_from_session_pset(open[0], "mpi://WORLD", &everybody);
    MPI_Group_rank(everybody, &rank);
    MPI_Comm_create_from_group(everybody, "endings", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&everybody);
    exchange(10, comm);
    MPI_Comm_split(comm, rank % 2, rank, &half);
    MPI_Barrier(half);
    MPI_Comm_free(&half);
    MPI_Comm_free(&comm);
    for (auto& session : open) std::printf("rank %d closed: %d\n", rank, MPI_Session_finalize(&session));
#else
    std::puts("the library has no sessions");
#endif
    return 0;
}

/// How it ends after ten messages each way.
int end(std::string const& how, char const* self) {
    if (how == "finalize" || how == "null") return finalize();
    if (how == "exit") return end_all();
    if (how == "exit3") return end_one(3);
    if (how == "abort") return abort_one();
    if (how == "term") return raise_on_one(SIGTERM);
    if (how == "int") return raise_on_one(SIGINT);
    if (how == "kill") return raise_on_one(SIGKILL);
    if (how == "xcpu") return exceed_time();
    if (how == "segv") return crash();
    if (how == "throw") return throw_on_one();
    if (how == "hang") return hang();
    if (how == "handler") return handle_signal();
    if (how == "fork") return fork_child();
    if (how == "system") return run_other(self);
    if (how == "callbacks") return call_from_callbacks();
    if (how == "world_callbacks") return ask_in_callback();
    if (how == "errors") return handle_errors();
    if (how == "jump") return jump_out_of_errors();
    if (how == "late") return send_after_the_end();
    if (how == "destructor") return finalize_in_destructor();
    if (how == "atexit") return finalize_at_exit();
    if (how == "no_communicator") return make_no_communicator();
    std::fprintf(stderr, "no such ending: %s\n", how.c_str());
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    std::string const how = argc > 1 ? argv[1] : "finalize";
    if (how == "no_mpi") return std::puts("nothing to do with MPI") < 0 ? 1 : 0;
    if (how == "any_time") return ask_before_and_after(&argc, &argv);
    if (how == "single") return use_threads(MPI_THREAD_SINGLE, &argc, &argv);
    if (how == "funneled") return use_threads(MPI_THREAD_FUNNELED, &argc, &argv);
    if (how == "serialized") return use_threads(MPI_THREAD_SERIALIZED, &argc, &argv);
    if (how == "multiple") return use_threads(MPI_THREAD_MULTIPLE, &argc, &argv);
    if (how == "thread") return finalize_in_thread();
    if (how == "session") return use_sessions(1);
    if (how == "sessions") return use_sessions(2);
    if (how == "null") MPI_Init(nullptr, nullptr);
    else MPI_Init(&argc, &argv);
    ask_place();
    exchange(10);
    return end(how, argv[0]);
}
