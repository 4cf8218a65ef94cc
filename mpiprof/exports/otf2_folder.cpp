#include <mpiprof/exports/otf2_folder.hpp>

#include <mpiprof/exports/otf2_archive.hpp>

#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace mpiprof::inline v1::exports {

namespace {

namespace fs = std::filesystem;

void check(std::error_code const& error) {
    if (error) throw std::runtime_error{error.message()};
}

/// Is this name that of a part of an archive?
bool is_part(std::string_view name) {
    constexpr std::string_view archive = otf2_archive_name;
    if (!name.starts_with(archive)) return false;
    name.remove_prefix(archive.size());
    return name.empty() || name == ".otf2" || name == ".def";
}

/// Does the file that names its writer name us? Not asked of the library, which leaks what it opens of a file
/// that is no archive.
bool is_ours(fs::path const& folder) {
    std::ifstream file{folder / fmt::format("{}.otf2", otf2_archive_name), std::ios::binary};
    std::string const content{std::istreambuf_iterator<char>{file}, {}};
    // The zero at the end of the name too.
    return content.find(std::string_view{otf2_creator, sizeof otf2_creator}) != std::string::npos;
}

/// Throws unless a folder holds nothing, or an archive of ours and nothing else.
void check_replaceable(fs::path const& folder) {
    std::error_code error;
    bool any = false;
    for (auto const& entry : fs::directory_iterator{folder, error}) {
        auto const name = entry.path().filename().string();
        if (!is_part(name)) throw std::runtime_error{fmt::format("the folder holds '{}' too", name)};
        any = true;
    }
    check(error);
    if (any && !is_ours(folder))
        throw std::runtime_error{"the folder holds an archive that is not mpiprof's"};
}

}  // namespace

otf2_folder::otf2_folder(std::string const& path) : path_{path} {
    std::error_code error;
    if (fs::exists(path_, error)) {
        path_ = fs::canonical(path_, error);
        check(error);
        if (!fs::is_directory(path_, error))
            throw std::runtime_error{"it is a file, and the archive is a folder"};
        check_replaceable(path_);
    } else if (!path_.has_filename()) {
        path_ = path_.parent_path();
    }
    auto temporary = path_;
    temporary += fmt::format(".tmp{}", ::getpid());
    bool const is_new = fs::create_directory(temporary, error);
    check(error);
    if (!is_new) throw std::runtime_error{fmt::format("'{}' is in the way", temporary.string())};
    beside_ = temporary;
}

otf2_folder::~otf2_folder() {
    std::error_code ignored;
    fs::remove_all(beside_, ignored);
}

void otf2_folder::replace() {
    std::error_code error;
    auto former = beside_;
    former += ".former";
    bool const any = fs::exists(path_, error);
    if (any) {
        fs::rename(path_, former, error);
        check(error);
    }
    fs::rename(beside_, path_, error);
    if (error && any) {
        std::error_code ignored;
        fs::rename(former, path_, ignored);
    }
    check(error);
    fs::remove_all(former, error);
    check(error);
}

}  // namespace mpiprof::inline v1::exports
