#include <mpiprof/preload/mpi_library.hpp>

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <link.h>
#include <string_view>
#include <vector>

namespace mpiprof::inline v1::preload {

namespace {

/// Beginnings of the names of the Fortran layers of Open MPI and of MPICH.
constexpr std::array<std::string_view, 5> fortran_layers{"libmpi_mpifh.", "libmpi_usempi", "libmpichfort.",
                                                         "libmpifort.", "libmpichf90."};

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

/// From its lowest to its highest address.
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

struct range_list {
    address_range* ranges;
    std::size_t used;
};

int add_fortran_library(dl_phdr_info* object, std::size_t, void* context) noexcept {
    auto& list = *static_cast<range_list*>(context);
    auto const name = without_folder(object->dlpi_name == nullptr ? "" : object->dlpi_name);
    bool const is_layer = std::any_of(fortran_layers.begin(), fortran_layers.end(),
                                      [&](auto const& begin) { return name.starts_with(begin); });
    if (is_layer && list.used < most_fortran_libraries) list.ranges[list.used++] = range_of(*object);
    return 0;
}

}  // namespace

mpi_library find_mpi_library() {
    auto const* const ourselves = object_at(reinterpret_cast<void const*>(&find_mpi_library));
    for (auto const& name : loaded_objects()) {
        auto* const handle = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) continue;
        // It may be in a library that this one needs.
        auto* const found = ::dlsym(handle, "PMPI_Init");
        auto const* const owner = found == nullptr ? nullptr : object_at(found);
        Dl_info info{};
        if (owner != nullptr && owner != ourselves && ::dladdr(found, &info) != 0) {
            auto* const library = ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
            ::dlclose(handle);
            if (library != nullptr) return {library, soname_of(library)};
            continue;
        }
        ::dlclose(handle);
    }
    return {};
}

void find_fortran_libraries(address_range (&ranges)[most_fortran_libraries]) noexcept {
    range_list list{ranges, 0};
    ::dl_iterate_phdr(&add_fortran_library, &list);
}

}  // namespace mpiprof::inline v1::preload
