// Call sites as text.
#pragma once

#include <mpiprof/exports/format.hpp>

namespace mpiprof::inline v1::exports {

/// "main.cpp:12", or what is known of the call site of an unmodified program; "" where it is not known.
std::string site_text(run const& of, call_site const& site);

}  // namespace mpiprof::inline v1::exports
