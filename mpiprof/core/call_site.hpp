// Where in the user's source a call stands.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>

namespace mpiprof::inline v1 {

/// A place in a source file. Every profiled call takes one as its trailing, defaulted argument; a helper of
/// yours that wants its caller's place takes one the same way and passes it on:
///
///     void exchange(Comm& world, mpiprof::call_site site = mpiprof::call_site::current()) {
///     world.barrier(site); }
class call_site {
  public:
    /// An unknown place.
    constexpr call_site() noexcept = default;

    /// `file` must live as long as the program (a string literal). Explicit, so that no overload takes it for
    /// an int.
    constexpr explicit call_site(char const* file, std::uint32_t line) noexcept : file_{file}, line_{line} {}

    /// The place where this is written, or where the default argument that holds it is used.
    static constexpr call_site current(char const* file = __builtin_FILE(),
                                       std::uint32_t line = __builtin_LINE()) noexcept {
        return call_site{file, line};
    }

    /// "" when unknown.
    constexpr char const* file() const noexcept { return file_; }
    /// From 1; 0 when unknown.
    constexpr std::uint32_t line() const noexcept { return line_; }

  private:
    char const* file_ = "";
    std::uint32_t line_ = 0;
};

}  // namespace mpiprof::inline v1
