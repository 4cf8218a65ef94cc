// The end of a run: which files the ranks leave, and what is in them. The argument names the scenario.
#include "tests/raw/stderr_capture.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mpiprof/raw.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using nlohmann::json;

int failures = 0;

void expect_equal(auto const& actual, auto const& expected, std::string_view what,
                  int line = __builtin_LINE()) {
    if (actual == expected) return;
    ++failures;
    std::cerr << "merge_test.cpp:" << line << ": " << what << " is " << json(actual) << ", expected "
              << json(expected) << '\n';
}

/// Makes a directory of this rank's own the current one; relative names are of it.
void enter_own_directory(int rank) {
    auto const own = cases::in_test_directory("own." + std::to_string(rank));
    std::filesystem::create_directory(own);
    std::filesystem::current_path(own);
}

std::set<std::string> files_here() {
    std::set<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator{"."})
        names.insert(entry.path().filename().string());
    return names;
}

json read(std::string const& path) {
    std::ifstream file{path};
    auto parsed = json::parse(file, nullptr, false);
    expect_equal(parsed.is_object(), true, path + " is a profile");
    return parsed.is_object() ? parsed : json::object();
}

/// The sums of an operation in a profile; empty if it is not in it.
json statistics_of(json const& run, char const* operation) {
    for (auto const& row : run.value("operations", json::array())) {
        if (row.at("operation") == operation) return row.at("statistics");
    }
    return json::object();
}

/// MPI may have something to say too.
std::vector<std::string> lines_of_mpiprof(std::string const& text) {
    std::vector<std::string> lines;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("mpiprof")) lines.push_back(line);
    }
    return lines;
}

json ranks_from(int first, int last) { return json::array({{{"first", first}, {"last", last}}}); }

/// A summary that is a recording of its own for each capacity.
template <std::size_t Capacity>
using summary_of = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload,
                                            mpiprof::sinks::basic_summary<Capacity>>;

/// The global view is made before MPI_Init, and lives longer than MPI.
auto world = mpiprof::profile(MPI_COMM_WORLD);

/// Lives longer than MPI too: what it does at the end must not harm.
struct dies_late {
    ~dies_late() { mpiprof::phase const phase{"after main"}; }
} const at_exit;

