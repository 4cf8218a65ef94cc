// For calls that are not recorded while what they complete is.
#pragma once

#include <mpiprof/core/instrumentation.hpp>

namespace mpiprof::inline v1::detail {

/// Hands completions on to a sink, if there is one, and forgets calls.
template <sink Sink>
struct only_completions {
    static constexpr char const* name = Sink::name;
    static constexpr bool records_calls = false;

    /// nullptr where completions are not recorded either.
    Sink* to = nullptr;

    void record(call const&) noexcept {}
    void complete(completion const& done) noexcept
        requires completion_sink<Sink>
    {
        if (to != nullptr) to->complete(done);
    }
};

/// The instrumentation with such a sink.
template <class Instrumentation>
using completions_of = instrumentation<typename Instrumentation::timing, typename Instrumentation::bytes,
                                       only_completions<typename Instrumentation::sink>>;

}  // namespace mpiprof::inline v1::detail
