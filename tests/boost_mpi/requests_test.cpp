// Requests: how they complete, and what is recorded of it.
#include "tests/boost_mpi/same_as_boost.hpp"

#include <array>
#include <boost/serialization/string.hpp>
#include <deque>
#include <iterator>
#include <list>
#include <string>
#include <vector>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

constexpr int number_tag = 1;
constexpr int text_tag = 2;
constexpr int vector_tag = 3;

/// Three receives, of a fixed size, of a serialised value and of a vector, and the sends to the next rank.
struct exchange {
    int number = 5;
    std::string text = "abc";
    std::vector<int> vector = {1, 2, 3};
    int number_arrived = 0;
    std::string text_arrived = {};
    std::vector<int> vector_arrived = {};

    /// Passes the six requests to `put`, the receives first.
    void start(auto const& world, auto put) {
        put(world.irecv(previous_rank(), number_tag, number_arrived));
        put(world.irecv(previous_rank(), text_tag, text_arrived));
        put(world.irecv(previous_rank(), vector_tag, vector_arrived));
        put(world.isend(next_rank(), number_tag, number));
        put(world.isend(next_rank(), text_tag, text));
        put(world.isend(next_rank(), vector_tag, vector));
    }

    bool has_arrived() const {
        return number_arrived == number && text_arrived == text && vector_arrived == vector;
    }
};

/// Requests of one communicator.
template <class Comm>
using requests_of = std::vector<decltype(std::declval<Comm const&>().isend(0, 0))>;

/// The six completions of an exchange, in the order of the requests.
std::vector<completion> exchange_completions() {
    int const to = next_rank();
    int const from = previous_rank();
    return {{"irecv", from, number_tag, datatype_nbytes<int>()},
            {"irecv", from, text_tag, archive_nbytes(std::string{"abc"})},
            {"irecv", from, vector_tag, 3 * datatype_nbytes<int>()},
            {"isend", to, number_tag},
            {"isend", to, text_tag},
            {"isend", to, vector_tag}};
}

/// The calls of an exchange, and those that complete it.
std::vector<record> exchange_calls(std::vector<record> const& completing) {
    int const to = next_rank();
    int const from = previous_rank();
    std::vector<record> calls{
        {.operation = "irecv", .peer = from, .tag = number_tag, .capacity = datatype_nbytes<int>()},
        {.operation = "irecv", .peer = from, .tag = text_tag},
        {.operation = "irecv", .peer = from, .tag = vector_tag},
        {.operation = "isend", .peer = to, .tag = number_tag, .sent = datatype_nbytes<int>()},
        {.operation = "isend", .peer = to, .tag = text_tag, .sent = archive_nbytes(std::string{"abc"})},
        {.operation = "isend", .peer = to, .tag = vector_tag, .sent = 3 * datatype_nbytes<int>()}};
    calls.insert(calls.end(), completing.begin(), completing.end());
    return calls;
}

record completing(std::string const& operation, completion const& done) {
    return {.operation = operation, .request = done.operation, .peer = done.peer, .tag = done.tag};
}

record const waitall{.operation = "waitall"};

TEST(boost_mpi_request, wait_completes_each_in_any_order) {
    // By place in the exchange; the receives not in the order in which the messages were sent.
    for (auto const& places : {std::array{3, 4, 5, 0, 1, 2}, std::array{5, 4, 3, 2, 1, 0}}) {
        auto const run = same_as_boost([&](auto const& world) {
            exchange both;
            requests_of<std::remove_cvref_t<decltype(world)>> requests;
            both.start(world, [&](auto const& made) { requests.push_back(made); });
            for (auto const place : places) {
                auto& each = requests[static_cast<std::size_t>(place)];
                EXPECT_TRUE(each.active());
                auto const status = each.wait();
                EXPECT_FALSE(each.active());
                if (place < 3) {
                    EXPECT_EQ(status.source(), previous_rank());
                    EXPECT_EQ(status.tag(), place + 1);
                }
            }
            EXPECT_TRUE(both.has_arrived());
        });
        std::vector<record> waits;
        std::vector<completion> completions;
        for (auto const place : places) {
            completions.push_back(exchange_completions()[static_cast<std::size_t>(place)]);
            waits.push_back(completing("wait", completions.back()));
        }
        EXPECT_EQ(run.calls, exchange_calls(waits));
        EXPECT_EQ(run.completions, completions);
    }
}

