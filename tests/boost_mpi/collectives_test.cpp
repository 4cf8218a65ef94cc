// Collectives in all overloads, from every root.
#include "tests/boost_mpi/same_as_boost.hpp"

#include <boost/mpi/skeleton_and_content.hpp>
#include <boost/serialization/list.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <boost/version.hpp>
#include <functional>
#include <numeric>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

/// Boost's size message before a broadcast archive.
constexpr long long size_message = sizeof(std::size_t);
/// How many bytes are serialised is not known.
constexpr long long unknown = -1;

using records = std::vector<record>;

bool is_root(int root) { return world_rank() == root; }

record bcast(int root, long long bytes, long long overhead = 0) {
    return {.operation = "bcast",
            .root = root,
            .sent = is_root(root) ? bytes : 0,
            .received = is_root(root) ? 0 : bytes,
            .overhead = overhead};
}

record reduce(int root, long long bytes) {
    return {.operation = "reduce", .root = root, .sent = bytes, .received = is_root(root) ? bytes : 0};
}

record allreduce(long long bytes, int flags = 0) {
    return {.operation = "allreduce", .flags = flags, .sent = bytes, .received = bytes};
}

long long of_all_ranks(long long bytes) { return bytes == unknown ? unknown : bytes * world_size(); }

record gather(int root, long long bytes) {
    return {.operation = "gather",
            .root = root,
            .sent = bytes,
            .received = is_root(root) ? of_all_ranks(bytes) : 0};
}

record allgather(long long bytes) {
    return {.operation = "allgather", .sent = bytes, .received = of_all_ranks(bytes)};
}

record scatter(int root, long long bytes) {
    return {.operation = "scatter",
            .root = root,
            .sent = is_root(root) ? of_all_ranks(bytes) : 0,
            .received = bytes};
}

/// Runs `scenario(world, root)` from each root; `expected(root)` are its records.
template <class Scenario, class Expected>
void from_each_root(Scenario scenario, Expected expected, order how = order::fixed) {
    for (int root = 0; root < world_size(); ++root) {
        SCOPED_TRACE("root " + std::to_string(root));
        auto const run =
            same_as_boost([&](auto const& world) { scenario(world, root); }, how, __builtin_FILE());
        EXPECT_EQ(run.calls, expected(root));
        EXPECT_TRUE(run.completions.empty());
    }
}

/// Of each rank its own: "a", "bb", "ccc", …
std::string text_of(int rank) {
    return std::string(static_cast<std::size_t>(rank + 1), static_cast<char>('a' + rank));
}

std::vector<std::string> texts_of_all() {
    std::vector<std::string> texts;
    for (int rank = 0; rank < world_size(); ++rank) texts.push_back(text_of(rank));
    return texts;
}

/// All texts, one after the other.
std::string joined_texts() {
    std::string joined;
    for (auto const& each : texts_of_all()) joined += each;
    return joined;
}

/// 1 + 2 + … over the ranks.
int sum_of_ranks() { return world_size() * (world_size() + 1) / 2; }

/// The root broadcasts the value.
template <class T>
void is_broadcast(T const& value, long long bytes, long long overhead) {
    from_each_root(
        [&](auto const& world, int root) {
            T mine = is_root(root) ? value : T{};
            broadcast(world, mine, root);
            EXPECT_EQ(mine, value);
        },
        [&](int root) { return records{bcast(root, bytes, overhead)}; });
}

template <class T>
void is_broadcast_in_archive(T const& value) {
    is_broadcast(value, archive_nbytes(value), size_message);
}

TEST(boost_mpi_broadcast, BM20_of_an_int) { is_broadcast(7, datatype_nbytes<int>(), 0); }

TEST(boost_mpi_broadcast, BM20_of_a_string) {
    is_broadcast_in_archive(std::string{"hello"});
    if (BOOST_VERSION == 107400) {
        EXPECT_EQ(archive_nbytes(std::string{"hello"}), 9);
    }
}

