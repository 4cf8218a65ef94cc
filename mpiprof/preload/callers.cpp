// Which libraries call PMPI_X.
#include <mpiprof/preload/fortran_layer.hpp>
#include <mpiprof/preload/slots.hpp>

#include <algorithm>
#include <cerrno>
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
};

int look_into(dl_phdr_info* object, std::size_t, void* context) noexcept {
    auto& wanted = *static_cast<caller*>(context);
    auto const range = range_of(*object);
    if (wanted.address - range.begin >= range.size) return 0;
    wanted.range = range;
    wanted.is_fortran = object->dlpi_name != nullptr && is_fortran_layer(object->dlpi_name);
    return 1;
}

/// Under the mutex. Where a library was, another may be by now.
void forget_if_any_is_gone() noexcept {
    static unsigned long long gone_before = 0;
    unsigned long long gone = 0;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* into) {
            *static_cast<unsigned long long*>(into) = info->dlpi_subs;
            return 1;
        },
        &gone);
    if (gone == gone_before) return;
    gone_before = gone;
    for (auto* const known : {mpiprof_fortran_callers, mpiprof_other_callers}) {
        for (std::size_t i = 0; i < most_callers; ++i) __atomic_store_n(&known[i].size, 0, __ATOMIC_RELEASE);
    }
}

/// Once only, and not where there is no room.
void add(address_range const& range, address_range (&known)[most_callers]) noexcept {
    static constinit std::mutex adding;
    std::lock_guard const lock{adding};
    forget_if_any_is_gone();
    for (auto& each : known) {
        if (each.size != 0 && each.begin == range.begin) return;
        if (each.size != 0) continue;
        __atomic_store_n(&each.begin, range.begin, __ATOMIC_RELAXED);
        __atomic_store_n(&each.size, range.size, __ATOMIC_RELEASE);
        return;
    }
}

}  // namespace

}  // namespace mpiprof::inline v1::preload

bool mpiprof_is_fortran_caller(void const* address) {
    using namespace mpiprof::preload;
    int const error = errno;
    caller found{reinterpret_cast<std::size_t>(address)};
    ::dl_iterate_phdr(&look_into, &found);
    if (found.range.size != 0)
        add(found.range, found.is_fortran ? mpiprof_fortran_callers : mpiprof_other_callers);
    errno = error;
    return found.is_fortran;
}