TEST(boost_mpi_request, receives_of_one_tag_get_the_messages_in_the_order_of_waiting) {
    auto const run = same_as_boost([](auto const& world) {
        std::string first;
        std::string second;
        auto receive_first = world.irecv(previous_rank(), text_tag, first);
        auto receive_second = world.irecv(previous_rank(), text_tag, second);
        world.send(next_rank(), text_tag, std::string{"a"});
        world.send(next_rank(), text_tag, std::string{"bb"});
        receive_second.wait();
        receive_first.wait();
        EXPECT_EQ(second, "a");
        EXPECT_EQ(first, "bb");
    });
    EXPECT_EQ(run.completions, (std::vector<completion>{
                                   {"irecv", previous_rank(), text_tag, archive_nbytes(std::string{"a"})},
                                   {"irecv", previous_rank(), text_tag, archive_nbytes(std::string{"bb"})}}));
}

TEST(boost_mpi_request, test_until_done) {
    auto const run = same_as_boost([](auto const& world) {
        exchange both;
        requests_of<std::remove_cvref_t<decltype(world)>> requests;
        both.start(world, [&](auto const& made) { requests.push_back(made); });
        for (auto& each : requests) {
            pmpi_log::hold_back(3);
            int tests = 1;
            for (; !each.test(); ++tests) EXPECT_TRUE(each.active());
            EXPECT_GT(tests, 3);
            EXPECT_FALSE(each.active());
            EXPECT_FALSE(each.test());
        }
        EXPECT_TRUE(both.has_arrived());
    });
    std::vector<record> tests;
    for (auto const& done : exchange_completions()) tests.push_back(completing("test", done));
    EXPECT_EQ(run.calls, exchange_calls(tests));
    EXPECT_EQ(run.completions, exchange_completions());
}

TEST(boost_mpi_request, tests_that_find_nothing_are_counted) {
    profiled_communicator const world;
    for (bool const by_probe : {false, true}) {
        begin_run();
        int number = 0;
        std::string text;
        auto receive = by_probe ? world.irecv(previous_rank(), text_tag, text)
                                : world.irecv(previous_rank(), number_tag, number);
        pmpi_log::hold_back(3);
        for (int i = 0; i < 3; ++i) EXPECT_FALSE(receive.test());
        if (by_probe) world.send(next_rank(), text_tag, text);
        else world.send(next_rank(), number_tag, number);
        receive.wait();
        auto const& calls = recorded().calls;
        ASSERT_EQ(calls.size(), 6);
        for (std::size_t i = 1; i < 4; ++i) {
            EXPECT_EQ(calls[i].operation, mpiprof::operation::test);
            EXPECT_EQ(calls[i].flags, mpiprof::call_incomplete);
            EXPECT_EQ(calls[i].sent + calls[i].received, 0);
        }
        EXPECT_EQ(recorded().completions.size(), 1);
    }
}

/// Starts an exchange in a container of requests, and completes it by `wait(first, last)`.
template <class Fill, class Wait>
outcome waits_for_all(Fill fill, Wait wait) {
    auto const run = same_as_boost(
        [&](auto const& world) {
            exchange both;
            auto requests = fill(world, both);
            wait(requests);
            EXPECT_TRUE(both.has_arrived());
        },
        order::free, __builtin_FILE());
    EXPECT_EQ(run.calls, exchange_calls({waitall}));
    EXPECT_EQ(run.completions, exchange_completions());
    return run;
}

/// The requests of an exchange in `Container`.
template <template <class...> class Container>
struct in_container {
    template <class Comm>
    auto operator()(Comm const& world, exchange& both) const {
        Container<typename requests_of<Comm>::value_type> requests;
        both.start(world, [&](auto const& made) { requests.push_back(made); });
        return requests;
    }
};

/// The requests of an exchange in an array.
struct in_array {
    template <class Comm>
    auto operator()(Comm const& world, exchange& both) const {
        std::array<typename requests_of<Comm>::value_type, 6> requests;
        both.start(world, [&, next = std::size_t{0}](auto const& made) mutable { requests[next++] = made; });
        return requests;
    }
};

