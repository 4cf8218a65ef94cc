// Reduction operators that <functional> lacks.
#pragma once

#include <mpiprof/core/config.hpp>

namespace mpiprof::inline v1 {

/// The larger of two values, as a reduction operator (MPI_MAX).
struct maximum {
    template <class T>
    constexpr T operator()(T const& a, T const& b) const {
        return a < b ? b : a;
    }
};

/// The smaller of two values, as a reduction operator (MPI_MIN).
struct minimum {
    template <class T>
    constexpr T operator()(T const& a, T const& b) const {
        return b < a ? b : a;
    }
};

}  // namespace mpiprof::inline v1
