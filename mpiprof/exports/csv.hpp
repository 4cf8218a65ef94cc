// Comma-separated values, as RFC 4180 has them.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

namespace mpiprof::inline v1::exports {

/// Text as a cell has it; what is no UTF-8 in it becomes replacement characters.
std::string csv_cell(std::string const& text);

/// Writes a table row by row.
class csv_writer {
  public:
    explicit csv_writer(std::ostream& out) : out_{out} {}

    csv_writer& operator<<(std::string const& text) { return cell(csv_cell(text)); }
    /// A word of ours, which needs no quotes.
    csv_writer& operator<<(char const* word) { return cell(word); }
    csv_writer& operator<<(std::int64_t number);
    csv_writer& operator<<(double number);
    /// A number, or an empty cell for -1, which does not apply or is not known.
    csv_writer& known(std::int64_t number);
    /// What is a cell already.
    csv_writer& cell(std::string_view text);
    void end_row();

  private:
    std::ostream& out_;
    /// With a comma after each cell.
    std::string row_;
};

}  // namespace mpiprof::inline v1::exports
