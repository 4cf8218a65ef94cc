// The summary sink: sums by key, overflow counted, exact over threads.
#include <mpiprof/sinks/summary.hpp>

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using mpiprof::call;
using mpiprof::operation;
using small_summary = mpiprof::sinks::basic_summary<16>;

call a_call(operation which, std::int64_t sent, std::uint32_t line = 1, mpiprof::communicator_id comm = 0) {
    call record;
    record.operation = which;
    record.sent = sent;
    record.communicator = comm;
    record.site = mpiprof::call_site{"file.cpp", line};
    record.begin = 10;
    record.end = 10 + sent;
    record.duration = sent;
    return record;
}

/// Calls visit(row, file) for each row of calls of each thread.
template <class Summary, class Visitor>
void for_each_call(Summary const& summary, Visitor visit) {
    summary.for_each_shard([&](auto const& shard) {
        shard.for_each_call([&](auto const& row) { visit(row, std::string{shard.file_of(row)}); });
    });
}

template <class Summary>
std::int64_t total_calls(Summary const& summary) {
    std::int64_t sum = 0;
    summary.for_each_shard([&](auto const& shard) {
        shard.for_each_call([&](auto const& row) { sum += row.calls(); });
        sum += shard.other_calls().calls();
    });
    return sum;
}

TEST(summary, adds_up_calls_of_one_key) {
    mpiprof::sinks::summary summary;
    summary.record(a_call(operation::send, 8));
    summary.record(a_call(operation::send, 24));
    summary.record(a_call(operation::send, 1, 2));
    summary.record(a_call(operation::recv, 0));
    summary.record(a_call(operation::send, 5, 1, 9));
    std::map<std::tuple<operation, unsigned, std::int64_t>,
             std::tuple<std::int64_t, std::int64_t, std::int64_t>>
        rows;
    for_each_call(summary, [&](auto const& row, auto const& file) {
        rows[{row.key.operation(), row.key.line(), row.key.communicator()}] = {row.calls(), row.sent.get(),
                                                                               row.time.sum()};
        EXPECT_EQ(file, "file.cpp");
    });
    EXPECT_EQ(rows.size(), 4U);
    EXPECT_EQ((rows[{operation::send, 1, 0}]),
              (std::tuple<std::int64_t, std::int64_t, std::int64_t>{2, 32, 32}));
    EXPECT_EQ((rows[{operation::send, 2, 0}]),
              (std::tuple<std::int64_t, std::int64_t, std::int64_t>{1, 1, 1}));
    EXPECT_EQ((rows[{operation::send, 1, 9}]),
              (std::tuple<std::int64_t, std::int64_t, std::int64_t>{1, 5, 5}));
}

TEST(summary, keeps_communicators_whole) {
    // 48 bits, the highest of them set too, and an unknown one.
    for (mpiprof::communicator_id const id : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1},
                                              std::int64_t{1} << 47, (std::int64_t{1} << 48) - 2}) {
        mpiprof::sinks::summary summary;
        auto record = a_call(operation::send, 8, 1, id);
        record.phase = UINT16_MAX;
        summary.record(record);
        for_each_call(summary, [&](auto const& row, auto const&) {
            EXPECT_EQ(row.key.communicator(), id);
            EXPECT_EQ(row.key.phase(), UINT16_MAX);
        });
    }
}

TEST(summary, keeps_the_extremes_of_the_times) {
    mpiprof::sinks::summary summary;
    for (auto const time : {30, 10, 20}) summary.record(a_call(operation::send, time));
    for_each_call(summary, [](auto const& row, auto const&) {
        EXPECT_EQ(row.time.least(), 10);
        EXPECT_EQ(row.time.most(), 30);
        EXPECT_DOUBLE_EQ(row.time.deviation(row.calls()), 200);
    });
}

