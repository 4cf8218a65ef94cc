// Programs, before they are started: can the preload library see their MPI calls?
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace mpiprof::inline v1::cli {

/// Why a program cannot be run: one line, and the exit status that says so.
class run_error : public std::runtime_error {
  public:
    /// As env, nohup and timeout have it, for what is wrong with them and not with the program.
    static constexpr int cannot_profile = 125;
    /// As shells have it.
    static constexpr int cannot_execute = 126;
    static constexpr int not_found = 127;

    run_error(int status, std::string const& line) : std::runtime_error{line}, status_{status} {}

    int status() const noexcept { return status_; }

  private:
    int status_;
};

/// The path, with a slash in it, of the program that a shell would start by this name. Throws run_error.
std::string find_program(std::string const& name);

/// Makes sure that the dynamic linker can load `preload` into the program, and that its MPI calls go through
/// the dynamic linker. Scripts, and programs without MPI of their own, pass. Throws run_error saying what is
/// in the way. Returns the library of AddressSanitizer that the program needs, which has to be loaded before
/// `preload`; "" where it needs none.
std::string check_preloadable(std::string const& program, std::string const& preload);

/// LD_PRELOAD with `preload` in it, in front of what was there `before`, but behind AddressSanitizer's
/// library, whether that was there or is the one given.
std::string preload_list(std::string_view before, std::string_view preload, std::string_view sanitizer);

}  // namespace mpiprof::inline v1::cli
