// Where requests are kept from their posting to their completion.
#pragma once

#include <mpiprof/raw/request_table.hpp>

#include <utility>

namespace mpiprof::inline v1::raw::detail {

/// Where the requests that a call posts or completes are kept: in the process's table by handle, or in
/// request objects of ours, one beside each handle.
class request_storage {
  public:
    using ticket = request_table::ticket;

    constexpr request_storage() noexcept = default;
    /// The requests of `first[0]`, `first[1]`, … stand at these addresses.
    explicit constexpr request_storage(pending* const* first) noexcept : objects_{first} {}

    void put(MPI_Request handle, pending const& request) const noexcept {
        if (objects_ != nullptr) {
            **objects_ = request;
            return;
        }
        MPIPROF_INTERNAL_TRY {
            auto& table = request_table::instance();
            if (table.insert_alone(handle, request)) return;
            // MPI is asked while nothing is locked: it may call the program.
            table.insert(handle, request, !request.persistent && is_complete(handle));
        }
        MPIPROF_INTERNAL_CATCH_ALL {
            // No memory: the request goes on unseen.
        }
    }

    /// Before a call that may complete these requests: claims them.
    void claim(MPI_Request const* handles, std::size_t count, ticket* tickets) const noexcept {
        if (!empty() && objects_ == nullptr) request_table::instance().claim(handles, count, tickets);
    }

    /// Is request number `place` a persistent one that was started?
    bool is_started(std::size_t place, ticket claimed) const noexcept {
        if (objects_ == nullptr) return claimed.persistent;
        return objects_[place]->persistent && objects_[place]->active;
    }

    /// After it: takes request number `place`, which is done.
    pending take(std::size_t place, ticket claimed) const noexcept {
        if (objects_ == nullptr) return request_table::instance().take(claimed);
        auto& request = *objects_[place];
        if (!request.active) return {};
        if (!request.persistent) return std::exchange(request, {});
        auto const done = request;
        request.active = false;
        return done;
    }

    /// At last: gives up the claims on those that are not done, after keep(request) for each.
    template <class Keep>
    void release(ticket const* tickets, std::size_t count, Keep keep) const noexcept {
        if (empty()) return;
        if (objects_ == nullptr) return request_table::instance().release(tickets, count, keep);
        for (std::size_t i = 0; i < count; ++i) {
            if (objects_[i]->active) keep(*objects_[i]);
        }
    }

    /// Before a persistent request is started: marks it, since another thread may see it complete before the
    /// call that starts it returns. An empty one if it is not known here.
    pending start(std::size_t place, MPI_Request handle, pending::posting const& how) const noexcept {
        if (objects_ == nullptr) return request_table::instance().start(handle, how);
        return objects_[place]->start(how) ? *objects_[place] : pending{};
    }

    /// The call that starts it has failed.
    void stop(std::size_t place, MPI_Request handle) const noexcept {
        if (objects_ == nullptr) request_table::instance().stop(handle);
        else objects_[place]->active = false;
    }

    /// Before a request is freed: forgets it.
    void drop(MPI_Request handle) const noexcept {
        if (objects_ != nullptr) *objects_[0] = {};
        else if (!empty()) request_table::instance().drop(handle);
    }

    /// Is there none at all, so that nobody need look?
    bool empty() const noexcept { return objects_ == nullptr && request_table::instance().size() == 0; }

  private:
    static bool is_complete(MPI_Request handle) noexcept {
        int complete = 0;
        PMPI_Request_get_status(handle, &complete, MPI_STATUS_IGNORE);
        return complete != 0;
    }

    pending* const* objects_ = nullptr;
};

/// The handle before a call that may change it; a null pointer is for MPI to reject.
inline MPI_Request handle_at(MPI_Request const* request) noexcept {
    return request == nullptr ? MPI_REQUEST_NULL : *request;
}

}  // namespace mpiprof::inline v1::raw::detail
