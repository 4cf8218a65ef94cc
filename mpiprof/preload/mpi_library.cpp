#include <mpiprof/preload/mpi_library.hpp>

#include <dlfcn.h>
#include <link.h>
#include <string_view>
#include <vector>

namespace mpiprof::inline v1::preload {

namespace {

std::string_view without_folder(std::string_view path) noexcept { return path.substr(path.rfind('/') + 1); }

/// The object that holds an address.
void const* object_at(void const* address) noexcept {
    Dl_info info{};
    return ::dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

/// Names of the objects that are loaded, but for the program itself.
std::vector<std::string> loaded_objects() {
    std::vector<std::string> names;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* into) {
            if (info->dlpi_name != nullptr && *info->dlpi_name != '\0')
                static_cast<std::vector<std::string>*>(into)->emplace_back(info->dlpi_name);
            return 0;
        },
        &names);
    return names;
}

std::string soname_of(void* handle) {
    link_map* map = nullptr;
    if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return {};
    char const* texts = nullptr;
    std::size_t place = 0;
    for (auto const* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_STRTAB) texts = reinterpret_cast<char const*>(entry->d_un.d_ptr);
        if (entry->d_tag == DT_SONAME) place = entry->d_un.d_val;
    }
    return texts != nullptr && place != 0 ? std::string{texts + place}
                                          : std::string{without_folder(map->l_name)};
}

}  // namespace

void* find_function(char const* name) {
    auto const* const ourselves = object_at(reinterpret_cast<void const*>(&find_function));
    for (auto const& object : loaded_objects()) {
        auto* const handle = ::dlopen(object.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) continue;
        // It may be in a library that this one needs.
        auto* const found = ::dlsym(handle, name);
        ::dlclose(handle);
        auto const* const owner = found == nullptr ? nullptr : object_at(found);
        if (owner != nullptr && owner != ourselves) return found;
    }
    return nullptr;
}

mpi_library find_mpi_library() {
    Dl_info info{};
    auto* const found = find_function("PMPI_Init");
    if (found == nullptr || ::dladdr(found, &info) == 0) return {};
    auto* const library = ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return {};
    return {library, soname_of(library)};
}

}  // namespace mpiprof::inline v1::preload
