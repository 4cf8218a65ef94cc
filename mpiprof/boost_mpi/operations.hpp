// The calls of a profiled Boost.MPI communicator.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/request.hpp>
#include <mpiprof/boost_mpi/wire.hpp>

#include <boost/make_shared.hpp>
#include <vector>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

using raw::detail::recorded_peer;
using raw::detail::recorded_tag;

/// Names the message of a call.
inline void name_message(call& record, int peer, int tag) noexcept {
    record.peer = recorded_peer(peer);
    record.tag = recorded_tag(tag);
}

/// Fills in a receive from its status, which stays untouched: Boost's `count` would remember what it is
/// asked.
template <class Instrumentation>
void fill_received(call& record, boost::mpi::status const& status) noexcept {
    MPI_Status const& plain = status.m_status;
    name_message(record, plain.MPI_SOURCE, plain.MPI_TAG);
    if (Instrumentation::arrivals && record.peer != null_process)
        record.received = raw::detail::arrived_nbytes(plain);
}

}  // namespace detail

/// Boost.MPI's calls on a communicator that `Base::plain()` gives, each with a defaulted call site at the
/// end. They do what Boost's do; a value that Boost serialises is serialised once, and its archive's size is
/// the bytes sent.
template <class Base, class Instrumentation>
class operations : public Base {
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

    template <typename T>
    [[gnu::always_inline]] void send(int dest, int tag, T const& value,
                                     call_site site = call_site::current()) const {
        if constexpr (detail::serialized<T> && Instrumentation::enabled) {
            send_archive(dest, tag, site, [&](auto& archive) { archive << value; });
        } else {
            send_known(
                dest, tag, site, [&] { return detail::known_nbytes(&value, 1); },
                [&]() MPIPROF_INTERNAL_INLINE { plain().send(dest, tag, value); });
        }
    }
    template <typename T, class A>
    [[gnu::always_inline]] void send(int dest, int tag, std::vector<T, A> const& values,
                                     call_site site = call_site::current()) const {
        if constexpr (detail::by_datatype<T> || !Instrumentation::enabled) {
            send_known(
                dest, tag, site, [&] { return nbytes_of(values); },
                [&]() MPIPROF_INTERNAL_INLINE { plain().send(dest, tag, values); });
        } else {
            send_archive(dest, tag, site, [&](auto& archive) { archive << values; });
        }
    }
    template <typename T>
    [[gnu::always_inline]] void send(int dest, int tag, boost::mpi::skeleton_proxy<T> const& proxy,
                                     call_site site = call_site::current()) const {
        send_known(
            dest, tag, site, [] { return std::int64_t{-1}; },
            [&]() MPIPROF_INTERNAL_INLINE { plain().send(dest, tag, proxy); });
    }
    template <typename T>
    [[gnu::always_inline]] void send(int dest, int tag, T const* values, int n,
                                     call_site site = call_site::current()) const {
        if constexpr (detail::serialized<T> && Instrumentation::enabled) {
            send_archive(dest, tag, site, [&](auto& archive) { save_each(archive, values, n); });
        } else {
            send_known(
                dest, tag, site, [&] { return detail::known_nbytes(values, n); },
                [&]() MPIPROF_INTERNAL_INLINE { plain().send(dest, tag, values, n); });
        }
    }
    [[gnu::always_inline]] void send(int dest, int tag, call_site site = call_site::current()) const {
        send_known(
            dest, tag, site, [] { return std::int64_t{0}; },
            [&]() MPIPROF_INTERNAL_INLINE { plain().send(dest, tag); });
    }

    template <typename T>
    [[gnu::always_inline]] boost::mpi::status recv(int source, int tag, T& value,
                                                   call_site site = call_site::current()) const {
        return receive(source, tag, site,
                       [&]() MPIPROF_INTERNAL_INLINE { return plain().recv(source, tag, value); });
    }
    template <typename T, class A>
    [[gnu::always_inline]] boost::mpi::status recv(int source, int tag, std::vector<T, A>& values,
                                                   call_site site = call_site::current()) const {
        return receive(source, tag, site,
                       [&]() MPIPROF_INTERNAL_INLINE { return plain().recv(source, tag, values); });
    }
    template <typename T>
    [[gnu::always_inline]] boost::mpi::status recv(int source, int tag,
                                                   boost::mpi::skeleton_proxy<T> const& proxy,
                                                   call_site site = call_site::current()) const {
        return receive(source, tag, site,
                       [&]() MPIPROF_INTERNAL_INLINE { return plain().recv(source, tag, proxy); });
    }
    template <typename T>
    [[gnu::always_inline]] boost::mpi::status recv(int source, int tag, boost::mpi::skeleton_proxy<T>& proxy,
                                                   call_site site = call_site::current()) const {
        return receive(source, tag, site,
                       [&]() MPIPROF_INTERNAL_INLINE { return plain().recv(source, tag, proxy); });
    }
    template <typename T>
    [[gnu::always_inline]] boost::mpi::status recv(int source, int tag, T* values, int n,
                                                   call_site site = call_site::current()) const {
        return receive(source, tag, site,
                       [&]() MPIPROF_INTERNAL_INLINE { return plain().recv(source, tag, values, n); });
    }
    [[gnu::always_inline]] boost::mpi::status recv(int source, int tag,
                                                   call_site site = call_site::current()) const {
        return receive(source, tag, site,
                       [&]() MPIPROF_INTERNAL_INLINE { return plain().recv(source, tag); });
    }

