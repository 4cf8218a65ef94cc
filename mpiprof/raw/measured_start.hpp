// A call of the C API that starts persistent requests, measured.
#pragma once

#include <mpiprof/raw/arguments.hpp>
#include <mpiprof/raw/posted.hpp>
#include <mpiprof/raw/small_buffer.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Names the call after the only request that it starts.
inline void name_after(call& record, pending const& request) noexcept {
    record.request = request.posted.operation;
    record.communicator = request.posted.communicator;
    record.peer = request.posted.peer;
    record.tag = request.posted.tag;
    record.root = request.root;
    record.capacity = request.capacity;
}

/// How a request is posted that is about to be started.
template <class I>
pending::posting posting(call_site site, bool among_many) noexcept {
    return {static_cast<std::int64_t>(I::timing::now()), site, current_phase, among_many};
}

/// Start of one request.
template <class Row, class I>
int invoke_starting(typename I::sink* sink, request_storage requests, call_site site, MPI_Request* request) {
    auto const handle = handle_at(request);
    auto const started = requests.start(0, handle, posting<I>(site, false));

    scope<Row::operation, I> measured{sink, unknown_communicator, site};
    int const code = Row::function(request);
    measured.stop();

    auto& record = measured.record();
    if (started) name_after(record, started);
    // The bytes of a request that is not known are not known either.
    record.sent = started ? started.sent : -1;
    record.received = started ? started.received : -1;
    if (code != MPI_SUCCESS) {
        measured.fail();
        if (started) requests.stop(0, handle);
    }
    return code;
}

/// Start of many requests. Their completions tell what was sent to whom.
template <class Row, class I>
int invoke_starting(typename I::sink* sink, request_storage requests, call_site site, int count,
                    MPI_Request* array) {
    auto const size = static_cast<std::size_t>(count > 0 && array != nullptr ? count : 0);
    small_buffer<char> is_started{size};
    std::int64_t sent = 0;
    std::int64_t received = 0;
    for (std::size_t i = 0; i < size; ++i) {
        auto const started = requests.start(i, array[i], posting<I>(site, true));
        if (is_started.data() != nullptr) is_started[i] = started ? 1 : 0;
        sent = add_known(sent, started ? started.sent : -1);
        received = add_known(received, started ? started.received : -1);
    }

    scope<Row::operation, I> measured{sink, unknown_communicator, site};
    int const code = Row::function(count, array);
    measured.stop();

    if (code == MPI_SUCCESS) {
        measured.record().sent = sent;
        measured.record().received = received;
    } else {
        measured.fail();
        for (std::size_t i = 0; i < size && is_started.data() != nullptr; ++i) {
            if (is_started[i] != 0) requests.stop(i, array[i]);
        }
    }
    return code;
}

}  // namespace mpiprof::inline v1::raw::detail