/// Profiles of several recordings: merged, by rank, beside another of the same name, and where none can be.
int merged(int argc, char** argv) {
    static std::array<int, 64> buffer{};
    MPI_Init(&argc, &argv);
    int const rank = cases::world_rank();
    int const size = cases::world_size();
    enter_own_directory(rank);
    std::ofstream{"second.json"} << "first";

    static mpiprof::profiler profiler{{.output = "run.json"}};
    mpiprof::profiler<summary_of<8>> const by_rank{
        {.output = "ranks.json", .merge = mpiprof::merge_by::files}};
    mpiprof::profiler<summary_of<16>> const second{{.output = "second.json"}};
    mpiprof::profiler<summary_of<32>> const unwritable{{.output = "missing/run.json", .shards = "."}};

    world.barrier();
    world.barrier();
    world.sendrecv(buffer.data(), 4, MPI_INT, (rank + 1) % size, 1, buffer.data() + 32, 8, MPI_INT,
                   (rank + size - 1) % size, 1, MPI_STATUS_IGNORE);
    mpiprof::profile(MPI_COMM_WORLD, by_rank).barrier();
    mpiprof::profile(MPI_COMM_WORLD, second).barrier();
    mpiprof::profile(MPI_COMM_WORLD, unwritable).barrier();

    // Receives that nothing matches must not catch what mpiprof sends to merge.
    std::array<MPI_Request, 10> leftover{};
    for (std::size_t i = 0; i < leftover.size(); ++i)
        world.irecv(&buffer[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, &leftover[i]);
    for (std::size_t i = 0; i < 4; ++i) {
        PMPI_Cancel(&leftover[i]);
        mpiprof::raw::wait(&leftover[i], MPI_STATUS_IGNORE);
    }

    // Case CL4: a rank runs longer than the others, which wait for it at the end.
    constexpr std::int64_t longer = 300'000'000;
    if (rank == size - 1) std::this_thread::sleep_for(std::chrono::nanoseconds{longer});

    cases::stderr_capture captured;
    MPI_Finalize();
    auto const said = captured.text();

    auto const own_rank_file = "ranks.rank" + std::to_string(rank) + ".json";
    std::set<std::string> expected{own_rank_file, "second.json"};
    if (rank == 0) expected.insert({"run.json", "second.2.json"});
    auto files = files_here();
    // What could not be written stays on every rank, in the shards.
    expect_equal(std::erase_if(files, [](auto const& name) { return name.ends_with(".shards"); }),
                 std::size_t{1}, "the files of shards");
    expect_equal(files, expected, "the files");

    auto const alone = read(own_rank_file);
    expect_equal(alone.value("ranks", json{}), ranks_from(rank, rank), "the rank of its own file");
    expect_equal(alone.value("world_size", 0), size, "the size of the world");
    expect_equal(statistics_of(alone, "barrier").value("calls", 0), 1, "the barriers of one rank");

    std::string first;
    std::ifstream{"second.json"} >> first;
    expect_equal(first, std::string{"first"}, "the file that was there before");

    auto const lines = lines_of_mpiprof(said);
    expect_equal(lines.size(), std::size_t{rank == 0 ? 1U : 0U}, "the lines on stderr");
    if (rank != 0) return failures;
    expect_equal(said.find("missing/run.json") != std::string::npos, true,
                 "the line names the file: " + said);
    expect_equal(said.find("; what was recorded stays in /") != std::string::npos, true,
                 "the line names the shards: " + said);

    auto const run = read("run.json");
    expect_equal(run.value("format", ""), std::string{"mpiprof-profile"}, "the format");
    expect_equal(run.value("world_size", 0), size, "the size of the world");
    expect_equal(run.value("ranks", json{}), ranks_from(0, size - 1), "the ranks");
    auto const run_time = run.value("run_time", json::object());
    expect_equal(run_time.value("ranks", 0), size, "the ranks with a run time");
    expect_equal(run_time.value("rank_of_most", -1), size - 1, "the rank that ran longest");
    if (size > 1) {
        expect_equal(run_time.value("most", longer) - run_time.value("least", longer) > longer / 2, true,
                     "each rank has its own run time");
    }
    auto const barriers = statistics_of(run, "barrier");
    expect_equal(barriers.value("calls", 0), 2 * size, "the barriers");
    expect_equal(barriers.value("rank_time", json::object()).value("ranks", 0), size, "their ranks");
    auto const exchanges = statistics_of(run, "sendrecv");
    expect_equal(exchanges.value("calls", 0), size, "the exchanges");
    expect_equal(exchanges.value("sent", 0), 16 * size, "the bytes sent");
    expect_equal(exchanges.value("received", 0), 16 * size, "the bytes received");
    expect_equal(statistics_of(run, "irecv").value("calls", 0), 10 * size, "the receives");
    expect_equal(statistics_of(run, "irecv").value("completions", 0), 4 * size, "the completed ones");
    for (auto const& row : run.value("completions", json::array())) {
        if (row.at("operation") == "irecv")
            expect_equal(row.value("cancelled", 0), 4 * size, "the cancelled ones");
    }
    std::int64_t never_completed = 0;
    for (auto const& row : run.value("outstanding", json::array())) {
        expect_equal(row.value("operation", ""), std::string{"irecv"}, "what was never completed");
        expect_equal(row.value("peer", 0), mpiprof::any_source, "the source that it waits for");
        never_completed += row.at("requests").value("sum", 0);
    }
    expect_equal(never_completed, std::int64_t{6 * size}, "the requests never completed");
    auto const other = read("second.2.json");
    expect_equal(other.value("ranks", json{}), ranks_from(0, size - 1), "the ranks of the second file");
    expect_equal(statistics_of(other, "barrier").value("calls", 0), size, "its barriers");
    return failures;
}

using counting =
    mpiprof::instrumentation<mpiprof::timing::none, mpiprof::bytes::payload, mpiprof::sinks::tally>;

/// No profiler of a profile: whether all ranks take part is not known.
int bare(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int const rank = cases::world_rank();
    enter_own_directory(rank);
    // One rank may count its own calls, with none of the others.
    if (rank == 0) {
        mpiprof::profiler<counting> const counted;
        mpiprof::profile(MPI_COMM_SELF, counted).barrier();
        expect_equal(counted.sink().calls(mpiprof::operation::barrier), 1, "the counted barriers");
    }
    // Here they do not.
    if (rank != 1) mpiprof::profile(MPI_COMM_SELF).barrier();
    MPI_Finalize();
    auto const name = mpiprof::detail::program_name() + ".mpiprof.rank" + std::to_string(rank) + ".json";
    expect_equal(files_here(), rank == 1 ? std::set<std::string>{} : std::set<std::string>{name},
                 "the files");
    if (rank != 1) expect_equal(statistics_of(read(name), "barrier").value("calls", 0), 1, "the barriers");
    return failures;
}

/// One rank profiles bare communicators before the profilers are there.
int late(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int const rank = cases::world_rank();
    int const size = cases::world_size();
    enter_own_directory(rank);
    if (rank == 0) {
        mpiprof::profile<summary_of<16>>(MPI_COMM_SELF).barrier();
        mpiprof::profile(MPI_COMM_SELF).barrier();
    }
    mpiprof::profiler const by_rank{{.output = "ranks.json", .merge = mpiprof::merge_by::files}};
    mpiprof::profiler<summary_of<8>> const first{{.output = "first.json"}};
    mpiprof::profiler<summary_of<16>> const second{{.output = "second.json"}};
    int value = 0;
    mpiprof::profile(MPI_COMM_WORLD, first).bcast(&value, 1, MPI_INT, 0);
    mpiprof::profile(MPI_COMM_WORLD, second).barrier();
    MPI_Finalize();

    std::set<std::string> expected{"ranks.rank" + std::to_string(rank) + ".json"};
    if (rank == 0) expected.insert({"first.json", "second.json"});
    expect_equal(files_here(), expected, "the files");
    if (rank != 0) return failures;
    auto const of_first = read("first.json");
    expect_equal(of_first.value("operations", json::array()).size(), std::size_t{1},
                 "the first one's operations");
    expect_equal(statistics_of(of_first, "bcast").value("calls", 0), size, "the first one's calls");
    auto const of_second = read("second.json");
    expect_equal(statistics_of(of_second, "barrier").value("calls", 0), size + 1, "the second one's calls");
    return failures;
}

/// Under MPIPROF=off.
int off(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    enter_own_directory(cases::world_rank());
    mpiprof::profiler const profiler{{.output = "run.json"}};
    int value = 0;
    expect_equal(world.bcast(&value, 1, MPI_INT, 0), MPI_SUCCESS, "the code of a call");
    auto part = world.dup();
    expect_equal(part.size(), cases::world_size(), "the size of a duplicate");
    part.free();
    std::array<int, 2> in{};
    std::array<MPI_Request, 2> requests{};
    world.irecv(in.data(), 1, MPI_INT, MPI_PROC_NULL, 1, requests.data());
    world.recv_init(in.data(), 1, MPI_INT, MPI_PROC_NULL, 2, &requests[1]);
    mpiprof::raw::start(&requests[1]);
    expect_equal(mpiprof::raw::waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS,
                 "the code of a wait");
    mpiprof::raw::request_free(&requests[1]);
    auto object = world.irecv(in.data(), 1, MPI_INT, MPI_PROC_NULL, 1);
    expect_equal(object.wait(), MPI_SUCCESS, "the code of a wait");
    expect_equal(mpiprof::raw::request_table::instance().size(), std::size_t{0}, "the requests kept");
    expect_equal(profiler.snapshot().calls.size(), std::size_t{0}, "the recorded calls");
    cases::stderr_capture captured;
    MPI_Finalize();
    expect_equal(lines_of_mpiprof(captured.text()).size(), std::size_t{0}, "the lines on stderr");
    expect_equal(files_here(), std::set<std::string>{}, "the files");
    return failures;
}

/// Nothing but MPI_Init and MPI_Finalize.
int nothing(int, char**) {
    MPI_Init(nullptr, nullptr);
    enter_own_directory(cases::world_rank());
    cases::stderr_capture captured;
    MPI_Finalize();
    expect_equal(captured.text(), std::string{}, "what stands on stderr");
    expect_equal(files_here(), std::set<std::string>{}, "the files");
    return failures;
}

/// The calls that are legal at any time.
void ask_at_any_time(bool running, bool over) {
    int flag = -1;
    expect_equal(mpiprof::raw::initialized(&flag), MPI_SUCCESS, "the code of MPI_Initialized");
    expect_equal(flag != 0, running || over, "MPI_Initialized");
    expect_equal(mpiprof::raw::finalized(&flag), MPI_SUCCESS, "the code of MPI_Finalized");
    expect_equal(flag != 0, over, "MPI_Finalized");
    int version = 0;
    int subversion = 0;
    expect_equal(mpiprof::raw::get_version(&version, &subversion), MPI_SUCCESS,
                 "the code of MPI_Get_version");
    expect_equal(version, MPI_VERSION, "the version");
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    expect_equal(mpiprof::raw::get_library_version(text.data(), &length), MPI_SUCCESS,
                 "the code of MPI_Get_library_version");
    expect_equal(length > 0, true, "the library has a name");
}

/// Before MPI_Init and after MPI_Finalize, under MPIPROF=queries=on.
int outside(int argc, char** argv) {
    ask_at_any_time(false, false);
    MPI_Init(&argc, &argv);
    int const rank = cases::world_rank();
    int const size = cases::world_size();
    enter_own_directory(rank);
    mpiprof::profiler const profiler{{.output = "run.json"}};
    ask_at_any_time(true, false);
    cases::stderr_capture captured;
    MPI_Finalize();
    ask_at_any_time(false, true);
    expect_equal(captured.text(), std::string{}, "what stands on stderr");
    if (rank != 0) return failures;
    auto const run = read("run.json");
    // Those after MPI_Finalize come too late.
    for (auto const* const name : {"initialized", "finalized", "get_version", "get_library_version"})
        expect_equal(statistics_of(run, name).value("calls", 0), 2 * size, name);
    return failures;
}

/// A program, maybe unmodified, all of whose ranks are known to be profiled since MPI_Init: the clocks are
/// compared in it, and at the end.
int begun(int argc, char** argv) {
    mpiprof::raw::init(&argc, &argv);
    int const rank = cases::world_rank();
    enter_own_directory(rank);
    // They are compared here too, but the first sample and the last one count.
    mpiprof::profiler const profiler;
    world.barrier();
    constexpr auto pause = std::chrono::milliseconds{20};
    std::this_thread::sleep_for(pause);
    mpiprof::raw::finalize();

    mpiprof::trace_head head;
    std::ifstream file{"run.rank" + std::to_string(rank) + ".trace", std::ios::binary};
    file.read(reinterpret_cast<char*>(&head), sizeof head);
    expect_equal(file.good(), true, "there is a trace");
    expect_equal(head.samples.load(), std::uint64_t{2}, "the samples");
    auto const apart = std::chrono::nanoseconds{head.sample[1].nanoseconds - head.sample[0].nanoseconds};
    expect_equal(apart >= pause, true, "they are of the start and of the end");
    return failures;
}

/// Attributes of the program's own, whose callbacks MPI_Finalize calls.
struct attributes {
    static inline int before = 0;
    static inline int after = 0;
    static inline int copied = 0;
    static inline int deleted = 0;

    /// For MPI_COMM_SELF: communicates.
    static int communicate(MPI_Comm, int, void* count, void*) {
        ++*static_cast<int*>(count);
        int finalized = 1;
        PMPI_Finalized(&finalized);
        expect_equal(finalized, 0, "MPI_Finalized in a callback");
        int const out = 5;
        int in = 0;
        auto const self = mpiprof::profile(MPI_COMM_SELF);
        expect_equal(self.sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, MPI_STATUS_IGNORE),
                     MPI_SUCCESS, "the code of a callback's call");
        expect_equal(in, out, "what a callback received");
        return MPI_SUCCESS;
    }

    /// For MPI_COMM_WORLD: looks at its attribute.
    static int look(MPI_Comm comm, int keyval, void*, void*) {
        ++deleted;
        void* value = nullptr;
        int flag = 0;
        expect_equal(PMPI_Comm_get_attr(comm, keyval, &value, &flag), MPI_SUCCESS,
                     "the code of MPI_Comm_get_attr");
        return MPI_SUCCESS;
    }

    static int count_copy(MPI_Comm, int, void*, void*, void*, int* flag) {
        ++copied;
        *flag = 0;
        return MPI_SUCCESS;
    }

    static void set(MPI_Comm comm, MPI_Comm_delete_attr_function* deleting, void* value) {
        int keyval = MPI_KEYVAL_INVALID;
        PMPI_Comm_create_keyval(&count_copy, deleting, &keyval, nullptr);
        PMPI_Comm_set_attr(comm, keyval, value);
    }
};

