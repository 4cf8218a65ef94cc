// The calls of a profiled Boost.MPI communicator.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/measured_messages.hpp>

#include <memory>
#include <vector>

namespace mpiprof::inline v1::boost_mpi {

/// Boost.MPI's calls on a communicator that `Base::plain()` gives, each with a defaulted call site at the
/// end. They do what Boost's do; a value that Boost serialises is serialised once, and its archive's size is
/// the bytes sent.
template <class Base, class Instrumentation>
class operations : public measured_messages<Base, Instrumentation> {
    using measured = measured_messages<Base, Instrumentation>;

  public:
    using measured::identity;
    using measured::measured_messages;
    using measured::plain;
    using typename measured::request;

    template <typename T>
    [[gnu::always_inline]] void send(int dest, int tag, T const& value,
                                     call_site site = call_site::current()) const {
        if constexpr (detail::serialized<T> && Instrumentation::enabled) {
            send_archive(dest, tag, site, [&](auto& archive) { archive << value; });
        } else {
            send_known(
                dest, tag, site, [&] { return detail::known_nbytes(std::addressof(value), 1); },
                [&]() MPIPROF_INTERNAL_INLINE { plain().send(dest, tag, value); });
        }
    }
    template <typename T, class A>
    [[gnu::always_inline]] void send(int dest, int tag, std::vector<T, A> const& values,
                                     call_site site = call_site::current()) const {
        static_assert(detail::has_values<T>,
                      "Boost.MPI cannot send a std::vector<bool>, whose bools are no objects");
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
        if constexpr (!Instrumentation::enabled) {
            plain().send(dest, tag, proxy);
        } else {
            this->template send_archive<boost::mpi::packed_skeleton_oarchive>(
                dest, tag, site, [&](auto& archive) { archive << proxy.object; });
        }
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
        static_assert(detail::has_values<T>,
                      "Boost.MPI cannot receive a std::vector<bool>, whose bools are no objects");
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
                dest, tag, site, [&] { return detail::known_nbytes(std::addressof(value), 1); },
                [&]() MPIPROF_INTERNAL_INLINE { return plain().isend(dest, tag, value); });
        }
    }
    template <typename T>
    [[gnu::always_inline]] request isend(int dest, int tag, boost::mpi::skeleton_proxy<T> const& proxy,
                                         call_site site = call_site::current()) const {
        if constexpr (!Instrumentation::enabled) {
            return plain().isend(dest, tag, proxy);
        } else {
            return this->template isend_archive<boost::mpi::packed_skeleton_oarchive>(
                dest, tag, site, [&](auto& archive) { archive << proxy.object; });
        }
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
        static_assert(detail::has_values<T>,
                      "Boost.MPI cannot send a std::vector<bool>, whose bools are no objects");
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
        auto const nbytes = [&] { return detail::known_nbytes(std::addressof(value), 1); };
        auto const real = [&](auto const& comm)
                              MPIPROF_INTERNAL_INLINE { return comm.irecv(source, tag, value); };
        if constexpr (detail::probed<T>) return ireceive_probed(source, tag, site, nbytes, real);
        else return ireceive(source, tag, site, nbytes, real);
    }
    template <typename T>
    [[gnu::always_inline]] request irecv(int source, int tag, T* values, int n,
                                         call_site site = call_site::current()) const {
        auto const nbytes = [&] { return detail::known_nbytes(values, n); };
        auto const real = [&](auto const& comm)
                              MPIPROF_INTERNAL_INLINE { return comm.irecv(source, tag, values, n); };
        if constexpr (detail::probed<T>) return ireceive_probed(source, tag, site, nbytes, real);
        else return ireceive(source, tag, site, nbytes, real);
    }
    template <typename T, class A>
    [[gnu::always_inline]] request irecv(int source, int tag, std::vector<T, A>& values,
                                         call_site site = call_site::current()) const {
        static_assert(detail::has_values<T>,
                      "Boost.MPI cannot receive a std::vector<bool>, whose bools are no objects");
        // The vector takes the size of what comes: there is no capacity.
        return ireceive_probed(
            source, tag, site, [] { return std::int64_t{not_applicable}; },
            [&](auto const& comm) MPIPROF_INTERNAL_INLINE { return comm.irecv(source, tag, values); });
    }
    [[gnu::always_inline]] request irecv(int source, int tag, call_site site = call_site::current()) const {
        return ireceive(
            source, tag, site, [] { return std::int64_t{0}; },
            [&](auto const& comm) MPIPROF_INTERNAL_INLINE { return comm.irecv(source, tag); });
    }

    /// As in Boost, both values are of one type, and a vector is serialised.
    template <typename T>
    [[gnu::always_inline]] boost::mpi::status sendrecv(int dest, int stag, T const& sval, int src, int rtag,
                                                       T& rval, call_site site = call_site::current()) const {
        if constexpr (detail::serialized<T> && Instrumentation::enabled) {
            return exchange_archives(dest, stag, sval, src, rtag, rval, site);
        } else {
            return exchange(
                dest, stag, src, rtag, site, [&] { return detail::known_nbytes(std::addressof(sval), 1); },
                [&]()
                    MPIPROF_INTERNAL_INLINE { return plain().sendrecv(dest, stag, sval, src, rtag, rval); });
        }
    }

    [[gnu::always_inline]] boost::mpi::status probe(int source = boost::mpi::any_source,
                                                    int tag = boost::mpi::any_tag,
                                                    call_site site = call_site::current()) const {
        return this->template probe_for<operation::probe>(
            source, tag, site, [&]() MPIPROF_INTERNAL_INLINE { return plain().probe(source, tag); },
            [](call& record, auto const& status) { detail::fill_envelope(record, status); });
    }
    [[gnu::always_inline]] auto iprobe(int source = boost::mpi::any_source, int tag = boost::mpi::any_tag,
                                       call_site site = call_site::current()) const {
        return this->template probe_for<operation::iprobe>(
            source, tag, site, [&]() MPIPROF_INTERNAL_INLINE { return plain().iprobe(source, tag); },
            [](call& record, auto const& status) {
                if (status) detail::fill_envelope(record, *status);
                else record.flags |= call_incomplete;
            });
    }

    [[gnu::always_inline]] void(barrier)(call_site site = call_site::current()) const {
        detail::measure<operation::barrier, Instrumentation>(
            identity(), site, [&]() MPIPROF_INTERNAL_INLINE { (plain().barrier)(); }, [](auto&) {});
    }

  private:
    using measured::exchange;
    using measured::exchange_archives;
    using measured::ireceive;
    using measured::ireceive_probed;
    using measured::isend_archive;
    using measured::isend_known;
    using measured::receive;
    using measured::send_archive;
    using measured::send_known;

    template <class T, class A>
    static std::int64_t nbytes_of(std::vector<T, A> const& values) {
        return detail::known_nbytes(values.data(), static_cast<std::int64_t>(values.size()));
    }

    template <class Archive, class T>
    static void save_each(Archive& archive, T const* values, int n) {
        for (int i = 0; i < n; ++i) archive << values[i];
    }
};

}  // namespace mpiprof::inline v1::boost_mpi
