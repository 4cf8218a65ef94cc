// The functions that complete any, some or all of many requests, but wait_all, which has its own tests.
#include "tests/boost_mpi/exchange.hpp"

#include <array>
#include <boost/iterator/transform_iterator.hpp>
#include <iterator>
#include <list>
#include <map>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

template <class Comm>
using request_of = typename requests_of<std::remove_cvref_t<Comm>>::value_type;

/// Returns when MPI could complete the request, which it does not. A request without a handle of MPI's is a
/// receive of `tag` from the previous rank.
void let_arrive(auto& request, int tag) {
    MPI_Status status;
    if (auto handle = request.trivial()) {
        for (int flag = 0; flag == 0;) PMPI_Request_get_status(*handle, &flag, &status);
    } else {
        PMPI_Probe(previous_rank(), tag, MPI_COMM_WORLD, &status);
    }
}

/// Receives from the previous rank, with tags from 0.
template <class Value, class Comm, std::size_t Size>
requests_of<Comm> receives(Comm const& world, std::array<Value, Size>& values) {
    requests_of<Comm> requests;
    for (auto& value : values)
        requests.push_back(world.irecv(previous_rank(), static_cast<int>(requests.size()), value));
    return requests;
}

std::string text_of(int tag) { return std::string(static_cast<std::size_t>(tag + 1), 'x'); }

record irecv_of(int tag, long long capacity) {
    return {.operation = "irecv", .peer = previous_rank(), .tag = tag, .capacity = capacity};
}
record send_of(int tag, long long bytes) {
    return {.operation = "send", .peer = next_rank(), .tag = tag, .sent = bytes};
}
completion received(int tag, long long bytes) { return {"irecv", previous_rank(), tag, bytes}; }

constexpr long long no_capacity = -1;

TEST(boost_mpi_wait_any, BM7_until_all_are_done) {
    auto const run = same_as_boost([](auto const& world) {
        std::array<std::string, 5> texts;
        auto requests = receives(world, texts);
        for (int tag = 4; tag >= 0; --tag) {
            world.send(next_rank(), tag, text_of(tag));
            auto const [status, found] = wait_any(requests.begin(), requests.end());
            EXPECT_EQ(found - requests.begin(), tag);
            EXPECT_EQ(status.tag(), tag);
            EXPECT_FALSE(found->active());
            EXPECT_EQ(texts[static_cast<std::size_t>(tag)], text_of(tag));
            PMPI_Barrier(MPI_COMM_WORLD);
        }
    });
    std::vector<record> calls;
    std::vector<completion> completions;
    for (int tag = 0; tag < 5; ++tag) calls.push_back(irecv_of(tag, no_capacity));
    for (int tag = 4; tag >= 0; --tag) {
        auto const bytes = archive_nbytes(text_of(tag));
        completions.push_back(received(tag, bytes));
        calls.push_back(send_of(tag, bytes));
        calls.push_back(completing("waitany", completions.back()));
    }
    EXPECT_EQ(run.calls, calls);
    EXPECT_EQ(run.completions, completions);
}

TEST(boost_mpi_wait_any, waits_in_mpi_where_nothing_is_done_and_all_requests_are_trivial) {
    auto const run = same_as_boost([](auto const& world) {
        std::array<int, 3> numbers{};
        auto requests = receives(world, numbers);
        for (int const tag : {1, 2, 0}) {
            pmpi_log::hold_back(3);
            world.send(next_rank(), tag, 10 + tag);
            auto const [status, found] = wait_any(requests.data(), requests.data() + 3);
            EXPECT_EQ(found - requests.data(), tag);
            EXPECT_EQ(status.tag(), tag);
            EXPECT_FALSE(found->active());
            EXPECT_EQ(numbers[static_cast<std::size_t>(tag)], 10 + tag);
            PMPI_Barrier(MPI_COMM_WORLD);
            pmpi_log::hold_back(0);
        }
    });
    EXPECT_EQ(pmpi_log::calls("Waitany").size(), 3);
    auto const bytes = datatype_nbytes<int>();
    EXPECT_EQ(run.completions, (std::vector{received(1, bytes), received(2, bytes), received(0, bytes)}));
    EXPECT_EQ(run.calls.back(), completing("waitany", run.completions.back()));
}