TEST(boost_mpi_broadcast, BM20_of_a_vector) {
    is_broadcast_in_archive(std::vector{1, 2, 3});
    if (BOOST_VERSION == 107400) {
        EXPECT_EQ(archive_nbytes(std::vector{1, 2, 3}), 20);
    }
}

TEST(boost_mpi_broadcast, BM11_of_a_vector_of_bool) { is_broadcast_in_archive(std::vector{true, false}); }

TEST(boost_mpi_broadcast, of_a_map) {
    is_broadcast_in_archive(std::map<int, std::string>{{1, "x"}, {2, "yy"}});
}

TEST(boost_mpi_broadcast, of_arrays) {
    from_each_root(
        [](auto const& world, int root) {
            std::vector<int> numbers(3, is_root(root) ? 7 : 0);
            std::vector<std::string> texts(2, is_root(root) ? "abc" : "");
            broadcast(world, numbers.data(), 3, root);
            broadcast(world, texts.data(), 2, root);
            EXPECT_EQ(numbers, std::vector(3, 7));
            EXPECT_EQ(texts, std::vector(2, std::string{"abc"}));
        },
        [](int root) {
            std::string const text = "abc";
            return records{bcast(root, 3 * datatype_nbytes<int>()),
                           bcast(root, archive_nbytes(text, text), size_message)};
        });
}

TEST(boost_mpi_broadcast, of_nothing) {
    from_each_root(
        [](auto const& world, int root) {
            std::vector<int> numbers(1);
            std::vector<std::string> texts(1);
            broadcast(world, numbers.data(), 0, root);
            broadcast(world, texts.data(), 0, root);
        },
        [](int root) { return records{bcast(root, 0), bcast(root, 0, size_message)}; });
}

// Boost sends these from the root to each other rank.
TEST(boost_mpi_broadcast, of_archives) {
    from_each_root(
        [](auto const& world, int root) {
            mpi::packed_oarchive out(world);
            mpi::packed_iarchive in(world);
            out << std::string{"abc"};
            auto const& readable = out;
            if (is_root(root)) {
                broadcast(world, out, root);
                broadcast(world, readable, root);
            } else {
                broadcast(world, in, root);
                broadcast(world, in, root);
                std::string text;
                in >> text;
                EXPECT_EQ(text, "abc");
            }
        },
        [](int root) {
            auto const bytes = is_root(root) ? archive_nbytes(std::string{"abc"}) : unknown;
            return records{bcast(root, bytes), bcast(root, bytes)};
        },
        order::free);
}

TEST(boost_mpi_broadcast, of_skeleton_and_content) {
    from_each_root(
        [](auto const& world, int root) {
            std::list<int> const all{1, 2, 3};
            std::list<int> values = is_root(root) ? all : std::list<int>{};
            auto shape = mpi::skeleton_proxy<std::list<int>>(values);
            auto const& same_shape = shape;
            broadcast(world, shape, root);
            broadcast(world, same_shape, root);
            auto inside = mpi::get_content(values);
            auto const& same_inside = inside;
            broadcast(world, inside, root);
            broadcast(world, same_inside, root);
            EXPECT_EQ(values, all);
        },
        [](int root) {
            auto const bytes = 3 * datatype_nbytes<int>();
            return records{bcast(root, unknown), bcast(root, unknown), bcast(root, bytes),
                           bcast(root, bytes)};
        },
        order::free);
}

TEST(boost_mpi_reduce, BM19_of_values) {
    from_each_root(
        [](auto const& world, int root) {
            int const mine = world_rank() + 1;
            auto const lambda = [](int a, int b) { return a + b; };
            int sum = 0;
            int largest = 0;
            int sum_by_lambda = 0;
            reduce(world, mine, sum, std::plus<int>{}, root);
            if (is_root(root)) {
                reduce(world, mine, largest, mpi::maximum<int>{}, root);
                reduce(world, mine, sum_by_lambda, lambda, root);
                EXPECT_EQ(sum, sum_of_ranks());
                EXPECT_EQ(largest, world_size());
                EXPECT_EQ(sum_by_lambda, sum_of_ranks());
            } else {
                reduce(world, mine, mpi::maximum<int>{}, root);
                reduce(world, mine, lambda, root);
            }
        },
        [](int root) { return records(3, reduce(root, datatype_nbytes<int>())); });
}

