// Boost.MPI's request, remembering what it is for.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/raw/invoke.hpp>
#include <mpiprof/raw/pending.hpp>
#include <mpiprof/run/instrumentations.hpp>
#include <mpiprof/run/measure.hpp>

#include <boost/make_shared.hpp>
#include <utility>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

using mpiprof::detail::measure;

/// What the copies of a request share: its completion, until one of them has seen it.
using shared_pending = boost::shared_ptr<raw::pending>;

inline MPI_Status cancelled_status() noexcept {
    MPI_Status status{};
    PMPI_Status_set_cancelled(&status, 1);
    return status;
}

}  // namespace detail

/// A request made by a profiled communicator. It is Boost's, with `wait`, `test` and `cancel` recorded and
/// the completion for the operation that made it. Copies are of one request, which completes once.
/// Completing it through Boost's own type goes unseen.
template <class Instrumentation>
class basic_request : public boost::mpi::request {
  public:
    using instrumentation_type = Instrumentation;

    /// No request.
    basic_request() = default;

    /// A request that was made unprofiled.
    basic_request(boost::mpi::request const& plain) : boost::mpi::request(plain) {}

    /// A request to be completed as `pending` says.
    basic_request(boost::mpi::request const& plain, detail::shared_pending const& pending)
        : boost::mpi::request(plain),
          pending_{pending} {}

    boost::mpi::status wait(call_site site = call_site::current()) {
        bool const was_active = active();
        // Boost asks MPI nothing about no request.
        if (!was_active && !trivial()) return boost::mpi::request::wait();
        return detail::measure<operation::wait, Instrumentation>(
            unknown_communicator, site, [&] { return boost::mpi::request::wait(); },
            [&](auto& measured, boost::mpi::status const& status) {
                if (was_active) complete(measured, status, true);
            });
    }

    auto test(call_site site = call_site::current()) {
        // Boost asks MPI nothing about a request that is not active.
        if (!active()) return boost::mpi::request::test();
        return detail::measure<operation::test, Instrumentation>(
            unknown_communicator, site, [&] { return boost::mpi::request::test(); },
            [&](auto& measured, auto const& status) {
                if (status) return complete(measured, *status, true);
                measured.record().flags |= call_incomplete;
                keep_waiting(measured, true);
            });
    }

    /// As Boost's; MPI still wants the request completed. A receive that Boost probes for is over at once.
    void cancel(call_site site = call_site::current()) {
        bool const was_active = active();
        if (!was_active && !trivial()) return boost::mpi::request::cancel();
        detail::measure<operation::cancel, Instrumentation>(
            unknown_communicator, site, [&] { boost::mpi::request::cancel(); },
            [&](auto& measured) {
                if (was_active && !active()) complete(measured, detail::cancelled_status(), false);
            });
    }

    /// Books the completion that a call observed; `only` if that call was for this request alone.
    template <class Scope>
    void complete(Scope& measured, MPI_Status const& status, bool only) {
        if (!pending_) return;
        raw::detail::complete_one(measured, std::exchange(*pending_, {}), status, Instrumentation::arrivals,
                                  only);
    }

    /// The same of a call that ended without it.
    template <class Scope>
    void keep_waiting(Scope& measured, bool only) {
        if (pending_) raw::detail::keep_waiting(measured, *pending_, only);
    }

  private:
    detail::shared_pending pending_;
};

}  // namespace mpiprof::inline v1::boost_mpi
