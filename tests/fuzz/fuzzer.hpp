// What a fuzzer of one reader consists of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unistd.h>
#include <vector>

/// Reads these bytes as a user of the reader would; aborts where something is wrong. As libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace test_support {

/// Inputs to begin with.
std::vector<std::string> seeds();

/// A file in memory.
class memory_file {
  public:
    explicit memory_file(std::string const& bytes);
    memory_file(memory_file const&) = delete;
    memory_file& operator=(memory_file const&) = delete;
    ~memory_file() { ::close(descriptor_); }

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  private:
    int descriptor_;
};

}  // namespace test_support
