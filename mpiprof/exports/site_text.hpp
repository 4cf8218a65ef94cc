// Call sites as text.
#pragma once

#include <mpiprof/exports/format.hpp>

#include <string_view>
#include <utility>

namespace mpiprof::inline v1::exports {

/// "main.cpp:12", or what is known of the call site of an unmodified program; "" where it is not known.
std::string site_text(run const& of, call_site const& site);

/// The file and the line of "main.cpp:12"; any other text, also one of several frames, with line 0.
std::pair<std::string_view, std::uint32_t> split_place(std::string_view text);

}  // namespace mpiprof::inline v1::exports
