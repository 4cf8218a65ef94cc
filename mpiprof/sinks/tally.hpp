// Counts per operation, to assert on in a unit test.
#pragma once

#include <mpiprof/core/concepts.hpp>
#include <mpiprof/sinks/counter.hpp>
#include <mpiprof/sinks/per_thread.hpp>

namespace mpiprof::inline v1::sinks {

/// Counts calls, completions and bytes per operation, exactly, from any number of threads:
///
///     mpiprof::profiler<counting> profiler;
///     exchange(mpiprof::profile(MPI_COMM_WORLD, profiler));
///     EXPECT_EQ(profiler.sink().calls(mpiprof::operation::send), 2);
class tally {
  public:
    static constexpr char const* name = "tally";

    void record(call const& record) noexcept {
        auto* const mine = shards_.local();
        if (mine == nullptr) return;
        auto& counts = mine->rows[static_cast<std::size_t>(record.operation)];
        counts.calls.add(1);
        if ((record.flags & call_failed) != 0) counts.failed.add(1);
        if (record.sent > 0) counts.sent.add(record.sent);
        if (record.received > 0) counts.received.add(record.received);
        if (record.written > 0) counts.written.add(record.written);
        if (record.read > 0) counts.read.add(record.read);
        if ((record.sent | record.received | record.written | record.read) < 0) counts.unknown.add(1);
    }

    void complete(completion const& record) noexcept {
        auto* const mine = shards_.local();
        if (mine == nullptr) return;
        auto& counts = mine->rows[static_cast<std::size_t>(record.operation)];
        counts.completions.add(1);
        if (record.received > 0) counts.received.add(record.received);
        if (record.read > 0) counts.read.add(record.read);
        if ((record.received | record.read) < 0) counts.unknown.add(1);
        counts.sent.add(-record.taken_back);
    }

    /// Calls of this operation, failed ones included.
    std::int64_t calls(operation which) const { return sum(which, &row::calls); }
    /// Calls that failed.
    std::int64_t failed(operation which) const { return sum(which, &row::failed); }
    /// Completed requests that this operation made.
    std::int64_t completions(operation which) const { return sum(which, &row::completions); }
    /// Payload bytes sent.
    std::int64_t sent(operation which) const { return sum(which, &row::sent); }
    /// Payload bytes received, by the call or by the completion of its request.
    std::int64_t received(operation which) const { return sum(which, &row::received); }
    /// Bytes written to files.
    std::int64_t written(operation which) const { return sum(which, &row::written); }
    /// Bytes read from files, by the call or by the completion of its request.
    std::int64_t read(operation which) const { return sum(which, &row::read); }
    /// Records whose bytes could not be known; they add to no sum.
    std::int64_t unknown(operation which) const { return sum(which, &row::unknown); }

    /// Calls of all operations.
    std::int64_t calls() const { return total(&row::calls); }
    /// Payload bytes sent by all operations.
    std::int64_t sent() const { return total(&row::sent); }
    /// Payload bytes received by all operations.
    std::int64_t received() const { return total(&row::received); }

    /// Forgets all counts. Other threads may go on counting.
    void reset() noexcept { shards_.reset(); }

  private:
    struct row {
        counter calls;
        counter failed;
        counter completions;
        counter sent;
        counter received;
        counter written;
        counter read;
        counter unknown;
    };

    struct shard {
        row rows[operation_count];

        void clear() noexcept { *this = {}; }
    };

    std::int64_t sum(operation which, counter row::* member) const {
        std::int64_t result = 0;
        shards_.for_each(
            [&](shard const& each) { result += (each.rows[static_cast<std::size_t>(which)].*member).get(); });
        return result;
    }

    std::int64_t total(counter row::* member) const {
        std::int64_t result = 0;
        for (std::size_t i = 0; i < operation_count; ++i) result += sum(static_cast<operation>(i), member);
        return result;
    }

    per_thread<shard> shards_;
};

static_assert(completion_sink<tally>);

}  // namespace mpiprof::inline v1::sinks
