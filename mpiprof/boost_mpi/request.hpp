// Boost.MPI's request, remembering what it is for.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/raw/invoke.hpp>
#include <mpiprof/raw/pending.hpp>
#include <mpiprof/run/instrumentations.hpp>
#include <mpiprof/run/measure.hpp>

#include <memory>
#include <utility>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

using mpiprof::detail::measure;

}  // namespace detail

/// A request made by a profiled communicator. It is Boost's, with `wait` and `test` recorded as wait and the
/// completion for the operation that made it. Copies are of one request, which completes once. Completing it
/// through Boost's own type goes unseen.
template <class Instrumentation>
class basic_request : public boost::mpi::request {
  public:
    using instrumentation_type = Instrumentation;

    /// No request.
    basic_request() = default;

    /// A request that was made unprofiled.
    basic_request(boost::mpi::request const& plain) : boost::mpi::request(plain) {}

    /// A request to be completed as `known` says.
    basic_request(boost::mpi::request const& plain, raw::pending const& known)
        : boost::mpi::request(plain),
          pending_{std::make_shared<raw::pending>(known)} {}

    boost::mpi::status wait(call_site site = call_site::current()) {
        // Boost asks MPI nothing about no request.
        if (!active() && !trivial()) return boost::mpi::request::wait();
        return detail::measure<operation::wait, Instrumentation>(
            unknown_communicator, site, [&] { return boost::mpi::request::wait(); },
            [&](auto& measured, boost::mpi::status const& status) { complete(measured, status, true); });
    }

    auto test(call_site site = call_site::current()) {
        // Boost asks MPI nothing about a request that is not active.
        if (!active()) return boost::mpi::request::test();
        return detail::measure<operation::test, Instrumentation>(
            unknown_communicator, site, [&] { return boost::mpi::request::test(); },
            [&](auto& measured, auto const& status) {
                if (status) complete(measured, *status, true);
                else measured.record().flags |= call_incomplete;
            });
    }

    /// Books the completion that a call observed; `only` if that call was for this request alone.
    template <class Scope>
    void complete(Scope& measured, MPI_Status const& status, bool only) {
        if (!pending_) return;
        raw::detail::complete_one(measured, std::exchange(*pending_, {}), status, Instrumentation::arrivals,
                                  only);
    }

  private:
    std::shared_ptr<raw::pending> pending_;
};

}  // namespace mpiprof::inline v1::boost_mpi