auto const by_range = [](auto& requests) { wait_all(requests.begin(), requests.end()); };
auto const by_pointer = [](auto& requests) { wait_all(requests.data(), requests.data() + requests.size()); };

TEST(boost_mpi_wait_all, BM4_BM27_over_a_vector) { waits_for_all(in_container<std::vector>{}, by_range); }
TEST(boost_mpi_wait_all, over_a_deque) { waits_for_all(in_container<std::deque>{}, by_range); }
TEST(boost_mpi_wait_all, over_a_list) { waits_for_all(in_container<std::list>{}, by_range); }
TEST(boost_mpi_wait_all, over_an_array) { waits_for_all(in_array{}, by_range); }
TEST(boost_mpi_wait_all, over_pointers) { waits_for_all(in_container<std::vector>{}, by_pointer); }

TEST(boost_mpi_wait_all, over_an_array_of_c) {
    waits_for_all(in_array{}, [](auto& requests) {
        typename std::remove_reference_t<decltype(requests)>::value_type plain[6];
        std::copy(requests.begin(), requests.end(), plain);
        wait_all(std::begin(plain), std::end(plain));
    });
}

TEST(boost_mpi_wait_all, BM27_over_a_copy_that_dies_first) {
    waits_for_all(in_container<std::vector>{}, [](auto& requests) {
        auto copies = requests;
        wait_all(copies.begin(), copies.end());
    });
}

/// An iterator of the user's over every `Step`-th request.
template <int Step, class Request>
class strided {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Request;
    using difference_type = std::ptrdiff_t;
    using pointer = Request*;
    using reference = Request&;

    strided() = default;
    explicit strided(Request* at) : at_{at} {}

    Request& operator*() const { return *at_; }
    Request* operator->() const { return at_; }
    strided& operator++() {
        at_ += Step;
        return *this;
    }
    strided operator++(int) {
        auto const before = *this;
        ++*this;
        return before;
    }
    bool operator==(strided const&) const = default;

  private:
    Request* at_ = nullptr;
};

TEST(boost_mpi_wait_all, over_an_iterator_of_the_users) {
    profiled_communicator const world;
    exchange both;
    begin_run();
    profiled_request requests[12];
    both.start(world, [&, next = 0](auto const& made) mutable {
        requests[next] = made;
        next += 2;
    });
    using iterator = strided<2, profiled_request>;
    wait_all(iterator{requests}, iterator{requests + 12});
    EXPECT_TRUE(both.has_arrived());
    // Such iterators leave no room for the place of the call.
    ASSERT_EQ(recorded().calls.size(), 7);
    EXPECT_EQ(recorded().calls.back().operation, mpiprof::operation::waitall);
    EXPECT_EQ(completions_in(__FILE__), exchange_completions());

    both = exchange{};
    begin_run();
    requests[0] = world.irecv(previous_rank(), number_tag, both.number_arrived);
    requests[2] = world.isend(next_rank(), number_tag, both.number);
    std::vector<mpi::status> statuses;
    wait_all(iterator{requests}, iterator{requests + 4}, std::back_inserter(statuses));
    ASSERT_EQ(statuses.size(), 2);
    EXPECT_EQ(statuses[0].tag(), number_tag);
    EXPECT_EQ(recorded().calls.size(), 3);
    EXPECT_EQ(recorded().completions.size(), 2);
}

TEST(boost_mpi_wait_all, gives_the_statuses_in_order) {
    waits_for_all(in_container<std::vector>{}, [](auto& requests) {
        std::vector<mpi::status> statuses(6);
        auto const end = wait_all(requests.begin(), requests.end(), statuses.begin());
        EXPECT_TRUE(end == statuses.end());
        for (int place = 0; place < 3; ++place) {
            EXPECT_EQ(statuses[static_cast<std::size_t>(place)].source(), previous_rank());
            EXPECT_EQ(statuses[static_cast<std::size_t>(place)].tag(), place + 1);
        }
    });
}

