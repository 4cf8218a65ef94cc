// The posted requests of MPI's own form, by handle.
#pragma once

#include <mpiprof/raw/pending.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mpi.h>
#include <mutex>
#include <vector>

namespace mpiprof::inline v1::raw {

/// Requests by handle: posted ones until they complete, persistent ones until they are freed. MPI libraries
/// hand the same handle out for several operations that were complete at once, and again for a new one as
/// soon as the old one is done, maybe to another thread before the old one was taken out here. So a handle
/// may stand for several requests, and a call that may complete one claims it first: the oldest active one
/// that nobody claimed. Memory is bounded by the most requests that there ever were together.
class request_table {
  public:
    /// A claim on one request; default-constructed, on none.
    struct ticket {
        std::uint32_t node = nothing;
        std::uint32_t serial = 0;
        bool persistent = false;
    };

    /// The process's table; never destroyed.
    static request_table& instance() {
        static auto* const table = new request_table;
        return *table;
    }

    void insert(MPI_Request handle, pending const& request) {
        std::lock_guard const lock{mutex_};
        if (free_ == nothing) grow();
        auto const added = free_;
        auto& fresh = nodes_[added];
        free_ = fresh.next;
        fresh = {handle, nothing, fresh.serial, 0, request};
        append(added);
        count_.fetch_add(1, std::memory_order_relaxed);
    }

    /// Claims an active request for each of these handles, as far as there are any.
    void claim(MPI_Request const* handles, std::size_t count, ticket* tickets) noexcept {
        std::lock_guard const lock{mutex_};
        for (std::size_t i = 0; i < count; ++i) tickets[i] = claim(handles[i]);
    }

    /// Gives up the claims that were not taken, after keep(request) for each of those requests.
    template <class Keep>
    void release(ticket const* tickets, std::size_t count, Keep keep) noexcept {
        std::lock_guard const lock{mutex_};
        for (std::size_t i = 0; i < count; ++i) {
            if (!holds(tickets[i])) continue;
            auto& found = nodes_[tickets[i].node];
            --found.claims;
            keep(found.request);
        }
    }

    /// Takes a claimed request out, which is done; a persistent one stays, and is not active any more. An
    /// empty one if the claim is on none, or another thread was first.
    pending take(ticket claimed) noexcept {
        std::lock_guard const lock{mutex_};
        if (!holds(claimed)) return {};
        auto& found = nodes_[claimed.node];
        auto const request = found.request;
        if (!request.persistent) {
            remove(claimed.node);
        } else {
            found.request.active = false;
            found.claims = 0;
            ++found.serial;
        }
        return request;
    }

    /// Forgets a request that is about to be freed.
    void drop(MPI_Request handle) noexcept {
        std::lock_guard const lock{mutex_};
        auto const found = find(handle, [](node const& each) { return each.claims == 0; });
        if (found != nothing) remove(found);
    }

    /// Marks a persistent request as started. Returns it; an empty one if it is not known here, or
    /// cannot be started.
    pending start(MPI_Request handle, pending::posting const& how) noexcept {
        std::lock_guard const lock{mutex_};
        auto const found = find(handle, [](node const& each) { return !each.request.active; });
        if (found == nothing || !nodes_[found].request.start(how)) return {};
        return nodes_[found].request;
    }

    /// It was not started after all.
    void stop(MPI_Request handle) noexcept {
        std::lock_guard const lock{mutex_};
        auto const found = find(handle, [](node const& each) { return each.request.active; });
        if (found != nothing && nodes_[found].request.persistent) nodes_[found].request.active = false;
    }

    /// Calls function(completion const&) for what each request in flight was posted as.
    template <class Function>
    void for_each_active(Function function) {
        std::lock_guard const lock{mutex_};
        for (auto const first : buckets_) {
            for (auto each = first; each != nothing; each = nodes_[each].next) {
                if (nodes_[each].request.active) function(nodes_[each].request.posted);
            }
        }
    }

    /// Requests in flight, and persistent ones.
    std::size_t size() const noexcept { return count_.load(std::memory_order_relaxed); }

  private:
    static constexpr std::uint32_t nothing = UINT32_MAX;

    struct node {
        MPI_Request handle;
        std::uint32_t next;
        /// Goes up when the request leaves, so that old tickets hold nothing.
        std::uint32_t serial;
        std::uint32_t claims;
        pending request;
    };

    request_table() = default;

    std::size_t bucket_of(MPI_Request handle) const noexcept {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
        return static_cast<std::size_t>(std::hash<MPI_Request>{}(handle)*odd >> 32) & (buckets_.size() - 1);
    }

    bool holds(ticket claimed) const noexcept {
        return claimed.node != nothing && nodes_[claimed.node].serial == claimed.serial;
    }

    /// The oldest request of this handle that is as preferred, else the oldest one.
    template <class Preferred>
    std::uint32_t find(MPI_Request handle, Preferred preferred) const noexcept {
        if (buckets_.empty()) return nothing;
        auto oldest = nothing;
        for (auto each = buckets_[bucket_of(handle)]; each != nothing; each = nodes_[each].next) {
            if (nodes_[each].handle != handle) continue;
            if (preferred(nodes_[each])) return each;
            if (oldest == nothing) oldest = each;
        }
        return oldest;
    }

    /// Where all are claimed, threads complete one request together, and one of them will take it.
    ticket claim(MPI_Request handle) noexcept {
        auto const chosen =
            find(handle, [](node const& each) { return each.claims == 0 && each.request.active; });
        if (chosen == nothing || !nodes_[chosen].request.active) return {};
        ++nodes_[chosen].claims;
        return {chosen, nodes_[chosen].serial, nodes_[chosen].request.persistent};
    }

    void remove(std::uint32_t place) noexcept {
        auto& old = nodes_[place];
        auto* link = &buckets_[bucket_of(old.handle)];
        while (*link != place) link = &nodes_[*link].next;
        *link = old.next;
        old.next = free_;
        ++old.serial;
        free_ = place;
        count_.fetch_sub(1, std::memory_order_relaxed);
    }

    void append(std::uint32_t added) noexcept {
        auto* link = &buckets_[bucket_of(nodes_[added].handle)];
        while (*link != nothing) link = &nodes_[*link].next;
        *link = added;
    }

    /// Doubles the room. Nodes keep their places, for the tickets, and requests of one handle their order.
    void grow() {
        auto const used = nodes_.size();
        auto const size = used == 0 ? std::size_t{64} : used * 2;
        std::vector<std::uint32_t> old_buckets(size, nothing);
        nodes_.resize(size, {{}, nothing, 0, 0, {}});
        old_buckets.swap(buckets_);
        for (auto each : old_buckets) {
            while (each != nothing) {
                auto const next = nodes_[each].next;
                nodes_[each].next = nothing;
                append(each);
                each = next;
            }
        }
        for (auto each = used; each < size; ++each) {
            nodes_[each].next = each + 1 < size ? static_cast<std::uint32_t>(each + 1) : nothing;
        }
        free_ = static_cast<std::uint32_t>(used);
    }

    std::mutex mutex_;
    std::vector<node> nodes_;
    std::vector<std::uint32_t> buckets_;
    std::uint32_t free_ = nothing;
    std::atomic<std::size_t> count_{0};
};

}  // namespace mpiprof::inline v1::raw
