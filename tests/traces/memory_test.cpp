// Case O11: a long trace is read, and merged, in little memory.
#include <mpiprof/traces/merge.hpp>
#include <mpiprof/traces/nesting.hpp>

#include "tests/support/child.hpp"
#include "tests/traces/temporary_folder.hpp"
#include "tests/traces/trace_builder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sys/resource.h>

namespace {

using mpiprof::traces::event;
using mpiprof::traces::trace;

/// Writes the traces of two ranks with so many calls in all.
std::vector<std::string> write_calls(std::string const& folder, std::int64_t calls) {
    std::vector<std::string> paths;
    for (int rank = 0; rank < 2; ++rank) {
        test_support::trace_builder run{2};
        auto& thread = run.rank(rank).thread();
        mpiprof::call made;
        made.operation = mpiprof::operation::barrier;
        made.communicator = 0;
        for (std::int64_t i = 0; i < calls / 2; ++i) {
            made.begin = 10 * i;
            made.end = 10 * i + 5;
            thread.call(made);
        }
        paths.push_back(run.write(folder).front());
    }
    return paths;
}

/// Address space of this process, in bytes.
::rlim_t address_space() {
    ::rlim_t pages = 0;
    std::ifstream{"/proc/self/statm"} >> pages;
    return pages * static_cast<::rlim_t>(::sysconf(_SC_PAGESIZE));
}

/// Reads and merges them with no more than so much address space. 0 where that is enough.
int work(std::vector<std::string> const& paths, std::string const& merged, std::int64_t calls,
         ::rlim_t most) {
    ::rlimit const limit{most, most};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) return 2;
    std::vector<std::string> notes;
    mpiprof::traces::merge(paths, merged, notes, [](std::uint64_t, std::uint64_t) {});
    trace const from{{merged}};
    std::int64_t count = 0;
    from.for_each([&](event const&) { ++count; });
    mpiprof::traces::for_each_nested(from, 1, 0, {}, [&](auto const&) { ++count; });
    return count == calls + calls / 2 ? 0 : 3;
}

// The sanitizers' memory is without bounds.
#ifndef __SANITIZE_ADDRESS__
TEST(memory, is_little_for_a_long_trace) {
    // 32 MiB of records; all of the case's with tools/test --all.
    bool const all = std::getenv("MPIPROF_TEST_ALL") != nullptr;
    std::int64_t const calls = all ? 5'000'000 : 1'000'000;
    constexpr ::rlim_t mebibyte = 1 << 20;
    test_support::temporary_folder const folder;
    auto const paths = write_calls(folder.path(), calls);
    auto const status = test_support::in_child([&] {
        auto const most = all ? 512 * mebibyte : address_space() + 8 * mebibyte;
        return work(paths, folder / "merged", calls, most);
    });
    EXPECT_EQ(status, 0);
}
#endif

}  // namespace