TEST(summary, never_adds_an_unknown_count) {
    mpiprof::sinks::summary summary;
    summary.record(a_call(operation::send, 8));
    auto unknown = a_call(operation::send, -1);
    unknown.end = unknown.begin;
    unknown.duration = 0;
    summary.record(unknown);
    for_each_call(summary, [](auto const& row, auto const&) {
        EXPECT_EQ(row.sent.get(), 8);
        EXPECT_EQ(row.unknown.get(), 1);
        EXPECT_EQ(row.calls(), 2);
        EXPECT_EQ(row.sizes.total(), 1);
    });
}

TEST(summary, keeps_the_spread_of_times_far_from_0) {
    mpiprof::sinks::summary summary;
    constexpr std::int64_t far = std::int64_t{1} << 50;
    for (auto const time : {far + 1, far + 2, far + 3, far + 6}) {
        summary.record(a_call(operation::send, time));
    }
    for_each_call(summary, [](auto const& row, auto const&) { EXPECT_DOUBLE_EQ(row.time.deviation(4), 14); });
}

TEST(summary, counts_durations_and_sizes_by_powers_of_two) {
    mpiprof::sinks::summary summary;
    std::vector<std::int64_t> const values = {0, 1, 2, 3, 4, 7, 8, 1023, 1024, INT64_MAX / 4};
    std::map<std::size_t, std::int64_t> expected;
    for (auto const value : values) {
        summary.record(a_call(operation::send, value));
        std::size_t bucket = 0;
        for (auto rest = value; rest > 0; rest /= 2) ++bucket;
        ++expected[bucket < 39 ? bucket : 39];
    }
    for_each_call(summary, [&](auto const& row, auto const&) {
        for (std::size_t bucket = 0; bucket < 40; ++bucket) {
            EXPECT_EQ(row.sizes[bucket], expected[bucket]) << bucket;
            EXPECT_EQ(row.durations[bucket], expected[bucket]) << bucket;
        }
    });
}

TEST(summary, counts_sizes_only_of_messages) {
    auto const sizes_of = [](operation which, std::int64_t sent, std::int64_t received, unsigned flags,
                             int peer = 0) {
        mpiprof::sinks::summary summary;
        auto record = a_call(which, 0);
        record.sent = sent;
        record.received = received;
        record.flags = static_cast<std::uint16_t>(flags);
        record.peer = peer;
        summary.record(record);
        std::vector<std::size_t> buckets;
        for_each_call(summary, [&](auto const& row, auto const&) {
            for (std::size_t bucket = 0; bucket < 40; ++bucket) {
                if (row.sizes[bucket] > 0) buckets.push_back(bucket);
            }
        });
        return buckets;
    };
    using buckets = std::vector<std::size_t>;
    EXPECT_EQ(sizes_of(operation::send, 0, 0, 0), buckets{0});
    EXPECT_EQ(sizes_of(operation::recv, 0, 4, 0), buckets{3});
    EXPECT_EQ(sizes_of(operation::bcast, 0, 16, 0), buckets{5});
    EXPECT_EQ(sizes_of(operation::allgather, 8, 32, 0), buckets{4});
    EXPECT_EQ(sizes_of(operation::sendrecv, 8, 0, 0), buckets{4});
    EXPECT_EQ(sizes_of(operation::send, 0, 0, 0, mpiprof::null_process), buckets{});
    EXPECT_EQ(sizes_of(operation::barrier, 0, 0, 0), buckets{});
    EXPECT_EQ(sizes_of(operation::wait, 0, 0, 0), buckets{});
    EXPECT_EQ(sizes_of(operation::iprobe, 0, 0, mpiprof::call_incomplete), buckets{});
    EXPECT_EQ(sizes_of(operation::irecv, 0, 0, 0), buckets{});
    EXPECT_EQ(sizes_of(operation::send, 0, 0, mpiprof::call_failed), buckets{});
}

