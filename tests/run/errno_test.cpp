// What mpiprof does by the way leaves errno to the program.
#include <mpiprof/mpiprof.hpp>

#include "tests/support/child.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <sys/resource.h>

namespace {

using mpiprof::operation;
using mpiprof::process;
using recorded = mpiprof::default_instrumentation;

bool attaches() noexcept {
    errno = EBADF;
    return true;
}

void write_nothing() noexcept { errno = EACCES; }

/// The first call, whose shards find no folder.
bool call() {
    auto& recording = mpiprof::recording_of<recorded>;
    if (!recording.ready(operation::barrier)) return false;
    mpiprof::scope<operation::barrier, recorded> measured{&recording.sink(), 0,
                                                          mpiprof::call_site::current()};
    return true;
}

/// In a process whose first call is yet to come.
template <class Work>
int in_fresh_process(Work work) {
    ::setenv("MPIPROF", "shards=/no/such/folder", 1);
    return test_support::in_child([&] {
        process::instance().hooks.attach = &attaches;
        process::instance().hooks.write_snapshot = &write_nothing;
        process::instance().place.library = "library";
        return work();
    });
}

TEST(errno_of_the_program, is_kept_by_the_first_call) {
    for (int const before : {0, ENOTTY}) {
        auto const status = in_fresh_process([before] {
            errno = before;
            if (!call()) return 1;
            return errno == before ? 0 : 2;
        });
        EXPECT_EQ(status, 0) << "errno " << before;
    }
}

TEST(errno_of_the_program, is_kept_by_a_threads_first_record) {
    auto const status = in_fresh_process([] {
        ::setenv("MPIPROF", ("shards=" + testing::TempDir()).c_str(), 1);
        auto& recording = mpiprof::recording_of<recorded>;
        if (!recording.ready(operation::barrier) || recording.shards_path().empty()) return 1;
        // The thread's shard has no room in the file.
        ::rlimit const none{0, 0};
        ::setrlimit(RLIMIT_FSIZE, &none);
        errno = 0;
        recording.sink().record(mpiprof::call{});
        int const after = errno;
        recording.remove_shards();
        return after == 0 ? 0 : 2;
    });
    EXPECT_EQ(status, 0);
}

TEST(errno_of_the_program, is_kept_by_the_controls) {
    auto const status = in_fresh_process([] {
        call();
        errno = 0;
        mpiprof::pause();
        mpiprof::resume();
        mpiprof::phase_begin("solve");
        mpiprof::phase_end();
        mpiprof::reset();
        mpiprof::write_snapshot();
        return errno == 0 ? 0 : 1;
    });
    EXPECT_EQ(status, 0);
}

}  // namespace
