// Sums per kind of call, in fixed memory.
#pragma once

#include <mpiprof/core/concepts.hpp>
#include <mpiprof/sinks/per_thread.hpp>
#include <mpiprof/sinks/summary_name.hpp>
#include <mpiprof/sinks/summary_shard.hpp>

namespace mpiprof::inline v1::sinks {

/// Adds up calls by operation, request, communicator, call site and phase, completions likewise, and messages
/// by peer. Each thread has room for `Capacity` kinds of calls, half as many of completions and twice as many
/// peers; what finds no room is added up in one overflow row of its table and so stays counted. Nothing is
/// allocated after a thread's first record.
template <std::size_t Capacity>
class basic_summary {
  public:
    using shard_type = summary_shard<Capacity>;
    static constexpr char const* name = "summary";

    [[gnu::always_inline]] void record(call const& record) noexcept {
        if (record_quickly(record)) [[likely]]
            return;
        // A copy, since the record itself would have to be in memory all the time.
        call const copy{record};
        record_slowly(copy);
    }

    /// Adds a call of a kind that the thread has recorded before, with nothing out of the ordinary; does
    /// nothing and returns false for any other. It calls no function.
    [[gnu::always_inline]] bool record_quickly(call const& record) noexcept {
        auto* const mine = shards_.current();
        return mine != nullptr && mine->record_quickly(record);
    }

    [[gnu::always_inline]] void complete(completion const& record) noexcept {
        auto* const mine = shards_.current();
        if (mine != nullptr && mine->complete_quickly(record)) [[likely]]
            return;
        completion const copy{record};
        complete_slowly(copy);
    }

    /// The calling thread goes into a call, for readers of a job that hangs. For callers whose calls are not
    /// measured by their users' own code: a `scope` does not do it. What is returned, if it is not nullptr,
    /// is to be set to 0 when the call has returned.
    [[gnu::always_inline]] counter* open_call(operation which, call_site site) noexcept {
        auto* const mine = shards_.local();
        return mine == nullptr ? nullptr : &mine->open(which, site);
    }

    /// Shards of threads that record from now on lie in this memory.
    void keep_shards_in(shard_memory& memory) noexcept { shards_.use(memory); }

    /// Calls visit(summary_view) for each thread's shard; at any time. One key may come once a shard.
    template <class Visitor>
    void for_each_shard(Visitor visit) const {
        shards_.for_each([&](shard_type const& each) { visit(summary_view{&each}); });
    }

    /// Forgets what was recorded so far. Other threads may go on recording.
    void reset() noexcept { shards_.reset(); }

    /// Records lost because a thread found no memory for its rows.
    std::int64_t lost() const noexcept { return shards_.lost(); }

  private:
    [[gnu::cold, gnu::noinline]] void record_slowly(call const& record) noexcept {
        if (auto* const mine = shards_.local()) mine->record(record);
    }

    [[gnu::cold, gnu::noinline]] void complete_slowly(completion const& record) noexcept {
        if (auto* const mine = shards_.local()) mine->complete(record);
    }

    per_thread<shard_type> shards_;
};

static_assert(completion_sink<summary> && quick_sink<summary>);
static_assert(sizeof(summary::shard_type) < (1 << 20));

}  // namespace mpiprof::inline v1::sinks
