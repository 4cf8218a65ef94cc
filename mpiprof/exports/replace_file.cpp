#include <mpiprof/exports/replace_file.hpp>

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace mpiprof::inline v1::exports {

namespace {

namespace fs = std::filesystem;

/// Takes the file away if it is still there in the end.
class file_beside {
  public:
    explicit file_beside(std::string const& path) : name_{fmt::format("{}.tmp{}", path, ::getpid())} {}
    file_beside(file_beside const&) = delete;
    file_beside& operator=(file_beside const&) = delete;
    ~file_beside() {
        std::error_code ignored;
        fs::remove(name_, ignored);
    }

    std::string const& name() const noexcept { return name_; }

  private:
    std::string name_;
};

std::runtime_error because_of_errno() { return std::runtime_error{std::generic_category().message(errno)}; }

void write_text(std::string const& path, std::function<void(std::ostream&)> const& write) {
    std::ofstream out{path, std::ios::binary};
    if (!out) throw because_of_errno();
    out.imbue(std::locale::classic());
    write(out);
    out.close();
    if (!out) throw because_of_errno();
}

void write_standard_output(std::function<void(std::ostream&)> const& write) {
    std::cout.imbue(std::locale::classic());
    write(std::cout);
    std::cout.flush();
    if (!std::cout) throw std::runtime_error{"cannot write standard output"};
}

}  // namespace

void check_output(std::string const& path, std::vector<std::string> const& inputs) {
    for (auto const& input : inputs) {
        std::error_code ignored;
        if (fs::equivalent(path, input, ignored))
            throw std::runtime_error{fmt::format("cannot write '{}': it is read too", path)};
    }
}

void replace_file(std::string const& path, std::function<void(std::string const&)> const& write) {
    try {
        if (fs::exists(path) && !fs::is_regular_file(path)) {
            if (fs::is_directory(path)) throw std::runtime_error{"it is a directory"};
            return write(path);
        }
        file_beside const beside{path};
        write(beside.name());
        std::error_code failure;
        fs::rename(beside.name(), path, failure);
        if (failure) throw std::runtime_error{failure.message()};
    } catch (std::exception const& error) {
        throw std::runtime_error{fmt::format("cannot write '{}': {}", path, error.what())};
    }
}

void replace_text_file(std::string const& path, std::function<void(std::ostream&)> const& write) {
    if (path == "-") return write_standard_output(write);
    replace_file(path, [&](std::string const& name) { write_text(name, write); });
}

}  // namespace mpiprof::inline v1::exports
