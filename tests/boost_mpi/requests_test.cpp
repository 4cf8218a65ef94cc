// One request: how it completes, and what is recorded of it.
#include "tests/boost_mpi/exchange.hpp"

#include "tests/boost_mpi/library.hpp"

#include <array>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

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
        requests[0].cancel();
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

record const cancel{.operation = "cancel"};

TEST(boost_mpi_request, a_cancelled_receive_has_no_bytes) {
    auto const run = same_as_boost([](auto const& world) {
        int number = 0;
        auto receive = world.irecv(previous_rank(), number_tag, number);
        receive.cancel();
        EXPECT_TRUE(receive.active());
        EXPECT_TRUE(receive.wait().cancelled());
    });
    completion const done{
        .operation = "irecv", .peer = previous_rank(), .tag = number_tag, .cancelled = true};
    EXPECT_EQ(
        run.calls,
        (std::vector<record>{
            {.operation = "irecv", .peer = done.peer, .tag = done.tag, .capacity = datatype_nbytes<int>()},
            cancel,
            completing("wait", done)}));
    EXPECT_EQ(run.completions, (std::vector{done}));
    EXPECT_EQ(pmpi_log::calls("Cancel").size(), 1);
}

TEST(boost_mpi_request, a_cancelled_receive_that_boost_probes_for_is_over) {
    auto const run = same_as_boost([](auto const& world) {
        std::string text = "unchanged";
        auto receive = world.irecv(previous_rank(), text_tag, text);
        receive.cancel();
        EXPECT_FALSE(receive.active());
        EXPECT_FALSE(receive.test());
        EXPECT_EQ(text, "unchanged");
    });
    EXPECT_EQ(run.calls, (std::vector<record>{
                             {.operation = "irecv", .peer = previous_rank(), .tag = text_tag}, cancel}));
    EXPECT_EQ(run.completions,
              (std::vector<completion>{
                  {.operation = "irecv", .peer = previous_rank(), .tag = text_tag, .cancelled = true}}));
}

TEST(boost_mpi_request, a_cancelled_receive_of_a_vector_can_be_waited_for) {
    auto const run = same_as_boost([](auto const& world) {
        std::vector<int> vector(3);
        auto receive = world.irecv(previous_rank(), vector_tag, vector);
        receive.cancel();
        EXPECT_EQ(receive.wait().source(), MPI_PROC_NULL);
        EXPECT_TRUE(vector.empty());
    });
    EXPECT_EQ(run.completions.size(), 1);
}

TEST(boost_mpi_request, a_cancelled_receive_can_be_waited_for_as_boosts_own) {
    same_as_boost([](auto const& world) {
        std::vector<int> vector(3);
        mpi::request receive;
        {
            auto const made = world.irecv(previous_rank(), vector_tag, vector);
            receive = made;
        }
        receive.cancel();
        EXPECT_EQ(receive.wait().source(), MPI_PROC_NULL);
    });
}

TEST(boost_mpi_request, a_cancelled_send_is_as_mpi_makes_it) {
    auto const run = same_as_boost([](auto const& world) {
        int number = 0;
        auto send = world.isend(next_rank(), number_tag, 5);
        send.cancel();
        // Open MPI cancels no send.
        EXPECT_FALSE(send.wait().cancelled());
        world.recv(previous_rank(), number_tag, number);
        EXPECT_EQ(number, 5);
    });
    completion const done{"isend", next_rank(), number_tag};
    EXPECT_EQ(run.calls.at(1), cancel);
    EXPECT_EQ(run.calls.at(2), completing("wait", done));
    EXPECT_EQ(run.completions, (std::vector{done}));
}

TEST(boost_mpi_request, completed_through_boosts_own_type_goes_unseen) {
    auto const run = same_as_boost([](auto const& world) {
        int number = 0;
        auto receive = world.irecv(previous_rank(), number_tag, number);
        world.send(next_rank(), number_tag, 5);
        library::wait_for(receive);
        EXPECT_EQ(number, 5);
        // Of what is over.
        receive.wait();
        EXPECT_FALSE(receive.test());
    });
    EXPECT_TRUE(run.completions.empty());
    EXPECT_EQ(run.calls.size(), 3);
    EXPECT_EQ(run.calls.back(), record{.operation = "wait"});
}

TEST(boost_mpi_request, BM23_test_gives_what_boosts_gives) {
    mpi::request plain;
    profiled_request profiled;
    static_assert(std::is_same_v<decltype(plain.test()), decltype(profiled.test())>);
    static_assert(std::is_same_v<decltype(plain.wait()), decltype(profiled.wait())>);
    EXPECT_EQ(bool(plain.test()), bool(profiled.test()));
}

}  // namespace

}  // namespace boost_mpi_tests