TEST(boost_mpi_reduce, of_arrays_and_vectors) {
    from_each_root(
        [](auto const& world, int root) {
            std::vector const mine{world_rank() + 1, 1};
            std::vector<int> sums(2);
            std::vector<int> more;
            reduce(world, mine.data(), 2, sums.data(), std::plus<int>{}, root);
            reduce(world, mine, more, std::plus<int>{}, root);
            if (is_root(root)) {
                EXPECT_EQ(sums, (std::vector{sum_of_ranks(), world_size()}));
                EXPECT_EQ(more, sums);
                reduce(world, mine.data(), 2, sums.data(), std::plus<int>{}, root);
                reduce(world, mine, more, std::plus<int>{}, root);
            } else {
                reduce(world, mine.data(), 2, std::plus<int>{}, root);
                reduce(world, mine, std::plus<int>{}, root);
            }
        },
        [](int root) { return records(4, reduce(root, 2 * datatype_nbytes<int>())); });
}

TEST(boost_mpi_reduce, of_strings) {
    from_each_root(
        [](auto const& world, int root) {
            auto const mine = text_of(world_rank());
            std::string joined;
            reduce(world, mine, joined, std::plus<std::string>{}, root);
            std::vector<std::string> all(1);
            if (is_root(root)) {
                reduce(world, &mine, 1, all.data(), std::plus<std::string>{}, root);
                EXPECT_EQ(joined, joined_texts());
                EXPECT_EQ(all[0], joined_texts());
            } else {
                reduce(world, &mine, 1, std::plus<std::string>{}, root);
            }
        },
        [](int root) { return records(2, reduce(root, unknown)); });
}

TEST(boost_mpi_all_reduce, BM19_of_values) {
    auto const run = same_as_boost([](auto const& world) {
        int const mine = world_rank() + 1;
        int sum = 0;
        all_reduce(world, mine, sum, std::plus<int>{});
        EXPECT_EQ(sum, sum_of_ranks());
        EXPECT_EQ(all_reduce(world, mine, std::plus<int>{}), sum_of_ranks());
        EXPECT_EQ(all_reduce(world, mine, [](int a, int b) { return a + b; }), sum_of_ranks());
        EXPECT_EQ(all_reduce(world, mine, std::plus<>{}), sum_of_ranks());
    });
    EXPECT_EQ(run.calls, records(4, allreduce(datatype_nbytes<int>())));
}

TEST(boost_mpi_all_reduce, BM19_in_place) {
    auto const run = same_as_boost([](auto const& world) {
        int value = world_rank() + 1;
        std::vector values{world_rank() + 1, 1};
        all_reduce(world, mpi::inplace(value), std::plus<int>{});
        all_reduce(world, mpi::inplace(values.data()), 2, std::plus<int>{});
        EXPECT_EQ(value, sum_of_ranks());
        EXPECT_EQ(values, (std::vector{sum_of_ranks(), world_size()}));
        all_reduce(world, mpi::inplace(value), [](int a, int b) { return a + b; });
        EXPECT_EQ(value, sum_of_ranks() * world_size());
    });
    auto const bytes = datatype_nbytes<int>();
    EXPECT_EQ(run.calls,
              (records{allreduce(bytes, mpiprof::call_in_place), allreduce(2 * bytes, mpiprof::call_in_place),
                       allreduce(bytes, mpiprof::call_in_place)}));
}

TEST(boost_mpi_all_reduce, of_arrays) {
    auto const run = same_as_boost([](auto const& world) {
        std::vector const mine{world_rank() + 1, 1};
        std::vector<int> sums(2);
        all_reduce(world, mine.data(), 2, sums.data(), std::plus<int>{});
        EXPECT_EQ(sums, (std::vector{sum_of_ranks(), world_size()}));
    });
    EXPECT_EQ(run.calls, records(1, allreduce(2 * datatype_nbytes<int>())));
}