    template <typename T>
    [[gnu::always_inline]] request isend(int dest, int tag, T const& value,
                                         call_site site = call_site::current()) const {
        if constexpr (detail::serialized<T> && Instrumentation::enabled) {
            return isend_archive(dest, tag, site, [&](auto& archive) { archive << value; });
        } else {
            return isend_known(
                dest, tag, site, [&] { return detail::known_nbytes(&value, 1); },
                [&]() MPIPROF_INTERNAL_INLINE { return plain().isend(dest, tag, value); });
        }
    }
    template <typename T>
    [[gnu::always_inline]] request isend(int dest, int tag, boost::mpi::skeleton_proxy<T> const& proxy,
                                         call_site site = call_site::current()) const {
        return isend_known(
            dest, tag, site, [] { return std::int64_t{-1}; },
            [&]() MPIPROF_INTERNAL_INLINE { return plain().isend(dest, tag, proxy); });
    }
    template <typename T>
    [[gnu::always_inline]] request isend(int dest, int tag, T const* values, int n,
                                         call_site site = call_site::current()) const {
        if constexpr (detail::serialized<T> && Instrumentation::enabled) {
            return isend_archive(dest, tag, site, [&](auto& archive) { save_each(archive, values, n); });
        } else {
            return isend_known(
                dest, tag, site, [&] { return detail::known_nbytes(values, n); },
                [&]() MPIPROF_INTERNAL_INLINE { return plain().isend(dest, tag, values, n); });
        }
    }
    template <typename T, class A>
    [[gnu::always_inline]] request isend(int dest, int tag, std::vector<T, A> const& values,
                                         call_site site = call_site::current()) const {
        if constexpr (detail::by_datatype<T> || !Instrumentation::enabled) {
            return isend_known(
                dest, tag, site, [&] { return nbytes_of(values); },
                [&]() MPIPROF_INTERNAL_INLINE { return plain().isend(dest, tag, values); });
        } else {
            return isend_archive(dest, tag, site, [&](auto& archive) { archive << values; });
        }
    }
    [[gnu::always_inline]] request isend(int dest, int tag, call_site site = call_site::current()) const {
        return isend_known(
            dest, tag, site, [] { return std::int64_t{0}; },
            [&]() MPIPROF_INTERNAL_INLINE { return plain().isend(dest, tag); });
    }

    template <typename T>
    [[gnu::always_inline]] request irecv(int source, int tag, T& value,
                                         call_site site = call_site::current()) const {
        return ireceive(
            source, tag, site, [&] { return detail::known_nbytes(&value, 1); },
            [&](auto const& comm) MPIPROF_INTERNAL_INLINE { return comm.irecv(source, tag, value); });
    }
    template <typename T>
    [[gnu::always_inline]] request irecv(int source, int tag, T* values, int n,
                                         call_site site = call_site::current()) const {
        return ireceive(
            source, tag, site, [&] { return detail::known_nbytes(values, n); },
            [&](auto const& comm) MPIPROF_INTERNAL_INLINE { return comm.irecv(source, tag, values, n); });
    }
    template <typename T, class A>
    [[gnu::always_inline]] request irecv(int source, int tag, std::vector<T, A>& values,
                                         call_site site = call_site::current()) const {
        // The vector takes the size of what comes: there is no capacity.
        return ireceive(
            source, tag, site, [] { return std::int64_t{not_applicable}; },
            [&](auto const& comm) MPIPROF_INTERNAL_INLINE { return comm.irecv(source, tag, values); });
    }
    [[gnu::always_inline]] request irecv(int source, int tag, call_site site = call_site::current()) const {
        return ireceive(
            source, tag, site, [] { return std::int64_t{0}; },
            [&](auto const& comm) MPIPROF_INTERNAL_INLINE { return comm.irecv(source, tag); });
    }