TEST(summary, counts_messages_by_peer) {
    mpiprof::sinks::summary summary;
    auto record = a_call(operation::send, 8);
    record.peer = 3;
    summary.record(record);
    summary.record(record);
    record.communicator = 9;
    summary.record(record);
    record.communicator = 0;
    record.flags = mpiprof::call_failed;
    summary.record(record);
    record.flags = 0;
    record.operation = operation::recv;
    record.sent = 0;
    record.received = 5;
    summary.record(record);
    record.peer = mpiprof::null_process;
    summary.record(record);
    record.operation = operation::probe;
    record.peer = 3;
    summary.record(record);
    mpiprof::completion done;
    done.operation = operation::irecv;
    done.communicator = 0;
    done.peer = 3;
    done.received = 100;
    summary.complete(done);
    done.operation = operation::isend;
    summary.complete(done);
    using row = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
    std::map<std::pair<std::int64_t, std::int64_t>, row> rows;
    summary.for_each_shard([&](auto const& shard) {
        shard.for_each_peer([&](auto const& peer) {
            rows[{peer.key.communicator, peer.key.peer}] = {peer.sends.get(), peer.sent.get(),
                                                            peer.receives.get(), peer.received.get()};
        });
    });
    EXPECT_EQ(rows.size(), 2U);
    EXPECT_EQ((rows[{0, 3}]), (row{2, 16, 2, 105}));
    EXPECT_EQ((rows[{9, 3}]), (row{1, 8, 0, 0}));
}

/// The one peer's row: sends, sent, receives, received; none at all where there is no row.
std::vector<std::int64_t> messages_with_peer(mpiprof::sinks::summary const& summary) {
    std::vector<std::int64_t> found;
    summary.for_each_shard([&](auto const& shard) {
        shard.for_each_peer([&](auto const& peer) {
            found.insert(found.end(),
                         {peer.sends.get(), peer.sent.get(), peer.receives.get(), peer.received.get()});
        });
    });
    return found;
}

/// Where the sizes of a summary's one row of calls, or of completions, are.
std::vector<std::size_t> buckets_of(mpiprof::sinks::histogram const& sizes) {
    std::vector<std::size_t> buckets;
    for (std::size_t bucket = 0; bucket < mpiprof::sinks::histogram::size; ++bucket) {
        for (auto times = sizes[bucket]; times > 0; --times) buckets.push_back(bucket);
    }
    return buckets;
}

TEST(summary, counts_both_messages_of_a_one_sided_call_that_fetches) {
    mpiprof::sinks::summary summary;
    auto record = a_call(operation::get_accumulate, 8);
    record.received = 16;
    record.peer = 1;
    // The second call takes the quick way.
    summary.record(record);
    summary.record(record);
    EXPECT_EQ(messages_with_peer(summary), (std::vector<std::int64_t>{2, 16, 2, 32}));
    for_each_call(summary, [](auto const& row, auto const&) {
        EXPECT_EQ(buckets_of(row.sizes), (std::vector<std::size_t>{4, 4}));
    });
}

TEST(summary, counts_messages_of_a_start_and_none_of_what_made_its_request) {
    auto const messages_of = [](operation which, operation request, std::int64_t sent) {
        mpiprof::sinks::summary summary;
        auto record = a_call(which, sent);
        record.request = request;
        record.peer = 1;
        summary.record(record);
        summary.record(record);
        for_each_call(summary, [&](auto const& row, auto const&) {
            EXPECT_EQ(row.sent.get(), 2 * sent);
            EXPECT_EQ(row.sizes.total() > 0, which == operation::start && request == operation::send_init);
        });
        return messages_with_peer(summary);
    };
    using counts = std::vector<std::int64_t>;
    EXPECT_EQ(messages_of(operation::send_init, operation::none, 0), counts{});
    EXPECT_EQ(messages_of(operation::start, operation::send_init, 8), (counts{2, 16, 0, 0}));
    EXPECT_EQ(messages_of(operation::start, operation::send_init, 0), (counts{2, 0, 0, 0}));
    EXPECT_EQ(messages_of(operation::start, operation::recv_init, 0), counts{});
    EXPECT_EQ(messages_of(operation::startall, operation::none, 24), counts{});
}

