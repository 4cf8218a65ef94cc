// wait_all over profiled requests.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/request.hpp>

#include <algorithm>
#include <iterator>
#include <vector>

namespace mpiprof::inline v1::boost_mpi {

/// Iterators over profiled requests.
template <class Iterator>
concept profiled_request_iterator = requires {
    typename std::iterator_traits<Iterator>::value_type::instrumentation_type;
    requires std::derived_from<
        typename std::iterator_traits<Iterator>::value_type,
        basic_request<typename std::iterator_traits<Iterator>::value_type::instrumentation_type>>;
};

namespace detail {

/// Completes the requests as Boost's wait_all does, with one record for all.
template <class Iterator, class OutputIterator>
OutputIterator wait_all(Iterator first, Iterator last, OutputIterator out, call_site site) {
    using request = typename std::iterator_traits<Iterator>::value_type;
    // Boost's own request type, so that its wait_all makes the calls it makes for plain requests; copies
    // share the request.
    std::vector<boost::mpi::request> plain(first, last);
    std::vector<bool> active;
    for (auto const& each : plain) active.push_back(each.active());
    // With nothing to wait for Boost makes no MPI call.
    bool const any = std::find(active.begin(), active.end(), true) != active.end();
    if (!any) return boost::mpi::wait_all(plain.begin(), plain.end(), out);

    auto const statuses = measure<operation::waitall, typename request::instrumentation_type>(
        unknown_communicator, site,
        [&] {
            std::vector<boost::mpi::status> results;
            boost::mpi::wait_all(plain.begin(), plain.end(), std::back_inserter(results));
            return results;
        },
        [&](auto& measured, auto const& results) {
            std::size_t place = 0;
            for (auto each = first; each != last; ++each, ++place) {
                if (active[place]) each->complete(measured, results[place], results.size() == 1);
            }
        });
    return std::copy(statuses.begin(), statuses.end(), out);
}

template <class Iterator>
void wait_all(Iterator first, Iterator last, call_site site) {
    std::vector<boost::mpi::status> statuses;
    detail::wait_all(first, last, std::back_inserter(statuses), site);
}

}  // namespace detail

// Boost's wait_all takes any two iterators. Ours must be the better match also where argument-dependent
// look-up finds both, with a defaulted call site behind: these are so by the iterator's form (a pointer, the
// iterator of a vector, that of a deque or list).

/// Completes the requests, one record for all; their statuses go to `out`, in order.
template <class I, class OutputIterator>
OutputIterator wait_all(basic_request<I>* first, basic_request<I>* last, OutputIterator out,
                        call_site site = call_site::current()) {
    return detail::wait_all(first, last, out, site);
}
template <template <class...> class Iterator, class I, class... Rest, class OutputIterator>
OutputIterator wait_all(Iterator<basic_request<I>*, Rest...> first, Iterator<basic_request<I>*, Rest...> last,
                        OutputIterator out, call_site site = call_site::current()) {
    return detail::wait_all(first, last, out, site);
}
template <template <class...> class Iterator, class I, class... Rest, class OutputIterator>
OutputIterator wait_all(Iterator<basic_request<I>, Rest...> first, Iterator<basic_request<I>, Rest...> last,
                        OutputIterator out, call_site site = call_site::current()) {
    return detail::wait_all(first, last, out, site);
}

/// Completes the requests, one record for all.
template <class I>
void wait_all(basic_request<I>* first, basic_request<I>* last, call_site site = call_site::current()) {
    detail::wait_all(first, last, site);
}
template <template <class...> class Iterator, class I, class... Rest>
void wait_all(Iterator<basic_request<I>*, Rest...> first, Iterator<basic_request<I>*, Rest...> last,
              call_site site = call_site::current()) {
    detail::wait_all(first, last, site);
}
template <template <class...> class Iterator, class I, class... Rest>
void wait_all(Iterator<basic_request<I>, Rest...> first, Iterator<basic_request<I>, Rest...> last,
              call_site site = call_site::current()) {
    detail::wait_all(first, last, site);
}

// Any other iterator: by the constraint, which decides between equal parameters only, so the place is not
// known.

template <profiled_request_iterator ForwardIterator, typename OutputIterator>
OutputIterator wait_all(ForwardIterator first, ForwardIterator last, OutputIterator out) {
    return detail::wait_all(first, last, out, call_site{});
}
template <profiled_request_iterator ForwardIterator>
void wait_all(ForwardIterator first, ForwardIterator last) {
    detail::wait_all(first, last, call_site{});
}

}  // namespace mpiprof::inline v1::boost_mpi
