#include <mpiprof/preload/load_tool.hpp>

#include <mpiprof/core/errno_kept.hpp>
#include <mpiprof/preload/control.hpp>
#include <mpiprof/preload/mpi_library.hpp>
#include <mpiprof/preload/slots.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <link.h>
#include <mutex>
#include <unistd.h>

namespace mpiprof::inline v1::preload {

namespace {

/// What a family of MPI libraries says of itself, and the tool library for its binary interface.
struct family {
    char const* says;
    char const* tool;
};

constexpr family families[] = {
    {"Open MPI", "libmpiprof_openmpi.so"},
    // With those made of it.
    {"MPICH", "libmpiprof_mpich.so"},
    {"MVAPICH", "libmpiprof_mpich.so"},
    {"Intel(R) MPI", "libmpiprof_mpich.so"},
};

// Never destroyed, since static destructors may call MPI. It is only ever tried: a thread that is in the
// dynamic linker, whose lock the one that loads waits for, may call MPI too.
std::recursive_mutex& loading() noexcept {
    static auto* const only = new std::recursive_mutex;
    return *only;
}

/// Set once, when the slots are filled with its wrappers.
std::atomic<tool const*> tool_in_use{nullptr};
std::atomic<bool> slots_filled{false};
/// Under the mutex.
bool tool_tried = false;

/// Do calls go past the tool library?
std::atomic<bool>& passes_through() noexcept {
    static std::atomic<bool> passes{is_linked_only()};
    return passes;
}

/// How many libraries were ever loaded to this process.
unsigned long long loaded_so_far() noexcept {
    unsigned long long number = 0;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* into) {
            *static_cast<unsigned long long*>(into) = info->dlpi_adds;
            return 1;
        },
        &number);
    return number;
}

/// The MPI library, looked for again only when other libraries have come; nullptr where there is none.
mpi_library const* find_library() {
    static std::atomic<mpi_library const*> known{nullptr};
    static std::atomic<unsigned long long> looked_at{0};
    if (auto const* const found = known.load(std::memory_order_acquire)) return found;
    auto const now = loaded_so_far();
    if (looked_at == now) return nullptr;
    auto found = find_mpi_library();
    looked_at = now;
    if (found.handle == nullptr) return nullptr;
    auto const* const made = new mpi_library{std::move(found)};
    mpi_library const* before = nullptr;
    // Another thread may have found it too.
    return known.compare_exchange_strong(before, made) ? made : before;
}

/// The folder that this library is in, with its '/'.
std::string own_folder() {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<void const*>(&loaded_tool), &info) == 0) return {};
    std::string const path{info.dli_fname};
    return path.substr(0, path.rfind('/') + 1);
}

void say(char const* what, std::string const& which) noexcept {
    std::fprintf(stderr, "mpiprof: %s%s; nothing is recorded\n", what, which.c_str());
}

/// The library's own words. MPI 3.1, section 8.1.1: it may be asked before MPI_Init.
std::string version_of(mpi_library const& mpi) {
    using get_library_version = int(char*, int*);
    auto* const get = reinterpret_cast<get_library_version*>(::dlsym(mpi.handle, "PMPI_Get_library_version"));
    // More than any library's MPI_MAX_LIBRARY_VERSION_STRING.
    std::string text(16384, '\0');
    int length = 0;
    if (get != nullptr) get(text.data(), &length);
    text.resize(std::strlen(text.c_str()));
    return text;
}

/// Is the MPI library that the tool library calls the one in use? Else it has brought another one along.
bool calls(void* tool_handle, mpi_library const& mpi) noexcept {
    return ::dlsym(tool_handle, "PMPI_Init") == ::dlsym(mpi.handle, "PMPI_Init");
}

tool const* load(mpi_library const& mpi) {
    auto const version = version_of(mpi);
    auto const* const known = std::find_if(std::begin(families), std::end(families), [&](auto const& each) {
        return version.find(each.says) != std::string::npos;
    });
    if (known == std::end(families)) {
        say("no tool library for the MPI library ", mpi.soname);
        return nullptr;
    }
    auto const path = own_folder() + known->tool;
    auto* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        say("", ::dlerror());
        return nullptr;
    }
    if (!calls(handle, mpi)) {
        say((path + " was not built for the MPI library ").c_str(), mpi.soname);
        ::dlclose(handle);
        return nullptr;
    }
    auto* const get = reinterpret_cast<tool_function*>(::dlsym(handle, tool_symbol));
    auto const* const made = get == nullptr ? nullptr : get();
    if (made == nullptr || made->version != tool::right_version) {
        say("another version of mpiprof made ", path);
        return nullptr;
    }
    return made;
}