TEST(boost_mpi_test_any, finds_what_is_there) {
    auto const run = same_as_boost([](auto const& world) {
        std::array<std::string, 3> texts;
        auto requests = receives(world, texts);
        EXPECT_FALSE(test_any(requests.begin(), requests.end()));
        PMPI_Barrier(MPI_COMM_WORLD);
        world.send(next_rank(), 1, text_of(1));
        let_arrive(requests[1], 1);
        auto const found = test_any(requests.begin(), requests.end());
        ASSERT_TRUE(found);
        EXPECT_EQ(found->first.tag(), 1);
        EXPECT_EQ(found->second - requests.begin(), 1);
        EXPECT_EQ(texts[1], text_of(1));
        EXPECT_FALSE(test_any(requests.begin(), requests.end()));
    });
    EXPECT_EQ(run.completions, (std::vector{received(1, archive_nbytes(text_of(1)))}));
    EXPECT_EQ(run.calls.back(), completing("testany", run.completions.back()));
}

TEST(boost_mpi_test_any, that_finds_nothing_is_counted) {
    profiled_communicator const world;
    int number = 0;
    auto receive = world.irecv(previous_rank(), number_tag, number);
    begin_run();
    EXPECT_FALSE(test_any(&receive, &receive + 1));
    ASSERT_EQ(recorded().calls.size(), 1);
    EXPECT_EQ(recorded().calls[0].operation, mpiprof::operation::testany);
    EXPECT_EQ(recorded().calls[0].flags, mpiprof::call_incomplete);
    PMPI_Barrier(MPI_COMM_WORLD);
    world.send(next_rank(), number_tag, 5);
    receive.wait();
}

TEST(boost_mpi_test_all, is_true_when_all_are_done) {
    for (bool const with_statuses : {false, true}) {
        auto const run = same_as_boost([&](auto const& world) {
            std::array<int, 2> numbers{};
            auto requests = receives(world, numbers);
            requests.push_back(world.isend(next_rank(), 1, 11));
            EXPECT_FALSE(test_all(requests.begin(), requests.end()));
            PMPI_Barrier(MPI_COMM_WORLD);
            world.send(next_rank(), 0, 10);
            for (int i = 0; i < 3; ++i) let_arrive(requests[static_cast<std::size_t>(i)], i);
            if (with_statuses) {
                std::vector<mpi::status> statuses(4);
                auto const end = test_all(requests.begin(), requests.end(), statuses.begin());
                ASSERT_TRUE(end);
                EXPECT_EQ(*end - statuses.begin(), 3);
                EXPECT_EQ(statuses[0].tag(), 0);
                EXPECT_EQ(statuses[1].tag(), 1);
            } else {
                EXPECT_TRUE(test_all(requests.begin(), requests.end()));
            }
            EXPECT_EQ(numbers, (std::array{10, 11}));
        });
        auto const bytes = datatype_nbytes<int>();
        EXPECT_EQ(run.calls.back(), record{.operation = "testall"});
        EXPECT_EQ(run.completions, (std::vector<completion>{
                                       received(0, bytes), received(1, bytes), {"isend", next_rank(), 1}}));
    }
}

TEST(boost_mpi_test_all, never_is_with_a_receive_that_boost_probes_for) {
    auto const run = same_as_boost([](auto const& world) {
        std::array<std::string, 1> texts;
        auto requests = receives(world, texts);
        std::vector<mpi::status> statuses;
        world.send(next_rank(), 0, text_of(0));
        let_arrive(requests[0], 0);
        EXPECT_FALSE(test_all(requests.begin(), requests.end()));
        EXPECT_FALSE(test_all(requests.begin(), requests.end(), std::back_inserter(statuses)));
        EXPECT_TRUE(statuses.empty());
        requests[0].wait();
        EXPECT_FALSE(test_all(requests.begin(), requests.end()));
    });
    auto const done = received(0, archive_nbytes(text_of(0)));
    EXPECT_EQ(run.completions, (std::vector{done}));
    EXPECT_EQ(run.calls.back(), completing("wait", done));
}

/// wait_some or test_some, with statuses or without; returns the first completed one.
struct some_function {
    bool waits;
    bool with_statuses;

    auto operator()(auto first, auto last, std::vector<mpi::status>& statuses) const {
        auto const out = std::back_inserter(statuses);
        if (with_statuses)
            return waits ? wait_some(first, last, out).second : test_some(first, last, out).second;
        return waits ? wait_some(first, last) : test_some(first, last);
    }
};

