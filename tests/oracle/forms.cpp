#include "tests/oracle/forms.hpp"

#include "tests/oracle/records.hpp"

#include <cstddef>
#include <map>
#include <mpiprof/raw.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace oracle {

namespace {

using mpiprof::raw::has;
using mpiprof::raw::place_of;
using mpiprof::raw::role;
namespace rows = mpiprof::raw::rows;

using view = mpiprof::profiled<mpiprof::raw_communicator, instrumentation>;
using request = view::request;

view profiled(MPI_Comm comm) { return mpiprof::profile<instrumentation>(comm); }

template <class Row>
constexpr mpiprof::raw::function<Row, instrumentation> object{};

/// The row's function object as a plain function.
template <class Row, class Signature = decltype(Row::function)>
struct function_of;

template <class Row, class... Arguments>
struct function_of<Row, int (*const)(Arguments...)> {
    static int call(Arguments... values) { return object<Row>(values...); }
};

/// Calls `member(comm, the other arguments…)`.
template <class Row, class Member, class... Arguments>
int call_member(Member member, Arguments... values) {
    constexpr auto place = static_cast<std::size_t>(place_of<Row>(role::comm));
    std::tuple<Arguments...> const all{values...};
    return [&]<std::size_t... Before, std::size_t... After>(std::index_sequence<Before...>,
                                                            std::index_sequence<After...>) {
        return member(profiled(std::get<place>(all)), std::get<Before>(all)...,
                      std::get<place + 1 + After>(all)...);
    }(std::make_index_sequence<place>{}, std::make_index_sequence<sizeof...(Arguments) - place - 1>{});
}

int free_view(MPI_Comm* comm) {
    auto made = profiled(*comm);
    int const code = made.free();
    *comm = made.native();
    return code;
}

/// The row's member function as a plain function of MPI's signature.
#define MPIPROF_FUNCTION(NAME, OBJECT, ...)                                                                  \
    template <class Row, class Signature = decltype(Row::function)>                                          \
    struct NAME##_member;                                                                                    \
    template <class Row, class... Arguments>                                                                 \
    struct NAME##_member<Row, int (*const)(Arguments...)> {                                                  \
        static int call(Arguments... values) {                                                               \
            if constexpr (has<Row>(role::comm)) {                                                            \
                return call_member<Row>(                                                                     \
                    [](auto const& comm, auto... rest) -> int { return comm.OBJECT(rest...); }, values...);  \
            } else if constexpr (Row::operation == mpiprof::operation::comm_free) {                          \
                return free_view(values...);                                                                 \
            } else {                                                                                         \
                return object<Row>(values...);                                                               \
            }                                                                                                \
        }                                                                                                    \
    };
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

constexpr form members{
    .name = "member",
#define MPIPROF_FUNCTION(NAME, OBJECT, ...) .OBJECT = &NAME##_member<rows::NAME>::call,
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION
};

/// `typed(T{})` for the datatypes that have a T here, else `plain()`.
template <class Typed, class Plain>
auto choose(MPI_Datatype type, Typed typed, Plain plain) {
    if (type == MPI_INT) return typed(int{});
    if (type == MPI_DOUBLE) return typed(double{});
    return plain();
}

std::size_t length(int count) { return static_cast<std::size_t>(count); }

int typed_send(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    auto const world = profiled(comm);
    return choose(
        type, [&]<class T>(T) { return world.send(dest, tag, static_cast<T const*>(buffer), length(count)); },
        [&] { return world.send(buffer, count, type, dest, tag); });
}

int typed_recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Status* status) {
    auto const world = profiled(comm);
    return choose(
        type,
        [&]<class T>(T) { return world.recv(source, tag, static_cast<T*>(buffer), length(count), status); },
        [&] { return world.recv(buffer, count, type, source, tag, status); });
}

int typed_bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    auto const world = profiled(comm);
    return choose(
        type, [&]<class T>(T) { return world.bcast(static_cast<T*>(buffer), length(count), root); },
        [&] { return world.bcast(buffer, count, type, root); });
}

/// The operators that have a C++ name here.
bool is_named(MPI_Op op) { return op == MPI_SUM || op == MPI_MAX; }

int typed_reduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root,
                 MPI_Comm comm) {
    auto const world = profiled(comm);
    auto const typed = [&]<class T>(T) {
        auto const call = [&](auto with) {
            return world.reduce(static_cast<T const*>(in), static_cast<T*>(out), length(count), with, root);
        };
        return op == MPI_SUM ? call(std::plus<>{}) : call(mpiprof::maximum{});
    };
    return choose(is_named(op) ? type : MPI_DATATYPE_NULL, typed,
                  [&] { return world.reduce(in, out, count, type, op, root); });
}

int typed_allreduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const world = profiled(comm);
    auto const typed = [&]<class T>(T) {
        auto const call = [&](auto with) {
            return world.allreduce(static_cast<T const*>(in), static_cast<T*>(out), length(count), with);
        };
        return op == MPI_SUM ? call(std::plus<>{}) : call(mpiprof::maximum{});
    };
    return choose(is_named(op) ? type : MPI_DATATYPE_NULL, typed,
                  [&] { return world.allreduce(in, out, count, type, op); });
}

/// The request objects by the place of the handle that the scenario sees.
std::map<MPI_Request*, request>& objects() {
    static std::map<MPI_Request*, request> all;
    return all;
}

