// Which libraries are an MPI library's Fortran layer: what Fortran programs call, and what calls MPI's C
// functions for them.
#pragma once

#include <mpiprof/core/config.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace mpiprof::inline v1::preload {

/// Is the file a Fortran layer of Open MPI, of MPICH, or of what is made of it? Cray's has its compiler in
/// the name.
[[gnu::cold]] inline bool is_fortran_layer(std::string_view path) noexcept {
    constexpr std::string_view begins[] = {"libmpi_mpifh", "libmpi_usempi", "libmpichfort",
                                           "libmpifort",   "libmpichf90",   "libfmpich"};
    auto const name = path.substr(path.rfind('/') + 1);
    return std::any_of(std::begin(begins), std::end(begins),
                       [&](std::string_view begin) { return name.starts_with(begin); });
}

}  // namespace mpiprof::inline v1::preload