TEST(summary, counts_sends_that_were_started_together_when_they_complete) {
    auto const messages_of = [](operation request, std::int64_t sent, std::int64_t received, int peer,
                                bool cancelled, std::vector<std::size_t> const& sizes) {
        mpiprof::sinks::summary summary;
        mpiprof::completion done;
        done.operation = request;
        done.communicator = 0;
        done.peer = peer;
        done.sent = sent;
        done.received = received;
        done.cancelled = cancelled;
        summary.complete(done);
        summary.complete(done);
        summary.for_each_shard([&](auto const& shard) {
            shard.for_each_completion(
                [&](auto const& row) { EXPECT_EQ(buckets_of(row.sizes), sizes) << sent; });
        });
        return messages_with_peer(summary);
    };
    using counts = std::vector<std::int64_t>;
    EXPECT_EQ(messages_of(operation::send_init, 8, 0, 1, false, {4, 4}), (counts{2, 16, 0, 0}));
    EXPECT_EQ(messages_of(operation::send_init, 0, 0, 1, false, {0, 0}), (counts{2, 0, 0, 0}));
    EXPECT_EQ(messages_of(operation::send_init, 8, 0, 1, true, {}), counts{});
    EXPECT_EQ(messages_of(operation::send_init, 0, 0, mpiprof::null_process, false, {}), counts{});
    EXPECT_EQ(messages_of(operation::send_init, mpiprof::not_applicable, 0, 1, false, {}), counts{});
    EXPECT_EQ(messages_of(operation::recv_init, mpiprof::not_applicable, 8, 1, false, {4, 4}),
              (counts{0, 0, 2, 16}));
}

TEST(summary, takes_a_cancelled_send_back_from_its_peer) {
    for (auto const made_by : {operation::isend, operation::send_init}) {
        mpiprof::sinks::summary summary;
        auto record = a_call(made_by == operation::isend ? operation::isend : operation::start, 8);
        record.request = made_by == operation::isend ? operation::none : made_by;
        record.peer = 1;
        for (int i = 0; i < 3; ++i) summary.record(record);
        mpiprof::completion done;
        done.operation = made_by;
        done.communicator = 0;
        done.peer = 1;
        summary.complete(done);
        done.cancelled = true;
        done.taken_back = 8;
        summary.complete(done);
        EXPECT_EQ(messages_with_peer(summary), (std::vector<std::int64_t>{2, 16, 0, 0}));
        done.operation = operation::irecv;
        done.taken_back = 0;
        summary.complete(done);
        EXPECT_EQ(messages_with_peer(summary), (std::vector<std::int64_t>{2, 16, 0, 0}));
    }
}

TEST(summary, keeps_bytes_of_files_apart) {
    mpiprof::sinks::summary summary;
    auto record = a_call(operation::file_write_at, 0);
    for (std::int64_t const written : {100, 0, -1, 20}) {
        record.written = written;
        summary.record(record);
    }
    record = a_call(operation::file_write_at, 0);
    record.read = 7;
    summary.record(record);
    for_each_call(summary, [](auto const& row, auto const&) {
        EXPECT_EQ(row.calls(), 5);
        EXPECT_EQ(row.written.get(), 120);
        EXPECT_EQ(row.read.get(), 7);
        EXPECT_EQ(row.unknown.get(), 1);
        EXPECT_EQ(row.sent.get() + row.received.get() + row.overhead.get(), 0);
        EXPECT_EQ(row.sizes.total(), 0);
    });
    mpiprof::completion done;
    done.operation = operation::file_iread;
    for (std::int64_t const read : {64, 0, -1, 2}) {
        done.read = read;
        summary.complete(done);
    }
    summary.for_each_shard([](auto const& shard) {
        shard.for_each_completion([](auto const& row) {
            EXPECT_EQ(row.completions.get(), 4);
            EXPECT_EQ(row.read.get(), 66);
            EXPECT_EQ(row.unknown.get(), 1);
            EXPECT_EQ(row.received.get(), 0);
            EXPECT_EQ(row.sizes.total(), 0);
        });
    });
}

