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

/// Posted requests by handle. MPI libraries hand the same handle out for several operations that were
/// complete at once, and again for a new one as soon as the old one is done, so a handle may stand for
/// several: the oldest comes out first. Memory is bounded by the most requests that were ever in flight
/// together.
class request_table {
  public:
    /// The process's table; never destroyed.
    static request_table& instance() {
        static auto* const table = new request_table;
        return *table;
    }

    void insert(MPI_Request handle, pending const& request) {
        std::lock_guard const lock{mutex_};
        if (free_ == nothing) grow();
        auto const added = free_;
        free_ = nodes_[added].next;
        nodes_[added] = {handle, nothing, request};
        auto* link = &buckets_[bucket_of(handle)];
        while (*link != nothing) link = &nodes_[*link].next;
        *link = added;
        count_.fetch_add(1, std::memory_order_relaxed);
    }

    /// Takes the oldest request of this handle out; an empty one if there is none.
    pending take(MPI_Request handle) {
        if (count_.load(std::memory_order_relaxed) == 0) return {};
        std::lock_guard const lock{mutex_};
        if (buckets_.empty()) return {};
        for (auto* link = &buckets_[bucket_of(handle)]; *link != nothing; link = &nodes_[*link].next) {
            auto const found = *link;
            if (nodes_[found].handle != handle) continue;
            *link = nodes_[found].next;
            nodes_[found].next = free_;
            free_ = found;
            count_.fetch_sub(1, std::memory_order_relaxed);
            return nodes_[found].request;
        }
        return {};
    }

    /// Requests in flight.
    std::size_t size() const noexcept { return count_.load(std::memory_order_relaxed); }

  private:
    static constexpr std::uint32_t nothing = UINT32_MAX;

    struct node {
        MPI_Request handle;
        std::uint32_t next;
        pending request;
    };

    request_table() = default;

    std::size_t bucket_of(MPI_Request handle) const noexcept {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
        return static_cast<std::size_t>(std::hash<MPI_Request>{}(handle)*odd >> 32) & (buckets_.size() - 1);
    }

    /// Doubles the room, keeping the order within each handle.
    void grow() {
        auto const old_nodes = nodes_;
        auto const old_buckets = buckets_;
        auto const size = old_nodes.empty() ? std::size_t{64} : old_nodes.size() * 2;
        nodes_.assign(size, {});
        buckets_.assign(size, nothing);
        std::uint32_t used = 0;
        for (auto const bucket : old_buckets) {
            for (auto each = bucket; each != nothing; each = old_nodes[each].next) {
                nodes_[used] = {old_nodes[each].handle, nothing, old_nodes[each].request};
                auto* link = &buckets_[bucket_of(old_nodes[each].handle)];
                while (*link != nothing) link = &nodes_[*link].next;
                *link = used++;
            }
        }
        for (auto each = used; each < size; ++each) nodes_[each].next = each + 1 < size ? each + 1 : nothing;
        free_ = used;
    }

    std::mutex mutex_;
    std::vector<node> nodes_;
    std::vector<std::uint32_t> buckets_;
    std::uint32_t free_ = nothing;
    std::atomic<std::size_t> count_{0};
};

}  // namespace mpiprof::inline v1::raw