TEST(boost_mpi_all_reduce, of_strings) {
    auto const run = same_as_boost([](auto const& world) {
        auto const mine = text_of(world_rank());
        std::string joined;
        all_reduce(world, mine, joined, std::plus<std::string>{});
        EXPECT_EQ(joined, joined_texts());
        EXPECT_EQ(all_reduce(world, mine, std::plus<std::string>{}), joined_texts());
        all_reduce(world, &mine, 1, &joined, std::plus<std::string>{});
        EXPECT_EQ(joined, joined_texts());
        joined = mine;
        all_reduce(world, mpi::inplace(joined), std::plus<std::string>{});
        EXPECT_EQ(joined, joined_texts());
    });
    auto const own = allreduce(unknown);
    EXPECT_EQ(run.calls, (records{own, own, own, allreduce(unknown, mpiprof::call_in_place)}));
}

TEST(boost_mpi_gather, of_values_and_arrays) {
    from_each_root(
        [](auto const& world, int root) {
            std::vector const mine{world_rank(), -world_rank()};
            std::vector<int> all;
            std::vector<int> room(2 * static_cast<std::size_t>(world_size()), 7);
            std::size_t const last = static_cast<std::size_t>(world_size()) - 1;
            gather(world, mine[0], all, root);
            if (is_root(root)) {
                ASSERT_EQ(all.size(), last + 1);
                EXPECT_EQ(all[last], world_size() - 1);
                gather(world, mine[0], room.data(), root);
                EXPECT_EQ(room[last], world_size() - 1);
                gather(world, mine.data(), 2, all, root);
                ASSERT_EQ(all.size(), 2 * (last + 1));
                EXPECT_EQ(all[2 * last + 1], 1 - world_size());
                gather(world, mine.data(), 2, room.data(), root);
                EXPECT_EQ(room, all);
            } else {
                gather(world, mine[0], root);
                gather(world, mine.data(), 2, root);
                gather(world, mine.data(), 2, root);
            }
        },
        [](int root) {
            auto const one = gather(root, datatype_nbytes<int>());
            auto const two = gather(root, 2 * datatype_nbytes<int>());
            return records{one, one, two, two};
        });
}

TEST(boost_mpi_gather, BM21_of_strings) {
    from_each_root(
        [](auto const& world, int root) {
            auto const mine = text_of(world_rank());
            std::vector<std::string> all;
            std::vector<std::string> room(static_cast<std::size_t>(world_size()));
            gather(world, mine, all, root);
            if (is_root(root)) {
                gather(world, &mine, 1, room.data(), root);
                EXPECT_EQ(all, texts_of_all());
                EXPECT_EQ(room, all);
            } else {
                gather(world, mine, root);
            }
        },
        [](int root) { return records(2, gather(root, unknown)); });
}

TEST(boost_mpi_all_gather, of_values_and_arrays) {
    auto const run = same_as_boost([](auto const& world) {
        std::vector const mine{world_rank(), -world_rank()};
        std::vector<int> all;
        std::vector<int> room(2 * static_cast<std::size_t>(world_size()));
        std::size_t const last = static_cast<std::size_t>(world_size()) - 1;
        all_gather(world, mine[0], all);
        EXPECT_EQ(all.at(last), world_size() - 1);
        all_gather(world, mine[0], room.data());
        EXPECT_EQ(room[last], world_size() - 1);
        all_gather(world, mine.data(), 2, all);
        EXPECT_EQ(all.at(2 * last + 1), 1 - world_size());
        all_gather(world, mine.data(), 2, room.data());
        EXPECT_EQ(room, all);
    });
    auto const one = allgather(datatype_nbytes<int>());
    auto const two = allgather(2 * datatype_nbytes<int>());
    EXPECT_EQ(run.calls, (records{one, one, two, two}));
}

