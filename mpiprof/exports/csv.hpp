// Comma-separated values, as RFC 4180 has them.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

namespace mpiprof::inline v1::exports {

/// Writes a table row by row.
class csv_writer {
  public:
    explicit csv_writer(std::ostream& out) : out_{out} {}

    /// Text; what is no UTF-8 in it becomes replacement characters.
    csv_writer& operator<<(std::string_view text);
    csv_writer& operator<<(char const* text) { return *this << std::string_view{text}; }
    csv_writer& operator<<(std::int64_t number);
    csv_writer& operator<<(double number);
    /// A number, or an empty cell for -1, which does not apply or is not known.
    csv_writer& known(std::int64_t number);
    void end_row();

  private:
    std::ostream& cell();

    std::ostream& out_;
    bool first_ = true;
};

}  // namespace mpiprof::inline v1::exports