TEST(summary, keeps_what_was_waited_of_the_time_that_requests_were_pending) {
    mpiprof::sinks::summary summary;
    mpiprof::completion done;
    done.operation = operation::isend;
    done.posted = 100;
    for (std::int64_t const waited : {0, 30, 6, -5}) {
        done.observed = 140;
        done.waited = waited;
        summary.complete(done);
    }
    summary.for_each_shard([](auto const& shard) {
        shard.for_each_completion([](auto const& row) {
            EXPECT_EQ(row.pending.sum(), 160);
            EXPECT_EQ(row.waited.sum(), 36);
            EXPECT_EQ(row.waited.least(), 0);
            EXPECT_EQ(row.waited.most(), 30);
            // Of 0, 0, 6 and 30, whose mean is 9.
            EXPECT_DOUBLE_EQ(row.waited.deviation(4), 81 + 81 + 9 + 441);
        });
    });
}

TEST(summary, counts_peers_that_find_no_row) {
    small_summary summary;
    for (int peer = 0; peer < 100; ++peer) {
        auto record = a_call(operation::send, 2);
        record.peer = peer;
        summary.record(record);
    }
    std::int64_t rows = 0;
    summary.for_each_shard([&](auto const& shard) {
        shard.for_each_peer([&](auto const&) { ++rows; });
        EXPECT_EQ(shard.other_peers().sends.get(), 68);
        EXPECT_EQ(shard.other_peers().sent.get(), 136);
    });
    EXPECT_EQ(rows, 32);
}

TEST(summary, keeps_file_names_when_their_memory_is_gone) {
    mpiprof::sinks::summary summary;
    {
        auto const name = std::make_unique<std::string>("a file of a plugin that is unloaded.cpp");
        auto record = a_call(operation::send, 1);
        record.site = mpiprof::call_site{name->c_str(), 1};
        summary.record(record);
    }
    for_each_call(summary, [](auto const&, auto const& file) {
        EXPECT_EQ(file, "a file of a plugin that is unloaded.cpp");
    });
}

TEST(summary, keeps_calls_whose_file_name_finds_no_room_without_it) {
    small_summary summary;
    std::string const name(5000, 'x');
    auto record = a_call(operation::send, 2);
    record.site = mpiprof::call_site{name.c_str(), 1};
    summary.record(record);
    summary.record(record);
    summary.record(a_call(operation::send, 1));
    std::map<std::string, std::int64_t> calls;
    for_each_call(summary, [&](auto const& row, auto const& file) { calls[file] = row.calls(); });
    EXPECT_EQ(calls, (std::map<std::string, std::int64_t>{{"", 2}, {"file.cpp", 1}}));
}

TEST(summary, keeps_operations_whole_where_communicators_find_no_row) {
    small_summary summary;
    for (int i = 0; i < 1000; ++i) summary.record(a_call(operation::send, 2, 1, i));
    std::map<std::int64_t, std::int64_t> calls;
    for_each_call(summary, [&](auto const& row, auto const& file) {
        calls[row.key.communicator()] = row.calls();
        EXPECT_EQ(file, "file.cpp");
        EXPECT_EQ(row.key.line(), 1U);
    });
    EXPECT_EQ(calls.size(), 13U);
    EXPECT_EQ(calls[0], 1);
    EXPECT_EQ(calls[mpiprof::unknown_communicator], 988);
    EXPECT_EQ(total_calls(summary), 1000);
}

TEST(summary, keeps_operations_whole_where_places_find_no_row) {
    small_summary summary;
    for (std::uint32_t line = 1; line <= 1000; ++line) summary.record(a_call(operation::send, 2, line));
    std::int64_t rows = 0;
    std::int64_t without_place = 0;
    for_each_call(summary, [&](auto const& row, auto const& file) {
        ++rows;
        if (file.empty()) without_place += row.calls();
    });
    EXPECT_EQ(rows, 15);
    EXPECT_EQ(without_place, 986);
    summary.for_each_shard([](auto const& shard) { EXPECT_EQ(shard.other_calls().calls(), 0); });
}

