// Boost.MPI's functions that complete many requests, on profiled ones.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/watched_requests.hpp>

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::boost_mpi::detail {

using statuses = std::vector<boost::mpi::status>;

template <class Iterator>
using watched_range = watched_requests<typename std::iterator_traits<Iterator>::value_type>;

/// Calls `real()`, which has Boost complete what it can of the requests, with one record for all. They
/// complete also where it throws. If none is active there is nothing to wait for, and no record.
template <operation Operation, class Request, class Real>
auto complete_requests(watched_requests<Request>& watched, call_site site, Real real) {
    if (!watched.any_was_active()) return real();
    constexpr bool one = Operation == operation::waitany || Operation == operation::testany;
    std::exception_ptr thrown;
    auto const result = measure<Operation, typename Request::instrumentation_type>(
        unknown_communicator, site,
        [&]() -> std::optional<decltype(real())> {
            try {
                return real();
            } catch (...) {
                thrown = std::current_exception();
                return std::nullopt;
            }
        },
        [&](auto& measured, auto&) {
            watched.book(measured, one);
            if (thrown) measured.fail();
            else if (!watched.any_completed()) measured.record().flags |= call_incomplete;
        });
    if (thrown) std::rethrow_exception(thrown);
    return *result;
}

template <class Iterator>
auto wait_any(Iterator first, Iterator last, call_site site) {
    watched_range<Iterator> watched(first, last);
    auto const done = complete_requests<operation::waitany>(watched, site, [&] {
        auto const found = boost::mpi::wait_any(watched.begin(), watched.end());
        watched.take_statuses({found.first});
        return found;
    });
    return std::make_pair(done.first, std::next(first, done.second - watched.begin()));
}

template <class Iterator>
auto test_any(Iterator first, Iterator last, call_site site) {
    using result = decltype(boost::mpi::test_any(first, last));
    watched_range<Iterator> watched(first, last);
    auto const done = complete_requests<operation::testany>(
        watched, site, [&] { return boost::mpi::test_any(watched.begin(), watched.end()); });
    if (!done) return result{};
    return result{std::make_pair(done->first, std::next(first, done->second - watched.begin()))};
}

/// Returns the statuses, in the order of the requests.
template <class Iterator>
statuses wait_all(Iterator first, Iterator last, call_site site) {
    watched_range<Iterator> watched(first, last);
    return complete_requests<operation::waitall>(watched, site, [&] {
        statuses found;
        boost::mpi::wait_all(watched.begin(), watched.end(), std::back_inserter(found));
        watched.complete_all(found);
        return found;
    });
}

template <class Iterator, class OutputIterator>
OutputIterator wait_all(Iterator first, Iterator last, OutputIterator out, call_site site) {
    auto const found = detail::wait_all(first, last, site);
    return std::copy(found.begin(), found.end(), out);
}

/// Returns the statuses, in the order of the requests, if all are complete.
template <class Iterator>
std::optional<statuses> test_all(Iterator first, Iterator last, call_site site) {
    watched_range<Iterator> watched(first, last);
    return complete_requests<operation::testall>(watched, site, [&]() -> std::optional<statuses> {
        statuses found;
        if (!boost::mpi::test_all(watched.begin(), watched.end(), std::back_inserter(found)))
            return std::nullopt;
        watched.complete_all(found);
        return found;
    });
}

template <class Iterator, class OutputIterator>
auto test_all(Iterator first, Iterator last, OutputIterator out, call_site site) {
    using result = decltype(boost::mpi::test_all(first, last, out));
    auto const found = detail::test_all(first, last, site);
    if (!found) return result{};
    return result{std::copy(found->begin(), found->end(), out)};
}

/// What wait_some and test_some give: the statuses of what completed, and the first completed request of the
/// range, which has them last, in that order.
template <class Iterator>
struct completed_some {
    statuses found;
    Iterator first;

    /// To Boost's result with statuses.
    template <class OutputIterator>
    std::pair<OutputIterator, Iterator> written_to(OutputIterator out) const {
        return {std::copy(found.begin(), found.end(), out), first};
    }

    /// To Boost's result without: then Boost leaves the completed requests the other way round.
    Iterator without_statuses(Iterator last) const {
        std::reverse(first, last);
        return first;
    }
};

template <operation Operation, class Iterator, class Real>
completed_some<Iterator> complete_some(Iterator first, Iterator last, call_site site, Real real) {
    watched_range<Iterator> watched(first, last);
    statuses found;
    auto const completed = complete_requests<Operation>(watched, site, [&] {
        auto const from = real(watched.begin(), watched.end(), std::back_inserter(found)).second;
        watched.take_statuses(found);
        return from;
    });
    if (watched.any_completed()) watched.reorder(first);
    return {found, std::next(first, completed - watched.begin())};
}

template <class Iterator>
auto wait_some(Iterator first, Iterator last, call_site site) {
    return complete_some<operation::waitsome>(first, last, site, [](auto begin, auto end, auto out) {
        return boost::mpi::wait_some(begin, end, out);
    });
}

template <class Iterator>
auto test_some(Iterator first, Iterator last, call_site site) {
    return complete_some<operation::testsome>(first, last, site, [](auto begin, auto end, auto out) {
        return boost::mpi::test_some(begin, end, out);
    });
}

}  // namespace mpiprof::inline v1::boost_mpi::detail
