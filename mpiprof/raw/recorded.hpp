// A call of the C API, recorded: the half of raw/invoke.hpp that profiling needs.
#pragma once

#include <mpiprof/raw/lifecycle.hpp>
#include <mpiprof/raw/measured_call.hpp>
#include <mpiprof/raw/measured_start.hpp>
#include <mpiprof/raw/measured_wait.hpp>
#include <mpiprof/raw/unrecorded.hpp>
#include <mpiprof/run/only_completions.hpp>
#include <mpiprof/run/recording.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Does a call of the row's function start persistent requests?
template <class Row>
inline constexpr bool starts = Row::operation == operation::start || Row::operation == operation::startall;

/// Does it end a request that then never completes?
template <class Row>
inline constexpr bool releases = Row::operation == operation::request_free;

/// Calls the row's function without recording the call. All members must count the same creating calls.
template <class Row, class I, class... Arguments>
int invoke_unrecorded(communicator_id communicator, Arguments... values) {
    int const code = Row::function(values...);
    if constexpr (makes_later<Row>) {
        if (code == MPI_SUCCESS && !recording_of<I>.stopped()) {
            arguments<Row, Arguments...> const call{values...};
            if (communicator == unknown_communicator) communicator = communicator_of<Row, false>(call);
            count_creation(communicator);
        }
    }
    return code;
}

/// The same of a function that completes requests, what was recorded when it was posted.
template <class Row, class I, class... Arguments>
int complete_unrecorded(request_storage requests, call_site site, Arguments... values) {
    if (requests.empty()) return Row::function(values...);
    mpiprof::detail::only_completions<typename I::sink> quiet{recording_of<I>.completions()};
    return invoke_completing<Row, mpiprof::detail::completions_of<I>>(&quiet, requests, site, values...);
}

/// Does the row's function begin MPI?
template <class Row>
inline constexpr bool begins_mpi =
    Row::operation == operation::init || Row::operation == operation::init_thread ||
    Row::operation == operation::session_init;

/// MPI runs since this call, or runs in another way too.
template <class Row, class... Arguments>
void note_beginning([[maybe_unused]] Arguments... values) noexcept {
#if MPIPROF_INTERNAL_SESSIONS
    if constexpr (Row::operation == operation::session_init)
        [](auto, auto, MPI_Session const* session) { session_opened(*session); }(values...);
#endif
    if (hook != hooked_to::nothing) attach();
}

/// Is this call about to end MPI?
template <class Row, class... Arguments>
void note_ending([[maybe_unused]] Arguments... values) noexcept {
#if MPIPROF_INTERNAL_SESSIONS
    if constexpr (Row::operation == operation::session_finalize)
        [](MPI_Session const* session) {
            if (session != nullptr) session_closing(*session);
        }(values...);
#endif
}

/// A call that begins MPI. The run begins before it; whether it is to be recorded turns out when MPI runs.
template <class Row, class I, class... Arguments>
int invoke_beginning(call_site site, Arguments... values) {
    recording_of<I>.ready(Row::operation);
    scope<Row::operation, I> measured{nullptr, unknown_communicator, site};
    int const code = Row::function(values...);
    measured.stop();
    auto const [begin, end] = measured.release();
    if (code == MPI_SUCCESS) note_beginning<Row>(values...);
    if (code == MPI_SUCCESS && recording_of<I>.ready(Row::operation))
        record_call<Row, I, false>(begin, end, site, unknown_communicator, request_storage{}, values...);
    // All ranks make this call.
    if (code == MPI_SUCCESS && compares_clocks(recording_of<I>)) sample_clocks_of_world(recording_of<I>);
    return code;
}

/// Calls the row's function, and records the call if it is to be recorded. Requests that were posted while
/// calls were recorded are dropped when they complete or are freed, recorded or not.
template <class Row, class I, class... Arguments>
[[gnu::always_inline]] inline int invoke_recorded(communicator_id communicator, request_storage requests,
                                                  call_site site, Arguments... values) {
    if constexpr (begins_mpi<Row>) return invoke_beginning<Row, I>(site, values...);
    note_ending<Row>(values...);
    auto& state = recording_of<I>;
    bool ready = state.ready(Row::operation);
    if constexpr (kind_of(Row::operation) == kind::query) ready = ready && state.records_queries();
    if constexpr (completes<Row>) {
        if (!ready) [[unlikely]]
            return complete_unrecorded<Row, I>(requests, site, values...);
        return invoke_completing<Row, I>(&state.sink(), requests, site, values...);
    } else {
        if constexpr (releases<Row>) requests.drop(handle_at(values...));
        if (!ready) [[unlikely]]
            return invoke_unrecorded<Row, I>(communicator, values...);
        if constexpr (starts<Row>) return invoke_starting<Row, I>(&state.sink(), requests, site, values...);
        else return invoke_measured<Row, I>(communicator, requests, site, values...);
    }
}

/// The same for a call that makes, frees or receives handles, which are kept track of whether it is recorded
/// or not.
template <class Row, class I, class... Arguments>
int invoke_tracked(communicator_id communicator, request_storage requests, call_site site,
                   Arguments... values) {
    if (recording_of<I>.stopped()) return invoke_recorded<Row, I>(communicator, requests, site, values...);
    arguments<Row, Arguments...> const call{values...};
    ending_handle<Row> const ending{call};
    if constexpr (ends_handle<Row>) communicator = ending.communicator();
    int const code = invoke_recorded<Row, I>(communicator, requests, site, values...);
    // The first call of all may be the one that finds the recording switched off.
    if (recording_of<I>.stopped()) return code;
    if (code != MPI_SUCCESS) ending.put_back(call);
    else if constexpr (makes_handle<Row> && !makes_later<Row>) enter_made<Row>(communicator, call);
    return code;
}

/// Calls the row's function, recorded. Always inlined, so that the record is made beside the call.
template <class Row, class I, class... Arguments>
    requires(I::enabled)
[[gnu::always_inline]] inline int invoke(communicator_id communicator, kept_requests kept, call_site site,
                                         Arguments... values) {
    request_storage const requests{kept};
    if constexpr (makes_handle<Row> || ends_handle<Row>)
        return invoke_tracked<Row, I>(communicator, requests, site, values...);
    else return invoke_recorded<Row, I>(communicator, requests, site, values...);
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
communicator_id identity_of(MPI_Comm comm) noexcept {
    return find_identity<false>(comm);
}

/// The identity of a communicator that a profiled one is made of. A recording that is off asks MPI
/// nothing.
template <class I>
    requires(I::enabled)
communicator_id identify(MPI_Comm comm) {
    if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) {
        recording_of<I>.ready(operation::none);
        if (recording_of<I>.stopped()) return unknown_communicator;
    }
    return identity_of<I>(comm);
}

/// The identity of a communicator that a creating call on `parent` made.
template <class I>
    requires(I::enabled)
communicator_id identify_created(communicator_id parent, MPI_Comm made) {
    if (recording_of<I>.stopped()) return unknown_communicator;
    enter_created(parent, count_creation(parent), made);
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
