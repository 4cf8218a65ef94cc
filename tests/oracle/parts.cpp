#include "tests/oracle/parts.hpp"

#include <deque>
#include <map>
#include <set>
#include <string>

namespace oracle {

namespace {

/// Requests of one handle, oldest first: MPI libraries hand one out for several operations that were complete
/// at once.
struct namesakes {
    std::deque<posted> requests;
    /// Were there ever two of them at once, so that each that is left may be any?
    bool shared = false;
};

std::map<MPI_Request, namesakes> in_flight;

struct persistent_state {
    persistent made;
    bool active = false;
    /// Was it started by itself, or by a call that names no bytes of its own?
    bool alone = false;
};

std::map<MPI_Request, persistent_state> persistents;

/// Takes the oldest request of a handle out. Says whether others had the same handle.
std::optional<std::pair<posted, bool>> take(MPI_Request handle) {
    auto const found = in_flight.find(handle);
    if (found == in_flight.end()) return {};
    auto const request = found->second.requests.front();
    bool const shared = found->second.shared;
    found->second.requests.pop_front();
    if (found->second.requests.empty()) in_flight.erase(found);
    return std::pair{request, shared};
}

/// The completion of a request, now that its status is known.
completion outcome_of(posted const& request, MPI_Status const& status) {
    auto outcome = request.outcome;
    int cancelled = 0;
    // Nothing but messages can be cancelled, and the statuses of others may say anything.
    if (outcome.peer != not_applicable) PMPI_Test_cancelled(&status, &cancelled);
    if (cancelled != 0) {
        outcome.cancelled = true;
        outcome.taken_back = request.sent;
    } else if (request.what == brings::message && outcome.peer != null_process) {
        resolve(outcome, status);
    } else if (request.what == brings::part_of_file) {
        outcome.read = arrived(status);
    }
    return outcome;
}

/// A persistent request, as it was started.
posted started(persistent_state const& state) {
    auto const& start = state.made.start;
    completion outcome{.operation = start.request, .peer = start.peer, .tag = start.tag};
    bool const is_message = start.peer != not_applicable;
    if (!state.alone && is_message && state.made.what == brings::nothing) outcome.sent = start.sent;
    return {outcome, state.made.what, start.sent};
}

std::set<std::string>& functions() {
    static std::set<std::string> names;
    return names;
}

}  // namespace

record& log() {
    static record only;
    return only;
}

std::size_t requests_in_flight() {
    std::size_t count = persistents.size();
    for (auto const& [handle, named] : in_flight) count += named.requests.size();
    return count;
}

int peer_of(int rank) {
    if (rank == MPI_PROC_NULL) return null_process;
    return rank == MPI_ANY_SOURCE ? anybody : rank;
}

int tag_of(int tag) { return tag == MPI_ANY_TAG ? anything : tag; }

int root_of(int rank) { return rank == MPI_ROOT ? root_here : peer_of(rank); }

long long payload(long long count, MPI_Datatype type) {
    if (count == 0) return 0;
    int size = 0;
    PMPI_Type_size(type, &size);
    return size * count;
}

long long arrived(MPI_Status const& status) {
    int bytes = 0;
    PMPI_Get_count(&status, MPI_BYTE, &bytes);
    return bytes;
}

bool is_intercommunicator(MPI_Comm comm) {
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    return between != 0;
}

long long partners(MPI_Comm comm) {
    int count = 0;
    if (is_intercommunicator(comm)) PMPI_Comm_remote_size(comm, &count);
    else PMPI_Comm_size(comm, &count);
    return count;
}

seat seat_in(MPI_Comm comm, int root) {
    if (is_intercommunicator(comm)) return {root == MPI_ROOT, root != MPI_ROOT && root != MPI_PROC_NULL};
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return {rank == root, true};
}

int finish(call made, int code) {
    if (code != MPI_SUCCESS) {
        made.failed = true;
        made.sent = made.received = made.written = made.read = 0;
    }
    log().calls.push_back(std::move(made));
    return code;
}

void resolve(completion& into, MPI_Status const& status) {
    into.peer = peer_of(status.MPI_SOURCE);
    into.tag = tag_of(status.MPI_TAG);
    into.received = arrived(status);
}

void post(MPI_Request handle, posted const& request) {
    if (handle == MPI_REQUEST_NULL) {
        log().completions.push_back(request.outcome);
        return;
    }
    auto& [requests, shared] = in_flight[handle];
    requests.push_back(request);
    shared = shared || requests.size() > 1;
}

void post_persistent(MPI_Request handle, persistent const& request) { persistents[handle] = {request}; }

call start(MPI_Request handle, bool alone) {
    auto const found = persistents.find(handle);
    if (found == persistents.end()) return {.operation = "start", .request = "?"};
    found->second.active = true;
    found->second.alone = alone;
    return found->second.made.start;
}

std::optional<completed> complete(MPI_Request before, MPI_Request after, MPI_Status const& status,
                                  bool success) {
    std::optional<completed> result;
    if (auto const found = persistents.find(before); found != persistents.end()) {
        if (found->second.active) result = {outcome_of(started(found->second), status), false};
        found->second.active = false;
    } else if (before != MPI_REQUEST_NULL && after == MPI_REQUEST_NULL) {
        if (auto const known = take(before)) result = {outcome_of(known->first, status), known->second};
    }
    if (!success) return {};
    if (result) log().completions.push_back(result->outcome);
    return result;
}

std::optional<completed> look_at(MPI_Request handle) {
    if (auto const found = persistents.find(handle); found != persistents.end()) {
        if (!found->second.active) return {};
        return completed{started(found->second).outcome, false};
    }
    auto const found = in_flight.find(handle);
    if (found == in_flight.end()) return {};
    return completed{found->second.requests.front().outcome, found->second.shared};
}

void forget(MPI_Request handle) {
    if (persistents.erase(handle) == 0) take(handle);
}

void note_function(char const* name) { functions().insert(name); }

bool was_called(std::string const& function) { return functions().contains(function); }

}  // namespace oracle