constexpr some_function some_functions[] = {{true, false}, {true, true}, {false, false}, {false, true}};

/// What a some_function made of requests with MPI's handles.
struct partition {
    /// The requests' numbers, in the new order.
    std::vector<int> order;
    std::ptrdiff_t first_completed;
    /// What Boost says of each, in the new order.
    std::vector<bool> active;
    std::vector<int> tags;

    bool operator==(partition const&) const = default;
};

/// Completes those of four receives whose tags are sent, and a send, by `complete`. With `at_once` the tests
/// before find nothing, so MPI_Waitsome does it.
partition partitioned(auto const& world, some_function complete, std::vector<int> const& tags, bool at_once) {
    std::array<int, 4> numbers{};
    auto requests = receives(world, numbers);
    requests.insert(requests.begin() + 2, world.isend(next_rank(), 9, 5));
    std::map<MPI_Request*, int> number_of;
    for (int i = 0; i < 5; ++i) number_of[&*requests[static_cast<std::size_t>(i)].trivial()] = i;
    for (int const tag : tags) world.send(next_rank(), tag, 10 + tag);
    for (int const tag : tags) let_arrive(requests[static_cast<std::size_t>(tag < 2 ? tag : tag + 1)], tag);
    let_arrive(requests[2], 9);
    if (at_once) pmpi_log::hold_back(5);
    std::vector<mpi::status> statuses;
    auto const found = complete(requests.begin(), requests.end(), statuses);
    partition result{{}, found - requests.begin(), {}, {}};
    for (auto& each : requests) {
        result.order.push_back(number_of.at(&*each.trivial()));
        result.active.push_back(each.active());
    }
    // A send's status has no tag.
    for (auto const& each : statuses) result.tags.push_back(each.tag() < 4 ? each.tag() : 9);
    // The messages that were not sent yet, and that of the send.
    PMPI_Barrier(MPI_COMM_WORLD);
    for (int tag = 0; tag < 4; ++tag) {
        if (std::find(tags.begin(), tags.end(), tag) == tags.end()) world.send(next_rank(), tag, 0);
    }
    for (auto each = requests.begin(); each != found; ++each) each->wait();
    int number = 0;
    world.recv(previous_rank(), 9, number);
    return result;
}

/// The completions of these receives of `partitioned` and of the send, in the order of the requests.
std::vector<completion> completions_of(std::vector<int> const& tags) {
    std::vector<completion> completions;
    for (int tag = 0; tag < 4; ++tag) {
        if (tag == 2) completions.push_back({"isend", next_rank(), 9});
        if (std::find(tags.begin(), tags.end(), tag) != tags.end())
            completions.push_back(received(tag, datatype_nbytes<int>()));
    }
    return completions;
}

TEST(boost_mpi_some, leave_the_requests_as_boost_does) {
    for (auto const function : some_functions) {
        for (bool const at_once : {false, true}) {
            for (auto const& tags : {std::vector<int>{}, {1, 3}, {0}, {0, 1, 2}, {0, 1, 2, 3}}) {
                // Boost takes the wrong ones for complete where MPI_Waitsome completed these.
                bool const wrong = tags == std::vector{1, 3};
                if (at_once && (wrong || !function.waits)) continue;
                SCOPED_TRACE(function.waits ? "wait_some" : "test_some");
                SCOPED_TRACE(tags.size());
                std::vector<partition> partitions;
                auto const run = same_as_boost(
                    [&](auto const& world) {
                        partitions.push_back(partitioned(world, function, tags, at_once));
                    },
                    order::free);
                EXPECT_EQ(pmpi_log::calls("Waitsome").size(), at_once ? 1 : 0);
                ASSERT_EQ(partitions.size(), 4);
                EXPECT_EQ(partitions[0].first_completed, 4 - static_cast<std::ptrdiff_t>(tags.size()));
                for (auto const& each : partitions) {
                    EXPECT_EQ(each.order, partitions[0].order);
                    EXPECT_TRUE(each == partitions[0]);
                }
                auto completions = completions_of(tags);
                ASSERT_GE(run.completions.size(), completions.size());
                EXPECT_TRUE(std::equal(completions.begin(), completions.end(), run.completions.begin()));
                EXPECT_EQ(run.completions.size(), 5);
                EXPECT_EQ(std::count(run.calls.begin(), run.calls.end(),
                                     record{.operation = function.waits ? "waitsome" : "testsome"}),
                          1);
            }
        }
    }
}

