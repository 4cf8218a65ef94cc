// A call of any kind, measured if it is to be recorded: the half of run/measure.hpp that profiling needs.
#pragma once

#include <mpiprof/core/scope.hpp>
#include <mpiprof/run/envelope.hpp>
#include <mpiprof/run/only_completions.hpp>
#include <mpiprof/run/recording.hpp>

#include <type_traits>

namespace mpiprof::inline v1::detail {

template <class Instrumentation>
    requires(Instrumentation::enabled)
bool records_now(operation which) noexcept {
    return recording_of<Instrumentation>.ready(which);
}

/// Calls `real()`, which is recorded in this scope.
template <class Scope, class Real, class Fill>
    requires(std::is_void_v<std::invoke_result_t<Real&>>)
[[gnu::always_inline]] inline void measure_in(Scope& measured, Real real, Fill fill) {
    real();
    measured.stop();
    fill(measured);
}

/// The same; the result is made in its place and not moved there. (For that g++ 12 wants the variable in the
/// function's own block, and clang 14 the type.)
template <class Scope, class Real, class Fill>
[[gnu::always_inline]] inline auto measure_in(Scope& measured, Real real, Fill fill) -> decltype(real()) {
    auto result = real();
    measured.stop();
    fill(measured, result);
    return result;
}

/// Calls `real()`, and gives its result. If the call is recorded, `fill(scope)`, or `fill(scope, result)`,
/// fills the record in after the second reading of the clock; also where only what the call completes is
/// recorded. What `real` throws passes through; the record of such a call too has the envelope that was asked
/// for.
template <operation Operation, class Instrumentation, class Real, class Fill>
    requires(Instrumentation::enabled)
[[gnu::always_inline]] inline auto measure(communicator_id communicator, call_site site, Real real, Fill fill,
                                           envelope asked = {}) {
    auto& state = recording_of<Instrumentation>;
    if (!state.ready(Operation)) [[unlikely]] {
        if constexpr (kind_of(Operation) == kind::wait) {
            if (only_completions<typename Instrumentation::sink> quiet{state.completions()};
                quiet.to != nullptr) {
                scope<Operation, completions_of<Instrumentation>> unrecorded{&quiet, communicator, site};
                return measure_in(unrecorded, real, fill);
            }
        }
        return real();
    }
    scope<Operation, Instrumentation> measured{&state.sink(), communicator, site};
    measured.record().peer = asked.peer;
    measured.record().tag = asked.tag;
    measured.record().root = asked.root;
    return measure_in(measured, real, fill);
}

}  // namespace mpiprof::inline v1::detail
