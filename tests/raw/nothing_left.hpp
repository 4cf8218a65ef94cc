// No test leaves anything behind in the process's tables.
#pragma once

#include <gtest/gtest.h>
#include <mpiprof/raw.hpp>

namespace cases {

/// Requests in flight and persistent ones, of MPI's own form.
inline std::size_t requests_in_flight() { return mpiprof::raw::request_table::instance().size(); }

/// Fails each test of this process that leaves something behind.
class nothing_left : public testing::EmptyTestEventListener {
  public:
    void OnTestEnd(testing::TestInfo const&) override {
        EXPECT_EQ(requests_in_flight(), 0U);
        EXPECT_EQ(mpiprof::raw::known_messages().size(), 0U);
        EXPECT_EQ(mpiprof::raw::known_windows().size(), 0U);
        EXPECT_EQ(mpiprof::raw::known_files().size(), 0U);
    }
};

// GoogleTest owns it.
inline bool const looks_for_what_is_left =
    (testing::UnitTest::GetInstance()->listeners().Append(new nothing_left), true);

}  // namespace cases