TEST(boost_mpi_wait_all, waits_in_mpi_where_nothing_is_done_and_all_requests_are_trivial) {
    for (bool const with_statuses : {false, true}) {
        auto const run = same_as_boost([&](auto const& world) {
            int arrived[2] = {};
            requests_of<std::remove_cvref_t<decltype(world)>> requests;
            requests.push_back(world.irecv(previous_rank(), 1, arrived[0]));
            requests.push_back(world.irecv(previous_rank(), 2, arrived[1]));
            world.send(next_rank(), 1, 5);
            world.send(next_rank(), 2, 6);
            pmpi_log::hold_back(2);
            std::vector<mpi::status> statuses;
            if (with_statuses) wait_all(requests.begin(), requests.end(), std::back_inserter(statuses));
            else wait_all(requests.begin(), requests.end());
            EXPECT_EQ(arrived[0], 5);
            EXPECT_EQ(arrived[1], 6);
            if (with_statuses) {
                EXPECT_EQ(statuses.at(1).tag(), 2);
            }
        });
        EXPECT_EQ(run.mpi_calls.back().function, "Waitall");
        EXPECT_EQ(run.calls.back(), waitall);
        EXPECT_EQ(run.completions,
                  (std::vector<completion>{{"irecv", previous_rank(), 1, datatype_nbytes<int>()},
                                           {"irecv", previous_rank(), 2, datatype_nbytes<int>()}}));
    }
}

TEST(boost_mpi_wait_all, of_one_request_names_it) {
    auto const run = same_as_boost(
        [](auto const& world) {
            int arrived = 0;
            requests_of<std::remove_cvref_t<decltype(world)>> requests{
                world.irecv(previous_rank(), number_tag, arrived)};
            world.send(next_rank(), number_tag, 5);
            wait_all(requests.begin(), requests.end());
        },
        order::free);
    EXPECT_EQ(run.calls.back(), completing("waitall", exchange_completions()[0]));
    EXPECT_EQ(run.completions, (std::vector{exchange_completions()[0]}));
}

TEST(boost_mpi_wait_all, skips_requests_that_are_done_or_never_were) {
    auto const run = same_as_boost(
        [](auto const& world) {
            exchange both;
            requests_of<std::remove_cvref_t<decltype(world)>> requests(2);
            both.start(world, [&](auto const& made) { requests.push_back(made); });
            requests.resize(9);
            // The number, as a receive and as a send.
            requests[2].wait();
            requests[5].wait();
            wait_all(requests.begin(), requests.end());
            EXPECT_TRUE(both.has_arrived());
        },
        order::free);
    auto const all = exchange_completions();
    EXPECT_EQ(run.calls, exchange_calls({completing("wait", all[0]), completing("wait", all[3]), waitall}));
    EXPECT_EQ(run.completions, (std::vector{all[0], all[3], all[1], all[2], all[4], all[5]}));
}

TEST(boost_mpi_request, BM5_a_default_constructed_one_is_nothing) {
    auto const run = same_as_boost([](auto const& world) {
        requests_of<std::remove_cvref_t<decltype(world)>> requests(1);
        std::vector<mpi::status> statuses;
        wait_all(requests.begin(), requests.end());
        wait_all(requests.begin(), requests.end(), std::back_inserter(statuses));
        EXPECT_EQ(statuses.size(), 1);
        EXPECT_FALSE(requests[0].active());
        EXPECT_FALSE(requests[0].test());
        requests[0].wait();
        requests.clear();
        wait_all(requests.begin(), requests.end());
    });
    EXPECT_TRUE(run.mpi_calls.empty());
    EXPECT_TRUE(run.calls.empty());
}

TEST(boost_mpi_request, BM6_half_of_them_tested_before) {
    auto const run = same_as_boost(
        [](auto const& world) {
            requests_of<std::remove_cvref_t<decltype(world)>> requests;
            for (int i = 0; i < 50; ++i) requests.push_back(world.isend(next_rank(), i, std::string{"ab"}));
            for (std::size_t i = 0; i < 50; i += 2) {
                while (!requests[i].test()) {
                }
            }
            wait_all(requests.begin(), requests.end());
            for (int i = 0; i < 50; ++i) {
                std::string text;
                world.recv(previous_rank(), i, text);
            }
        },
        order::free);
    long long sent = 0;
    for (auto const& each : run.calls) {
        if (each.operation == "isend") sent += each.sent;
    }
    EXPECT_EQ(sent, 50 * archive_nbytes(std::string{"ab"}));
    EXPECT_EQ(std::count_if(run.calls.begin(), run.calls.end(),
                            [](record const& each) { return each.operation == "waitall"; }),
              1);
    auto tags = run.completions;
    std::sort(tags.begin(), tags.end());
    ASSERT_EQ(tags.size(), 50);
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(tags[static_cast<std::size_t>(i)], (completion{"isend", next_rank(), i}));
    }
}

