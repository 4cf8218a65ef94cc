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
/// hand the same handle out for many operations that were complete at once, and again for a new one as soon
/// as the old one is done, maybe to another thread before the old one was taken out here. So a handle may
/// stand for several requests, and a call that may complete one claims it first: the oldest active one that
/// nobody claimed. Memory is bounded by the most requests that there ever were together.
class request_table {
  public:
    /// A claim on one request; default-constructed, on none.
    struct ticket {
        std::uint32_t node = nothing;
        std::uint32_t serial = 0;
        bool persistent = false;
    };

    /// Where there are so many requests, a new one that shares its handle takes the place of the oldest of
    /// that handle: completed by plain MPI calls, such requests would pile up for ever.
    static constexpr std::size_t most_sharing = 1 << 18;

    /// The process's table; never destroyed.
    static request_table& instance() {
        static auto* const table = new request_table;
        return *table;
    }

    /// Puts a request in, unless one of its handle stands here that nobody claimed.
    bool insert_alone(MPI_Request handle, pending const& request) {
        std::lock_guard const lock{mutex_};
        if (find(waiting_, handle, &any) != nothing) return false;
        add(handle, request);
        return true;
    }

    /// Puts a request in whose handle stands here already. `shares`: may older requests of it be in flight?
    /// No for one that was not complete when it was posted: then plain MPI calls have completed those unseen.
    void insert(MPI_Request handle, pending const& request, bool shares) {
        std::lock_guard const lock{mutex_};
        make_way(handle, shares);
        add(handle, request);
    }

    /// Claims an active request for each of these handles, as far as there are any.
    void claim(MPI_Request const* handles, std::size_t count, ticket* tickets) noexcept {
        std::lock_guard const lock{mutex_};
        for (std::size_t i = 0; i < count; ++i) tickets[i] = claim(handles[i]);
    }

    /// Gives up the claims that were not taken, after keep(request) for each of those requests. The last one
    /// first: they were claimed in the order of their age.
    template <class Keep>
    void release(ticket const* tickets, std::size_t count, Keep keep) noexcept {
        std::lock_guard const lock{mutex_};
        for (auto i = count; i > 0; --i) {
            auto const& claimed = tickets[i - 1];
            if (!holds(claimed)) continue;
            auto& found = nodes_[claimed.node];
            keep(found.request);
            if (--found.claims > 0) continue;
            unlink(claimed_, claimed.node);
            push_front(waiting_, claimed.node);
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
            remove(claimed_, claimed.node);
        } else {
            unlink(claimed_, claimed.node);
            found.request.active = false;
            found.claims = 0;
            ++found.serial;
            push_back(waiting_, claimed.node);
        }
        return request;
    }

    /// Forgets a request that is about to be freed.
    void drop(MPI_Request handle) noexcept {
        std::lock_guard const lock{mutex_};
        for (auto* const all : {&waiting_, &claimed_}) {
            auto const found = find(*all, handle, &any);
            if (found != nothing) return remove(*all, found);
        }
    }

    /// Marks a persistent request as started. Returns it; an empty one if it is not known here.
    pending start(MPI_Request handle, pending::posting const& how) noexcept {
        std::lock_guard const lock{mutex_};
        auto found = find(waiting_, handle, [](pending const& each) { return !each.active; });
        if (found == nothing)
            found = find(waiting_, handle, [](pending const& each) { return each.persistent; });
        if (found == nothing || !nodes_[found].request.start(how)) return {};
        return nodes_[found].request;
    }

    /// It was not started after all.
    void stop(MPI_Request handle) noexcept {
        std::lock_guard const lock{mutex_};
        for (auto const* const all : {&waiting_, &claimed_}) {
            auto const found =
                find(*all, handle, [](pending const& each) { return each.persistent && each.active; });
            if (found != nothing) nodes_[found].request.active = false;
        }
    }

