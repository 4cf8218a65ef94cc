#include <mpiprof/cli/executable.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <mpiprof/core/config.hpp>
#include <string_view>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace mpiprof::inline v1::cli {

namespace {

/// What of an executable matters here.
struct elf_facts {
    /// Scripts and the like are none.
    bool is_elf = false;
    int elf_class = 0;
    int machine = 0;
    bool has_interpreter = false;
    bool needs_mpi = false;
    /// MPI itself is in it, and not only a function by the name of one of MPI's.
    bool contains_mpi = false;
    /// AddressSanitizer's library, as the program names it.
    std::string sanitizer = {};
};

/// A file, opened for libelf.
class elf_file {
  public:
    explicit elf_file(std::string const& path) : descriptor_{::open(path.c_str(), O_RDONLY | O_CLOEXEC)} {
        ::elf_version(EV_CURRENT);
        if (descriptor_ >= 0) elf_ = ::elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
    }
    elf_file(elf_file const&) = delete;
    elf_file& operator=(elf_file const&) = delete;
    ~elf_file() {
        ::elf_end(elf_);
        if (descriptor_ >= 0) ::close(descriptor_);
    }

    Elf* get() const noexcept { return elf_; }

  private:
    int descriptor_;
    Elf* elf_ = nullptr;
};

/// Calls visit(header, data) for the sections of a type.
template <class Visitor>
void for_each_section(Elf* elf, GElf_Word type, Visitor visit) {
    for (auto* section = ::elf_nextscn(elf, nullptr); section != nullptr;
         section = ::elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (::gelf_getshdr(section, &header) == nullptr || header.sh_type != type) continue;
        if (auto* const data = ::elf_getdata(section, nullptr)) visit(header, data);
    }
}

bool has_interpreter(Elf* elf) {
    std::size_t count = 0;
    if (::elf_getphdrnum(elf, &count) != 0) return false;
    for (std::size_t number = 0; number < count; ++number) {
        GElf_Phdr header;
        if (::gelf_getphdr(elf, static_cast<int>(number), &header) != nullptr && header.p_type == PT_INTERP)
            return true;
    }
    return false;
}

/// Calls visit(name) for the libraries that it is linked with.
template <class Visitor>
void for_each_library(Elf* elf, Visitor visit) {
    for_each_section(elf, SHT_DYNAMIC, [&](GElf_Shdr const& header, Elf_Data* data) {
        GElf_Dyn entry;
        for (int number = 0; ::gelf_getdyn(data, number, &entry) != nullptr && entry.d_tag != DT_NULL;
             ++number) {
            if (entry.d_tag != DT_NEEDED) continue;
            char const* const name = ::elf_strptr(elf, header.sh_link, entry.d_un.d_val);
            if (name != nullptr) visit(std::string_view{name});
        }
    });
}

/// GCC's, and Clang's by -shared-libasan.
bool is_address_sanitizer(std::string_view library) {
    library.remove_prefix(library.rfind('/') + 1);
    return library.starts_with("libasan.so") || library.starts_with("libclang_rt.asan");
}

/// Programs define MPI_Init to look at their own calls; the name that these call is only MPI's.
bool defines_mpi(Elf* elf, bool& has_symbols) {
    bool found = false;
    for_each_section(elf, SHT_SYMTAB, [&](GElf_Shdr const& header, Elf_Data* data) {
        has_symbols = true;
        GElf_Sym symbol;
        for (int number = 0; !found && ::gelf_getsym(data, number, &symbol) != nullptr; ++number) {
            if (symbol.st_shndx == SHN_UNDEF) continue;
            char const* const name = ::elf_strptr(elf, header.sh_link, symbol.st_name);
            found = name != nullptr && std::string_view{name} == "PMPI_Init";
        }
    });
    return found;
}

/// Texts that MPICH has in it and keeps when its symbols are stripped. They are put together here, so that
/// this program has them not.
bool has_text_of_mpich(Elf* elf) {
    auto const version = std::string{"MPICH"} + " Version";
    auto const variable = std::string{"MPIR_CVAR"} + "_DEFAULT_THREAD_LEVEL";
    bool has_version = false;
    bool has_variable = false;
    for_each_section(elf, SHT_PROGBITS, [&](GElf_Shdr const& header, Elf_Data* data) {
        if ((header.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) != SHF_ALLOC || data->d_buf == nullptr) return;
        std::string_view const text{static_cast<char const*>(data->d_buf), data->d_size};
        has_version = has_version || text.find(version) != std::string_view::npos;
        has_variable = has_variable || text.find(variable) != std::string_view::npos;
    });
    return has_version && has_variable;
}

elf_facts facts_of(std::string const& path) {
    elf_facts facts;
    elf_file const file{path};
    GElf_Ehdr header;
    if (::elf_kind(file.get()) != ELF_K_ELF || ::gelf_getehdr(file.get(), &header) == nullptr) return facts;
    facts.is_elf = true;
    facts.elf_class = header.e_ident[EI_CLASS];
    facts.machine = header.e_machine;
    facts.has_interpreter = has_interpreter(file.get());
    for_each_library(file.get(), [&](std::string_view name) {
        if (name.starts_with("libmpi")) facts.needs_mpi = true;
        if (is_address_sanitizer(name)) facts.sanitizer = name;
    });
    if (facts.needs_mpi) return facts;
    bool has_symbols = false;
    facts.contains_mpi =
        defines_mpi(file.get(), has_symbols) || (!has_symbols && has_text_of_mpich(file.get()));
    return facts;
}

/// The dynamic linker passes over LD_PRELOAD where a program gains rights (ld.so(8), "secure-execution
/// mode").
void check_rights(std::string const& program) {
    struct ::stat found{};
    if (::stat(program.c_str(), &found) != 0) return;
    char const* gains = nullptr;
    bool const for_group = (found.st_mode & S_ISGID) != 0 && (found.st_mode & S_IXGRP) != 0;
    if ((found.st_mode & S_ISUID) != 0 && found.st_uid != ::getuid()) gains = "is set-user-ID";
    else if (for_group && found.st_gid != ::getgid()) gains = "is set-group-ID";
    else if (::getuid() != 0 && ::getxattr(program.c_str(), "security.capability", nullptr, 0) > 0)
        gains = "has file capabilities";
    if (gains == nullptr) return;
    throw run_error(
        run_error::cannot_profile,
        fmt::format("{}: {}, and into such a program the system preloads nothing; run a copy of it "
                    "without, or link it with mpiprof",
                    program, gains));
}

int access_error(std::string const& path) {
    struct ::stat found{};
    if (::stat(path.c_str(), &found) != 0) return errno;
    if (S_ISDIR(found.st_mode)) return EISDIR;
    return ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

[[noreturn]] void refuse(std::string const& name, int error) {
    bool const is_there = error != ENOENT && error != ENOTDIR;
    throw run_error(is_there ? run_error::cannot_execute : run_error::not_found,
                    fmt::format("{}: {}", name, std::strerror(error)));
}

}  // namespace

std::string find_program(std::string const& name) {
    if (name.find('/') != std::string::npos) {
        if (int const error = access_error(name); error != 0) refuse(name, error);
        return name;
    }
    char const* const variable = std::getenv("PATH");
    std::string_view folders = variable != nullptr ? variable : "/bin:/usr/bin";
    int worst = ENOENT;
    for (bool more = !name.empty(); more;) {
        auto const end = folders.find(':');
        auto const folder = folders.substr(0, end);
        auto const path = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
        int const error = access_error(path);
        if (error == 0) return path;
        if (error == EACCES) worst = error;
        more = end != std::string_view::npos;
        if (more) folders.remove_prefix(end + 1);
    }
    refuse(name, worst);
}

std::string check_preloadable(std::string const& program, std::string const& preload) {
    auto const facts = facts_of(program);
    if (!facts.is_elf) return {};
    auto const ours = facts_of(preload);
    if (ours.is_elf && (facts.elf_class != ours.elf_class || facts.machine != ours.machine)) {
        throw run_error(
            run_error::cannot_profile,
            fmt::format("{}: made for another processor (ELF machine {}, {} bits) than {} (machine {}, "
                        "{} bits)",
                        program, facts.machine, facts.elf_class == ELFCLASS64 ? 64 : 32, preload,
                        ours.machine, ours.elf_class == ELFCLASS64 ? 64 : 32));
    }
    if (facts.contains_mpi) {
        throw run_error(
            run_error::cannot_profile,
            fmt::format("{}: MPI is linked into it statically, where its calls cannot be seen; relink with "
                        "the shared MPI library",
                        program));
    }
    check_rights(program);
    return facts.sanitizer;
}

std::string preload_list(std::string_view before, std::string_view preload, std::string_view sanitizer) {
    std::string first{sanitizer};
    std::string last;
    bool has_ours = false;
    auto const add = [](std::string& list, std::string_view library) {
        if (!list.empty()) list += ':';
        list += library;
    };
    while (!before.empty()) {
        // The dynamic linker takes either.
        auto const library = before.substr(0, before.find_first_of(" :"));
        before.remove_prefix(std::min(library.size() + 1, before.size()));
        if (library.empty() || library == sanitizer) continue;
        has_ours = has_ours || library == preload;
        add(is_address_sanitizer(library) ? first : last, library);
    }
    // Where it is there, it stays where it is.
    if (!has_ours) add(first, preload);
    if (!last.empty()) add(first, last);
    return first;
}

}  // namespace mpiprof::inline v1::cli
