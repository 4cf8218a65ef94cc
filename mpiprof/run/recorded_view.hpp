// The calls of the profiled view of any communicator.
#pragma once

#include <mpiprof/run/measure.hpp>
#include <mpiprof/run/view.hpp>

#include <utility>
#include <vector>

namespace mpiprof::inline v1 {

namespace detail {

/// A request of a profiled communicator that is known by its traits alone.
template <class Request>
struct generic_request {
    Request plain;
    completion pending;
};

/// The library's requests out of some of ours, while it completes them; they go back whatever it throws.
template <class Request>
class borrowed_requests {
  public:
    borrowed_requests(generic_request<Request>* first, std::size_t n) : first_{first} {
        requests_.reserve(n);
        for (std::size_t i = 0; i < n; ++i) requests_.push_back(std::move(first[i].plain));
    }
    ~borrowed_requests() {
        for (std::size_t i = 0; i < requests_.size(); ++i) first_[i].plain = std::move(requests_[i]);
    }
    borrowed_requests(borrowed_requests const&) = delete;
    borrowed_requests& operator=(borrowed_requests const&) = delete;

    Request* data() noexcept { return requests_.data(); }

  private:
    generic_request<Request>* first_;
    std::vector<Request> requests_;
};

}  // namespace detail

/// A profiled communicator is a communicator.
template <communicator Comm, class Instrumentation>
    requires(Instrumentation::enabled &&
             requires { typename profiled<Comm, Instrumentation>::known_by_traits_alone; })
struct communicator_traits<profiled<Comm, Instrumentation>> {
  private:
    using view = profiled<Comm, Instrumentation>;
    using plain = communicator_traits<Comm>;

    template <operation Operation, class Real, class Fill>
    static auto measure(view const& comm, call_site site, Real real, Fill fill, detail::envelope asked = {}) {
        return detail::measure<Operation, Instrumentation>(identity(comm), site, real, fill, asked);
    }

    template <class Value>
    static std::int64_t nbytes(std::size_t n) {
        return Instrumentation::sizes ? static_cast<std::int64_t>(n * sizeof(Value)) : 0;
    }

    /// What arrived is not known of a library that is not known.
    static constexpr std::int64_t arrived = Instrumentation::arrivals ? -1 : 0;

  public:
    using request = detail::generic_request<typename plain::request>;

    static int rank(view const& comm) { return plain::rank(comm.plain()); }
    static int size(view const& comm) { return plain::size(comm.plain()); }
    static communicator_id identity(view const& comm) { return plain::identity(comm.plain()); }

    template <class Value>
    static auto send(view const& comm, int peer, int tag, Value const* first, std::size_t n, call_site site) {
        return measure<operation::send>(
            comm, site, [&] { return plain::send(comm.plain(), peer, tag, first, n, site); },
            [&](auto& measured, auto&...) {
                measured.record().sent = peer == null_process ? 0 : nbytes<Value>(n);
            },
            {peer, tag});
    }

    template <class Value>
    static auto recv(view const& comm, int peer, int tag, Value* first, std::size_t n, call_site site) {
        return measure<operation::recv>(
            comm, site, [&] { return plain::recv(comm.plain(), peer, tag, first, n, site); },
            [&](auto& measured, auto&...) {
                measured.record().received = peer == null_process ? 0 : arrived;
            },
            {peer, tag});
    }

    template <class Value>
    static request isend(view const& comm, int peer, int tag, Value const* first, std::size_t n,
                         call_site site) {
        completion pending;
        auto made = measure<operation::isend>(
            comm, site, [&] { return plain::isend(comm.plain(), peer, tag, first, n, site); },
            [&](auto& measured, auto&...) {
                measured.record().sent = peer == null_process ? 0 : nbytes<Value>(n);
                pending = pending_of(measured, 0);
            },
            {peer, tag});
        return {std::move(made), pending};
    }

    template <class Value>
    static request irecv(view const& comm, int peer, int tag, Value* first, std::size_t n, call_site site) {
        completion pending;
        auto made = measure<operation::irecv>(
            comm, site, [&] { return plain::irecv(comm.plain(), peer, tag, first, n, site); },
            [&](auto& measured, auto&...) {
                measured.record().capacity = peer == null_process ? 0 : nbytes<Value>(n);
                pending = pending_of(measured, peer == null_process ? 0 : arrived);
            },
            {peer, tag});
        return {std::move(made), pending};
    }

    static auto wait_all(view const& comm, request* first, std::size_t n, call_site site) {
        detail::borrowed_requests<typename plain::request> requests{first, n};
        return measure<operation::waitall>(
            comm, site, [&] { return plain::wait_all(comm.plain(), requests.data(), n, site); },
            [&](auto& measured, auto&...) {
                for (std::size_t i = 0; i < n; ++i) {
                    auto done = std::exchange(first[i].pending, {});
                    if (done.operation == operation::none) continue;
                    done.observed = measured.record().end;
                    done.waited = done.observed - measured.record().begin;
                    measured.complete(done);
                }
            });
    }

    static auto barrier(view const& comm, call_site site) {
        return measure<operation::barrier>(
            comm, site, [&] { return plain::barrier(comm.plain(), site); }, [](auto&...) {});
    }

    template <class Value>
    static auto bcast(view const& comm, Value* first, std::size_t n, int root, call_site site) {
        return measure<operation::bcast>(
            comm, site, [&] { return plain::bcast(comm.plain(), first, n, root, site); },
            [&](auto& measured, auto&...) {
                auto& record = measured.record();
                record.root = root;
                (rank(comm) == root ? record.sent : record.received) = nbytes<Value>(n);
            });
    }

    template <class Value, class Operator>
    static auto reduce(view const& comm, Value const* in, Value* out, std::size_t n, Operator op, int root,
                       call_site site) {
        return measure<operation::reduce>(
            comm, site, [&] { return plain::reduce(comm.plain(), in, out, n, op, root, site); },
            [&](auto& measured, auto&...) {
                auto& record = measured.record();
                record.root = root;
                record.sent = nbytes<Value>(n);
                if (rank(comm) == root) record.received = record.sent;
            });
    }

    template <class Value, class Operator>
    static auto allreduce(view const& comm, Value const* in, Value* out, std::size_t n, Operator op,
                          call_site site) {
        return measure<operation::allreduce>(
            comm, site, [&] { return plain::allreduce(comm.plain(), in, out, n, op, site); },
            [&](auto& measured, auto&...) {
                measured.record().sent = measured.record().received = nbytes<Value>(n);
            });
    }

  private:
    static completion pending_of(auto const& measured, std::int64_t received) {
        auto pending = measured.completed();
        pending.received = received;
        return pending;
    }
};

}  // namespace mpiprof::inline v1
