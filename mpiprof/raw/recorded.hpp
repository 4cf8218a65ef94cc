// A call of the C API, recorded: the half of raw/invoke.hpp that profiling needs.
#pragma once

#include <mpiprof/raw/lifecycle.hpp>
#include <mpiprof/raw/measured_call.hpp>
#include <mpiprof/raw/measured_wait.hpp>
#include <mpiprof/raw/unrecorded.hpp>
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

/// Calls the row's function, recorded. Always inlined, so that the record is made beside the call.
template <class Row, class I, class... Arguments>
    requires(I::enabled)
[[gnu::always_inline]] inline int invoke(communicator_id communicator, kept_requests kept, call_site site,
                                         Arguments... values) {
    request_storage const requests{kept};
    if constexpr (has<Row>(role::new_comm)) {
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

/// The same for a call that names no communicator of ours: that of a call that frees it is looked for now,
/// that of any other when it has succeeded.
template <class Row, class I, class... Arguments>
    requires(I::enabled)
[[gnu::always_inline]] inline int invoke_function(call_site site, Arguments... values) {
    auto communicator = unknown_communicator;
    if constexpr (has<Row>(role::comm_pointer)) {
        arguments<Row, Arguments...> const call{values...};
        auto const* const comm = call.template get<role::comm_pointer>();
        if (comm != nullptr) communicator = communicator_identities::instance().known(*comm);
    }
    return invoke<Row, I>(communicator, {}, site, values...);
}

/// The identity of a communicator.
template <class I>
    requires(I::enabled)
communicator_id identity_of(MPI_Comm comm) {
    return communicator_identities::instance().find(comm);
}

/// The identity of a communicator that a profiled one is made of. A recording that is off asks MPI
/// nothing.
template <class I>
    requires(I::enabled)
communicator_id identify(MPI_Comm comm) {
    if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) {
        recording_of<I>.ready();
        if (recording_of<I>.stopped()) return unknown_communicator;
    }
    return identity_of<I>(comm);
}

/// The identity of a communicator that a creating call on `parent` made.
template <class I>
    requires(I::enabled)
communicator_id identify_created(communicator_id parent, MPI_Comm made) {
    if (recording_of<I>.stopped()) return unknown_communicator;
    enter_created(parent, made);
    return identity_of<I>(made);
}

/// The identity of an intercommunicator that was made of two communicators, of which `local` is this side's.
template <class I>
    requires(I::enabled)
communicator_id identify_connected(communicator_id local, int tag, MPI_Comm made) {
    if (recording_of<I>.stopped()) return unknown_communicator;
    enter_connected(local, tag, made);
    return identity_of<I>(made);
}

}  // namespace mpiprof::inline v1::raw::detail
