#include <mpiprof/preload/loaded_module.hpp>

#include <mpiprof/preload/fortran_layer.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <string_view>

namespace mpiprof::inline v1::preload::detail {

namespace {

/// Takes the build id from a segment of notes, if it has one.
void read_build_id(char const* notes, std::size_t size, std::size_t alignment, loaded_module& to) noexcept {
    auto const padded = [alignment](std::size_t length) {
        return (length + alignment - 1) / alignment * alignment;
    };
    ElfW(Nhdr) head{};
    while (size >= sizeof head) {
        std::memcpy(&head, notes, sizeof head);
        auto const name = sizeof head;
        auto const content = padded(name + head.n_namesz);
        auto const end = content + head.n_descsz;
        if (end > size) return;
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof ELF_NOTE_GNU &&
            std::memcmp(notes + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
            to.build_id_size = head.n_descsz < sizeof to.build_id ? head.n_descsz : sizeof to.build_id;
            std::memcpy(to.build_id, notes + content, to.build_id_size);
            return;
        }
        if (padded(end) > size) return;
        notes += padded(end);
        size -= padded(end);
    }
}

/// The file that is mapped at an address, as the kernel names it; also if it is no longer there.
void find_path(std::uintptr_t address, char (&path)[4096]) noexcept {
    auto* const maps = std::fopen("/proc/self/maps", "re");
    if (maps == nullptr) return;
    char line[sizeof path + 128];
    while (std::fgets(line, sizeof line, maps) != nullptr) {
        unsigned long begin = 0;
        unsigned long end = 0;
        if (std::sscanf(line, "%lx-%lx", &begin, &end) != 2 || address < begin || address >= end) continue;
        auto const* const name = std::strchr(line, '/');
        if (name == nullptr) break;
        std::string_view whole{name, std::strcspn(name, "\n")};
        constexpr std::string_view gone = " (deleted)";
        if (whole.ends_with(gone)) whole.remove_suffix(gone.size());
        std::snprintf(path, sizeof path, "%.*s", static_cast<int>(whole.size()), whole.data());
        break;
    }
    std::fclose(maps);
}

struct search {
    std::uintptr_t address;
    loaded_module* found;
    bool is_program = false;
};

/// The same for the program, whose name takes many times as long to find as all else.
void find_program_path(std::uintptr_t address, char (&path)[4096]) noexcept {
    static constinit std::atomic<char const*> known{nullptr};
    auto const* const before = known.load(std::memory_order_acquire);
    if (before != nullptr) {
        std::snprintf(path, sizeof path, "%s", before);
        return;
    }
    find_path(address, path);
    known.store(::strdup(path), std::memory_order_release);
}

bool holds(dl_phdr_info const& module, std::uintptr_t address) noexcept {
    for (unsigned number = 0; number < module.dlpi_phnum; ++number) {
        auto const& segment = module.dlpi_phdr[number];
        auto const begin = module.dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && address >= begin && address - begin < segment.p_memsz) return true;
    }
    return false;
}

int visit(dl_phdr_info* module, std::size_t, void* argument) noexcept {
    auto& wanted = *static_cast<search*>(argument);
    auto& found = *wanted.found;
    found.unloaded = module->dlpi_subs;
    if (!holds(*module, wanted.address)) return 0;
    found.base = module->dlpi_addr;
    // The program itself has no name here, and a relative one depends on the folder at that time.
    wanted.is_program = module->dlpi_name == nullptr || module->dlpi_name[0] == '\0';
    if (!wanted.is_program && module->dlpi_name[0] == '/')
        std::snprintf(found.path, sizeof found.path, "%s", module->dlpi_name);
    for (unsigned number = 0; number < module->dlpi_phnum; ++number) {
        auto const& segment = module->dlpi_phdr[number];
        if (segment.p_type != PT_NOTE || found.build_id_size > 0) continue;
        read_build_id(reinterpret_cast<char const*>(module->dlpi_addr + segment.p_vaddr), segment.p_memsz,
                      segment.p_align == 8 ? 8 : 4, found);
    }
    return 1;
}

}  // namespace

bool loaded_module::is_fortran_layer() const noexcept { return preload::is_fortran_layer(path); }

bool find_module(std::uintptr_t address, loaded_module& found) noexcept {
    search wanted{address, &found};
    if (::dl_iterate_phdr(&visit, &wanted) == 0) return false;
    // Not inside the visit, where the loader holds its lock.
    if (wanted.is_program) find_program_path(address, found.path);
    else if (found.path[0] == '\0') find_path(address, found.path);
    return true;
}

}  // namespace mpiprof::inline v1::preload::detail
