// What events name, as text in a file.
#pragma once

#include <mpiprof/exports/format.hpp>

#include <map>
#include <string>
#include <utility>

namespace mpiprof::inline v1::exports {

/// The communicators, call sites and phases of a run's events as a format quotes them. Each is quoted once,
/// since a few of them stand in all of the events.
class event_texts {
  public:
    using quote_function = std::string (*)(std::string const&);

    event_texts(run const& from, quote_function quote) : from_{from}, quote_{quote} {}

    /// All are "", without quotes, for what is not known or has no name.
    std::string const& communicator(communicator_id id);
    std::string const& site(call_site const& site);
    std::string const& phase(char const* name);

  private:
    std::string quoted(std::string const& text) const { return text.empty() ? text : quote_(text); }

    run const& from_;
    quote_function quote_;
    std::map<communicator_id, std::string> communicators_;
    // Texts of a trace stay where they are.
    std::map<std::pair<char const*, std::uint32_t>, std::string> sites_;
    std::map<char const*, std::string> phases_;
};

}  // namespace mpiprof::inline v1::exports
