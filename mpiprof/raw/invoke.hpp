// A call of the C API, recorded or not: what the function objects, the member functions and requests are made
// of.
#pragma once

#include <mpiprof/raw/measured_call.hpp>
#include <mpiprof/raw/measured_wait.hpp>
#include <mpiprof/run/recording.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Does it complete requests?
template <class Row>
inline constexpr bool completes = kind_of(Row::operation) == kind::wait;

/// Does it end a request that then never completes?
template <class Row>
inline constexpr bool releases = Row::operation == operation::request_free;

/// Forgets a request that is about to be freed.
inline void drop(request_storage requests, MPI_Request handle) noexcept {
    request_storage::ticket claimed;
    requests.claim(&handle, 1, &claimed);
    requests.take(0, claimed);
}

/// Calls the row's function, and records the call if it is to be recorded. Requests that were posted while
/// calls were recorded are dropped when they complete or are freed, recorded or not.
template <class Row, class I, class... Arguments>
[[gnu::always_inline]] inline int invoke_recorded(communicator_id communicator, request_storage requests,
                                                  call_site site, Arguments... values) {
    auto& state = recording_of<I>;
    bool const ready = state.ready();
    if constexpr (completes<Row>) {
        if (!ready && requests.empty()) return Row::function(values...);
        return invoke_completing<Row, I>(ready ? &state.sink() : nullptr, requests, site, values...);
    } else {
        if constexpr (releases<Row>) drop(requests, handle_at(values...));
        if (!ready) [[unlikely]]
            return Row::function(values...);
        return invoke_measured<Row, I>(communicator, requests, site, values...);
    }
}

/// Calls the row's function, measured where profiling is on. Always inlined, as what leads here is, since g++
/// -O1 would otherwise not make the plain call's code of it with profiling off.
template <class Row, class I, class... Arguments>
[[gnu::always_inline]] inline int invoke(communicator_id communicator, request_storage requests,
                                         call_site site, Arguments... values) {
    if constexpr (!I::enabled) {
        return Row::function(values...);
    } else if constexpr (has<Row>(role::new_comm)) {
        int const code = invoke_recorded<Row, I>(communicator, requests, site, values...);
        // Also while paused: all members must count the same creating calls.
        if (code == MPI_SUCCESS && !recording_of<I>.stopped()) {
            arguments<Row, Arguments...> const call{values...};
            if (communicator == unknown_communicator)
                communicator = find_identity<false>(call.template get<role::comm>());
            enter_created(communicator, *call.template get<role::new_comm>());
        }
        return code;
    } else {
        return invoke_recorded<Row, I>(communicator, requests, site, values...);
    }
}

}  // namespace mpiprof::inline v1::raw::detail
