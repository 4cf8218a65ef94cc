// Writes the traces that otf2_test exports to a folder.

#include "tests/traces/trace_builder.hpp"

namespace {

using mpiprof::call_site;
using test_support::rank_builder;
using test_support::thread_builder;
using test_support::trace_builder;
using enum mpiprof::operation;

constexpr mpiprof::communicator_id world = mpiprof::world_communicator;
constexpr mpiprof::communicator_id between = 0x99;

struct ends {
    int peer = mpiprof::not_applicable;
    int tag = mpiprof::not_applicable;
};

mpiprof::call call(mpiprof::operation what, std::int64_t begin, std::int64_t end, ends where = {},
                   std::int64_t sent = 0) {
    mpiprof::call made;
    made.operation = what;
    made.begin = begin;
    made.end = end;
    made.communicator = kind_of(what) == mpiprof::kind::wait ? mpiprof::unknown_communicator : world;
    made.peer = where.peer;
    made.tag = where.tag;
    made.sent = sent;
    return made;
}

mpiprof::completion completion(mpiprof::operation what, std::int64_t posted, std::int64_t observed,
                               ends where = {}, std::int64_t received = 0) {
    mpiprof::completion made;
    made.operation = what;
    made.posted = posted;
    made.observed = observed;
    made.communicator = world;
    made.peer = where.peer;
    made.tag = where.tag;
    made.received = received;
    return made;
}

mpiprof::call unsuccessful_test(mpiprof::operation request, std::int64_t begin, std::int64_t end,
                                ends where) {
    auto made = call(test, begin, end, where);
    made.request = request;
    made.communicator = world;
    made.flags = mpiprof::call_incomplete;
    return made;
}

void persistent_requests(thread_builder& main) {
    main.call(call(send_init, 10, 11, {1, 1})).call(call(recv_init, 12, 13, {1, 2}));
    // Each request of a startall is posted at a time of its own, shortly before the call begins.
    auto starting = call(startall, 22, 25, {}, 500);
    starting.communicator = mpiprof::unknown_communicator;
    main.call(starting);
    auto started = completion(send_init, 20, 40, {1, 1});
    started.sent = 500;
    main.completion(started).completion(completion(recv_init, 21, 40, {1, 2}, 300));
    main.call(call(waitall, 30, 40));
    auto alone = call(start, 50, 52, {1, 1}, 500);
    alone.request = send_init;
    main.call(alone).completion(completion(send_init, 49, 60, {1, 1})).call(call(wait, 53, 60));
}

void cancelled_request(thread_builder& main) {
    main.call(call(isend, 70, 71, {1, 3}, 9));
    auto cancelled = completion(isend, 70, 80, {1, 3});
    cancelled.cancelled = true;
    cancelled.taken_back = 9;
    main.completion(cancelled).call(call(wait, 75, 80));
}

void nonblocking_collective(thread_builder& main) {
    auto posting = call(ibcast, 110, 111);
    posting.root = 1;
    posting.received = 77;
    main.call(posting).call(unsuccessful_test(ibcast, 112, 113, {}));
    main.completion(completion(ibcast, 110, 120)).call(call(wait, 114, 120));
}

/// A test that one of two requests alike did not pass.
void ambiguous_test(thread_builder& main) {
    main.call(call(isend, 130, 131, {1, 5}, 1)).call(call(isend, 132, 133, {1, 5}, 1));
    main.call(unsuccessful_test(isend, 134, 135, {1, 5}));
    main.completion(completion(isend, 130, 140, {1, 5})).completion(completion(isend, 132, 140, {1, 5}));
    main.call(call(waitall, 136, 140));
}

/// What OTF2 has no messages for.
void other_calls(thread_builder& main) {
    main.call(call(isend, 150, 151, {mpiprof::null_process, 6}));
    main.completion(completion(isend, 150, 153, {mpiprof::null_process, 6})).call(call(wait, 152, 153));
    auto writing = call(file_write, 160, 170);
    writing.written = 4096;
    main.call(writing).call(call(put, 171, 172, {1, mpiprof::not_applicable}, 16));
    auto exchanging = call(neighbor_alltoall, 180, 190, {}, 8);
    exchanging.received = 16;
    main.call(exchanging);
}

void ends_of_unknown_requests(thread_builder& main) {
    main.completion(completion(irecv, 5, 215, {1, 9}, 33)).completion(completion(isend, 6, 215, {1, 10}));
    main.call(call(waitall, 210, 215));
    main.call(call(isend, 220, 221, {1, 11}, 2));
}

trace_builder requests() {
    trace_builder run{2};
    auto& rank = run.rank(0);
    rank.communicator({between, world, 1, 1, 0, 0, 0, 0}, "between");
    run.rank(1).communicator({between, world, 1, 1, 0, 1, 0, 0}, "between");
    auto& main = rank.thread();
    persistent_requests(main);
    cancelled_request(main);
    main.call(call(isend, 90, 91, {1, 4}, 12));
    rank.thread("other").completion(completion(isend, 90, 100, {1, 4})).call(call(wait, 92, 100));
    nonblocking_collective(main);
    ambiguous_test(main);
    other_calls(main);
    auto broadcasting = call(bcast, 200, 205, {}, 3);
    broadcasting.communicator = between;
    broadcasting.root = mpiprof::intercommunicator_root;
    main.call(broadcasting);
    ends_of_unknown_requests(main);
    auto receiving = call(bcast, 201, 206);
    receiving.communicator = between;
    receiving.root = 0;
    receiving.received = 3;
    run.rank(1).thread().call(receiving);
    return run;
}

/// 3000 broadcasts of 1 MiB to oneself (case L1).
trace_builder large_sum() {
    trace_builder run{1};
    auto& main = run.rank(0).thread();
    for (std::int64_t i = 0; i < 3000; ++i) {
        auto made = call(bcast, 10 * i, 10 * i + 5, {}, 1 << 20);
        made.communicator = mpiprof::self_communicator;
        made.root = 0;
        main.call(made);
    }
    return run;
}

/// Of three ranks, one has left no trace.
trace_builder rank_missing() {
    trace_builder run{3};
    for (int const rank : {0, 2}) {
        auto made = call(send, 10, 20, {1, 0}, 8);
        // As of an unmodified program, of which no such module is to be found.
        made.site = call_site{"/nowhere/app+0x10", 0};
        run.rank(rank).thread().call(made);
    }
    return run;
}

/// A communicator of which nothing is known but that it was used (case IC5), once with a rank that it cannot
/// have.
trace_builder unknown_members() {
    trace_builder run{2};
    for (int const peer : {1, 5}) {
        auto made = call(send, 10 * peer, 10 * peer + 5, {peer, 0}, 8);
        made.communicator = 0x1234;
        run.rank(0).thread().call(made);
    }
    return run;
}

/// A rank that did nothing.
trace_builder no_events() {
    trace_builder run{1};
    run.rank(0);
    return run;
}

}  // namespace

int main(int, char** arguments) {
    std::string const folder = arguments[1];
    test_support::small_program().write_archive(folder + "/small.mpitrace");
    requests().write_archive(folder + "/requests.mpitrace");
    large_sum().write_archive(folder + "/large_sum.mpitrace");
    rank_missing().write_archive(folder + "/rank_missing.mpitrace");
    unknown_members().write_archive(folder + "/unknown_members.mpitrace");
    no_events().write_archive(folder + "/no_events.mpitrace");
}
