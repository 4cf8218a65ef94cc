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

/// A request as Boost's wait_all sees it. It notes the status that completed it: where a request was
/// inactive, or became so as a copy of another, Boost leaves its result uninitialised.
class watched_request {
  public:
    explicit watched_request(boost::mpi::request& request)
        : request_{&request},
          was_active_{request.active()} {}

    bool active() const { return request_->active(); }
    auto trivial() const { return request_->trivial(); }
    auto test() {
        auto status = request_->test();
        if (status) {
            status_ = *status;
            completed_ = true;
        }
        return status;
    }

    bool was_active() const noexcept { return was_active_; }
    bool completed() const noexcept { return completed_; }
    boost::mpi::status const& status() const noexcept { return status_; }

  private:
    boost::mpi::request* request_;
    boost::mpi::status status_;
    bool was_active_;
    bool completed_ = false;
};

/// Books the completions that Boost's wait_all brought. Where it tested nothing complete it waited for all in
/// one MPI call, and all results are there.
template <class Scope, class Iterator>
void complete_all(Scope& measured, Iterator first, std::vector<watched_request> const& watched,
                  std::vector<boost::mpi::status> const& results) {
    auto const tested = [](watched_request const& each) { return each.completed(); };
    bool const at_once = std::none_of(watched.begin(), watched.end(), tested);
    for (std::size_t i = 0; i < watched.size(); ++i, ++first) {
        if (watched[i].completed()) first->complete(measured, watched[i].status(), watched.size() == 1);
        else if (at_once && watched[i].was_active())
            first->complete(measured, results[i], watched.size() == 1);
    }
}

/// Completes the requests as Boost's wait_all does, with one record for all.
template <class Iterator, class OutputIterator>
OutputIterator wait_all(Iterator first, Iterator last, OutputIterator out, call_site site) {
    using request = typename std::iterator_traits<Iterator>::value_type;
    std::vector<watched_request> watched;
    for (auto each = first; each != last; ++each) watched.emplace_back(*each);
    // With nothing to wait for Boost makes no MPI call.
    bool const any =
        std::any_of(watched.begin(), watched.end(), [](auto const& each) { return each.was_active(); });
    if (!any) return boost::mpi::wait_all(watched.begin(), watched.end(), out);

    auto const statuses = measure<operation::waitall, typename request::instrumentation_type>(
        unknown_communicator, site,
        [&] {
            std::vector<boost::mpi::status> results;
            boost::mpi::wait_all(watched.begin(), watched.end(), std::back_inserter(results));
            return results;
        },
        [&](auto& measured, auto const& results) { complete_all(measured, first, watched, results); });
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
