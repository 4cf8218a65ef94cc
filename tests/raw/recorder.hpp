// Collects what profiled calls record, for tests to look at.
#pragma once

#include "tests/raw/nothing_left.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <mpiprof/raw.hpp>
#include <mutex>
#include <vector>

namespace cases {

/// What was recorded since the last recorder was made; one recorder lives at a time.
class recorder {
  public:
    recorder() {
        std::lock_guard const lock{mutex_};
        calls_.clear();
        completions_.clear();
    }

    std::vector<mpiprof::call> calls() const { return copy_of(calls_); }
    std::vector<mpiprof::completion> completions() const { return copy_of(completions_); }

    /// Those of this operation.
    std::vector<mpiprof::call> calls(mpiprof::operation which) const { return select(calls(), which); }
    std::vector<mpiprof::completion> completions(mpiprof::operation which) const {
        return select(completions(), which);
    }

    /// The only one of this operation; an empty record, and a failure, where there is not exactly one.
    mpiprof::call call(mpiprof::operation which) const { return only(calls(which)); }
    mpiprof::completion completion(mpiprof::operation which) const { return only(completions(which)); }

    /// The callback of the sink.
    struct collect {
        void operator()(mpiprof::call const& record) const { append(calls_, record); }
        void operator()(mpiprof::completion const& record) const { append(completions_, record); }
    };

  private:
    template <class Record>
    static void append(std::vector<Record>& records, Record const& record) {
        std::lock_guard const lock{mutex_};
        records.push_back(record);
    }

    template <class Record>
    static std::vector<Record> copy_of(std::vector<Record> const& records) {
        std::lock_guard const lock{mutex_};
        return records;
    }

    template <class Record>
    static std::vector<Record> select(std::vector<Record> const& records, mpiprof::operation which) {
        std::vector<Record> selected;
        std::copy_if(records.begin(), records.end(), std::back_inserter(selected),
                     [&](Record const& each) { return each.operation == which; });
        return selected;
    }

    template <class Record>
    static Record only(std::vector<Record> const& records) {
        EXPECT_EQ(records.size(), 1U);
        return records.size() == 1 ? records.front() : Record{};
    }

    static inline std::mutex mutex_;
    static inline std::vector<mpiprof::call> calls_;
    static inline std::vector<mpiprof::completion> completions_;
};

/// The instrumentation whose records the recorder collects.
using recording = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload,
                                           mpiprof::sinks::callback<recorder::collect>>;

/// The communicator, profiled for the recorder.
inline auto recorded(MPI_Comm comm) { return mpiprof::profile<recording>(comm); }

/// MPI's functions, profiled for the recorder.
#define MPIPROF_FUNCTION(NAME, OBJECT, ...)                                                                  \
    inline constexpr mpiprof::raw::function<mpiprof::raw::rows::NAME, recording> OBJECT{};
namespace calls {
#include <mpiprof/raw/functions.inc>
}
#undef MPIPROF_FUNCTION

/// A receive from itself in the process's table of requests, matched at the end: the lists that waits and
/// tests get are looked at only while something is in flight.
class request_in_flight {
  public:
    request_in_flight() { recorded(MPI_COMM_SELF).irecv(&in_, 1, MPI_CHAR, 0, tag, &request_); }

    request_in_flight(request_in_flight const&) = delete;
    request_in_flight& operator=(request_in_flight const&) = delete;

    ~request_in_flight() {
        char const out = 0;
        PMPI_Send(&out, 1, MPI_CHAR, 0, tag, MPI_COMM_SELF);
        calls::wait(&request_, MPI_STATUS_IGNORE);
    }

  private:
    static constexpr int tag = 77;

    char in_ = 0;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace cases
