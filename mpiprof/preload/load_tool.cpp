#include <mpiprof/preload/load_tool.hpp>

#include <mpiprof/preload/control.hpp>
#include <mpiprof/preload/mpi_library.hpp>
#include <mpiprof/preload/slots.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
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

// Never destroyed, since static destructors may call MPI.
std::recursive_mutex& loading() noexcept {
    static auto* const only = new std::recursive_mutex;
    return *only;
}

mpi_library const* library = nullptr;
tool const* tool_in_use = nullptr;
bool tool_tried = false;
bool slots_filled = false;

/// Do calls go past the tool library? Under the mutex.
bool& passes_through() noexcept {
    static bool passes = is_linked_only();
    return passes;
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

/// Under the mutex.
mpi_library const* find_library() {
    if (library == nullptr) {
        auto found = find_mpi_library();
        if (found.handle != nullptr) library = new mpi_library{std::move(found)};
    }
    return library;
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
            if (real != each->missing) called = next->wrapper;
            ++next;
        }
        __atomic_store_n(&each->real, real, __ATOMIC_RELEASE);
        __atomic_store_n(&each->called, called, __ATOMIC_RELEASE);
    }
    slots_filled = true;
}

}  // namespace

tool const* loaded_tool() noexcept try {
    std::lock_guard const lock{loading()};
    auto const* const mpi = find_library();
    if (mpi == nullptr) return nullptr;
    if (passes_through()) {
        if (!slots_filled) fill_slots(*mpi, nullptr);
        return nullptr;
    }
    if (!tool_tried) {
        tool_tried = true;
        tool_in_use = load(*mpi);
        if (tool_in_use != nullptr) tell_what_was_said(*tool_in_use);
        fill_slots(*mpi, tool_in_use);
    }
    return tool_in_use;
} catch (...) {
    return nullptr;
}

void pass_through(bool whether) noexcept {
    std::lock_guard const lock{loading()};
    passes_through() = whether;
    // Else the next call fills the slots.
    if (tool_tried) fill_slots(*library, whether ? nullptr : tool_in_use);
    else if (!whether) loaded_tool();
}

function_address real_function(char const* name) noexcept try {
    std::lock_guard const lock{loading()};
    auto const* const mpi = find_library();
    return mpi == nullptr ? nullptr : reinterpret_cast<function_address>(::dlsym(mpi->handle, name));
} catch (...) {
    return nullptr;
}

}  // namespace mpiprof::inline v1::preload

void mpiprof_fill_slots() {
    mpiprof::preload::loaded_tool();
    std::lock_guard const lock{mpiprof::preload::loading()};
    if (mpiprof::preload::library == nullptr) {
        if (mpiprof::preload::is_linked_only()) {
            std::fputs(
                "mpiprof: the linker left the MPI library out, whose functions libmpiprof_preload has too; "
                "link with -Wl,--no-as-needed\n",
                stderr);
            ::_exit(127);
        }
        // A program that has MPI in itself, or an MPI library that hides its PMPI functions.
        mpiprof_missing("PMPI_Init");
    }
}

void mpiprof_missing(char const* name) {
    std::fprintf(stderr, "mpiprof: the MPI library has no %s\n", name);
    ::_exit(127);
}
