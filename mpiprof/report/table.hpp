// A table of text with columns as wide as they need to be.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::report {

/// Rows of cells: the first column stands left, the others right.
class table {
  public:
    explicit table(std::size_t columns) : widths_(columns) {}

    /// Adds a cell behind the last one, or as the first of the next row.
    [[gnu::cold]] void add(std::string cell) {
        auto& width = widths_[cells_.size() % widths_.size()];
        if (width < cell.size()) width = cell.size();
        cells_.push_back(std::move(cell));
    }

    [[gnu::cold]] std::string text() const {
        std::string out;
        for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
            auto const column = cell % widths_.size();
            auto const padding = widths_[column] - cells_[cell].size();
            if (column == 0) {
                out += cells_[cell];
                out.append(padding, ' ');
            } else {
                out += "  ";
                out.append(padding, ' ');
                out += cells_[cell];
            }
            if (column + 1 < widths_.size()) continue;
            out.erase(out.find_last_not_of(' ') + 1);
            out += '\n';
        }
        return out;
    }

  private:
    std::vector<std::size_t> widths_;
    std::vector<std::string> cells_;
};

}  // namespace mpiprof::inline v1::report