/// The object of the request at this place; none where a function made it.
request* object_at(MPI_Request* place) {
    auto& object = objects()[place];
    return *object.native() == *place ? &object : nullptr;
}

int keep(MPI_Request* place, request made) {
    int const code = made.error();
    *place = *made.native();
    objects().insert_or_assign(place, std::move(made));
    return code;
}

/// Calls `make` without the last of the arguments, which is where the request that it makes is to be kept.
template <class Make, class... Arguments>
int keep_result(Make make, Arguments... values) {
    std::tuple<Arguments...> const all{values...};
    return [&]<std::size_t... Place>(std::index_sequence<Place...>) {
        return keep(std::get<sizeof...(Arguments) - 1>(all), make(std::get<Place>(all)...));
    }(std::make_index_sequence<sizeof...(Arguments) - 1>{});
}

int object_isend(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                 MPI_Request* place) {
    auto const world = profiled(comm);
    return keep(place, choose(
                           type,
                           [&]<class T>(T) {
                               return world.isend(dest, tag, static_cast<T const*>(buffer), length(count));
                           },
                           [&] { return world.isend(buffer, count, type, dest, tag); }));
}

int object_irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                 MPI_Request* place) {
    auto const world = profiled(comm);
    return keep(place, choose(
                           type,
                           [&]<class T>(T) {
                               return world.irecv(source, tag, static_cast<T*>(buffer), length(count));
                           },
                           [&] { return world.irecv(buffer, count, type, source, tag); }));
}

/// The row's member function that gives a request object, as a plain function that keeps the object.
#define MPIPROF_FUNCTION(NAME, OBJECT, ...)                                                                  \
    template <class Row, class Signature = decltype(Row::function)>                                          \
    struct NAME##_object;                                                                                    \
    template <class Row, class... Arguments>                                                                 \
    struct NAME##_object<Row, int (*const)(Arguments...)> {                                                  \
        static int call(Arguments... values) {                                                               \
            return call_member<Row>(                                                                         \
                [](auto const& comm, auto... rest) {                                                         \
                    return keep_result([&](auto... all) { return comm.OBJECT(all...); }, rest...);           \
                },                                                                                           \
                values...);                                                                                  \
        }                                                                                                    \
    };
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

/// Calls `member` of the object at a place, or else `function` for the handle.
template <class Member, class Function>
int call_object(MPI_Request* place, Member member, Function function) {
    auto* const object = object_at(place);
    if (object == nullptr) return function(place);
    int const code = member(*object);
    *place = *object->native();
    return code;
}

int object_wait(MPI_Request* place, MPI_Status* status) {
    return call_object(
        place, [&](request& object) { return object.wait(status); },
        [&](MPI_Request* handle) { return by_function.wait(handle, status); });
}

int object_test(MPI_Request* place, int* flag, MPI_Status* status) {
    return call_object(
        place, [&](request& object) { return object.test(flag, status); },
        [&](MPI_Request* handle) { return by_function.test(handle, flag, status); });
}

int object_start(MPI_Request* place) {
    return call_object(place, [](request& object) { return object.start(); }, by_function.start);
}

int object_cancel(MPI_Request* place) {
    return call_object(place, [](request& object) { return object.cancel(); }, by_function.cancel);
}

int object_request_free(MPI_Request* place) {
    return call_object(place, [](request& object) { return object.free(); }, by_function.request_free);
}

int object_waitall(int count, MPI_Request* places, MPI_Status* statuses) {
    std::vector<request> list;
    for (int i = 0; i < count; ++i) list.push_back(std::move(objects()[&places[i]]));
    int const code = mpiprof::wait_all(list.data(), list.size(), statuses);
    for (int i = 0; i < count; ++i) {
        auto& object = list[static_cast<std::size_t>(i)];
        places[i] = *object.native();
        objects()[&places[i]] = std::move(object);
    }
    return code;
}

/// Does the row's member function give a request object?
template <class Row>
constexpr bool gives_object = mpiprof::raw::posts<Row> && has<Row>(role::comm);

constexpr form with_objects() {
    auto made = members;
    made.name = "object";
#define MPIPROF_FUNCTION(NAME, OBJECT, ...)                                                                  \
    []<class Row>(form& all, Row) {                                                                          \
        if constexpr (gives_object<Row>) all.OBJECT = &NAME##_object<Row>::call;                             \
    }(made, rows::NAME{});
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION
    made.send = &typed_send;
    made.recv = &typed_recv;
    made.bcast = &typed_bcast;
    made.reduce = &typed_reduce;
    made.allreduce = &typed_allreduce;
    made.isend = &object_isend;
    made.irecv = &object_irecv;
    made.wait = &object_wait;
    made.test = &object_test;
    made.waitall = &object_waitall;
    made.start = &object_start;
    made.cancel = &object_cancel;
    made.request_free = &object_request_free;
    made.startall = nullptr;
    made.waitany = nullptr;
    made.waitsome = nullptr;
    made.testall = nullptr;
    made.testany = nullptr;
    made.testsome = nullptr;
    return made;
}

}  // namespace

form const by_function{
    .name = "function",
#define MPIPROF_FUNCTION(NAME, OBJECT, ...) .OBJECT = &function_of<rows::NAME>::call,
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION
};
form const by_member = members;
form const by_object = with_objects();

}  // namespace oracle
