// How the messages of a profiled Boost.MPI communicator are measured.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/lasting_communicators.hpp>
#include <mpiprof/boost_mpi/request.hpp>
#include <mpiprof/boost_mpi/wire.hpp>
#include <mpiprof/raw/arrived.hpp>

#include <boost/make_shared.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// Fills in what a status tells of the message that it is for. The status stays untouched: Boost's `count`
/// would remember what it is asked.
template <class Record>
void fill_envelope(Record& record, boost::mpi::status const& status) noexcept {
    if (record.peer == null_process) return;
    record.peer = raw::detail::recorded_peer(status.m_status.MPI_SOURCE);
    record.tag = raw::detail::recorded_tag(status.m_status.MPI_TAG);
}

/// The same of a receive, whose record or completion this is.
template <class Instrumentation, class Record>
void fill_received(Record& record, boost::mpi::status const& status) noexcept {
    fill_envelope(record, status);
    if (Instrumentation::arrivals && record.peer != null_process)
        record.received = raw::detail::arrived_nbytes(status.m_status);
}

}  // namespace detail

/// Calls on a communicator that `Base::plain()` gives, by kind, each made as it is passed (`real`) and
/// recorded; `nbytes()` gives the bytes that it sends, or the room for what it receives. With profiling off
/// they are `real()`, and nothing else.
template <class Base, class Instrumentation>
class measured_messages : public Base {
  public:
    using instrumentation_type = Instrumentation;
    using plain_type = boost::mpi::communicator;
    /// With profiling off, Boost's own.
    using request =
        std::conditional_t<Instrumentation::enabled, basic_request<Instrumentation>, boost::mpi::request>;
    using Base::plain;

    using Base::Base;

    /// The communicator's identity.
    [[gnu::always_inline]] communicator_id identity() const {
        raw::detail::use_hook<Instrumentation>();
        return this->id();
    }

  protected:
    /// A send whose size its type tells.
    template <class Sizes, class Real>
    [[gnu::always_inline]] void send_known(int dest, int tag, call_site site, Sizes nbytes, Real real) const {
        detail::measure<operation::send, Instrumentation>(
            identity(), site, real, [&](auto& measured) { fill_sent(measured.record(), nbytes); },
            envelope(dest, tag));
    }

    /// Serialises once, into an archive that is sent as Boost sends it.
    template <class Archive = boost::mpi::packed_oarchive, class Save>
    void send_archive(int dest, int tag, call_site site, Save save) const {
        std::int64_t size = 0;
        send_known(
            dest, tag, site, [&] { return size; },
            [&] {
                Archive archive(plain());
                save(archive);
                size = detail::archive_nbytes(archive);
                plain().send(dest, tag, archive);
            });
    }

    template <class Real>
    [[gnu::always_inline]] boost::mpi::status receive(int source, int tag, call_site site, Real real) const {
        return detail::measure<operation::recv, Instrumentation>(
            identity(), site, real,
            [&](auto& measured, boost::mpi::status const& status) {
                detail::fill_received<Instrumentation>(measured.record(), status);
            },
            envelope(source, tag));
    }

    /// A sendrecv: one record with the send's side, and a completion with the receive's.
    template <class Sizes, class Real>
    [[gnu::always_inline]] boost::mpi::status exchange(int dest, int send_tag, int source, int receive_tag,
                                                       call_site site, Sizes nbytes, Real real) const {
        return detail::measure<operation::sendrecv, Instrumentation>(
            identity(), site, real,
            [&](auto& measured, boost::mpi::status const& status) {
                fill_sent(measured.record(), nbytes);
                auto done = measured.completed();
                done.waited = done.observed - done.posted;
                auto const receive = envelope(source, receive_tag);
                done.peer = receive.peer;
                done.tag = receive.tag;
                detail::fill_received<Instrumentation>(done, status);
                measured.complete(done);
            },
            envelope(dest, send_tag));
    }