TEST(boost_mpi_request, copies_complete_once) {
    auto const run = same_as_boost([](auto const& world) {
        int number = 0;
        std::string text;
        auto receive_number = world.irecv(previous_rank(), number_tag, number);
        auto receive_text = world.irecv(previous_rank(), text_tag, text);
        auto copy_of_number = receive_number;
        world.send(next_rank(), number_tag, 5);
        world.send(next_rank(), text_tag, std::string{"abc"});
        receive_number.wait();
        EXPECT_FALSE(copy_of_number.active());
        EXPECT_FALSE(copy_of_number.test());
        copy_of_number.wait();
        auto copy_of_text = receive_text;
        copy_of_text.wait();
        EXPECT_FALSE(receive_text.active());
        EXPECT_FALSE(receive_text.test());
        decltype(receive_text) both[] = {receive_number, receive_text};
        wait_all(both, both + 2);
        EXPECT_EQ(number, 5);
        EXPECT_EQ(text, "abc");
    });
    auto const all = exchange_completions();
    EXPECT_EQ(run.completions, (std::vector{all[0], all[1]}));
    ASSERT_EQ(run.calls.size(), 7);
    EXPECT_EQ(run.calls[4], completing("wait", all[0]));
    EXPECT_EQ(run.calls[5], record{.operation = "wait"});
    EXPECT_EQ(run.calls[6], completing("wait", all[1]));
}

TEST(boost_mpi_wait_all, over_two_copies_completes_them_once) {
    auto const run = same_as_boost(
        [](auto const& world) {
            std::string text;
            auto const receive = world.irecv(previous_rank(), text_tag, text);
            world.send(next_rank(), text_tag, std::string{"abc"});
            PMPI_Barrier(MPI_COMM_WORLD);
            std::vector both{receive, receive};
            // It is the second that Boost sees complete.
            pmpi_log::hold_back(1);
            wait_all(both.begin(), both.end());
            EXPECT_EQ(text, "abc");
        },
        order::free);
    EXPECT_EQ(run.completions, (std::vector{exchange_completions()[1]}));
}

TEST(boost_mpi_request, a_cancelled_receive_has_no_bytes) {
    auto const run = same_as_boost([](auto const& world) {
        int number = 0;
        auto receive = world.irecv(previous_rank(), number_tag, number);
        receive.cancel();
        EXPECT_TRUE(receive.wait().cancelled());
    });
    EXPECT_EQ(run.completions,
              (std::vector<completion>{
                  {.operation = "irecv", .peer = previous_rank(), .tag = number_tag, .cancelled = true}}));
}

TEST(boost_mpi_request, BM23_test_gives_what_boosts_gives) {
    mpi::request plain;
    profiled_request profiled;
    static_assert(std::is_same_v<decltype(plain.test()), decltype(profiled.test())>);
    static_assert(std::is_same_v<decltype(plain.wait()), decltype(profiled.wait())>);
    EXPECT_EQ(bool(plain.test()), bool(profiled.test()));
}

/// The last wait_all, and where it stood.
void expect_waitall_at(std::uint32_t line) {
    auto const& calls = recorded().calls;
    EXPECT_EQ(std::count_if(calls.begin(), calls.end(),
                            [](auto const& each) { return each.operation == mpiprof::operation::waitall; }),
              1);
    EXPECT_EQ(calls.back().operation, mpiprof::operation::waitall);
    EXPECT_STREQ(calls.back().site.file(), __FILE__);
    EXPECT_EQ(calls.back().site.line(), line);
    EXPECT_EQ(completions_in(__FILE__), exchange_completions());
}

/// A new exchange in `Container`, to wait for. The requests refer to the communicator.
template <template <class...> class Container>
Container<profiled_request> started(profiled_communicator const& world, exchange& both) {
    begin_run();
    return in_container<Container>{}(world, both);
}