TEST(boost_mpi_all_gather, BM21_of_strings) {
    auto const run = same_as_boost([](auto const& world) {
        auto const mine = text_of(world_rank());
        std::vector<std::string> all;
        std::vector<std::string> room(static_cast<std::size_t>(world_size()));
        all_gather(world, mine, all);
        EXPECT_EQ(all, texts_of_all());
        all_gather(world, &mine, 1, room.data());
        EXPECT_EQ(room, all);
    });
    EXPECT_EQ(run.calls, records(2, allgather(unknown)));
}

TEST(boost_mpi_scatter, of_values_and_arrays) {
    from_each_root(
        [](auto const& world, int root) {
            std::vector<int> values(2 * static_cast<std::size_t>(world_size()));
            std::iota(values.begin(), values.end(), 10);
            // Boost takes a non-const pointer for where to scatter to, and without <int> is not sure.
            auto const& all = values;
            std::vector<int> mine(2);
            scatter(world, all, mine[0], root);
            EXPECT_EQ(mine[0], world_rank() + 10);
            std::vector const expected{2 * world_rank() + 10, 2 * world_rank() + 11};
            scatter(world, all, mine.data(), 2, root);
            EXPECT_EQ(mine, expected);
            mine = {0, 0};
            if (is_root(root)) {
                scatter<int>(world, all.data(), mine[1], root);
                scatter(world, all.data(), mine.data(), 2, root);
            } else {
                scatter(world, mine[1], root);
                EXPECT_EQ(mine[1], world_rank() + 10);
                scatter(world, mine.data(), 2, root);
            }
            EXPECT_EQ(mine, expected);
        },
        [](int root) {
            auto const one = scatter(root, datatype_nbytes<int>());
            auto const two = scatter(root, 2 * datatype_nbytes<int>());
            return records{one, two, one, two};
        });
}

TEST(boost_mpi_scatter, of_strings) {
    from_each_root(
        [](auto const& world, int root) {
            auto const all = texts_of_all();
            std::string mine;
            std::string again;
            scatter(world, all, mine, root);
            EXPECT_EQ(mine, text_of(world_rank()));
            if (is_root(root)) scatter(world, all.data(), &again, 1, root);
            else scatter(world, &again, 1, root);
            EXPECT_EQ(again, mine);
        },
        [](int root) { return records(2, scatter(root, unknown)); });
}

TEST(boost_mpi_collectives, barrier_moves_nothing) {
    auto const run = same_as_boost([](auto const& world) { world.barrier(); });
    EXPECT_EQ(run.calls, records{{.operation = "barrier"}});
}

/// What else Boost has for collectives is Boost's own.
TEST(boost_mpi_collectives, that_are_not_profiled_work) {
    auto const run = same_as_boost([](auto const& world) {
        std::vector<int> out;
        all_to_all(world, std::vector<int>(static_cast<std::size_t>(world_size()), 5), out);
        EXPECT_EQ(scan(world, 1, std::plus<int>{}), world_rank() + 1);
    });
    EXPECT_TRUE(run.calls.empty());
}

