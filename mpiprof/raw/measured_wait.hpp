// A call of the C API that completes requests, measured.
#pragma once

#include <mpiprof/core/scope.hpp>
#include <mpiprof/raw/arguments.hpp>
#include <mpiprof/raw/request_storage.hpp>
#include <mpiprof/raw/small_buffer.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Wait and test of one request.
template <class Row, class I>
int invoke_completing(typename I::sink* sink, request_storage requests, call_site site, MPI_Request* request,
                      auto... rest) {
    arguments<Row, MPI_Request*, decltype(rest)...> call{request, rest...};
    MPI_Status own;
    substitute_status<role::status>(call, &own);
    auto const handle = handle_at(request);

    scope<Row::operation, I> measured{sink, unknown_communicator, site};
    int const code = call.call();
    measured.stop();

    bool done = true;
    if constexpr (has<Row>(role::flag)) done = code != MPI_SUCCESS || *call.template get<role::flag>() != 0;
    if (code != MPI_SUCCESS) measured.fail();
    if (!done) measured.record().flags |= call_incomplete;
    // A request that is still there is persistent or failed to complete.
    if (!done || handle == MPI_REQUEST_NULL || *request == handle) return code;
    auto const completed = requests.take(0, handle);
    if (code == MPI_SUCCESS) {
        complete_one(measured, completed, *call.template get<role::status>(), I::arrivals, true);
    }
    return code;
}

/// Waits and tests of many requests: all of them, or any one.
template <class Row, class I>
int invoke_completing(typename I::sink* sink, request_storage requests, call_site site, int count,
                      MPI_Request* array, auto... rest) {
    arguments<Row, int, MPI_Request*, decltype(rest)...> call{count, array, rest...};
    auto const size =
        static_cast<std::size_t>(count > 0 && array != nullptr && !requests.empty() ? count : 0);
    constexpr bool all = has<Row>(role::statuses);
    // MPI overwrites the handles of what completes.
    small_buffer<MPI_Request> handles{size};
    small_buffer<MPI_Status> statuses{all ? size : 1};
    bool const tracked = size > 0 && handles.data() != nullptr && statuses.data() != nullptr;
    if (tracked) {
        for (std::size_t i = 0; i < size; ++i) handles[i] = array[i];
        if constexpr (!all) {
            substitute_status<role::status>(call, statuses.data());
        } else if (call.template get<role::statuses>() == MPI_STATUSES_IGNORE) {
            call.template set<role::statuses>(statuses.data());
        }
    }

    scope<Row::operation, I> measured{sink, unknown_communicator, site};
    int const code = call.call();
    measured.stop();

    if (code != MPI_SUCCESS) measured.fail();
    if constexpr (has<Row>(role::flag)) {
        if (code == MPI_SUCCESS && *call.template get<role::flag>() == 0) {
            measured.record().flags |= call_incomplete;
            return code;
        }
    }
    if (!tracked) return code;
    auto const complete = [&](std::size_t place, MPI_Status const& status, bool success) {
        if (handles[place] == MPI_REQUEST_NULL || array[place] == handles[place]) return;
        auto const request = requests.take(place, handles[place]);
        if (success) complete_one(measured, request, status, I::arrivals, !all || size == 1);
    };
    if constexpr (all) {
        // Only with this code does a status say whether its own request failed (MPI 3.1, section 3.7.5).
        int error_class = MPI_SUCCESS;
        if (code != MPI_SUCCESS) PMPI_Error_class(code, &error_class);
        bool const in_status = error_class == MPI_ERR_IN_STATUS;
        auto const* const result = call.template get<role::statuses>();
        for (std::size_t i = 0; i < size; ++i) {
            complete(i, result[i], code == MPI_SUCCESS || (in_status && result[i].MPI_ERROR == MPI_SUCCESS));
        }
    } else if (code == MPI_SUCCESS) {
        int const index = *call.template get<role::index>();
        if (index != MPI_UNDEFINED) {
            complete(static_cast<std::size_t>(index), *call.template get<role::status>(), true);
        }
    }
    return code;
}

}  // namespace mpiprof::inline v1::raw::detail
