// Text for formats that want UTF-8.
#pragma once

#include <mpiprof/core/config.hpp>

#include <string>

namespace mpiprof::inline v1::exports {

/// The text with a replacement character (U+FFFD) for all that is no UTF-8.
std::string valid_text(std::string text);

}  // namespace mpiprof::inline v1::exports
