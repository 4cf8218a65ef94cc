// Regions, found by what their names say.
#pragma once

#include <mpiprof/core/errno_kept.hpp>
#include <mpiprof/core/region_name.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace mpiprof::inline v1::sinks {

/// At most `Capacity` regions with a handle each, for any number of threads. They are found without a lock;
/// only a new one takes it.
template <class Handle, std::size_t Capacity>
class region_table {
    static_assert(Capacity > 0);

  public:
    /// The region's handle, which `define(name)` makes if it is new; nullptr if there is no room for it.
    template <class Define>
    Handle const* find(region_metadata const& region, Define define) noexcept {
        auto place = first_place(region);
        while (auto const* const its = places_[place].load(std::memory_order_acquire)) {
            if (its->region == region) return &its->handle;
            place = (place + 1) % place_count;
        }
        if (used_.load(std::memory_order_relaxed) == Capacity) return nullptr;
        return add(region, define);
    }

    std::size_t size() const noexcept { return used_.load(std::memory_order_relaxed); }

  private:
    struct row {
        region_metadata region;
        Handle handle{};
    };

    // Twice as many places as rows, so that a search ends soon even when the rows are full.
    static constexpr int place_bits = std::bit_width(Capacity * 2 - 1);
    static constexpr std::size_t place_count = std::size_t{1} << place_bits;

    static std::size_t first_place(region_metadata const& region) noexcept {
        std::uint64_t hash = 0;
        auto const mix = [&](std::int64_t value) {
            hash = (std::rotl(hash, 23) ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
        };
        mix(static_cast<std::int64_t>(region.operation) << 16 | static_cast<std::int64_t>(region.request));
        mix(region.bytes);
        mix(region.peer);
        mix(region.root);
        mix(region.tag);
        mix(region.communicator);
        return static_cast<std::size_t>(hash >> (64 - place_bits));
    }

    template <class Define>
    [[gnu::cold, gnu::noinline]] Handle const* add(region_metadata const& region, Define define) noexcept {
        mpiprof::detail::errno_kept const kept;
        std::lock_guard const lock{mutex_};
        auto place = first_place(region);
        while (auto const* const other = places_[place].load(std::memory_order_relaxed)) {
            // Another thread was faster.
            if (other->region == region) return &other->handle;
            place = (place + 1) % place_count;
        }
        auto const used = used_.load(std::memory_order_relaxed);
        if (used == Capacity) return nullptr;
        auto& added = rows_[used];
        added.region = region;
        char name[region_name_capacity];
        added.handle = define(std::string_view{name, format_region(name, region)});
        used_.store(used + 1, std::memory_order_relaxed);
        places_[place].store(&added, std::memory_order_release);
        return &added.handle;
    }

    std::atomic<row const*> places_[place_count] = {};
    std::atomic<std::size_t> used_{0};
    std::mutex mutex_;
    row rows_[Capacity];
};

}  // namespace mpiprof::inline v1::sinks