/// Under the mutex.
void fill_slots(mpi_library const& mpi, tool const* wrappers) noexcept {
    bool const wraps = wrappers != nullptr && wrappers->wanted();
    auto const* next = wraps ? wrappers->functions : nullptr;
    auto const* const end = wraps ? next + wrappers->size : nullptr;
    constexpr std::size_t prefix = std::size("PMPI_") - 1;
    for (auto* each = mpiprof_slots_begin; each != mpiprof_slots_end; ++each) {
        auto real = reinterpret_cast<function_address>(::dlsym(mpi.handle, each->name));
        if (real == nullptr) real = each->missing;
        auto called = real;
        // Both are in the table's order.
        if (next != end && std::strcmp(next->name, each->name + prefix) == 0) {
            if (real != each->missing) {
                next->use(real);
                called = next->wrapper;
            }
            ++next;
        }
        __atomic_store_n(&each->real, real, __ATOMIC_RELEASE);
        __atomic_store_n(&each->called, called, __ATOMIC_RELEASE);
    }
    slots_filled = true;
}

/// Under the mutex.
void load_and_fill(mpi_library const& mpi) {
    // Before, since what is loaded may call MPI.
    tool_tried = true;
    auto const* const loaded = load(mpi);
    if (loaded != nullptr) tell_what_was_said(*loaded);
    fill_slots(mpi, loaded);
    tool_in_use.store(loaded, std::memory_order_release);
    // What another thread said meanwhile.
    if (loaded != nullptr) tell_what_was_said(*loaded);
}

/// Makes sure that the slots are filled, if they can be now.
void prepare() {
    auto const* const mpi = find_library();
    std::unique_lock const lock{loading(), std::try_to_lock};
    if (mpi == nullptr || !lock.owns_lock()) return;
    if (!passes_through() && !tool_tried) load_and_fill(*mpi);
    else if (passes_through() && !slots_filled) fill_slots(*mpi, nullptr);
}

/// MPI_Initialized and MPI_Finalized where there is no MPI.
int answer_no(int* flag) noexcept {
    *flag = 0;
    return 0;
}

/// Where a call goes that finds no MPI library that mpiprof knows: to one without PMPI functions, as
/// sequential stand-ins are.
function_address without_library(slot& wanted) {
    auto const* const name = wanted.name + 1;
    if (auto* const found = reinterpret_cast<function_address>(find_function(name))) {
        __atomic_store_n(&wanted.called, found, __ATOMIC_RELEASE);
        return found;
    }
    // A program may find out like this whether it has MPI in it.
    if (std::strcmp(name, "MPI_Initialized") == 0 || std::strcmp(name, "MPI_Finalized") == 0)
        return reinterpret_cast<function_address>(&answer_no);
    if (is_linked_only()) {
        std::fputs(
            "mpiprof: the linker left the MPI library out, whose functions libmpiprof_preload has too; link "
            "with -Wl,--no-as-needed\n",
            stderr);
        ::_exit(127);
    }
    return wanted.missing;
}

/// Where a call goes now, by `place` of its slot.
function_address where(slot& wanted, function_address slot::* place) noexcept try {
    detail::errno_kept const kept;
    prepare();
    auto const* const mpi = find_library();
    auto target = wanted.missing;
    if (slots_filled) {
        target = __atomic_load_n(&(wanted.*place), __ATOMIC_ACQUIRE);
    } else if (mpi == nullptr) {
        target = without_library(wanted);
    } else if (auto* const real = ::dlsym(mpi->handle, wanted.name)) {
        target = reinterpret_cast<function_address>(real);
    }
    return target;
} catch (...) {
    return wanted.missing;
}

}  // namespace

tool const* loaded_tool() noexcept try {
    if (auto const* const ready = tool_in_use.load(std::memory_order_acquire)) return ready;
    prepare();
    return tool_in_use.load(std::memory_order_acquire);
} catch (...) {
    return nullptr;
}

void start_wrapping() noexcept {
    passes_through() = false;
    loaded_tool();
}

function_address real_function(char const* name) noexcept try {
    auto const* const mpi = find_library();
    return mpi == nullptr ? nullptr : reinterpret_cast<function_address>(::dlsym(mpi->handle, name));
} catch (...) {
    return nullptr;
}

}  // namespace mpiprof::inline v1::preload

mpiprof::preload::function_address mpiprof_where_called(mpiprof::preload::slot* slot) noexcept {
    return mpiprof::preload::where(*slot, &mpiprof::preload::slot::called);
}

mpiprof::preload::function_address mpiprof_where_real(mpiprof::preload::slot* slot) noexcept {
    return mpiprof::preload::where(*slot, &mpiprof::preload::slot::real);
}

void mpiprof_missing(char const* name) {
    std::fprintf(stderr, "mpiprof: the MPI library has no %s\n", name);
    ::_exit(127);
}