// clang-format off
TEST(boost_mpi_wait_all, called_unqualified_is_found_by_its_arguments) {
    profiled_communicator const world;
    exchange both;
    auto vector = started<std::vector>(world, both);
    wait_all(vector.begin(), vector.end()); expect_waitall_at(__LINE__);
    vector = started<std::vector>(world, both);
    wait_all(&vector[0], &vector[0] + 6); expect_waitall_at(__LINE__);
    vector = started<std::vector>(world, both);
    std::vector<mpi::status> statuses;
    wait_all(vector.begin(), vector.end(), std::back_inserter(statuses)); expect_waitall_at(__LINE__);
    vector = started<std::vector>(world, both);
    wait_all(&vector[0], &vector[0] + 6, statuses.begin()); expect_waitall_at(__LINE__);
    auto deque = started<std::deque>(world, both);
    wait_all(deque.begin(), deque.end()); expect_waitall_at(__LINE__);
    deque = started<std::deque>(world, both);
    wait_all(deque.begin(), deque.end(), statuses.begin()); expect_waitall_at(__LINE__);
    auto list = started<std::list>(world, both);
    wait_all(list.begin(), list.end()); expect_waitall_at(__LINE__);
}

TEST(boost_mpi_wait_all, called_under_a_using_directive) {
    using namespace mpiprof::boost_mpi;
    profiled_communicator const world;
    exchange both;
    auto vector = started<std::vector>(world, both);
    wait_all(vector.begin(), vector.end()); expect_waitall_at(__LINE__);
    vector = started<std::vector>(world, both);
    wait_all(&vector[0], &vector[0] + 6); expect_waitall_at(__LINE__);
    vector = started<std::vector>(world, both);
    std::vector<status> statuses;
    wait_all(vector.begin(), vector.end(), std::back_inserter(statuses)); expect_waitall_at(__LINE__);
    auto deque = started<std::deque>(world, both);
    wait_all(deque.begin(), deque.end()); expect_waitall_at(__LINE__);
}

TEST(boost_mpi_wait_all, called_qualified) {
    profiled_communicator const world;
    exchange both;
    auto vector = started<std::vector>(world, both);
    mpiprof::boost_mpi::wait_all(vector.begin(), vector.end()); expect_waitall_at(__LINE__);
    vector = started<std::vector>(world, both);
    mpiprof::boost_mpi::wait_all(&vector[0], &vector[0] + 6); expect_waitall_at(__LINE__);
    vector = started<std::vector>(world, both);
    std::vector<mpi::status> statuses(6);
    mpiprof::boost_mpi::wait_all(vector.begin(), vector.end(), statuses.begin()); expect_waitall_at(__LINE__);
    auto list = started<std::list>(world, both);
    mpiprof::boost_mpi::wait_all(list.begin(), list.end()); expect_waitall_at(__LINE__);
}
// clang-format on

TEST(boost_mpi_wait_all, records_the_place_that_a_helper_passes_on) {
    mpiprof::call_site const there{"there", 7};
    profiled_communicator const world;
    exchange both;
    auto vector = started<std::vector>(world, both);
    wait_all(vector.begin(), vector.end(), there);
    EXPECT_EQ(recorded().calls.back().site.line(), 7);
    vector = started<std::vector>(world, both);
    std::vector<mpi::status> statuses;
    wait_all(vector.begin(), vector.end(), std::back_inserter(statuses), there);
    EXPECT_EQ(recorded().calls.back().site.line(), 7);
    EXPECT_EQ(statuses.size(), 6);
    vector = started<std::vector>(world, both);
    wait_all(&vector[0], &vector[0] + 6, there);
    EXPECT_EQ(recorded().calls.back().site.line(), 7);
    auto list = started<std::list>(world, both);
    wait_all(list.begin(), list.end(), there);
    EXPECT_EQ(recorded().calls.back().site.line(), 7);
}

TEST(boost_mpi_wait_all, over_requests_of_boosts_own_goes_unseen) {
    profiled_communicator const world;
    exchange both;
    begin_run();
    std::vector<mpi::request> requests;
    both.start(world, [&](auto const& made) { requests.push_back(made); });
    mpiprof::boost_mpi::wait_all(requests.begin(), requests.end());
    EXPECT_TRUE(both.has_arrived());
    EXPECT_EQ(calls_in(__FILE__), exchange_calls({}));
    EXPECT_TRUE(recorded().completions.empty());
}

}  // namespace

}  // namespace boost_mpi_tests
