// The preload library as the rest of mpiprof sees it, in the same process.
#pragma once

#include <mpiprof/core/errno_kept.hpp>
#include <mpiprof/core/nesting.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <pthread.h>

namespace mpiprof::inline v1 {

/// What the preload library offers to a program that has mpiprof compiled in. The library exports one as
/// `mpiprof_preload_interface`. Later versions add functions at the end.
struct preload_interface {
    static constexpr int right_version = 1;

    int version = right_version;
    void (*pause)() noexcept = nullptr;
    void (*resume)() noexcept = nullptr;
    void (*reset)() noexcept = nullptr;
    void (*write_snapshot)() noexcept = nullptr;
    /// `size` bytes at `name`, which is nullptr where the caller gave no name.
    void (*phase_begin)(char const* name, std::size_t size) noexcept = nullptr;
    void (*phase_end)() noexcept = nullptr;
    /// For a phase that an object ends, on the same thread: returns what names it then, 0 if nothing does.
    std::uint64_t (*scoped_phase_begin)(char const* name, std::size_t size) noexcept = nullptr;
    void (*scoped_phase_end)(std::uint64_t ticket) noexcept = nullptr;
    /// Tells of a `nesting` of another copy of the library, `distance` bytes from each thread's
    /// pthread_self().
    void (*add_nesting)(std::ptrdiff_t distance) noexcept = nullptr;
    /// Does the program have recording paused?
    bool (*is_paused)() noexcept = nullptr;
};

namespace detail {

/// Set by the preload's own copy of the library, which is not to find itself.
inline constinit bool is_preload_tool = false;

/// The preload library, looked for once; nullptr where it is not in the process.
[[gnu::cold]] inline preload_interface const* preloaded() noexcept {
    if (is_preload_tool) return nullptr;
    static auto const* const found = [] {
        errno_kept const kept;
        auto const* const there =
            static_cast<preload_interface const*>(::dlsym(RTLD_DEFAULT, "mpiprof_preload_interface"));
        return there != nullptr && there->version >= preload_interface::right_version ? there : nullptr;
    }();
    return found;
}

/// How far `nesting` lies from the thread's pointer, on every thread.
inline std::ptrdiff_t nesting_distance() noexcept {
    return reinterpret_cast<char const*>(&nesting) - reinterpret_cast<char const*>(::pthread_self());
}

/// The `nesting` of other copies of the library, which this one, being the preload's, was told of. They are
/// never taken back: what counts them stays in the process.
class other_nestings {
  public:
    /// False where there is no room for it.
    bool add(std::ptrdiff_t distance) noexcept {
        auto const count = count_.load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < count; ++i) {
            if (distances_[i] == distance) return true;
        }
        if (count == most) return false;
        distances_[count] = distance;
        count_.store(count + 1, std::memory_order_release);
        return true;
    }

    bool empty() const noexcept { return count_.load(std::memory_order_acquire) == 0; }

    /// Is the calling thread in a call that another copy measures?
    bool nested() const noexcept {
        auto const count = count_.load(std::memory_order_acquire);
        auto const* const thread = reinterpret_cast<char const*>(::pthread_self());
        bool found = false;
        for (std::size_t i = 0; i < count; ++i)
            found |= *reinterpret_cast<int const*>(thread + distances_[i]) != 0;
        return found;
    }

  private:
    static constexpr std::size_t most = 16;

    std::ptrdiff_t distances_[most] = {};
    std::atomic<std::size_t> count_{0};
};

}  // namespace detail

}  // namespace mpiprof::inline v1
