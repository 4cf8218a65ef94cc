// What mpiprof recorded, in the oracle's words.
#pragma once

#include "tests/oracle/oracle.hpp"

#include <mpiprof/bytes/payload.hpp>
#include <mpiprof/core/instrumentation.hpp>
#include <mpiprof/sinks/callback.hpp>
#include <mpiprof/timing/none.hpp>
#include <vector>

namespace oracle {

/// What mpiprof handed to its sink, in order.
struct collected {
    std::vector<mpiprof::call> calls;
    std::vector<mpiprof::completion> completions;
};

/// The callback: it appends to what its target has.
class collect {
  public:
    explicit collect(collected* into) : into_{into} {}

    void operator()(mpiprof::call const& record) const { into_->calls.push_back(record); }
    void operator()(mpiprof::completion const& record) const { into_->completions.push_back(record); }

  private:
    collected* into_;
};

/// The instrumentation that the oracle watches.
using instrumentation = mpiprof::instrumentation<mpiprof::timing::none, mpiprof::bytes::payload,
                                                 mpiprof::sinks::callback<collect>>;

/// Starts the recording, the first time, and returns where it goes to.
collected& recorded();

/// A record in the oracle's form.
call as_call(mpiprof::call const& record);
completion as_completion(mpiprof::completion const& record);

}  // namespace oracle
