// Calls handed to a profiler of the user's own, as regions.
#pragma once

#include <mpiprof/core/concepts.hpp>
#include <mpiprof/sinks/region_profiler.hpp>
#include <mpiprof/sinks/region_table.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace mpiprof::inline v1::sinks {

/// Hands each call to `Profiler` as a stay in a region of scope-profiler's name (core/region_name.hpp):
///
///     struct my_profiler {
///         my_region define(std::string_view name) noexcept;  // once for each region
///         void begin(my_region, std::int64_t time) noexcept;  // after the call, with its times
///         void end(my_region, std::int64_t time) noexcept;
///     };
///     using traced = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload,
///                                             mpiprof::sinks::region<my_profiler>>;
///     mpiprof::profiler<traced> profiler;
///
/// A name is written once; later calls of that kind find the region's handle in some nanoseconds. At most
/// `Regions` regions are defined, and calls that find none left are stays in one more, "mpi:other", which
/// `others` counts. A profiler that takes no times has push and pop instead of begin and end; see
/// sinks/region_profiler.hpp. It is made by default, or moved from the one given, and lives on while anything
/// may be recorded.
template <defines_regions Profiler, std::size_t Regions = 1024>
    requires(region_profiler<Profiler> || live_region_profiler<Profiler>)
class region {
  public:
    static constexpr char const* name = "region";

    region()
        requires std::default_initializable<Profiler>
        : state_{std::make_unique<state>()} {}
    explicit region(Profiler profiler) : state_{std::make_unique<state>(std::move(profiler))} {}

    void record([[maybe_unused]] call const& record) noexcept {
        if constexpr (region_profiler<Profiler>) {
            auto const handle = handle_of(metadata_of(record));
            state_->profiler.begin(handle, record.begin);
            state_->profiler.end(handle, record.end);
        }
    }

    void complete(completion const& record) noexcept
        requires request_profiler<Profiler>
    {
        bool const arrives = completion_brings_message(record.operation);
        bool const reads = kind_of(record.operation) == kind::io;
        region_metadata const made_by{
            .operation = record.operation,
            .kind = kind_of(record.operation),
            .bytes = arrives ? record.received : (reads ? record.read : record.sent),
            .peer = record.peer,
            .tag = record.tag,
            .communicator = record.communicator,
        };
        state_->profiler.complete(handle_of(made_by), record.posted, record.observed);
    }

    /// A call begins.
    void enter(operation which, communicator_id communicator) noexcept
        requires live_region_profiler<Profiler>
    {
        state_->profiler.push(
            handle_of({.operation = which, .kind = kind_of(which), .communicator = communicator}));
    }
    /// It has ended.
    void leave() noexcept
        requires live_region_profiler<Profiler>
    {
        state_->profiler.pop();
    }

    Profiler& profiler() noexcept { return state_->profiler; }
    Profiler const& profiler() const noexcept { return state_->profiler; }

    /// Regions that were defined, but the one for others.
    std::size_t regions() const noexcept { return state_->regions.size(); }
    /// How many stays found no region left.
    std::int64_t others() const noexcept { return state_->others.load(std::memory_order_relaxed); }

  private:
    using handle_type = region_handle<Profiler>;

    struct state {
        state() : other{profiler.define("mpi:other")} {}
        explicit state(Profiler given) : profiler{std::move(given)}, other{profiler.define("mpi:other")} {}

        Profiler profiler{};
        region_table<handle_type, Regions> regions;
        handle_type other;
        std::atomic<std::int64_t> others{0};
    };

    handle_type handle_of(region_metadata const& kind) noexcept {
        auto& its = *state_;
        auto const define = [&](std::string_view text) noexcept { return its.profiler.define(text); };
        auto const* const found = its.regions.find(kind, define);
        if (found != nullptr) [[likely]]
            return *found;
        its.others.fetch_add(1, std::memory_order_relaxed);
        return its.other;
    }

    std::unique_ptr<state> state_;
};

}  // namespace mpiprof::inline v1::sinks
