// Scenarios that run over boost::mpi and over mpiprof::boost_mpi, and must make the same MPI calls.
#pragma once

#include <mpiprof/boost_mpi.hpp>

#include "tests/boost_mpi/pmpi_log.hpp"

#include <compare>
#include <gtest/gtest.h>
#include <iosfwd>
#include <string>
#include <vector>

namespace boost_mpi_tests {

/// What mpiprof handed to its sink, in order.
struct collected {
    std::vector<mpiprof::call> calls;
    std::vector<mpiprof::completion> completions;
};

collected& recorded();

/// The callback of the sink.
struct collect {
    void operator()(mpiprof::call const& record) const { recorded().calls.push_back(record); }
    void operator()(mpiprof::completion const& record) const { recorded().completions.push_back(record); }
};

/// The profiled types whose records are collected.
using instrumentation = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload,
                                                 mpiprof::sinks::callback<collect>>;
using profiled_communicator = mpiprof::boost_mpi::basic_communicator<instrumentation>;
using profiled_request = mpiprof::boost_mpi::basic_request<instrumentation>;

/// A recorded call, less what differs from run to run.
struct record {
    std::string operation;
    std::string request = {};
    int flags = 0;
    int peer = -1;
    int tag = -1;
    int root = -1;
    long long sent = 0;
    long long received = 0;
    /// Of an irecv.
    long long capacity = -1;
    long long overhead = 0;

    auto operator<=>(record const&) const = default;
};

std::ostream& operator<<(std::ostream& out, record const& call);

/// A recorded completion, less what differs from run to run.
struct completion {
    std::string operation;
    int peer = -1;
    int tag = -1;
    long long received = 0;
    bool cancelled = false;

    auto operator<=>(completion const&) const = default;
};

std::ostream& operator<<(std::ostream& out, completion const& done);

/// What one run of a scenario did on this rank.
struct outcome {
    std::vector<pmpi_log::call> mpi_calls;
    int completed = 0;
    int queries = 0;
    /// Without the tests that found nothing.
    std::vector<record> calls;
    std::vector<completion> completions;
};

enum class order {
    fixed,
    /// Requests complete in any order, and by MPI_Test or MPI_Waitall, as it comes.
    free,
};

int world_rank();
int world_size();
/// The neighbours on a ring of all ranks.
int next_rank();
int previous_rank();

/// Bytes of one value of an MPI datatype, by MPI.
int type_nbytes(MPI_Datatype type);

template <class T>
long long datatype_nbytes() {
    return type_nbytes(boost::mpi::get_mpi_datatype(T{}));
}

/// Bytes of values that are serialised into one archive, by Boost.
template <class... T>
long long archive_nbytes(T const&... values) {
    boost::mpi::packed_oarchive archive(boost::mpi::communicator{});
    (archive << ... << values);
    return static_cast<long long>(archive.size());
}

/// Forgets what was logged and recorded, and waits for the other ranks.
void begin_run();

/// The records since `begin_run`, in their short form. They must stand in this source file, or
/// in exchange.hpp.
std::vector<record> calls_in(char const* file);
std::vector<completion> completions_in(char const* file);

namespace detail {

/// A scenario, as functions of either communicator.
struct scenario_functions {
    void const* scenario;
    void (*over_boost)(void const*, boost::mpi::communicator const&);
    void (*over_mpiprof)(void const*, profiled_communicator const&);
};

outcome same_as_boost(scenario_functions const& scenario, order how, char const* file);

}  // namespace detail

/// Runs the scenario over Boost's world, over the profiled world, and twice with half of the ranks on each.
/// The MPI calls must be the same. Returns what the profiled run did and recorded.
template <class Scenario>
outcome same_as_boost(Scenario const& scenario, order how = order::fixed,
                      char const* file = __builtin_FILE()) {
    return detail::same_as_boost({&scenario,
                                  [](void const* run, boost::mpi::communicator const& world) {
                                      (*static_cast<Scenario const*>(run))(world);
                                  },
                                  [](void const* run, profiled_communicator const& world) {
                                      (*static_cast<Scenario const*>(run))(world);
                                  }},
                                 how, file);
}

}  // namespace boost_mpi_tests
