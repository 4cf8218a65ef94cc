// How much memory the process has.
#pragma once

#include <cstdint>
#include <fstream>
#include <unistd.h>

namespace cases {

/// Bytes of the process's memory that are in main memory.
inline std::int64_t resident_bytes() {
    std::ifstream statm{"/proc/self/statm"};
    std::int64_t all = 0;
    std::int64_t resident = 0;
    statm >> all >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace cases
