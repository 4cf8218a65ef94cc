#include "tests/fuzz/fuzzer.hpp"

#include <cstdlib>
#include <sys/mman.h>

namespace test_support {

memory_file::memory_file(std::string const& bytes) : descriptor_{::memfd_create("fuzz", MFD_CLOEXEC)} {
    auto const size = static_cast<::ssize_t>(bytes.size());
    if (descriptor_ < 0 || ::write(descriptor_, bytes.data(), bytes.size()) != size) std::abort();
}

}  // namespace test_support