/// Each rank asks for another level of thread support; and attributes communicate at the end.
int levels(int argc, char** argv) {
    constexpr std::array asked{MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                               MPI_THREAD_MULTIPLE};
    std::size_t number = 0;
    for (auto const* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
        if (char const* const text = std::getenv(name)) number = static_cast<std::size_t>(std::atoi(text));
    }
    int provided = -1;
    MPI_Init_thread(&argc, &argv, asked.at(number), &provided);
    int const rank = cases::world_rank();
    int const size = cases::world_size();
    expect_equal(rank, static_cast<int>(number), "the rank");
    expect_equal(size, static_cast<int>(asked.size()), "the size of the world");
    enter_own_directory(rank);

    // MPI_Finalize deletes the last one first: this one is deleted when mpiprof has ended.
    attributes::set(MPI_COMM_SELF, &attributes::communicate, &attributes::after);
    attributes::set(MPI_COMM_WORLD, &attributes::look, nullptr);
    mpiprof::profiler const profiler{{.output = "run.json"}};
    attributes::set(MPI_COMM_SELF, &attributes::communicate, &attributes::before);
    world.barrier();
    MPI_Finalize();

    expect_equal(attributes::before, 1, "callbacks before mpiprof's end");
    expect_equal(attributes::after, 1, "callbacks after mpiprof's end");
    expect_equal(attributes::deleted, 1, "attributes deleted");
    expect_equal(attributes::copied, 0, "attributes copied");
    expect_equal(files_here(), rank == 0 ? std::set<std::string>{"run.json"} : std::set<std::string>{},
                 "the files");
    if (rank != 0) return failures;
    auto const run = read("run.json");
    expect_equal(run.value("ranks", json{}), ranks_from(0, size - 1), "the ranks");
    expect_equal(statistics_of(run, "barrier").value("calls", 0), size, "the barriers");
    expect_equal(statistics_of(run, "sendrecv").value("calls", 0), size, "the callbacks' calls");
    expect_equal(statistics_of(run, "sendrecv").value("received", 0), 4 * size, "the bytes they received");
    return failures;
}

}  // namespace

int main(int argc, char** argv) {
    // An end that some ranks wait in for others would last for ever.
    ::alarm(30);
    std::string_view const scenario = argc > 1 ? argv[1] : "";
    if (scenario == "merged") return merged(argc, argv);
    if (scenario == "bare") return bare(argc, argv);
    if (scenario == "late") return late(argc, argv);
    if (scenario == "off") return off(argc, argv);
    if (scenario == "nothing") return nothing(argc, argv);
    if (scenario == "outside") return outside(argc, argv);
    if (scenario == "begun") return begun(argc, argv);
    if (scenario == "levels") return levels(argc, argv);
    std::cerr << "merge_test: merged, bare, late, off, nothing, outside, begun or levels?\n";
    return 2;
}
