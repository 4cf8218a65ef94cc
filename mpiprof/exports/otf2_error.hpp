// Errors of the OTF2 library.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cerrno>
#include <cstdarg>
#include <otf2/otf2.h>
#include <stdexcept>
#include <system_error>

namespace mpiprof::inline v1::exports {

/// Throws std::runtime_error with what the library says of an error code, unless it is none.
inline void otf2_check(OTF2_ErrorCode code) {
    if (code == OTF2_SUCCESS) return;
    // The library has other words for a full disk.
    bool const no_room = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    throw std::runtime_error{no_room ? std::generic_category().message(errno)
                                     : OTF2_Error_GetDescription(code)};
}

/// While it lives, the library does not print the errors that it returns.
class otf2_quiet {
  public:
    otf2_quiet() : before_{OTF2_Error_RegisterCallback(print_nothing, nullptr)} {}
    otf2_quiet(otf2_quiet const&) = delete;
    otf2_quiet& operator=(otf2_quiet const&) = delete;
    ~otf2_quiet() { OTF2_Error_RegisterCallback(before_, nullptr); }

  private:
    static OTF2_ErrorCode print_nothing(void*, char const*, std::uint64_t, char const*, OTF2_ErrorCode code,
                                        char const*, std::va_list) {
        return code;
    }

    OTF2_ErrorCallback before_;
};

}  // namespace mpiprof::inline v1::exports
