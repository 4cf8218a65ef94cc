// With profiling off, mpiprof's objects are as small and as simple as what they stand for. Compiled with and
// without MPIPROF_DISABLED; that it compiles is the test.
#include <mpiprof/boost_mpi.hpp>
#include <mpiprof/raw.hpp>
#include <type_traits>

namespace {

using mpiprof::off;
using mpiprof::profiled;
using mpiprof::raw_communicator;

template <class T, class Plain>
inline constexpr bool as_simple_as =
    sizeof(T) == sizeof(Plain) && alignof(T) == alignof(Plain) && std::is_trivially_copyable_v<T> &&
    std::is_trivially_destructible_v<T> && std::is_standard_layout_v<T>;

using view = profiled<raw_communicator, off>;
static_assert(as_simple_as<view, MPI_Comm>);
static_assert(as_simple_as<raw_communicator, MPI_Comm>);
static_assert(as_simple_as<profiled<boost::mpi::communicator, off>, boost::mpi::communicator const*>);
static_assert(as_simple_as<profiled<boost::mpi::cartesian_communicator, off>, void const*>);

// A request moves, so it is not trivially copyable; it is the handle and MPI's code.
struct handle_and_code {
    MPI_Request handle;
    int code;
};
static_assert(sizeof(mpiprof::basic_request<off>) == sizeof(handle_and_code));
static_assert(std::is_trivially_destructible_v<mpiprof::basic_request<off>>);
static_assert(std::is_standard_layout_v<mpiprof::basic_request<off>>);
static_assert(std::is_same_v<profiled<boost::mpi::communicator, off>::request, boost::mpi::request>);

// Policies that do nothing are nothing, each of a type of its own: two empty members of one type take room.
static_assert(std::is_empty_v<mpiprof::timing::none>);
static_assert(std::is_empty_v<mpiprof::bytes::none>);
static_assert(std::is_empty_v<mpiprof::sinks::none>);
static_assert(std::is_empty_v<off>);
static_assert(!std::is_same_v<mpiprof::timing::none, mpiprof::bytes::none>);
static_assert(!std::is_same_v<mpiprof::bytes::none, mpiprof::sinks::none>);
static_assert(std::is_empty_v<mpiprof::profiler<off>>);
static_assert(std::is_empty_v<mpiprof::raw::function<mpiprof::raw::rows::Send, off>>);

using default_view = decltype(mpiprof::profile(MPI_COMM_WORLD));

#ifdef MPIPROF_DISABLED

// Whatever instrumentation is named, it is off; its policies need only be declared.
using named =
    mpiprof::instrumentation<mpiprof::timing::tsc, mpiprof::bytes::payload, mpiprof::sinks::summary>;
static_assert(!named::enabled && !named::sizes && !named::arrivals);
static_assert(as_simple_as<profiled<raw_communicator, named>, MPI_Comm>);
static_assert(as_simple_as<profiled<boost::mpi::communicator, named>, boost::mpi::communicator const*>);
static_assert(std::is_empty_v<mpiprof::profiler<named>> && std::is_empty_v<mpiprof::profiler<>>);

static_assert(std::is_same_v<default_view, view>);
static_assert(std::is_same_v<decltype(mpiprof::raw::send), decltype(&MPI_Send) const>);
static_assert(mpiprof::raw::send == &MPI_Send);
static_assert(std::is_empty_v<mpiprof::phase> && std::is_trivially_destructible_v<mpiprof::phase>);

namespace mpi = mpiprof::boost_mpi;
static_assert(std::is_same_v<mpi::communicator, boost::mpi::communicator>);
static_assert(std::is_same_v<mpi::cartesian_communicator, boost::mpi::cartesian_communicator>);
static_assert(std::is_same_v<mpi::graph_communicator, boost::mpi::graph_communicator>);
static_assert(std::is_same_v<mpi::intercommunicator, boost::mpi::intercommunicator>);
static_assert(std::is_same_v<mpi::environment, boost::mpi::environment>);
static_assert(std::is_same_v<mpi::request, boost::mpi::request>);

#else

static_assert(!std::is_same_v<default_view, view>);
static_assert(std::is_empty_v<decltype(mpiprof::raw::send)>);
static_assert(!std::is_same_v<mpiprof::boost_mpi::communicator, boost::mpi::communicator>);

#endif

}  // namespace

int main() {}
