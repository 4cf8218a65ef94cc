// wait_all over requests of every kind, in every container.
#include "tests/boost_mpi/exchange.hpp"

#include <array>
#include <deque>
#include <iterator>
#include <list>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

record const waitall{.operation = "waitall"};

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