    /// Boost's sendrecv of a value that it serialises, call by call.
    template <class T>
    boost::mpi::status exchange_archives(int dest, int send_tag, T const& value, int source, int receive_tag,
                                         T& received, call_site site) const {
        std::int64_t size = 0;
        return exchange(
            dest, send_tag, source, receive_tag, site, [&] { return size; },
            [&] {
                boost::mpi::packed_oarchive archive(plain());
                archive << value;
                size = detail::archive_nbytes(archive);
                boost::mpi::request requests[2];
                requests[0] = plain().isend(dest, send_tag, archive);
                requests[1] = boost::mpi::request::make_serialized(plain(), source, receive_tag, received);
                boost::mpi::status statuses[2];
                boost::mpi::wait_all(requests, requests + 2, statuses);
                return statuses[1];
            });
    }

    /// The same, nonblocking.
    template <class Sizes, class Real>
    [[gnu::always_inline]] request isend_known(int dest, int tag, call_site site, Sizes nbytes,
                                               Real real) const {
        return post<operation::isend>(dest, tag, site, nbytes, real);
    }

    /// Serialises once, into an archive that the request keeps.
    template <class Archive = boost::mpi::packed_oarchive, class Save>
    request isend_archive(int dest, int tag, call_site site, Save save) const {
        std::int64_t size = 0;
        return isend_known(
            dest, tag, site, [&] { return size; },
            [&] {
                auto const archive = boost::make_shared<Archive>(plain());
                save(*archive);
                size = detail::archive_nbytes(*archive);
                auto made = plain().isend(dest, tag, *archive);
                made.preserve(archive);
                return made;
            });
    }

    /// A receive by one of MPI's requests.
    template <class Sizes, class Real>
    [[gnu::always_inline]] request ireceive(int source, int tag, call_site site, Sizes nbytes,
                                            Real real) const {
        return post<operation::irecv>(source, tag, site, nbytes,
                                      [&]() MPIPROF_INTERNAL_INLINE { return real(plain()); });
    }

    /// A receive that Boost probes for.
    template <class Sizes, class Real>
    [[gnu::always_inline]] request ireceive_probed(int source, int tag, call_site site, Sizes nbytes,
                                                   Real real) const {
        if constexpr (!Instrumentation::enabled) return real(plain());
        else
            return post<operation::irecv>(source, tag, site, nbytes, [&] {
                return real(detail::lasting_communicators::instance().of(plain()));
            });
    }

    template <operation Operation, class Real, class Fill>
    [[gnu::always_inline]] auto probe_for(int source, int tag, call_site site, Real real, Fill fill) const {
        return detail::measure<Operation, Instrumentation>(
            identity(), site, real,
            [&](auto& measured, auto const& found) { fill(measured.record(), found); },
            envelope(source, tag));
    }

  private:
    using message_envelope = mpiprof::detail::envelope;

    [[gnu::always_inline]] static message_envelope envelope(int peer, int tag) noexcept {
        if constexpr (!Instrumentation::enabled) return {};
        else return {raw::detail::recorded_peer(peer), raw::detail::recorded_tag(tag)};
    }

    template <class Sizes>
    static void fill_sent(call& record, Sizes nbytes) {
        if (Instrumentation::sizes && record.peer != null_process) record.sent = nbytes();
    }

    /// Posts a request that keeps what its completion must know.
    template <operation Operation, class Sizes, class Real>
    [[gnu::always_inline]] request post(int peer, int tag, call_site site, Sizes nbytes, Real real) const {
        if constexpr (!Instrumentation::enabled) {
            return real();
        } else {
            constexpr bool receives = Operation == operation::irecv;
            raw::pending pending;
            auto const made = detail::measure<Operation, Instrumentation>(
                identity(), site, real,
                [&](auto& measured, auto&) {
                    auto& record = measured.record();
                    if constexpr (!receives) fill_sent(record, nbytes);
                    else if (Instrumentation::sizes)
                        record.capacity = record.peer == null_process ? 0 : nbytes();
                    pending = {measured.completed(), receives, record.sent, region_bytes(record)};
                },
                envelope(peer, tag));
            if (!pending) return request{made};
            return request{made, boost::make_shared<raw::pending>(pending)};
        }
    }
};

}  // namespace mpiprof::inline v1::boost_mpi