/// Calls each overload, one a line; returns the first line.
template <class... Site>
std::uint32_t call_each(Site... site) {
    profiled_communicator const world;
    bool const leads = world_rank() == 0;
    int number = 1;
    int sum = 0;
    std::vector<int> two{1, 2};
    std::vector<int> all(2 * static_cast<std::size_t>(world_size()));
    std::vector<int> const in = all;
    std::string text;
    std::list<int> list;
    mpi::skeleton_proxy<std::list<int>> shape{list};
    auto const& same_shape = shape;
    std::plus<int> const plus;
    int* const p = two.data();
    int* const q = all.data();
    begin_run();
    // clang-format off
    auto const first = static_cast<std::uint32_t>(__LINE__ + 1);
    broadcast(world, number, 0, site...);
    broadcast(world, text, 0, site...);
    broadcast(world, p, 2, 0, site...);
    broadcast(world, &text, 1, 0, site...);
    broadcast(world, shape, 0, site...);
    broadcast(world, same_shape, 0, site...);
    reduce(world, number, sum, plus, 0, site...);
    leads ? reduce(world, number, sum, plus, 0, site...) : reduce(world, number, plus, 0, site...);
    reduce(world, p, 2, q, plus, 0, site...);
    leads ? reduce(world, p, 2, q, plus, 0, site...) : reduce(world, p, 2, plus, 0, site...);
    reduce(world, two, all, plus, 0, site...);
    leads ? reduce(world, two, all, plus, 0, site...) : reduce(world, two, plus, 0, site...);
    all_reduce(world, p, 2, q, plus, site...);
    all_reduce(world, number, sum, plus, site...);
    sum = all_reduce(world, number, plus, site...);
    all_reduce(world, mpi::inplace(p), 2, plus, site...);
    all_reduce(world, mpi::inplace(number), plus, site...);
    gather(world, number, all, 0, site...);
    gather(world, number, q, 0, site...);
    leads ? gather(world, number, all, 0, site...) : gather(world, number, 0, site...);
    gather(world, p, 2, all, 0, site...);
    gather(world, p, 2, q, 0, site...);
    leads ? gather(world, p, 2, all, 0, site...) : gather(world, p, 2, 0, site...);
    all_gather(world, number, all, site...);
    all_gather(world, number, q, site...);
    all_gather(world, p, 2, all, site...);
    all_gather(world, p, 2, q, site...);
    scatter(world, in, number, 0, site...);
    scatter<int>(world, in.data(), number, 0, site...);
    leads ? scatter(world, in, number, 0, site...) : scatter(world, number, 0, site...);
    scatter(world, in, p, 2, 0, site...);
    scatter(world, in.data(), p, 2, 0, site...);
    leads ? scatter(world, in, p, 2, 0, site...) : scatter(world, p, 2, 0, site...);
    // clang-format on
    return first;
}

TEST(boost_mpi_collectives, record_where_they_were_called) {
    auto const first = call_each();
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 33);
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        EXPECT_STREQ(calls[i].site.file(), __FILE__);
        EXPECT_EQ(calls[i].site.line(), first + i) << name(calls[i].operation);
    }
}

TEST(boost_mpi_collectives, record_the_place_that_a_helper_passes_on) {
    call_each(mpiprof::call_site{"there", 7});
    ASSERT_EQ(recorded().calls.size(), 33);
    for (auto const& each : recorded().calls) {
        EXPECT_STREQ(each.site.file(), "there");
        EXPECT_EQ(each.site.line(), 7) << name(each.operation);
    }
}

TEST(boost_mpi_collectives, ask_mpi_for_ranks_and_sizes_as_often_as_boost) {
    auto const queries_of = [](auto const& world, auto call) {
        begin_run();
        call(world);
        return pmpi_log::queries();
    };
    auto const expect_same = [&](char const* collective, auto call) {
        EXPECT_EQ(queries_of(profiled_communicator{}, call), queries_of(mpi::communicator{}, call))
            << collective;
    };
    expect_same("broadcast", [](auto const& world) {
        int number = 1;
        broadcast(world, number, 0);
    });
    expect_same("broadcast of a string", [](auto const& world) {
        std::string text;
        broadcast(world, text, 0);
    });
    expect_same("reduce", [](auto const& world) {
        int sum = 0;
        reduce(world, 1, sum, std::plus<int>{}, 0);
    });
    expect_same("all_reduce", [](auto const& world) { all_reduce(world, 1, std::plus<int>{}); });
    expect_same("gather", [](auto const& world) {
        std::vector<int> all;
        gather(world, 1, all, 0);
    });
    expect_same("all_gather", [](auto const& world) {
        std::vector<int> all;
        all_gather(world, 1, all);
    });
    expect_same("scatter", [](auto const& world) {
        int number = 0;
        scatter(world, std::vector<int>(static_cast<std::size_t>(world_size())), number, 0);
    });
}

}  // namespace

}  // namespace boost_mpi_tests
