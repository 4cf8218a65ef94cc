// The part of the plate that one rank computes. No MPI here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace heat {

/// Some rows of a plate, with a halo row above and below: copies of the neighbours' nearest rows.
class strip {
  public:
    /// `rows` rows from number `first` on, of a plate of `plate_rows`.
    strip(int first, int rows, int columns, int plate_rows)
        : first_{first},
          rows_{rows},
          columns_{columns},
          plate_rows_{plate_rows},
          now_(offset(rows + 2)),
          next_(offset(rows + 2)) {}

    int rows() const { return rows_; }

    /// Row `i`, from 1 to `rows()`, with the next ones behind it; 0 and `rows()` + 1 are the halo.
    double* row(int i) { return now_.data() + offset(i); }

    /// Values in `rows` rows.
    std::size_t offset(int rows) const {
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns_);
    }

    /// One time step, with the halo in place; returns the largest change of a temperature. The edges of the
    /// plate keep theirs.
    double advance() {
        constexpr double speed = 0.2;  // conductivity * time step / cell area; above 0.25 it would explode
        double largest = 0;
        for (int i = 1; i <= rows_; ++i) {
            double const* const here = row(i);
            double const* const above = row(i - 1);
            double const* const below = row(i + 1);
            double* const next = next_.data() + offset(i);
            std::copy(here, here + columns_, next);
            int const row_of_plate = first_ + i - 1;
            if (row_of_plate == 0 || row_of_plate == plate_rows_ - 1) continue;
            for (int j = 1; j < columns_ - 1; ++j) {
                double const change = speed * (above[j] + below[j] + here[j - 1] + here[j + 1] - 4 * here[j]);
                next[j] += change;
                largest = std::max(largest, std::abs(change));
            }
        }
        std::swap(now_, next_);
        return largest;
    }

  private:
    int first_;
    int rows_;
    int columns_;
    int plate_rows_;
    std::vector<double> now_;
    std::vector<double> next_;
};

}  // namespace heat
