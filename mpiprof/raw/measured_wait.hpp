// A call of the C API that completes requests, measured.
#pragma once

#include <mpiprof/core/scope.hpp>
#include <mpiprof/raw/arguments.hpp>
#include <mpiprof/raw/request_storage.hpp>
#include <mpiprof/raw/small_buffer.hpp>

#include <algorithm>

namespace mpiprof::inline v1::raw::detail {

/// Is the request that a handle stood for over, now that this is the handle? A persistent one keeps it, and
/// so does one that is not complete.
inline bool is_over(MPI_Request before, MPI_Request after) noexcept {
    return before != MPI_REQUEST_NULL && after != before;
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

    scope<Row::operation, I> measured{sink, unknown_communicator, site};
    int const code = call.call();
    measured.stop();

    if (code != MPI_SUCCESS) measured.fail();
    if constexpr (has<Row>(role::flag)) {
        if (code == MPI_SUCCESS && *call.template get<role::flag>() == 0)
            measured.record().flags |= call_incomplete;
    }
    if (is_over(handle, handle_at(request))) {
        auto const done = requests.take(0, claimed);
        if (code == MPI_SUCCESS) {
            complete_one(measured, done, *call.template get<role::status>(), I::arrivals, true);
        }
    } else {
        requests.release(&claimed, 1);
    }
    return code;
}

/// Did request number `place` of a call that returned `code` succeed, and where is its status?
template <class Row, class Arguments>
MPI_Status const* status_of_success(Arguments const& call, std::size_t place, int code,
                                    int error_class) noexcept {
    if constexpr (has<Row>(role::statuses)) {
        // Only with this code does a status say whether its own request failed (MPI 3.1, section 3.7.5).
        auto const& status = call.template get<role::statuses>()[place];
        bool const succeeded =
            error_class == MPI_ERR_IN_STATUS ? status.MPI_ERROR == MPI_SUCCESS : code == MPI_SUCCESS;
        return succeeded ? &status : nullptr;
    } else {
        bool const this_one =
            code == MPI_SUCCESS && static_cast<std::size_t>(*call.template get<role::index>()) == place;
        return this_one ? call.template get<role::status>() : nullptr;
    }
}

/// Waits and tests of many requests: all of them, or any one.
template <class Row, class I>
int invoke_completing(typename I::sink* sink, request_storage requests, call_site site, int count,
                      MPI_Request* array, auto... rest) {
    arguments<Row, int, MPI_Request*, decltype(rest)...> call{count, array, rest...};
    constexpr bool all = has<Row>(role::statuses);
    auto const size =
        static_cast<std::size_t>(count > 0 && array != nullptr && !requests.empty() ? count : 0);
    // MPI overwrites the handles of what completes.
    small_buffer<MPI_Request> handles{size};
    small_buffer<MPI_Status> statuses{all ? size : 1};
    small_buffer<request_storage::ticket> claimed{size};
    bool const tracked =
        size > 0 && handles.data() != nullptr && statuses.data() != nullptr && claimed.data() != nullptr;
    if (tracked) {
        std::copy(array, array + size, handles.data());
        requests.claim(handles.data(), size, claimed.data());
        if constexpr (!all) {
            substitute_status<role::status>(call, statuses.data());
        } else if (call.template get<role::statuses>() == MPI_STATUSES_IGNORE) {
            call.template set<role::statuses>(statuses.data());
        }
    }

    scope<Row::operation, I> measured{sink, unknown_communicator, site};
    int const code = call.call();
    measured.stop();

    int error_class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) {
        measured.fail();
        PMPI_Error_class(code, &error_class);
    }
    if constexpr (has<Row>(role::flag)) {
        if (code == MPI_SUCCESS && *call.template get<role::flag>() == 0)
            measured.record().flags |= call_incomplete;
    }
    if (!tracked) return code;
    for (std::size_t i = 0; i < size; ++i) {
        if (!is_over(handles[i], array[i])) continue;
        auto const done = requests.take(i, claimed[i]);
        auto const* const status = status_of_success<Row>(call, i, code, error_class);
        if (status != nullptr) complete_one(measured, done, *status, I::arrivals, !all || size == 1);
    }
    requests.release(claimed.data(), size);
    return code;
}

}  // namespace mpiprof::inline v1::raw::detail