TEST(boost_mpi_some, complete_receives_of_every_kind) {
    for (auto const function : some_functions) {
        auto const run = same_as_boost([&](auto const& world) {
            exchange both;
            std::list<request_of<decltype(world)>> requests;
            requests.push_back(world.irecv(previous_rank(), number_tag, both.number_arrived));
            requests.push_back(world.irecv(previous_rank(), text_tag, both.text_arrived));
            requests.push_back(world.irecv(previous_rank(), vector_tag, both.vector_arrived));
            world.send(next_rank(), text_tag, both.text);
            world.send(next_rank(), vector_tag, both.vector);
            let_arrive(*std::next(requests.begin()), text_tag);
            let_arrive(*std::next(requests.begin(), 2), vector_tag);
            std::vector<mpi::status> statuses;
            auto const found = function(requests.begin(), requests.end(), statuses);
            EXPECT_EQ(std::distance(requests.begin(), found), 1);
            EXPECT_EQ(both.text_arrived, both.text);
            EXPECT_EQ(both.vector_arrived, both.vector);
            if (function.with_statuses) {
                EXPECT_EQ(statuses.at(0).tag(), text_tag);
                EXPECT_EQ(statuses.at(1).tag(), vector_tag);
            }
            PMPI_Barrier(MPI_COMM_WORLD);
            world.send(next_rank(), number_tag, both.number);
            requests.front().wait();
            EXPECT_TRUE(both.has_arrived());
        });
        auto const all = exchange_completions();
        EXPECT_EQ(run.completions, (std::vector{all[1], all[2], all[0]}));
    }
}

TEST(boost_mpi_some, that_find_nothing_are_counted) {
    profiled_communicator const world;
    std::array<std::string, 2> texts;
    auto requests = receives(world, texts);
    begin_run();
    EXPECT_EQ(test_some(requests.begin(), requests.end()), requests.end());
    ASSERT_EQ(recorded().calls.size(), 1);
    EXPECT_EQ(recorded().calls[0].operation, mpiprof::operation::testsome);
    EXPECT_EQ(recorded().calls[0].flags, mpiprof::call_incomplete);
}

TEST(boost_mpi_nonblocking, BM5_over_nothing_is_nothing) {
    auto const run = same_as_boost([](auto const& world) {
        for (auto const size : {std::size_t{0}, std::size_t{2}}) {
            requests_of<std::remove_cvref_t<decltype(world)>> requests(size);
            auto const first = requests.begin();
            auto const last = requests.end();
            std::vector<mpi::status> statuses;
            auto const out = std::back_inserter(statuses);
            EXPECT_FALSE(test_any(first, last));
            EXPECT_EQ(test_all(first, last), size == 0);
            EXPECT_EQ(static_cast<bool>(test_all(first, last, out)), size == 0);
            EXPECT_EQ(test_some(first, last), last);
            EXPECT_EQ(test_some(first, last, out).second, last);
            if (size == 0) {
                EXPECT_EQ(wait_some(first, last), last);
                EXPECT_EQ(wait_some(first, last, out).second, last);
            }
            EXPECT_TRUE(statuses.empty());
        }
    });
    EXPECT_TRUE(run.calls.empty());
}

TEST(boost_mpi_nonblocking, skip_requests_that_are_done) {
    auto const run = same_as_boost(
        [](auto const& world) {
            std::array<int, 3> numbers{};
            auto requests = receives(world, numbers);
            for (int tag = 0; tag < 3; ++tag) world.send(next_rank(), tag, 5);
            requests[1].wait();
            let_arrive(requests[0], 0);
            EXPECT_EQ(test_any(requests.begin(), requests.end())->second, requests.begin());
            EXPECT_EQ(wait_any(requests.begin(), requests.end()).second, requests.begin() + 2);
            EXPECT_FALSE(test_any(requests.begin(), requests.end()));
            EXPECT_EQ(test_some(requests.begin(), requests.end()), requests.end());
        },
        order::free);
    auto const bytes = datatype_nbytes<int>();
    EXPECT_EQ(run.completions, (std::vector{received(1, bytes), received(0, bytes), received(2, bytes)}));
    EXPECT_EQ(run.calls.size(), 9);
}

