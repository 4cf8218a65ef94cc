// What the classes of typed calls are made of.
#pragma once

#include <mpiprof/raw/members.hpp>
#include <mpiprof/raw/typed_buffer.hpp>

namespace mpiprof::inline v1::raw::detail {

/// What a typed call of a row gives: MPI's code, or the request that it makes.
template <class Row, class Request>
using typed_result = std::conditional_t<posts<Row>, Request, int>;

/// MPI's own forms, beneath the typed ones.
template <class Self, class Request>
class typed_members : public members<Self, Request> {
  protected:
    [[gnu::always_inline]] MPI_Comm comm() const noexcept { return static_cast<Self const&>(*this).native(); }

    /// Calls the row's function through this communicator.
    template <class Row, class... Arguments>
    [[gnu::always_inline]] typed_result<Row, Request> call(call_site site, Arguments... values) const {
        auto const& self = static_cast<Self const&>(*this);
        if constexpr (posts<Row>) return post<Row, Request>(self, site, values...);
        else return self.template invoke<Row>(site, values...);
    }

    /// The same for a collective. Its persistent form takes an info too: none.
    template <class Row, class... Arguments>
    [[gnu::always_inline]] typed_result<Row, Request> call_collective(call_site site,
                                                                      Arguments... values) const {
        if constexpr (has<Row>(role::new_persistent_request))
            return call<Row>(site, values..., MPI_INFO_NULL);
        else return call<Row>(site, values...);
    }

    /// In place of a call whose count is wrong, where MPICH 4 would go on with it: calls the communicator's
    /// error handler, and gives MPI_ERR_COUNT.
    template <class Row>
    [[gnu::always_inline]] typed_result<Row, Request> reject() const {
        PMPI_Comm_call_errhandler(comm(), MPI_ERR_COUNT);
        if constexpr (posts<Row>) return Request{[](MPI_Request*, pending*) { return MPI_ERR_COUNT; }};
        else return MPI_ERR_COUNT;
    }
};

// For a blocking collective, its nonblocking form, and its persistent form where the library has them.
#if MPIPROF_INTERNAL_PERSISTENT_COLLECTIVES
#define MPIPROF_TYPED_FAMILY(NAME, OBJECT)                                                                   \
    MPIPROF_TYPED(NAME, OBJECT)                                                                              \
    MPIPROF_TYPED(I##OBJECT, i##OBJECT)                                                                      \
    MPIPROF_TYPED(NAME##_init, OBJECT##_init)
#else
#define MPIPROF_TYPED_FAMILY(NAME, OBJECT)                                                                   \
    MPIPROF_TYPED(NAME, OBJECT)                                                                              \
    MPIPROF_TYPED(I##OBJECT, i##OBJECT)
#endif

}  // namespace mpiprof::inline v1::raw::detail
