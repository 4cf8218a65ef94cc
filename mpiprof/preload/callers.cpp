// Which libraries call PMPI_X.
#include <mpiprof/core/errno_kept.hpp>
#include <mpiprof/preload/fortran_layer.hpp>
#include <mpiprof/preload/slots.hpp>

#include <algorithm>
#include <cstdint>
#include <link.h>
#include <mutex>

constinit mpiprof::preload::address_range mpiprof_fortran_callers[mpiprof::preload::most_callers] = {};
constinit mpiprof::preload::address_range mpiprof_other_callers[mpiprof::preload::most_callers] = {};

namespace mpiprof::inline v1::preload {

namespace {

/// From the lowest to the highest address of an object.
address_range range_of(dl_phdr_info const& object) noexcept {
    std::size_t begin = SIZE_MAX;
    std::size_t end = 0;
    for (int i = 0; i < object.dlpi_phnum; ++i) {
        auto const& part = object.dlpi_phdr[i];
        if (part.p_type != PT_LOAD) continue;
        begin = std::min<std::size_t>(begin, part.p_vaddr);
        end = std::max<std::size_t>(end, part.p_vaddr + part.p_memsz);
    }
    return end > begin ? address_range{object.dlpi_addr + begin, end - begin} : address_range{};
}

struct caller {
    std::size_t address;
    address_range range = {};
    bool is_fortran = false;
    /// How many libraries the process has unloaded so far.
    unsigned long long unloaded = 0;
};

int look_into(dl_phdr_info* object, std::size_t, void* context) noexcept {
    auto& wanted = *static_cast<caller*>(context);
    wanted.unloaded = object->dlpi_subs;
    auto const range = range_of(*object);
    if (wanted.address - range.begin >= range.size) return 0;
    wanted.range = range;
    wanted.is_fortran = object->dlpi_name != nullptr && is_fortran_layer(object->dlpi_name);
    return 1;
}

/// Under the mutex. Where a library was, another may be by now.
void forget_if_any_is_gone(unsigned long long unloaded) noexcept {
    static unsigned long long unloaded_before = 0;
    if (unloaded == unloaded_before) return;
    unloaded_before = unloaded;
    for (auto* const known : {mpiprof_fortran_callers, mpiprof_other_callers}) {
        for (std::size_t i = 0; i < most_callers; ++i) __atomic_store_n(&known[i].size, 0, __ATOMIC_RELEASE);
    }
}

/// Once only, and not where there is no room.
void add(caller const& found) noexcept {
    static constinit std::mutex adding;
    std::lock_guard const lock{adding};
    forget_if_any_is_gone(found.unloaded);
    auto& known = found.is_fortran ? mpiprof_fortran_callers : mpiprof_other_callers;
    for (auto& each : known) {
        if (each.size != 0 && each.begin == found.range.begin) return;
        if (each.size != 0) continue;
        __atomic_store_n(&each.begin, found.range.begin, __ATOMIC_RELAXED);
        __atomic_store_n(&each.size, found.range.size, __ATOMIC_RELEASE);
        return;
    }
}

}  // namespace

}  // namespace mpiprof::inline v1::preload

bool mpiprof_is_fortran_caller(void const* address) {
    using namespace mpiprof::preload;
    mpiprof::detail::errno_kept const kept;
    caller found{reinterpret_cast<std::size_t>(address)};
    ::dl_iterate_phdr(&look_into, &found);
    if (found.range.size != 0) add(found);
    return found.is_fortran;
}