TEST(summary, counts_what_finds_no_row) {
    small_summary summary;
    for (int each = 1; each <= 20; ++each) {
        auto record = a_call(static_cast<operation>(each), -1);
        record.received = 2;
        summary.record(record);
    }
    std::int64_t rows = 0;
    for_each_call(summary, [&](auto const&, auto const&) { ++rows; });
    EXPECT_EQ(rows, 16);
    summary.for_each_shard([](auto const& shard) {
        EXPECT_EQ(shard.other_calls().calls(), 4);
        EXPECT_EQ(shard.other_calls().received.get(), 8);
    });
    EXPECT_EQ(total_calls(summary), 20);
    EXPECT_EQ(summary.lost(), 0);
}

TEST(summary, adds_up_completions_apart) {
    mpiprof::sinks::summary summary;
    mpiprof::completion done;
    done.operation = operation::irecv;
    done.received = 12;
    done.posted = 5;
    done.observed = 25;
    summary.complete(done);
    done.received = -1;
    summary.complete(done);
    done.received = 0;
    done.cancelled = true;
    done.taken_back = 7;
    summary.complete(done);
    int rows = 0;
    summary.for_each_shard([&](auto const& shard) {
        shard.for_each_completion([&](auto const& row) {
            ++rows;
            EXPECT_EQ(row.key.operation(), operation::irecv);
            EXPECT_EQ(row.completions.get(), 3);
            EXPECT_EQ(row.received.get(), 12);
            EXPECT_EQ(row.unknown.get(), 1);
            EXPECT_EQ(row.cancelled.get(), 1);
            EXPECT_EQ(row.taken_back.get(), 7);
            EXPECT_EQ(row.pending.sum(), 60);
            EXPECT_EQ(row.sizes.total(), 1);
        });
    });
    EXPECT_EQ(rows, 1);
    EXPECT_EQ(total_calls(summary), 0);
}

TEST(summary, counts_exactly_over_threads_and_may_be_read_meanwhile) {
    mpiprof::sinks::summary summary;
    constexpr int threads = 4;
    constexpr int calls = 20000;
    {
        std::vector<std::jthread> running;
        for (int thread = 0; thread < threads; ++thread) {
            running.emplace_back([&summary] {
                for (std::uint32_t i = 0; i < calls; ++i)
                    summary.record(a_call(operation::send, 3, 1 + i % 10));
            });
        }
        std::int64_t last = 0;
        for (int i = 0; i < 100; ++i) {
            auto const now = total_calls(summary);
            EXPECT_GE(now, last);
            last = now;
        }
    }
    EXPECT_EQ(total_calls(summary), threads * calls);
}

TEST(per_thread, hands_the_shards_of_ended_threads_on) {
    mpiprof::sinks::summary summary;
    for (int i = 0; i < 50; ++i) {
        std::jthread{[&summary] { summary.record(a_call(operation::send, 1)); }}.join();
    }
    int rows = 0;
    for_each_call(summary, [&](auto const& row, auto const&) {
        ++rows;
        EXPECT_EQ(row.calls(), 50);
    });
    EXPECT_EQ(rows, 1);
}

/// Records a call when its thread ends.
struct recorder_at_end {
    mpiprof::sinks::summary* summary = nullptr;
    ~recorder_at_end() {
        if (summary != nullptr) summary->record(a_call(operation::send, 1));
    }
};

thread_local recorder_at_end at_end;

TEST(per_thread, takes_records_from_destructors_of_the_thread) {
    mpiprof::sinks::summary summary;
    for (int i = 1; i <= 3; ++i) {
        std::jthread{[&summary] {
            // Made before the thread has a shard, and so destroyed after it gave it back.
            at_end.summary = &summary;
            summary.record(a_call(operation::send, 1));
        }}.join();
        EXPECT_EQ(total_calls(summary), 2 * i);
    }
}

TEST(per_thread, keeps_objects_at_one_address_apart) {
    for (int i = 0; i < 3; ++i) {
        small_summary summary;
        summary.record(a_call(operation::send, 1));
        EXPECT_EQ(total_calls(summary), 1);
    }
}

}  // namespace
