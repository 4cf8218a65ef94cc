// Boost.MPI's functions that complete requests, over profiled ones: one record a call, and a completion for
// each request that it completed.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/complete_requests.hpp>

namespace mpiprof::inline v1::boost_mpi {

// Boost's templates take any two iterators. Ours must be the better match also where argument-dependent
// look-up finds both, with a defaulted call site behind: these are so by the iterator's form, which is a
// pointer or a template's type, as the containers' are. Over any other iterator ours are better by their
// constraint, which decides between equal parameters only, so that the place is not known.

/// Waits until one of the requests has completed; returns its status and its place.
template <class I>
auto wait_any(basic_request<I>* first, basic_request<I>* last, call_site site = call_site::current()) {
    return detail::wait_any(first, last, site);
}
template <template <class...> class Iterator, class First, class... Rest>
    requires profiled_request_iterator<Iterator<First, Rest...>>
auto wait_any(Iterator<First, Rest...> first, Iterator<First, Rest...> last,
              call_site site = call_site::current()) {
    return detail::wait_any(first, last, site);
}
template <profiled_request_iterator ForwardIterator>
auto wait_any(ForwardIterator first, ForwardIterator last) {
    return detail::wait_any(first, last, call_site{});
}

/// The status and place of a request that has completed, if there is one.
template <class I>
auto test_any(basic_request<I>* first, basic_request<I>* last, call_site site = call_site::current()) {
    return detail::test_any(first, last, site);
}
template <template <class...> class Iterator, class First, class... Rest>
    requires profiled_request_iterator<Iterator<First, Rest...>>
auto test_any(Iterator<First, Rest...> first, Iterator<First, Rest...> last,
              call_site site = call_site::current()) {
    return detail::test_any(first, last, site);
}
template <profiled_request_iterator ForwardIterator>
auto test_any(ForwardIterator first, ForwardIterator last) {
    return detail::test_any(first, last, call_site{});
}

/// Completes the requests; their statuses go to `out`, in order.
template <class I, class OutputIterator>
auto wait_all(basic_request<I>* first, basic_request<I>* last, OutputIterator out,
              call_site site = call_site::current()) {
    return detail::wait_all(first, last, out, site);
}
template <template <class...> class Iterator, class First, class... Rest, class OutputIterator>
    requires profiled_request_iterator<Iterator<First, Rest...>>
auto wait_all(Iterator<First, Rest...> first, Iterator<First, Rest...> last, OutputIterator out,
              call_site site = call_site::current()) {
    return detail::wait_all(first, last, out, site);
}
template <profiled_request_iterator ForwardIterator, class OutputIterator>
auto wait_all(ForwardIterator first, ForwardIterator last, OutputIterator out) {
    return detail::wait_all(first, last, out, call_site{});
}

/// Completes the requests.
template <class I>
void wait_all(basic_request<I>* first, basic_request<I>* last, call_site site = call_site::current()) {
    detail::wait_all(first, last, site);
}
template <template <class...> class Iterator, class First, class... Rest>
    requires profiled_request_iterator<Iterator<First, Rest...>>
void wait_all(Iterator<First, Rest...> first, Iterator<First, Rest...> last,
              call_site site = call_site::current()) {
    detail::wait_all(first, last, site);
}
template <profiled_request_iterator ForwardIterator>
void wait_all(ForwardIterator first, ForwardIterator last) {
    detail::wait_all(first, last, call_site{});
}

/// Completes the requests if all can be; their statuses go to `out`, in order. As Boost's, it never does
/// where one is a receive that Boost probes for.
template <class I, class OutputIterator>
auto test_all(basic_request<I>* first, basic_request<I>* last, OutputIterator out,
              call_site site = call_site::current()) {
    return detail::test_all(first, last, out, site);
}
template <template <class...> class Iterator, class First, class... Rest, class OutputIterator>
    requires profiled_request_iterator<Iterator<First, Rest...>>
auto test_all(Iterator<First, Rest...> first, Iterator<First, Rest...> last, OutputIterator out,
              call_site site = call_site::current()) {
    return detail::test_all(first, last, out, site);
}
template <profiled_request_iterator ForwardIterator, class OutputIterator>
auto test_all(ForwardIterator first, ForwardIterator last, OutputIterator out) {
    return detail::test_all(first, last, out, call_site{});
}

/// Completes the requests if all can be.
template <class I>
bool test_all(basic_request<I>* first, basic_request<I>* last, call_site site = call_site::current()) {
    return detail::test_all(first, last, site).has_value();
}
template <template <class...> class Iterator, class First, class... Rest>
    requires profiled_request_iterator<Iterator<First, Rest...>>
bool test_all(Iterator<First, Rest...> first, Iterator<First, Rest...> last,
              call_site site = call_site::current()) {
    return detail::test_all(first, last, site).has_value();
}
template <profiled_request_iterator ForwardIterator>
bool test_all(ForwardIterator first, ForwardIterator last) {
    return detail::test_all(first, last, call_site{}).has_value();
}

/// Waits until requests have completed, and moves those to the end of the range; returns where they begin,
/// after `out`, which their statuses go to, in order.
template <class I, class OutputIterator>
auto wait_some(basic_request<I>* first, basic_request<I>* last, OutputIterator out,
               call_site site = call_site::current()) {
    return detail::wait_some(first, last, site).written_to(out);
}
template <template <class...> class Iterator, class First, class... Rest, class OutputIterator>
    requires profiled_request_iterator<Iterator<First, Rest...>>
auto wait_some(Iterator<First, Rest...> first, Iterator<First, Rest...> last, OutputIterator out,
               call_site site = call_site::current()) {
    return detail::wait_some(first, last, site).written_to(out);
}
template <profiled_request_iterator BidirectionalIterator, class OutputIterator>
auto wait_some(BidirectionalIterator first, BidirectionalIterator last, OutputIterator out) {
    return detail::wait_some(first, last, call_site{}).written_to(out);
}

/// Waits until requests have completed, and moves those to the end of the range; returns where they begin.
template <class I>
auto wait_some(basic_request<I>* first, basic_request<I>* last, call_site site = call_site::current()) {
    return detail::wait_some(first, last, site).without_statuses(last);
}
template <template <class...> class Iterator, class First, class... Rest>
    requires profiled_request_iterator<Iterator<First, Rest...>>
auto wait_some(Iterator<First, Rest...> first, Iterator<First, Rest...> last,
               call_site site = call_site::current()) {
    return detail::wait_some(first, last, site).without_statuses(last);
}
template <profiled_request_iterator BidirectionalIterator>
auto wait_some(BidirectionalIterator first, BidirectionalIterator last) {
    return detail::wait_some(first, last, call_site{}).without_statuses(last);
}

/// Moves the requests that have completed to the end of the range; returns where they begin, after
/// `out`, which their statuses go to, in order.
template <class I, class OutputIterator>
auto test_some(basic_request<I>* first, basic_request<I>* last, OutputIterator out,
               call_site site = call_site::current()) {
    return detail::test_some(first, last, site).written_to(out);
}
template <template <class...> class Iterator, class First, class... Rest, class OutputIterator>
    requires profiled_request_iterator<Iterator<First, Rest...>>
auto test_some(Iterator<First, Rest...> first, Iterator<First, Rest...> last, OutputIterator out,
               call_site site = call_site::current()) {
    return detail::test_some(first, last, site).written_to(out);
}
template <profiled_request_iterator BidirectionalIterator, class OutputIterator>
auto test_some(BidirectionalIterator first, BidirectionalIterator last, OutputIterator out) {
    return detail::test_some(first, last, call_site{}).written_to(out);
}

/// Moves the requests that have completed to the end of the range; returns where they begin.
template <class I>
auto test_some(basic_request<I>* first, basic_request<I>* last, call_site site = call_site::current()) {
    return detail::test_some(first, last, site).without_statuses(last);
}
template <template <class...> class Iterator, class First, class... Rest>
    requires profiled_request_iterator<Iterator<First, Rest...>>
auto test_some(Iterator<First, Rest...> first, Iterator<First, Rest...> last,
               call_site site = call_site::current()) {
    return detail::test_some(first, last, site).without_statuses(last);
}
template <profiled_request_iterator BidirectionalIterator>
auto test_some(BidirectionalIterator first, BidirectionalIterator last) {
    return detail::test_some(first, last, call_site{}).without_statuses(last);
}

}  // namespace mpiprof::inline v1::boost_mpi