    [[gnu::always_inline]] void(barrier)(call_site site = call_site::current()) const {
        detail::measure<operation::barrier, Instrumentation>(
            identity(), site, [&]() MPIPROF_INTERNAL_INLINE { (plain().barrier)(); }, [](auto&) {});
    }

  private:
    template <class T, class A>
    static std::int64_t nbytes_of(std::vector<T, A> const& values) {
        return detail::known_nbytes(values.data(), static_cast<std::int64_t>(values.size()));
    }

    template <class Archive, class T>
    static void save_each(Archive& archive, T const* values, int n) {
        for (int i = 0; i < n; ++i) archive << values[i];
    }

    template <class Sizes, class Real>
    [[gnu::always_inline]] void send_known(int dest, int tag, call_site site, Sizes nbytes, Real real) const {
        detail::measure<operation::send, Instrumentation>(
            identity(), site, real, [&](auto& measured) { fill_sent(measured.record(), dest, tag, nbytes); });
    }

    template <class Save>
    void send_archive(int dest, int tag, call_site site, Save save) const {
        std::int64_t size = 0;
        send_known(
            dest, tag, site, [&] { return size; },
            [&] {
                boost::mpi::packed_oarchive archive(plain());
                save(archive);
                size = static_cast<std::int64_t>(archive.size());
                plain().send(dest, tag, archive);
            });
    }

    template <class Real>
    [[gnu::always_inline]] boost::mpi::status receive(int source, int tag, call_site site, Real real) const {
        return detail::measure<operation::recv, Instrumentation>(
            identity(), site, real, [&](auto& measured, boost::mpi::status const& status) {
                detail::name_message(measured.record(), source, tag);
                if (measured.record().peer != null_process) {
                    detail::fill_received<Instrumentation>(measured.record(), status);
                }
            });
    }

    template <class Sizes, class Real>
    [[gnu::always_inline]] request isend_known(int dest, int tag, call_site site, Sizes nbytes,
                                               Real real) const {
        return post<operation::isend>(site, real,
                                      [&](call& record) { fill_sent(record, dest, tag, nbytes); });
    }

    template <class Save>
    request isend_archive(int dest, int tag, call_site site, Save save) const {
        std::int64_t size = 0;
        return isend_known(
            dest, tag, site, [&] { return size; },
            [&] {
                auto const archive = boost::make_shared<boost::mpi::packed_oarchive>(plain());
                save(*archive);
                size = static_cast<std::int64_t>(archive->size());
                auto made = plain().isend(dest, tag, *archive);
                made.preserve(archive);
                return made;
            });
    }

    template <class Sizes, class Real>
    [[gnu::always_inline]] request ireceive(int source, int tag, call_site site, Sizes nbytes,
                                            Real real) const {
        auto const fill = [&](call& record) {
            detail::name_message(record, source, tag);
            if (Instrumentation::sizes) record.capacity = record.peer == null_process ? 0 : nbytes();
        };
        if constexpr (!Instrumentation::enabled) return real(plain());
        else return post<operation::irecv>(site, [&] { return receive_safely(real); }, fill);
    }

    /// Boost's request for a value that it serialises, or a vector, refers to the communicator's object.
    /// Where only the plain communicator was the user's, ours is a temporary: so the request has one of its
    /// own.
    template <class Real>
    boost::mpi::request receive_safely(Real real) const {
        auto const comm = boost::make_shared<boost::mpi::communicator>(plain());
        auto made = real(*comm);
        if (!made.trivial()) made.preserve(comm);
        return made;
    }

    template <class Sizes>
    static void fill_sent(call& record, int dest, int tag, Sizes nbytes) {
        detail::name_message(record, dest, tag);
        if (Instrumentation::sizes && record.peer != null_process) record.sent = nbytes();
    }

    /// Posts a request, and keeps what its completion must know.
    template <operation Operation, class Real, class Fill>
    [[gnu::always_inline]] request post(call_site site, Real real, Fill fill) const {
        if constexpr (!Instrumentation::enabled) {
            return real();
        } else {
            raw::pending known;
            auto const made = detail::measure<Operation, Instrumentation>(
                identity(), site, real, [&](auto& measured, auto&) {
                    auto& record = measured.record();
                    fill(record);
                    known = {measured.completed(), Operation == operation::irecv, record.sent,
                             region_bytes(record)};
                });
            return known ? request{made, known} : request{made};
        }
    }
};

}  // namespace mpiprof::inline v1::boost_mpi
