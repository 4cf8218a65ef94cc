// Requests as Boost.MPI's functions that complete them see them, to know which ones they completed.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/profiled_request_iterator.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::boost_mpi::detail {

/// The requests of a range, at places that Boost's templates take for requests. Boost asks a place for what
/// it asks a request, `active`, `test` and `trivial`, and swaps what stands at two places.
template <class Request>
class watched_requests {
    class place;
    /// What `trivial` gives: refers to MPI's handle, where there is one.
    class handle;

  public:
    template <class Iterator>
    watched_requests(Iterator first, Iterator last) {
        for (; first != last; ++first) {
            requests_.push_back(std::addressof(*first));
            places_.push_back(place{*this, places_.size()});
        }
    }

    watched_requests(watched_requests const&) = delete;
    watched_requests& operator=(watched_requests const&) = delete;

    auto begin() noexcept { return places_.begin(); }
    auto end() noexcept { return places_.end(); }

    /// Was one of them active before Boost was called?
    bool any_was_active() const {
        return std::any_of(places_.begin(), places_.end(),
                           [](place const& each) { return each.was_active(); });
    }

    bool any_completed() const noexcept { return !completed_.empty(); }

    /// Gives the requests that Boost completed the statuses that it gave out, which are in their order.
    void take_statuses(std::vector<boost::mpi::status> const& statuses) {
        for (std::size_t i = 0; i < completed_.size(); ++i) completed_[i].status = statuses[i];
    }

    /// All have completed: one by one, as was seen, or by one MPI call for all, which these are the statuses
    /// of.
    void complete_all(std::vector<boost::mpi::status> const& statuses) {
        if (!completed_.empty()) return;
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            if (places_[i].was_active()) completed_.push_back({i, statuses[i]});
        }
    }

    /// Books what completed, in the order of the requests, and that the others were waited for; `one` if the
    /// call was for one of them.
    template <class Scope>
    void book(Scope& measured, bool one) {
        std::sort(completed_.begin(), completed_.end(),
                  [](auto const& left, auto const& right) { return left.request < right.request; });
        for (auto const& each : completed_)
            requests_[each.request]->complete(measured, each.status, one || requests_.size() == 1);
        for (auto* const each : requests_) each->keep_waiting(measured, requests_.size() == 1);
    }

    /// Orders the requests, from `first`, as Boost has ordered the places.
    template <class Iterator>
    void reorder(Iterator first) {
        std::vector<Request> ordered;
        ordered.reserve(places_.size());
        for (auto const& each : places_) ordered.push_back(std::move(each.request()));
        std::move(ordered.begin(), ordered.end(), first);
    }

  private:
    /// A request that Boost completed, by its number, with its status.
    struct completed_request {
        std::size_t request;
        boost::mpi::status status;
    };

    std::vector<Request*> requests_;
    std::vector<place> places_;
    std::vector<completed_request> completed_;
};

template <class Request>
class watched_requests<Request>::place {
  public:
    place(watched_requests& all, std::size_t number)
        : all_{&all},
          number_{number},
          request_{number},
          was_active_{active()} {}

    /// The request that stands here now.
    Request& request() const { return *all_->requests_[request_]; }

    bool was_active() const noexcept { return was_active_; }

    bool active() const { return request().active(); }
    auto trivial() const { return handle{*this}; }
    auto test() const {
        auto const status = request().boost::mpi::request::test();
        if (status) all_->completed_.push_back({request_, *status});
        return status;
    }

    /// One MPI call for all completed the request that stood here then, when none was swapped yet. Its
    /// status is to come.
    void complete() const { all_->completed_.push_back({number_, {}}); }

    friend void swap(place& left, place& right) noexcept { std::swap(left.request_, right.request_); }

  private:
    watched_requests* all_;
    std::size_t number_;
    std::size_t request_;
    bool was_active_;
};

template <class Request>
class watched_requests<Request>::handle {
  public:
    explicit handle(place const& where) : where_{&where}, there_{where.request().trivial()} {}

    explicit operator bool() const { return static_cast<bool>(there_); }
    handle& operator*() noexcept { return *this; }
    operator MPI_Request() const { return *there_; }

    /// Boost stores what MPI made of the handle of a request that it completed.
    handle& operator=(MPI_Request given_back) {
        *there_ = given_back;
        where_->complete();
        return *this;
    }

  private:
    place const* where_;
    decltype(std::declval<Request&>().trivial()) there_;
};

}  // namespace mpiprof::inline v1::boost_mpi::detail
