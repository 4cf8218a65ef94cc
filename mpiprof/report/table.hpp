// A table of text with columns as wide as they need to be.
#pragma once

#include <mpiprof/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::report {

/// Rows of cells: the first column stands left, the others right.
class table {
  public:
    explicit table(std::vector<std::string> heads) { add(std::move(heads)); }

    void add(std::vector<std::string> cells) {
        widths_.resize(std::max(widths_.size(), cells.size()));
        for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], cells[i].size());
        rows_.push_back(std::move(cells));
    }

    std::string text() const {
        std::string out;
        for (auto const& row : rows_) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                std::string const padding(widths_[i] - row[i].size(), ' ');
                line += i == 0 ? row[i] + padding : "  " + padding + row[i];
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + '\n';
        }
        return out;
    }

  private:
    std::vector<std::size_t> widths_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace mpiprof::inline v1::report
