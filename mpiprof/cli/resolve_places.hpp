// Call sites of unmodified programs, which a run knows by module and address, as places in the source.
#pragma once

#include <mpiprof/results/profile.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace mpiprof::inline v1::cli {

/// Finds files and lines by what compilers leave for debuggers, also in separate files of it. Opens each
/// module once.
class place_resolver {
  public:
    place_resolver();
    place_resolver(place_resolver&&) noexcept;
    ~place_resolver();

    /// Puts into all rows of a profile where in the source their call sites lie, and rows that then have one
    /// key together. In a profile of several ranks the largest time of a rank in such rows is a lower bound,
    /// exact where the same rank has the largest in each; in one of one rank all is exact.
    ///
    /// A call site becomes `file` and `line`; without a line, a `file` like "solve+0x1c" (function) or
    /// "app+0x1234" (module), line 0; one of several frames "solve.cpp:12 < main.cpp:40", line 0, up to
    /// `main`.
    void resolve(results::profile& run);

    /// The same of one call site without a line, as text: "solve.cpp:12". What is no such call site is
    /// returned as it is.
    std::string place(std::string const& file);

    /// What could not be resolved, and why: a line for each reason that there is.
    std::string notes() const;

  private:
    class modules;

    std::unique_ptr<modules> modules_;
};

}  // namespace mpiprof::inline v1::cli
