// A call of the C API that completes requests, measured.
#pragma once

#include <mpiprof/raw/arguments.hpp>
#include <mpiprof/raw/posted.hpp>
#include <mpiprof/raw/small_buffer.hpp>

#include <algorithm>

namespace mpiprof::inline v1::raw::detail {

/// Does a call of the row's function complete requests?
template <class Row>
inline constexpr bool completes = kind_of(Row::operation) == kind::wait;

/// Does it complete all of the requests together, if any?
template <class Row>
inline constexpr bool completes_all = has<Row>(role::statuses) && !has<Row>(role::indices);

/// Is the request that a handle stood for over, now that this is the handle? A persistent one keeps it, and
/// so does one that is not complete.
inline bool is_over(MPI_Request before, MPI_Request after) noexcept {
    return before != MPI_REQUEST_NULL && after != before;
}

/// Did the call find nothing?
template <class Row, class Arguments>
bool found_nothing(Arguments const& call, int code) noexcept {
    if (code != MPI_SUCCESS) return false;
    if constexpr (has<Row>(role::flag)) return *call.template get<role::flag>() == 0;
    else if constexpr (has<Row>(role::completed_count))
        return *call.template get<role::completed_count>() == 0;
    else return false;
}

/// A request is complete: what it makes is there, and its completion is booked.
template <class I, class Scope>
void observe(Scope& measured, pending const& done, MPI_Status const& status, bool only) noexcept {
    if (!done) return;
    settle(done);
    complete_one(measured, done, status, I::arrivals, only);
}

/// Wait and test of one request.
template <class Row, class I>
int invoke_completing(typename I::sink* sink, request_storage requests, call_site site, MPI_Request* request,
                      auto... rest) {
    arguments<Row, MPI_Request*, decltype(rest)...> call{request, rest...};
    MPI_Status own;
    substitute_status<role::status>(call, &own);
    auto const handle = handle_at(request);
    request_storage::ticket claimed;
    requests.claim(&handle, 1, &claimed);
    bool const was_started = requests.is_started(0, claimed);

    scope<Row::operation, I> measured{sink, unknown_communicator, site};
    int const code = call.call();
    measured.stop();

    bool const nothing = found_nothing<Row>(call, code);
    if (code != MPI_SUCCESS) measured.fail();
    if (nothing) measured.record().flags |= call_incomplete;
    if (is_over(handle, handle_at(request)) || (was_started && !nothing)) {
        auto const done = requests.take(0, claimed);
        if (code == MPI_SUCCESS) observe<I>(measured, done, *call.template get<role::status>(), true);
    } else {
        requests.release(&claimed, 1, [&](pending& waited_for) { keep_waiting(measured, waited_for, true); });
    }
    return code;
}

/// Which requests a call of many reported as done, and where the status of each is.
template <class Row, class Arguments>
class reported {
  public:
    reported(Arguments const& call, std::size_t size, int code) noexcept
        : call_{call},
          code_{code},
          statuses_{size} {
        if (statuses_.data() == nullptr) return;
        std::fill(statuses_.data(), statuses_.data() + size, nullptr);
        int error_class = MPI_SUCCESS;
        if (code != MPI_SUCCESS) PMPI_Error_class(code, &error_class);
        each_has_code_ = error_class == MPI_ERR_IN_STATUS;
        if (code == MPI_SUCCESS || each_has_code_) note(size);
    }

    /// nullptr where it was not.
    MPI_Status const* status_of(std::size_t place) noexcept {
        return statuses_.data() == nullptr ? nullptr : statuses_[place];
    }

    /// Did what it is for succeed? Only with MPI_ERR_IN_STATUS a status says so (MPI 3.1, section 3.7.5).
    bool succeeded(MPI_Status const& status) const noexcept {
        return each_has_code_ ? status.MPI_ERROR == MPI_SUCCESS : code_ == MPI_SUCCESS;
    }

    /// How many there are.
    std::size_t count() const noexcept { return count_; }

  private:
    void note(std::size_t size) noexcept {
        if (found_nothing<Row>(call_, code_)) return;
        if constexpr (has<Row>(role::index)) {
            note_at(*call_.template get<role::index>(), size, call_.template get<role::status>());
        } else if constexpr (has<Row>(role::indices)) {
            auto const* const statuses = call_.template get<role::statuses>();
            auto const* const indices = call_.template get<role::indices>();
            int const completed = *call_.template get<role::completed_count>();
            for (int i = 0; i < completed; ++i) note_at(indices[i], size, statuses + i);
        } else {
            auto const* const statuses = call_.template get<role::statuses>();
            for (std::size_t i = 0; i < size; ++i) {
                bool const unfinished = each_has_code_ && statuses[i].MPI_ERROR == MPI_ERR_PENDING;
                if (!unfinished) note_at(static_cast<int>(i), size, statuses + i);
            }
        }
    }

    /// MPI_UNDEFINED, where there was no active request, is negative.
    void note_at(int place, std::size_t size, MPI_Status const* status) noexcept {
        if (place < 0 || static_cast<std::size_t>(place) >= size) return;
        statuses_[static_cast<std::size_t>(place)] = status;
        ++count_;
    }

    Arguments const& call_;
    int code_;
    small_buffer<MPI_Status const*> statuses_;
    bool each_has_code_ = false;
    std::size_t count_ = 0;
};

/// Waits and tests of many requests: all of them, any one, or some.
template <class Row, class I>
int invoke_completing(typename I::sink* sink, request_storage requests, call_site site, int count,
                      MPI_Request* array, auto... rest) {
    using call_arguments = arguments<Row, int, MPI_Request*, decltype(rest)...>;
    call_arguments call{count, array, rest...};
    auto const size =
        static_cast<std::size_t>(count > 0 && array != nullptr && !requests.empty() ? count : 0);
    // MPI overwrites the handles of what completes.
    small_buffer<MPI_Request> handles{size};
    small_buffer<MPI_Status> statuses{has<Row>(role::statuses) ? size : 1};
    small_buffer<request_storage::ticket> claimed{size};
    bool const tracked =
        size > 0 && handles.data() != nullptr && statuses.data() != nullptr && claimed.data() != nullptr;
    if (tracked) {
        std::copy(array, array + size, handles.data());
        requests.claim(handles.data(), size, claimed.data());
        if constexpr (!has<Row>(role::statuses)) {
            substitute_status<role::status>(call, statuses.data());
        } else if (call.template get<role::statuses>() == MPI_STATUSES_IGNORE) {
            call.template set<role::statuses>(statuses.data());
        }
    }

    scope<Row::operation, I> measured{sink, unknown_communicator, site};
    int const code = call.call();
    measured.stop();

    if (code != MPI_SUCCESS) measured.fail();
    if (found_nothing<Row>(call, code)) measured.record().flags |= call_incomplete;
    if (!tracked) return code;
    reported<Row, call_arguments> done{call, size, code};
    bool const only = size == 1 || (!completes_all<Row> && done.count() == 1);
    bool left = false;
    for (std::size_t i = 0; i < size; ++i) {
        auto const* const status = done.status_of(i);
        bool const over =
            is_over(handles[i], array[i]) || (status != nullptr && requests.is_started(i, claimed[i]));
        if (!over) {
            left = true;
            continue;
        }
        auto const request = requests.take(i, claimed[i]);
        if (status != nullptr && done.succeeded(*status)) observe<I>(measured, request, *status, only);
    }
    if (left) {
        requests.release(claimed.data(), size,
                         [&](pending& waited_for) { keep_waiting(measured, waited_for, size == 1); });
    }
    return code;
}

}  // namespace mpiprof::inline v1::raw::detail
