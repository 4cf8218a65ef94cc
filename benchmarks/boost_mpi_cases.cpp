#include <mpiprof/boost_mpi.hpp>

#include "boost_mpi_cases.hpp"

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

namespace benchmarks {

namespace {

struct string_value {
    static constexpr char const* name = "boost_send_string";
    std::string value = std::string(100, 'x');
};

struct strings_value {
    static constexpr char const* name = "boost_send_strings";
    std::vector<std::string> value = std::vector<std::string>(10, std::string(20, 'x'));
};

/// A send of a serialised value to itself. The receive is the plain one in each variant, so that variants
/// differ in one call.
template <class Value>
struct send_to_self {
    static constexpr char const* name = Value::name;

    template <class Instrumentation>
    static auto profiled() {
        return mpiprof::profile<Instrumentation>(comm_self());
    }

    template <class Measure>
    void by_hand() {
        Measure::measure([this] {
            self.send(0, 7, out.value);
            return 0;
        });
        self.recv(0, 7, in.value);
    }

    template <class Comm>
    void through(Comm const& comm) {
        comm.send(0, 7, out.value);
        self.recv(0, 7, in.value);
    }

    static boost::mpi::communicator const& comm_self() {
        static boost::mpi::communicator const comm{MPI_COMM_SELF, boost::mpi::comm_attach};
        return comm;
    }

    boost::mpi::communicator const& self = comm_self();
    Value out;
    Value in;
};

}  // namespace

std::vector<benchmark_case> boost_mpi_cases() {
    return cases_of<send_to_self<string_value>, send_to_self<strings_value>>();
}

}  // namespace benchmarks
