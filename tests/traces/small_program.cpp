#include "tests/traces/trace_builder.hpp"

namespace test_support {

namespace {

using mpiprof::call_site;
using enum mpiprof::operation;

constexpr mpiprof::communicator_id world = mpiprof::world_communicator;
constexpr mpiprof::communicator_id self = mpiprof::self_communicator;

mpiprof::call call(mpiprof::operation what, std::int64_t begin, std::int64_t end, std::uint32_t line,
                   mpiprof::communicator_id communicator) {
    mpiprof::call made;
    made.operation = what;
    made.begin = begin;
    made.end = end;
    made.communicator = communicator;
    made.site = call_site{"main.cpp", line};
    return made;
}

mpiprof::call message(mpiprof::call made, int peer, int tag) {
    made.peer = peer;
    made.tag = tag;
    return made;
}

mpiprof::call sent(mpiprof::call made, std::int64_t bytes) {
    made.sent = bytes;
    return made;
}

mpiprof::call received(mpiprof::call made, std::int64_t bytes) {
    made.received = bytes;
    return made;
}

mpiprof::call rooted(mpiprof::call made, int root) {
    made.root = root;
    return made;
}

mpiprof::completion completion(mpiprof::operation what, std::int64_t posted, std::int64_t observed,
                               std::uint32_t line, mpiprof::communicator_id communicator, int peer, int tag,
                               std::int64_t bytes) {
    mpiprof::completion made;
    made.operation = what;
    made.posted = posted;
    made.observed = observed;
    made.communicator = communicator;
    made.peer = peer;
    made.tag = tag;
    made.received = bytes;
    made.site = call_site{"main.cpp", line};
    return made;
}

void describe_communicators(trace_builder& run) {
    // id, parent, sizes of both groups, rank, rank 0 in the world, guessed
    run.rank(0).communicator({halo, world, 2, -1, 1, 1, 0, 0}, "halo");
    run.rank(1).communicator({halo, world, 2, -1, 0, 1, 0, 0}, "halo");
    run.rank(0).communicator({between, world, 2, 2, 0, 0, 0, 0});
    run.rank(1).communicator({between, world, 2, 2, 1, 0, 0, 0});
    run.rank(2).communicator({between, world, 2, 2, 0, 2, 0, 0});
    run.rank(3).communicator({between, world, 2, 2, 1, 2, 0, 0});
    run.rank(2).communicator({badly_named, world, 2, -1, 0, 2, 0, 0}, bad_name);
    run.rank(3).communicator({badly_named, world, 2, -1, 1, 2, 0, 0}, bad_name);
}

void add_rank_0(thread_builder& main) {
    main.phase_begin("solve", 100);
    main.call(sent(message(call(send, 110, 120, 10, world), 1, 7), 100));
    main.call(sent(message(call(isend, 130, 135, 11, world), 1, 8), 1000));
    main.completion(completion(isend, 130, 160, 11, world, 1, 8, 0));
    main.call(call(waitall, 140, 160, 12, mpiprof::unknown_communicator));
    main.phase_begin("inner \"quoted\"", 170);
    main.completion(completion(sendrecv, 180, 200, 13, halo, 0, 4, 50));
    main.call(sent(message(call(sendrecv, 180, 200, 13, halo), 0, 3), 40));
    main.phase_end("inner \"quoted\"", 210);
    main.call(sent(rooted(call(bcast, 220, 240, 14, world), 0), 64));
    main.call(sent(received(call(allreduce, 250, 280, 15, world), 8), 8));
    main.call(sent(message(call(send, 290, 300, 16, between), 0, 5), 24));
    main.call(sent(received(call(allreduce, 305, 310, 17, self), 8), 8));
    auto failed = message(call(send, 320, 325, 18, world), 1, 99);
    failed.flags = mpiprof::call_failed;
    main.call(failed);
    main.call(sent(message(call(send, 330, 335, 19, world), 3, 55), 11));
    main.phase_end("solve", 340);
}

void add_rank_1(thread_builder& main) {
    main.call(received(message(call(recv, 112, 125, 20, world), 0, 7), 100));
    auto posting = message(call(irecv, 126, 128, 21, world), mpiprof::any_source, 8);
    posting.capacity = 2000;
    main.call(posting);
    auto asking = message(call(test, 130, 133, 22, world), mpiprof::any_source, 8);
    asking.request = irecv;
    asking.capacity = 2000;
    asking.flags = mpiprof::call_incomplete;
    main.repeated(asking, 3, 150, 9);
    main.completion(completion(irecv, 126, 165, 21, world, 0, 8, 1000));
    auto waiting = message(call(wait, 151, 165, 23, world), 0, 8);
    waiting.request = irecv;
    waiting.capacity = 2000;
    main.call(waiting);
    main.completion(completion(sendrecv, 185, 205, 13, halo, 1, 3, 40));
    main.call(sent(message(call(sendrecv, 185, 205, 13, halo), 1, 4), 50));
    main.call(received(rooted(call(bcast, 230, 245, 14, world), 0), 64));
    main.call(sent(received(call(allreduce, 255, 281, 15, world), 8), 8));
}

void add_rank_2(rank_builder& rank) {
    auto& main = rank.thread();
    main.call(received(rooted(call(bcast, 225, 246, 14, world), 0), 64));
    main.call(sent(received(call(allreduce, 252, 282, 15, world), 8), 8));
    main.call(call(barrier, 290, 300, 30, badly_named));
    main.call(message(call(send, 301, 302, 31, world), mpiprof::null_process, 1));
    rank.thread("worker").call(received(message(call(recv, 295, 310, 32, between), 0, 5), 24));
}

void add_rank_3(thread_builder& main) {
    main.call(received(rooted(call(bcast, 228, 247, 14, world), 0), 64));
    main.call(sent(received(call(allreduce, 251, 283, 15, world), 8), 8));
    main.call(call(barrier, 292, 300, 30, badly_named));
}

}  // namespace

trace_builder small_program() {
    trace_builder run{4};
    describe_communicators(run);
    add_rank_0(run.rank(0).thread());
    add_rank_1(run.rank(1).thread());
    add_rank_2(run.rank(2));
    add_rank_3(run.rank(3).thread());
    return run;
}

}  // namespace test_support