    /// Calls function(completion const&) for what each request in flight was posted as.
    template <class Function>
    void for_each_active(Function function) {
        std::lock_guard const lock{mutex_};
        for (auto const* const all : {&waiting_, &claimed_}) {
            for (auto const& each : *all) {
                for (auto place = each.first; place != nothing; place = nodes_[place].next)
                    if (nodes_[place].request.active) function(nodes_[place].request.posted);
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
        std::uint32_t previous;
        /// Goes up when the request leaves, so that old tickets hold nothing.
        std::uint32_t serial;
        std::uint32_t claims;
        pending request;
    };

    /// Nodes whose handles have one hash, the oldest first.
    struct list {
        std::uint32_t first = nothing;
        std::uint32_t last = nothing;
    };
    using lists = std::vector<list>;

    request_table() = default;

    static constexpr bool any(pending const&) noexcept { return true; }
    static constexpr bool is_active(pending const& each) noexcept { return each.active; }

    list& list_of(lists& all, std::uint32_t place) const noexcept {
        return all[bucket_of(nodes_[place].handle)];
    }

    std::size_t bucket_of(MPI_Request handle) const noexcept {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
        return static_cast<std::size_t>(std::hash<MPI_Request>{}(handle)*odd >> 32) & (waiting_.size() - 1);
    }

    bool holds(ticket claimed) const noexcept {
        return claimed.node != nothing && nodes_[claimed.node].serial == claimed.serial;
    }

    /// The oldest request of this handle that is as wanted.
    template <class Wanted>
    std::uint32_t find(lists const& all, MPI_Request handle, Wanted wanted) const noexcept {
        if (all.empty()) return nothing;
        auto each = all[bucket_of(handle)].first;
        while (each != nothing && !(nodes_[each].handle == handle && wanted(nodes_[each].request)))
            each = nodes_[each].next;
        return each;
    }

    /// Where all are claimed, threads complete one request together, and one of them will take it.
    ticket claim(MPI_Request handle) noexcept {
        auto chosen = find(waiting_, handle, &is_active);
        if (chosen != nothing) {
            unlink(waiting_, chosen);
            push_back(claimed_, chosen);
        } else {
            chosen = find(claimed_, handle, &is_active);
            if (chosen == nothing) return {};
        }
        ++nodes_[chosen].claims;
        return {chosen, nodes_[chosen].serial, nodes_[chosen].request.persistent};
    }

    void add(MPI_Request handle, pending const& request) {
        if (free_ == nothing) grow();
        auto const added = free_;
        auto& fresh = nodes_[added];
        free_ = fresh.next;
        fresh = {handle, nothing, nothing, fresh.serial, 0, request};
        push_back(waiting_, added);
        if (request.made != nullptr) ++makers_;
        count_.fetch_add(1, std::memory_order_relaxed);
    }

    /// Removes what plain MPI calls have completed unseen, now that a new request has its handle. What makes
    /// a communicator never shares it, and the place for the communicator may be gone.
    void make_way(MPI_Request handle, bool shares) noexcept {
        if (!shares || makers_ > 0) {
            auto const is_over = [shares](pending const& old) { return !shares || old.made != nullptr; };
            auto old = find(waiting_, handle, is_over);
            for (; old != nothing; old = find(waiting_, handle, is_over)) remove(waiting_, old);
        }
        if (size() < most_sharing) return;
        if (auto const oldest = find(waiting_, handle, &any); oldest != nothing) remove(waiting_, oldest);
    }

    void remove(lists& from, std::uint32_t place) noexcept {
        unlink(from, place);
        auto& old = nodes_[place];
        if (old.request.made != nullptr) --makers_;
        old.next = free_;
        ++old.serial;
        free_ = place;
        count_.fetch_sub(1, std::memory_order_relaxed);
    }

    void unlink(lists& from, std::uint32_t place) noexcept {
        auto& ends = list_of(from, place);
        auto const& old = nodes_[place];
        (old.previous == nothing ? ends.first : nodes_[old.previous].next) = old.next;
        (old.next == nothing ? ends.last : nodes_[old.next].previous) = old.previous;
    }

    void push_back(lists& to, std::uint32_t place) noexcept {
        auto& ends = list_of(to, place);
        nodes_[place].next = nothing;
        nodes_[place].previous = ends.last;
        (ends.last == nothing ? ends.first : nodes_[ends.last].next) = place;
        ends.last = place;
    }

    void push_front(lists& to, std::uint32_t place) noexcept {
        auto& ends = list_of(to, place);
        nodes_[place].previous = nothing;
        nodes_[place].next = ends.first;
        (ends.first == nothing ? ends.last : nodes_[ends.first].previous) = place;
        ends.first = place;
    }

    /// Doubles the room. Nodes keep their places, for the tickets, and requests of one handle their order.
    void grow() {
        auto const used = nodes_.size();
        auto const size = used == 0 ? std::size_t{64} : used * 2;
        lists waiting(size);
        lists claimed(size);
        nodes_.resize(size, {{}, nothing, nothing, 0, 0, {}});
        waiting.swap(waiting_);
        claimed.swap(claimed_);
        move_all(waiting, waiting_);
        move_all(claimed, claimed_);
        for (auto each = used; each < size; ++each)
            nodes_[each].next = each + 1 < size ? static_cast<std::uint32_t>(each + 1) : nothing;
        free_ = static_cast<std::uint32_t>(used);
    }

    void move_all(lists const& from, lists& to) noexcept {
        for (auto const& old : from) {
            for (auto each = old.first; each != nothing;) {
                auto const next = nodes_[each].next;
                push_back(to, each);
                each = next;
            }
        }
    }

    std::mutex mutex_;
    std::vector<node> nodes_;
    /// By the hash of their handles: requests that nobody claimed, and those that somebody did.
    lists waiting_;
    lists claimed_;
    std::uint32_t free_ = nothing;
    /// Requests that make a communicator.
    std::size_t makers_ = 0;
    std::atomic<std::size_t> count_{0};
};

}  // namespace mpiprof::inline v1::raw
