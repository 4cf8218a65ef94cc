// Which iterators the functions that complete requests are profiled over.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/request.hpp>

#include <concepts>
#include <iterator>
#include <type_traits>

namespace mpiprof::inline v1::boost_mpi {

/// Iterators over profiled requests, which refer to them. (Over iterators that give copies Boost's own
/// functions are called.)
template <class Iterator>
concept profiled_request_iterator = std::is_lvalue_reference_v<std::iter_reference_t<Iterator>> && requires {
    typename std::iterator_traits<Iterator>::value_type::instrumentation_type;
    requires std::derived_from<
        typename std::iterator_traits<Iterator>::value_type,
        basic_request<typename std::iterator_traits<Iterator>::value_type::instrumentation_type>>;
};

}  // namespace mpiprof::inline v1::boost_mpi
