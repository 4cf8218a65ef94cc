// How two rows lie to each other by their keys.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <string>

namespace mpiprof::inline v1::results {

/// Compares keys field by field: the first that differs decides. Quicker to compile than tuples.
class key_order {
  public:
    [[gnu::cold]] key_order& then(std::int64_t a, std::int64_t b) noexcept {
        if (value_ == 0 && a != b) value_ = a < b ? -1 : 1;
        return *this;
    }
    [[gnu::cold]] key_order& then(std::string const& a, std::string const& b) noexcept {
        if (value_ == 0) value_ = a.compare(b);
        return *this;
    }

    /// Negative, 0 or positive as the first row lies before the second, with it, or after it.
    int value() const noexcept { return value_; }

  private:
    int value_ = 0;
};

}  // namespace mpiprof::inline v1::results