TEST(boost_mpi_nonblocking, of_boosts_own_requests_go_unseen) {
    profiled_communicator const world;
    std::array<int, 2> numbers{};
    std::vector<mpi::request> requests;
    for (int tag = 0; tag < 2; ++tag) requests.push_back(world.irecv(previous_rank(), tag, numbers[0]));
    begin_run();
    EXPECT_EQ(mpiprof::boost_mpi::test_some(requests.begin(), requests.end()), requests.end());
    PMPI_Barrier(MPI_COMM_WORLD);
    mpi::communicator const plain;
    plain.send(next_rank(), 0, 5);
    EXPECT_EQ(mpiprof::boost_mpi::wait_any(requests.begin(), requests.end()).second, requests.begin());
    PMPI_Barrier(MPI_COMM_WORLD);
    plain.send(next_rank(), 1, 5);
    EXPECT_EQ(mpiprof::boost_mpi::wait_some(requests.begin(), requests.end()), requests.begin() + 1);
    EXPECT_TRUE(recorded().calls.empty());
    EXPECT_TRUE(recorded().completions.empty());
}

TEST(boost_mpi_nonblocking, while_paused_complete_unseen) {
    profiled_communicator const world;
    std::array<int, 2> numbers{};
    auto requests = receives(world, numbers);
    world.send(next_rank(), 1, 5);
    let_arrive(requests[1], 1);
    begin_run();
    mpiprof::profiler<instrumentation> profiler;
    profiler.pause();
    EXPECT_EQ(test_some(requests.begin(), requests.end()), requests.begin() + 1);
    profiler.resume();
    EXPECT_EQ(numbers[1], 5);
    requests[1].wait();
    EXPECT_TRUE(recorded().completions.empty());
    PMPI_Barrier(MPI_COMM_WORLD);
    world.send(next_rank(), 0, 6);
    requests[0].wait();
    EXPECT_EQ(completions_in(__FILE__), (std::vector{received(0, datatype_nbytes<int>())}));
}

/// Calls each function over an inactive and an active request that never completes, or, to wait, that has
/// completed; one call a line. Returns the first line.
template <class... Site>
std::uint32_t test_each(auto first, auto last, Site... site) {
    std::vector<mpi::status> statuses;
    auto const out = std::back_inserter(statuses);
    // clang-format off
    auto const line = static_cast<std::uint32_t>(__LINE__ + 1);
    test_any(first, last, site...);
    test_all(first, last, site...);
    test_all(first, last, out, site...);
    test_some(first, last, site...);
    test_some(first, last, out, site...);
    mpiprof::boost_mpi::test_any(first, last, site...);
    mpiprof::boost_mpi::test_all(first, last, site...);
    mpiprof::boost_mpi::test_all(first, last, out, site...);
    mpiprof::boost_mpi::test_some(first, last, site...);
    mpiprof::boost_mpi::test_some(first, last, out, site...);
    // clang-format on
    EXPECT_TRUE(statuses.empty());
    return line;
}

/// A receive of a message that is there.
profiled_request ready(profiled_communicator const& world, int& number) {
    auto made = world.irecv(world_rank(), 0, number);
    world.send(world_rank(), 0, 5);
    return made;
}

template <class... Site>
std::uint32_t wait_each(auto const& ready_range, Site... site) {
    std::vector<mpi::status> statuses;
    auto const out = std::back_inserter(statuses);
    std::list<std::decay_t<decltype(ready_range())>> ranges;
    for (int i = 0; i < 6; ++i) ranges.push_back(ready_range());
    auto next = ranges.begin();
    recorded() = {};
    // clang-format off
    auto const line = static_cast<std::uint32_t>(__LINE__ + 1);
    { auto& r = *next++; wait_any(std::begin(r), std::end(r), site...); }
    { auto& r = *next++; wait_some(std::begin(r), std::end(r), site...); }
    { auto& r = *next++; wait_some(std::begin(r), std::end(r), out, site...); }
    { auto& r = *next++; mpiprof::boost_mpi::wait_any(std::begin(r), std::end(r), site...); }
    { auto& r = *next++; mpiprof::boost_mpi::wait_some(std::begin(r), std::end(r), site...); }
    { auto& r = *next++; mpiprof::boost_mpi::wait_some(std::begin(r), std::end(r), out, site...); }
    // clang-format on
    EXPECT_EQ(statuses.size(), 2);
    EXPECT_EQ(completions_in(__FILE__).size(), 6);
    return line;
}

