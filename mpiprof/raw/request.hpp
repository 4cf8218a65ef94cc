// A request that remembers what it is for.
#pragma once

#include <mpiprof/raw/invoke.hpp>
#include <mpiprof/raw/small_buffer.hpp>

#include <type_traits>
#include <utility>

namespace mpiprof::inline v1 {

/// A request made by a profiled communicator: `auto request = world.irecv(…); … request.wait();`. The wait's
/// time is recorded as wait, and its completion for the operation that made the request. Move-only; its
/// destructor, as MPI's handle, neither waits nor frees.
///
/// Completing it through its handle by a plain MPI call goes unseen.
template <class Instrumentation>
class basic_request {
    static constexpr bool tracked = Instrumentation::enabled;
    struct untracked {};

  public:
    using instrumentation_type = Instrumentation;

    /// No request, as MPI_REQUEST_NULL.
    basic_request() noexcept = default;

    /// Calls `post(MPI_Request*, pending*)`, which posts the request and returns MPI's code.
    template <class Post>
        requires std::is_invocable_r_v<int, Post, MPI_Request*, raw::pending*>
    [[gnu::always_inline]] explicit basic_request(Post post) : error_{post(&handle_, details())} {}

    basic_request(basic_request&& other) noexcept
        : handle_{std::exchange(other.handle_, MPI_REQUEST_NULL)},
          pending_{std::exchange(other.pending_, {})},
          error_{other.error_} {}

    basic_request& operator=(basic_request&& other) noexcept {
        handle_ = std::exchange(other.handle_, MPI_REQUEST_NULL);
        pending_ = std::exchange(other.pending_, {});
        error_ = other.error_;
        return *this;
    }

    ~basic_request() = default;

    /// MPI's code of the call that made it.
    int error() const noexcept { return error_; }

    /// Is there a request? Not one any more that was completed; a persistent one stays until it is freed.
    bool active() const noexcept { return handle_ != MPI_REQUEST_NULL; }

    /// MPI's handle, for calls that mpiprof does not have.
    MPI_Request* native() noexcept { return &handle_; }

    /// MPI_Wait; returns MPI's code.
    [[gnu::always_inline]] int wait(MPI_Status* status = MPI_STATUS_IGNORE,
                                    call_site site = call_site::current()) {
        return call<raw::rows::Wait>(site, status);
    }

    /// MPI_Test; returns MPI's code.
    [[gnu::always_inline]] int test(int* flag, MPI_Status* status = MPI_STATUS_IGNORE,
                                    call_site site = call_site::current()) {
        return call<raw::rows::Test>(site, flag, status);
    }

    /// MPI_Start, for a persistent request; returns MPI's code.
    [[gnu::always_inline]] int start(call_site site = call_site::current()) {
        return call<raw::rows::Start>(site);
    }

    /// MPI_Cancel; returns MPI's code. The request must still be completed.
    [[gnu::always_inline]] int cancel(call_site site = call_site::current()) {
        return call<raw::rows::Cancel>(site);
    }

    /// MPI_Request_free; returns MPI's code. What it was for is then not seen to complete.
    [[gnu::always_inline]] int free(call_site site = call_site::current()) {
        return call<raw::rows::Request_free>(site);
    }

    /// What is known of it, where it is profiled.
    raw::pending* details() noexcept {
        if constexpr (tracked) return &pending_;
        else return nullptr;
    }

  private:
    template <class Row, class... Rest>
    [[gnu::always_inline]] int call(call_site site, Rest... rest) {
        if constexpr (tracked) {
            auto* const here = &pending_;
            return raw::detail::invoke<Row, Instrumentation>(unknown_communicator, &here, site, &handle_,
                                                             rest...);
        } else {
            return Row::function(&handle_, rest...);
        }
    }

    MPI_Request handle_ = MPI_REQUEST_NULL;
    [[no_unique_address]] std::conditional_t<tracked, raw::pending, untracked> pending_{};
    // The last, since the call that gives it fills in the others.
    int error_ = MPI_SUCCESS;
};

namespace raw::detail {

/// Calls a row's function for the handles of `count` requests as MPI wants them, in an array.
template <class Row, class Instrumentation, class... Rest>
int invoke_for_all(basic_request<Instrumentation>* first, std::size_t count, call_site site, Rest... rest) {
    small_buffer<MPI_Request> handles{count};
    small_buffer<pending*> details{count};
    if (handles.data() == nullptr || details.data() == nullptr) return MPI_ERR_NO_MEM;
    for (std::size_t i = 0; i < count; ++i) {
        handles[i] = *first[i].native();
        details[i] = first[i].details();
    }
    int const code = invoke<Row, Instrumentation>(unknown_communicator, details.data(), site,
                                                  static_cast<int>(count), handles.data(), rest...);
    for (std::size_t i = 0; i < count; ++i) *first[i].native() = handles[i];
    return code;
}

}  // namespace raw::detail

// MPI's calls for `count` requests; they return MPI's code.

/// MPI_Waitall.
template <class Instrumentation>
int wait_all(basic_request<Instrumentation>* first, std::size_t count,
             MPI_Status* statuses = MPI_STATUSES_IGNORE, call_site site = call_site::current()) {
    return raw::detail::invoke_for_all<raw::rows::Waitall>(first, count, site, statuses);
}

/// MPI_Waitany; `*index` is MPI_UNDEFINED where none was active.
template <class Instrumentation>
int wait_any(basic_request<Instrumentation>* first, std::size_t count, int* index,
             MPI_Status* status = MPI_STATUS_IGNORE, call_site site = call_site::current()) {
    return raw::detail::invoke_for_all<raw::rows::Waitany>(first, count, site, index, status);
}

/// MPI_Waitsome; `indices` has room for `count`, and `*completed` is MPI_UNDEFINED where none was active.
template <class Instrumentation>
int wait_some(basic_request<Instrumentation>* first, std::size_t count, int* completed, int* indices,
              MPI_Status* statuses = MPI_STATUSES_IGNORE, call_site site = call_site::current()) {
    return raw::detail::invoke_for_all<raw::rows::Waitsome>(first, count, site, completed, indices, statuses);
}

/// MPI_Testall.
template <class Instrumentation>
int test_all(basic_request<Instrumentation>* first, std::size_t count, int* flag,
             MPI_Status* statuses = MPI_STATUSES_IGNORE, call_site site = call_site::current()) {
    return raw::detail::invoke_for_all<raw::rows::Testall>(first, count, site, flag, statuses);
}

/// MPI_Testany.
template <class Instrumentation>
int test_any(basic_request<Instrumentation>* first, std::size_t count, int* index, int* flag,
             MPI_Status* status = MPI_STATUS_IGNORE, call_site site = call_site::current()) {
    return raw::detail::invoke_for_all<raw::rows::Testany>(first, count, site, index, flag, status);
}

/// MPI_Testsome.
template <class Instrumentation>
int test_some(basic_request<Instrumentation>* first, std::size_t count, int* completed, int* indices,
              MPI_Status* statuses = MPI_STATUSES_IGNORE, call_site site = call_site::current()) {
    return raw::detail::invoke_for_all<raw::rows::Testsome>(first, count, site, completed, indices, statuses);
}

/// MPI_Startall, for persistent requests.
template <class Instrumentation>
int start_all(basic_request<Instrumentation>* first, std::size_t count,
              call_site site = call_site::current()) {
    return raw::detail::invoke_for_all<raw::rows::Startall>(first, count, site);
}

}  // namespace mpiprof::inline v1
