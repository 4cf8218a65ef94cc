// What is measured: every timing with every byte and every sink policy in these lists.
#pragma once

#include "type_list.hpp"

#include <mpiprof/run/instrumentations.hpp>
#include <mpiprof/sinks/callback.hpp>
#include <mpiprof/sinks/fanout.hpp>
#include <mpiprof/sinks/tally.hpp>
#include <mpiprof/sinks/trace.hpp>
#include <mpiprof/timing/steady.hpp>
#include <mpiprof/timing/tsc.hpp>

namespace benchmarks {

/// A user's function that only looks at the record.
struct look {
    void operator()(mpiprof::call const& record) const noexcept { asm volatile("" : : "m"(record)); }
};

using timings = type_list<mpiprof::timing::none, mpiprof::timing::steady, mpiprof::timing::tsc>;

using bytes = type_list<mpiprof::bytes::none, mpiprof::bytes::payload>;

/// The sink of a program that chooses none: a summary, beside a trace that nobody asked for.
struct unchosen : mpiprof::default_instrumentation::sink {
    static constexpr char const* name = "summary";
};

/// sinks::none is not among them: it makes all instrumentations `off`, which is measured too.
using sinks = type_list<mpiprof::sinks::callback<look>, mpiprof::sinks::tally, unchosen,
                        mpiprof::sinks::fanout<mpiprof::sinks::summary, mpiprof::sinks::trace>>;

/// Paused, a recording costs the one branch that MPIPROF=off costs too, whatever its policies. The sink is a
/// type of its own, so that no other recording is paused.
struct paused_tally : mpiprof::sinks::tally {};
using paused = mpiprof::instrumentation<mpiprof::timing::tsc, mpiprof::bytes::payload, paused_tally>;

}  // namespace benchmarks
