// Point-to-point calls with values in place of buffer, count and datatype.
#pragma once

#include <mpiprof/raw/typed_members.hpp>

namespace mpiprof::inline v1::raw::detail {

/// MPI's calls with `values` for each buffer, count and datatype, the other arguments in MPI's order:
///
///     world.send(values, dest, tag)          world.recv(values, source, tag, &status)
///     auto request = world.isend(values, dest, tag)
///
/// `values` is what satisfies `mpi_values`: a number, an array, or a range in one piece of memory. A receive
/// gives room for as many as there are, and does not resize. Those that only read take temporaries; requests
/// do not, but for views like std::span. They return MPI's code, those that make a request that.
template <class Self, class Request>
class typed_point_to_point : public typed_members<Self, Request> {
    using base = typed_members<Self, Request>;

  public:
#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class Values>                                                                                  \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        Values&& values, int dest, int tag, call_site site = call_site::current()) const {                   \
        return this->template call<rows::NAME>(site, source<Values, posts<rows::NAME>>(values),              \
                                               count_of(values), type_of<Values>(), dest, tag,               \
                                               this->comm());                                                \
    }
    MPIPROF_TYPED(Send, send)
    MPIPROF_TYPED(Bsend, bsend)
    MPIPROF_TYPED(Ssend, ssend)
    MPIPROF_TYPED(Rsend, rsend)
    MPIPROF_TYPED(Isend, isend)
    MPIPROF_TYPED(Ibsend, ibsend)
    MPIPROF_TYPED(Issend, issend)
    MPIPROF_TYPED(Irsend, irsend)
    MPIPROF_TYPED(Send_init, send_init)
    MPIPROF_TYPED(Bsend_init, bsend_init)
    MPIPROF_TYPED(Ssend_init, ssend_init)
    MPIPROF_TYPED(Rsend_init, rsend_init)
#undef MPIPROF_TYPED

    using base::irecv;
    using base::recv;
    using base::recv_init;
    using base::sendrecv;
    using base::sendrecv_replace;

    template <class Values>
    [[gnu::always_inline]] int recv(Values&& values, int from, int tag,
                                    MPI_Status* status = MPI_STATUS_IGNORE,
                                    call_site site = call_site::current()) const {
        return this->template call<rows::Recv>(site, target<Values>(values), count_of(values),
                                               type_of<Values>(), from, tag, this->comm(), status);
    }
    template <class Values>
    [[gnu::always_inline]] Request irecv(Values&& values, int from, int tag,
                                         call_site site = call_site::current()) const {
        return this->template call<rows::Irecv>(site, target<Values>(values), count_of(values),
                                                type_of<Values>(), from, tag, this->comm());
    }
    template <class Values>
    [[gnu::always_inline]] Request recv_init(Values&& values, int from, int tag,
                                             call_site site = call_site::current()) const {
        return this->template call<rows::Recv_init>(site, target<Values>(values), count_of(values),
                                                    type_of<Values>(), from, tag, this->comm());
    }

    /// The matched message of an mprobe.
    template <class Values>
    [[gnu::always_inline]] int mrecv(Values&& values, MPI_Message* matched,
                                     MPI_Status* status = MPI_STATUS_IGNORE,
                                     call_site site = call_site::current()) const {
        return this->template call<rows::Mrecv>(site, target<Values>(values), count_of(values),
                                                type_of<Values>(), matched, status);
    }
    template <class Values>
    [[gnu::always_inline]] Request imrecv(Values&& values, MPI_Message* matched,
                                          call_site site = call_site::current()) const {
        return this->template call<rows::Imrecv>(site, target<Values>(values), count_of(values),
                                                 type_of<Values>(), matched);
    }

    template <class Out, class In>
    [[gnu::always_inline]] int sendrecv(Out&& out, int dest, int send_tag, In&& in, int from, int receive_tag,
                                        MPI_Status* status = MPI_STATUS_IGNORE,
                                        call_site site = call_site::current()) const {
        return this->template call<rows::Sendrecv>(
            site, source<Out, false>(out), count_of(out), type_of<Out>(), dest, send_tag, target<In>(in),
            count_of(in), type_of<In>(), from, receive_tag, this->comm(), status);
    }
    template <class Values>
    [[gnu::always_inline]] int sendrecv_replace(Values&& values, int dest, int send_tag, int from,
                                                int receive_tag, MPI_Status* status = MPI_STATUS_IGNORE,
                                                call_site site = call_site::current()) const {
        return this->template call<rows::Sendrecv_replace>(site, target<Values>(values), count_of(values),
                                                           type_of<Values>(), dest, send_tag, from,
                                                           receive_tag, this->comm(), status);
    }

#if MPIPROF_INTERNAL_ISENDRECV
    using base::isendrecv;
    using base::isendrecv_replace;

    template <class Out, class In>
    [[gnu::always_inline]] Request isendrecv(Out&& out, int dest, int send_tag, In&& in, int from,
                                             int receive_tag, call_site site = call_site::current()) const {
        return this->template call<rows::Isendrecv>(
            site, source<Out, true>(out), count_of(out), type_of<Out>(), dest, send_tag, target<In>(in),
            count_of(in), type_of<In>(), from, receive_tag, this->comm());
    }
    template <class Values>
    [[gnu::always_inline]] Request isendrecv_replace(Values&& values, int dest, int send_tag, int from,
                                                     int receive_tag,
                                                     call_site site = call_site::current()) const {
        return this->template call<rows::Isendrecv_replace>(site, target<Values>(values), count_of(values),
                                                            type_of<Values>(), dest, send_tag, from,
                                                            receive_tag, this->comm());
    }
#endif
};

}  // namespace mpiprof::inline v1::raw::detail