/// Each call since `begin_run` stands on a line of its own, from `first`.
void expect_lines_from(std::uint32_t first) {
    for (auto const& each : recorded().calls) {
        EXPECT_STREQ(each.site.file(), __FILE__);
        EXPECT_EQ(each.site.line(), first++) << name(each.operation);
    }
}

void expect_line_7(std::size_t calls) {
    EXPECT_EQ(recorded().calls.size(), calls);
    for (auto const& each : recorded().calls) EXPECT_EQ(each.site.line(), 7) << name(each.operation);
}

TEST(boost_mpi_nonblocking, record_where_they_were_called) {
    mpiprof::call_site const there{"there", 7};
    profiled_communicator const world;
    int number = 0;
    // Nobody sends this.
    profiled_request requests[] = {{}, world.irecv(previous_rank(), 77, number)};
    std::list<profiled_request> const list{requests[0], requests[1]};
    auto const test_in = [&](auto first, auto last) {
        recorded() = {};
        auto const line = test_each(first, last);
        EXPECT_EQ(recorded().calls.size(), 10);
        expect_lines_from(line);
        recorded() = {};
        test_each(first, last, there);
        expect_line_7(10);
    };
    test_in(requests, requests + 2);
    std::vector<profiled_request> vector(requests, requests + 2);
    test_in(vector.begin(), vector.end());
    auto copy = list;
    test_in(copy.begin(), copy.end());

    auto const wait_in = [&](auto ready_range) {
        auto const line = wait_each(ready_range);
        EXPECT_EQ(recorded().calls.size(), 6);
        expect_lines_from(line);
        wait_each(ready_range, there);
        expect_line_7(6);
    };
    wait_in([&] { return std::vector{ready(world, number)}; });
    wait_in([&] { return std::list{ready(world, number)}; });
    wait_in([&] { return std::array{ready(world, number)}; });
    requests[1].cancel();
    requests[1].wait();
}

TEST(boost_mpi_nonblocking, over_an_iterator_of_the_users) {
    profiled_communicator const world;
    int number = 0;
    profiled_request requests[4];
    using iterator = strided<2, profiled_request>;
    iterator const first{requests};
    iterator const last{requests + 4};
    requests[0] = world.irecv(world_rank(), 0, number);
    requests[2] = world.irecv(world_rank(), 1, number);
    begin_run();
    test_each(first, last);
    // Such iterators leave no room for the place of the call.
    ASSERT_EQ(recorded().calls.size(), 10);
    EXPECT_EQ(recorded().calls[0].site.line(), 0);
    world.send(world_rank(), 0, 5);
    EXPECT_EQ(wait_any(first, last).second, first);
    world.send(world_rank(), 1, 6);
    std::vector<mpi::status> statuses;
    EXPECT_EQ(wait_some(first, last, std::back_inserter(statuses)).second, std::next(first));
    EXPECT_EQ(statuses.at(0).tag(), 1);
    requests[0] = ready(world, number);
    EXPECT_EQ(wait_some(first, last), std::next(first));
    EXPECT_EQ(recorded().calls.back().operation, mpiprof::operation::waitsome);
    EXPECT_EQ(recorded().completions.size(), 3);
}

// There Boost's own function tests each request, and that is what is recorded.
TEST(boost_mpi_nonblocking, over_an_iterator_that_gives_copies) {
    profiled_communicator const world;
    std::string text;
    std::vector requests{world.irecv(previous_rank(), 0, text)};
    auto const copy = [](profiled_request const& each) { return each; };
    auto const first = boost::make_transform_iterator(requests.begin(), copy);
    world.send(next_rank(), 0, std::string{"abc"});
    begin_run();
    wait_all(first, std::next(first));
    EXPECT_EQ(text, "abc");
    EXPECT_EQ(recorded().calls.back().operation, mpiprof::operation::test);
    EXPECT_EQ(recorded().completions.size(), 1);
}

}  // namespace

}  // namespace boost_mpi_tests
