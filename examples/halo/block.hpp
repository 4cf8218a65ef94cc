// The part of a square plate that one rank computes. No MPI here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace halo {

/// From cell `first` on, `cells` cells in one direction.
struct range {
    int first = 0;
    int cells = 0;
};

/// The share of part `part` of `parts`.
constexpr range share(int cells, int part, int parts) {
    int const first = cells * part / parts;
    return {first, cells * (part + 1) / parts - first};
}

/// The two directions, and the two ways in each.
inline constexpr int vertical = 0;
inline constexpr int horizontal = 1;
inline constexpr int backward = -1;
inline constexpr int forward = 1;

/// Cells, and around them a halo: copies of the neighbours' nearest cells, or the edge of the plate.
class block {
  public:
    /// A cold part of a plate of which nothing but the upper edge is hot.
    block(range rows, range columns)
        : rows_{rows.cells},
          columns_{columns.cells},
          now_(size()),
          next_(size()) {
        constexpr double hot = 1;
        if (rows.first == 0)
            fill_halo(vertical, backward, std::vector(static_cast<std::size_t>(columns_), hot));
    }

    /// The cells nearest to the neighbour on this side.
    std::vector<double> nearest(int direction, int way) const {
        std::vector<double> cells(length(direction));
        int const line = way == backward ? 1 : depth(direction);
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = now_[place(direction, line, i)];
        return cells;
    }

    /// Replaces the halo on this side.
    void fill_halo(int direction, int way, std::vector<double> const& cells) {
        int const line = way == backward ? 0 : depth(direction) + 1;
        for (std::size_t i = 0; i < cells.size(); ++i) now_[place(direction, line, i)] = cells[i];
    }

    /// Makes each cell the mean of its four neighbours; returns the largest change.
    double relax() {
        next_ = now_;
        double largest = 0;
        for (int row = 1; row <= rows_; ++row) {
            for (int column = 1; column <= columns_; ++column) {
                auto const here = at(row, column);
                double const mean = (now_[at(row - 1, column)] + now_[at(row + 1, column)] + now_[here - 1] +
                                     now_[here + 1]) /
                                    4;
                largest = std::max(largest, std::abs(mean - now_[here]));
                next_[here] = mean;
            }
        }
        now_.swap(next_);
        return largest;
    }

    /// Number of cells that are warmer.
    long warmer_than(double temperature) const {
        long cells = 0;
        for (int row = 1; row <= rows_; ++row) {
            for (int column = 1; column <= columns_; ++column) cells += now_[at(row, column)] > temperature;
        }
        return cells;
    }

  private:
    /// Place of a cell; those of the block are numbered from 1 in both directions.
    std::size_t at(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_ + 2) +
               static_cast<std::size_t>(column);
    }
    std::size_t size() const { return at(rows_ + 2, 0); }

    /// Cells across the direction, and along it.
    int depth(int direction) const { return direction == vertical ? rows_ : columns_; }
    std::size_t length(int direction) const {
        return static_cast<std::size_t>(direction == vertical ? columns_ : rows_);
    }

    /// Place of cell `i`, from 0, of a line across the direction.
    std::size_t place(int direction, int line, std::size_t i) const {
        int const along = static_cast<int>(i) + 1;
        return direction == vertical ? at(line, along) : at(along, line);
    }

    int rows_;
    int columns_;
    std::vector<double> now_;
    std::vector<double> next_;
};

}  // namespace halo
