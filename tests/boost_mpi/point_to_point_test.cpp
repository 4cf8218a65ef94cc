// Messages of every kind, in every pairing of blocking and nonblocking calls.
#include "tests/boost_mpi/same_as_boost.hpp"

#include "tests/boost_mpi/library.hpp"
#include "tests/boost_mpi/saves_counted.hpp"

#include <array>
#include <boost/mpi/skeleton_and_content.hpp>
#include <boost/optional.hpp>
#include <boost/serialization/complex.hpp>
#include <boost/serialization/export.hpp>
#include <boost/serialization/list.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/optional.hpp>
#include <boost/serialization/shared_ptr.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#include <boost/version.hpp>
#include <complex>
#include <gmock/gmock.h>
#include <malloc.h>
#include <memory>
#if BOOST_VERSION >= 108400
#include <boost/serialization/variant.hpp>
#include <optional>
#include <variant>
#endif

namespace {

struct serialised {
    int number = 0;
    double real = 0;

    bool operator==(serialised const&) const = default;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number & real;
    }
};

/// The same, with an MPI datatype.
struct described {
    int number = 0;
    double real = 0;

    bool operator==(described const&) const = default;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number & real;
    }
};

/// Sent by pointer.
struct pointed_to {
    int number = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number;
    }
};

struct base {
    virtual ~base() = default;

    template <class Archive>
    void serialize(Archive&, unsigned) {}
};

struct derived : base {
    int number = 0;
    double real = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& boost::serialization::base_object<base>(*this) & number & real;
    }
};

/// Does not tell its address.
struct no_address {
    int number = 0;

    void operator&() const = delete;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number;
    }
};

}  // namespace

BOOST_IS_MPI_DATATYPE(described)
BOOST_CLASS_EXPORT_GUID(derived, "Der")

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

constexpr int tag = 9;

template <class T>
bool same(T const& left, T const& right) {
    return left == right;
}

bool same(std::shared_ptr<base> const& left, std::shared_ptr<base> const& right) {
    auto const* const one = dynamic_cast<derived*>(left.get());
    auto const* const other = dynamic_cast<derived*>(right.get());
    if (one == nullptr || other == nullptr) return left == right;
    return one->number == other->number && one->real == other->real;
}

/// A value, as a message.
template <class T>
struct value_message {
    T value;
    T arrived{};

    void send(auto const& world, int to) const { world.send(to, tag, value); }
    auto isend(auto const& world, int to) const { return world.isend(to, tag, value); }
    auto recv(auto const& world, int from) { return world.recv(from, tag, arrived); }
    auto irecv(auto const& world, int from) { return world.irecv(from, tag, arrived); }
    bool has_arrived() const { return same(value, arrived); }
};

template <class T>
value_message<T> message(T const& value) {
    return {value};
}

/// Values by pointer and count.
template <class T>
struct array_message {
    std::vector<T> values;
    std::vector<T> arrived;
    int n;

    void send(auto const& world, int to) const { world.send(to, tag, values.data(), n); }
    auto isend(auto const& world, int to) const { return world.isend(to, tag, values.data(), n); }
    auto recv(auto const& world, int from) { return world.recv(from, tag, arrived.data(), n); }
    auto irecv(auto const& world, int from) { return world.irecv(from, tag, arrived.data(), n); }
    bool has_arrived() const { return std::equal(values.begin(), values.begin() + n, arrived.begin()); }
};

/// The first `n` of the values.
template <class T>
array_message<T> array(std::vector<T> const& values, int n) {
    return {values, std::vector<T>(values.size()), n};
}

struct empty_message {
    void send(auto const& world, int to) const { world.send(to, tag); }
    auto isend(auto const& world, int to) const { return world.isend(to, tag); }
    auto recv(auto const& world, int from) { return world.recv(from, tag); }
    auto irecv(auto const& world, int from) { return world.irecv(from, tag); }
    bool has_arrived() const { return true; }
};

constexpr long long no_capacity = -1;

/// How a message is sent and received.
struct pairing {
    bool isend;
    bool irecv;
};

constexpr pairing pairings[] = {{false, false}, {true, true}, {false, true}, {true, false}};

/// One message of `bytes` to the next rank, and one from the previous.
void expect_one_message(outcome const& run, pairing how, long long bytes, long long capacity) {
    int const to = next_rank();
    int const from = previous_rank();
    std::vector<record> calls;
    std::vector<completion> completions;
    if (how.irecv) {
        calls.push_back({.operation = "irecv", .peer = from, .tag = tag, .capacity = capacity});
    }
    calls.push_back({.operation = how.isend ? "isend" : "send", .peer = to, .tag = tag, .sent = bytes});
    if (!how.irecv) calls.push_back({.operation = "recv", .peer = from, .tag = tag, .received = bytes});
    if (how.isend) {
        calls.push_back({.operation = "wait", .request = "isend", .peer = to, .tag = tag});
        completions.push_back({"isend", to, tag});
    }
    if (how.irecv) {
        calls.push_back({.operation = "wait", .request = "irecv", .peer = from, .tag = tag});
        completions.push_back({"irecv", from, tag, bytes});
    }
    EXPECT_EQ(run.calls, calls);
    EXPECT_EQ(run.completions, completions);
    std::string const function = how.isend ? "Isend" : "Send";
    EXPECT_EQ(pmpi_log::calls(function), (std::vector<pmpi_log::call>{{function, bytes, 0, to, tag}}));
}

/// The message goes round the ring in every pairing, each time as one message of `bytes`, which with Boost
/// 1.74 are `bytes_1_74`. It is small, so that a send does not wait for its receive. `capacity` is that of
/// the irecv.
template <class Message>
void travels(Message const& prototype, long long bytes, long long bytes_1_74, long long capacity) {
    if (BOOST_VERSION == 107400) {
        EXPECT_EQ(bytes, bytes_1_74);
    }
    for (auto const how : pairings) {
        SCOPED_TRACE(how.isend ? "isend" : "send");
        SCOPED_TRACE(how.irecv ? "irecv" : "recv");
        auto const run = same_as_boost([&](auto const& world) {
            auto copy = prototype;
            decltype(copy.irecv(world, 0)) receiving;
            decltype(copy.isend(world, 0)) sending;
            if (how.irecv) receiving = copy.irecv(world, previous_rank());
            if (how.isend) sending = copy.isend(world, next_rank());
            else copy.send(world, next_rank());
            if (!how.irecv) copy.recv(world, previous_rank());
            if (how.isend) sending.wait();
            if (how.irecv) receiving.wait();
            EXPECT_TRUE(copy.has_arrived());
        });
        expect_one_message(run, how, bytes, capacity);
    }
}

/// A value that Boost sends in an archive.
template <class T>
void travels_in_archive(T const& value, long long bytes_1_74) {
    travels(message(value), archive_nbytes(value), bytes_1_74, no_capacity);
}

/// Values that Boost sends as one of MPI's datatypes.
template <class T>
void travels_as_datatype(T const& value, long long bytes_1_74) {
    auto const bytes = datatype_nbytes<T>();
    travels(message(value), bytes, bytes_1_74, bytes);
}

std::shared_ptr<base> made_derived() {
    auto made = std::make_shared<derived>();
    made->number = 3;
    made->real = 0.5;
    return made;
}

// Table T1 of the bytes that Boost.MPI puts on the wire.

TEST(boost_mpi_bytes, T1_BM1_BM25_BM28_no_payload) { travels(empty_message{}, 0, 0, 0); }
TEST(boost_mpi_bytes, T1_BM1_BM25_int) { travels_as_datatype(5, 4); }
TEST(boost_mpi_bytes, T1_BM1_BM25_BM9_bool) { travels_as_datatype(true, 1); }

TEST(boost_mpi_bytes, T1_BM1_BM25_BM3_M1_vector_of_int) {
    travels(message(std::vector<int>(5, 7)), 5 * datatype_nbytes<int>(), 20, no_capacity);
}
TEST(boost_mpi_bytes, T1_BM1_BM25_BM28_Z6_empty_vector) {
    travels(message(std::vector<int>{}), 0, 0, no_capacity);
}
TEST(boost_mpi_bytes, T1_BM1_BM25_BM12_vector_of_vectors) {
    travels_in_archive(std::vector<std::vector<int>>{{1, 2}, {3}}, 42);
}

TEST(boost_mpi_bytes, T1_BM1_BM25_BM28_empty_string) { travels_in_archive(std::string{}, 4); }
TEST(boost_mpi_bytes, T1_BM1_BM25_string) { travels_in_archive(std::string{"abc"}, 7); }
TEST(boost_mpi_bytes, T1_BM1_BM25_pointer_and_count) {
    auto const bytes = 4 * datatype_nbytes<int>();
    travels(array(std::vector{1, 2, 3, 4}, 4), bytes, 16, bytes);
}
TEST(boost_mpi_bytes, T1_BM1_BM25_BM28_pointer_and_count_of_0) {
    travels(array(std::vector{1, 2, 3, 4}, 0), 0, 0, 0);
}

TEST(boost_mpi_bytes, T1_BM1_BM25_vector_of_strings) {
    travels_in_archive(std::vector<std::string>{"ab", "c"}, 25);
}
TEST(boost_mpi_bytes, T1_BM1_BM25_serialised_struct) { travels_in_archive(serialised{1, 2.5}, 14); }
TEST(boost_mpi_bytes, T1_BM1_BM25_struct_with_a_datatype) { travels_as_datatype(described{1, 2.5}, 12); }
TEST(boost_mpi_bytes, T1_BM1_BM25_vector_of_structs_with_a_datatype) {
    travels(message(std::vector<described>(3, {1, 2.5})), 3 * datatype_nbytes<described>(), 36, no_capacity);
}

TEST(boost_mpi_bytes, T1_BM1_BM25_map) { travels_in_archive(std::map<int, std::string>{{1, "x"}}, 25); }
TEST(boost_mpi_bytes, T1_BM1_BM25_BM15_empty_optional) { travels_in_archive(boost::optional<int>{}, 3); }
TEST(boost_mpi_bytes, T1_BM1_BM25_BM15_engaged_optional) { travels_in_archive(boost::optional<int>{7}, 7); }
TEST(boost_mpi_bytes, T1_BM1_BM25_BM14_pointer_to_base) { travels_in_archive(made_derived(), 35); }
TEST(boost_mpi_bytes, T1_BM1_BM25_BM14_null_pointer) { travels_in_archive(std::shared_ptr<base>{}, 4); }

TEST(boost_mpi_bytes, BM16_optional_and_variant_of_the_standard_library) {
#if BOOST_VERSION >= 108400
    travels(message(std::optional<int>{}), archive_nbytes(std::optional<int>{}), 0, no_capacity);
    travels(message(std::optional{7}), archive_nbytes(std::optional{7}), 0, no_capacity);
    using either = std::variant<int, double>;
    travels(message(either{2.5}), archive_nbytes(either{2.5}), 0, no_capacity);
#else
    GTEST_SKIP() << "Boost serialises them from 1.84 on";
#endif
}

TEST(boost_mpi_bytes, T1_BM1_BM25_strings_by_pointer_and_count) {
    std::vector<std::string> const values{"ab", "c"};
    travels(array(values, 2), archive_nbytes(values[0], values[1]), 11, no_capacity);
}

/// Bytes of a value's skeleton in an archive, by Boost.
template <class T>
long long skeleton_nbytes(T const& value) {
    mpi::packed_skeleton_oarchive archive(mpi::communicator{});
    archive << value;
    return static_cast<long long>(archive.get_skeleton().size());
}

TEST(boost_mpi_bytes, T1_BM1_BM25_skeleton_and_content) {
    std::list<int> const values{1, 2, 3};
    auto const run = same_as_boost([&](auto const& world) {
        std::list<int> arrived;
        auto const shape = mpi::skeleton(values);
        auto const inside = mpi::get_content(values);
        world.send(next_rank(), tag, shape);
        world.recv(previous_rank(), tag, mpi::skeleton(arrived));
        world.send(next_rank(), tag, inside);
        world.recv(previous_rank(), tag, mpi::get_content(arrived));
        EXPECT_EQ(arrived, values);
    });
    auto const content_nbytes = type_nbytes(mpi::get_content(values).get_mpi_datatype());
    if (BOOST_VERSION == 107400) {
        EXPECT_EQ(skeleton_nbytes(values), 8);
    }
    EXPECT_EQ(content_nbytes, 12);
    EXPECT_EQ(
        run.calls,
        (std::vector<record>{
            {.operation = "send", .peer = next_rank(), .tag = tag, .sent = skeleton_nbytes(values)},
            {.operation = "recv", .peer = previous_rank(), .tag = tag, .received = skeleton_nbytes(values)},
            {.operation = "send", .peer = next_rank(), .tag = tag, .sent = content_nbytes},
            {.operation = "recv", .peer = previous_rank(), .tag = tag, .received = content_nbytes}}));
}

TEST(boost_mpi_bytes, T1_BM1_BM25_nonblocking_skeleton_and_content) {
    std::list<int> const values{1, 2, 3};
    auto const run = same_as_boost([&](auto const& world) {
        std::list<int> arrived;
        auto const shape = mpi::skeleton(values);
        auto const into = mpi::skeleton(arrived);
        auto receive = world.irecv(previous_rank(), tag, into);
        auto send = world.isend(next_rank(), tag, shape);
        send.wait();
        receive.wait();
        auto const inside = mpi::get_content(values);
        auto const to_fill = mpi::get_content(arrived);
        receive = world.irecv(previous_rank(), tag, to_fill);
        send = world.isend(next_rank(), tag, inside);
        send.wait();
        receive.wait();
        EXPECT_EQ(arrived, values);
    });
    auto const content_nbytes = type_nbytes(mpi::get_content(values).get_mpi_datatype());
    ASSERT_EQ(run.calls.size(), 8);
    EXPECT_EQ(run.calls[1].sent, skeleton_nbytes(values));
    EXPECT_EQ(run.calls[5].sent, content_nbytes);
    EXPECT_EQ(run.completions,
              (std::vector<completion>{{"isend", next_rank(), tag},
                                       {"irecv", previous_rank(), tag, skeleton_nbytes(values)},
                                       {"isend", next_rank(), tag},
                                       {"irecv", previous_rank(), tag, content_nbytes}}));
}

TEST(boost_mpi_bytes, packed_archives) {
    auto const bytes = archive_nbytes(std::string{"abc"}, 5);
    auto const run = same_as_boost([&](auto const& world) {
        mpi::packed_oarchive out(world);
        out << std::string{"abc"} << 5;
        for (int i = 0; i < 2; ++i) {
            mpi::packed_iarchive in(world);
            auto send = world.isend(next_rank(), tag, out);
            if (i == 0) world.recv(previous_rank(), tag, in);
            else world.irecv(previous_rank(), tag, in).wait();
            send.wait();
            std::string text;
            int number = 0;
            in >> text >> number;
            EXPECT_EQ(text, "abc");
            EXPECT_EQ(number, 5);
        }
        mpi::packed_iarchive in(world);
        world.send(next_rank(), tag, out);
        world.recv(previous_rank(), tag, in);
    });
    ASSERT_EQ(run.calls.size(), 9);
    for (int const send : {0, 3, 7}) EXPECT_EQ(run.calls.begin()[send].sent, bytes);
    for (int const recv : {1, 8}) EXPECT_EQ(run.calls.begin()[recv].received, bytes);
    EXPECT_EQ(run.completions, (std::vector<completion>{{"isend", next_rank(), tag},
                                                        {"irecv", previous_rank(), tag, bytes},
                                                        {"isend", next_rank(), tag}}));
}

TEST(boost_mpi_bytes, packed_skeleton_archives) {
    std::list<int> const values{1, 2, 3};
    auto const run = same_as_boost([&](auto const& world) {
        std::list<int> arrived;
        mpi::packed_skeleton_oarchive out(world);
        out << values;
        mpi::packed_skeleton_iarchive in(world);
        world.send(next_rank(), tag, out);
        world.recv(previous_rank(), tag, in);
        in >> arrived;
        EXPECT_EQ(arrived.size(), 3);
        auto send = world.isend(next_rank(), tag, out);
        world.recv(previous_rank(), tag, mpi::skeleton(arrived));
        send.wait();
    });
    auto const bytes = skeleton_nbytes(values);
    ASSERT_EQ(run.calls.size(), 5);
    EXPECT_EQ(run.calls[0].sent, bytes);
    EXPECT_EQ(run.calls[1].received, bytes);
    EXPECT_EQ(run.calls[2].sent, bytes);
    EXPECT_EQ(run.calls[3].received, bytes);
}

TEST(boost_mpi_bytes, string_literals_and_arrays) {
    auto const run = same_as_boost([](auto const& world) {
        char text[2] = {};
        int const values[3] = {1, 2, 3};
        int numbers[3] = {};
        world.send(next_rank(), tag, "x");
        world.recv(previous_rank(), tag, text);
        EXPECT_STREQ(text, "x");
        world.send(next_rank(), tag, values);
        world.recv(previous_rank(), tag, numbers);
        EXPECT_EQ(numbers[2], 3);
    });
    int const numbers[3] = {1, 2, 3};
    EXPECT_EQ(run.calls.at(0).sent, archive_nbytes("x"));
    EXPECT_EQ(run.calls.at(2).sent, archive_nbytes(numbers));
}

TEST(boost_mpi_bytes, BM9_bool_makes_no_more_datatypes_than_boost) {
    begin_run();
    mpi::communicator const plain;
    bool arrived = false;
    plain.isend(next_rank(), tag, true).wait();
    plain.recv(previous_rank(), tag, arrived);
    auto const made = pmpi_log::calls("Type_commit").size();
    profiled_communicator const world;
    world.isend(next_rank(), tag, true).wait();
    world.recv(previous_rank(), tag, arrived);
    EXPECT_TRUE(arrived);
    EXPECT_EQ(pmpi_log::calls("Type_commit").size(), made);
}

enum class colour : char { red, green };

TEST(boost_mpi_bytes, enums_pairs_arrays_and_complex_numbers) {
    travels(message(colour::green), archive_nbytes(colour::green), 4, no_capacity);
    travels_as_datatype(std::pair{1, 2.5}, 12);
    travels_as_datatype(std::array{1, 2, 3, 4}, 16);
    travels_in_archive(std::complex<double>{1, 2}, 16);
    travels_in_archive(std::pair{1, std::string{"a"}}, 11);
}

struct message_header {
    unsigned tag : 5;
    unsigned dest : 5;
};

TEST(boost_mpi_messages, with_types_given_and_numbers_from_bit_fields) {
    auto const run = same_as_boost([](auto const& world) {
        using strings = std::vector<std::string>;
        message_header const header{3, static_cast<unsigned>(next_rank()) & 31U};
        int const from = previous_rank();
        double real = 0;
        int numbers[2] = {};
        strings texts;
        // An int as a double, and so on.
        world.template send<double>(header.dest, header.tag, 5);
        world.template recv<double>(from, header.tag, real);
        EXPECT_EQ(real, 5);
        world.template send<std::string>(header.dest, header.tag, "abc");
        world.template recv<strings::value_type>(from, header.tag, texts.emplace_back());
        EXPECT_EQ(texts[0], "abc");
        auto sending = world.template isend<int>(header.dest, header.tag, numbers, 2);
        world.template irecv<int>(from, header.tag, numbers, 2).wait();
        sending.wait();
        // As a vector, whose elements have a type, and as a value.
        world.template send<std::string>(header.dest, header.tag, texts);
        world.template recv<std::string>(from, header.tag, texts);
        world.template send<strings>(header.dest, header.tag, texts);
        world.template recv<strings>(from, header.tag, texts);
        EXPECT_EQ(texts, strings{"abc"});
        world.template sendrecv<double>(header.dest, header.tag, 6, from, header.tag, real);
        EXPECT_EQ(real, 6);
    });
    std::vector<long long> sent;
    for (auto const& each : run.calls) {
        if (each.sent > 0) sent.push_back(each.sent);
    }
    auto const texts = archive_nbytes(std::vector<std::string>{"abc"});
    EXPECT_EQ(sent, (std::vector<long long>{8, archive_nbytes(std::string{"abc"}), 8, texts, texts, 8}));
}

TEST(boost_mpi_messages, BM13_one_pointer_is_not_pointer_and_count) {
    pointed_to object{7};
    pointed_to objects[2] = {{1}, {2}};
    auto const run = same_as_boost([&](auto const& world) {
        pointed_to* one = nullptr;
        world.send(next_rank(), tag, &object);
        world.recv(previous_rank(), tag, one);
        EXPECT_EQ(one->number, 7);
        delete one;

        pointed_to several[2];
        world.send(next_rank(), tag, objects, 2);
        world.recv(previous_rank(), tag, several, 2);
        EXPECT_EQ(several[1].number, 2);

        std::vector<pointed_to*> pointers{&objects[0], &objects[1]};
        std::vector<pointed_to*> arrived;
        world.send(next_rank(), tag, pointers);
        world.recv(previous_rank(), tag, arrived);
        ASSERT_EQ(arrived.size(), 2);
        EXPECT_EQ(arrived[1]->number, 2);
        for (auto const* each : arrived) delete each;
    });
    pointed_to* const pointer = &object;
    std::vector<pointed_to*> const pointers{&objects[0], &objects[1]};
    ASSERT_EQ(run.calls.size(), 6);
    EXPECT_EQ(run.calls[0].sent, archive_nbytes(pointer));
    EXPECT_EQ(run.calls[2].sent, archive_nbytes(objects[0], objects[1]));
    EXPECT_EQ(run.calls[4].sent, archive_nbytes(pointers));
}

TEST(boost_mpi_messages, of_classes_that_overload_the_address) {
    same_as_boost([](auto const& world) {
        no_address received;
        auto receive = world.irecv(previous_rank(), tag, received);
        world.send(next_rank(), tag, no_address{7});
        receive.wait();
        EXPECT_EQ(received.number, 7);
    });
}

TEST(boost_mpi_messages, are_serialised_once) {
    profiled_communicator const world;
    std::vector<saves_counted> const values(3);
    saves_counted const value;
    std::vector<saves_counted> arrived(3);
    int const to = next_rank();
    int const from = previous_rank();
    auto const saves_of = [&](auto send) {
        saves_counted::saves = 0;
        send();
        return saves_counted::saves;
    };
    EXPECT_EQ(saves_of([&] { world.send(to, 1, value); }), 1);
    EXPECT_EQ(saves_of([&] { world.isend(to, 2, value).wait(); }), 1);
    EXPECT_EQ(saves_of([&] { world.send(to, 3, values.data(), 3); }), 3);
    EXPECT_EQ(saves_of([&] { world.isend(to, 4, values.data(), 3).wait(); }), 3);
    EXPECT_EQ(saves_of([&] { world.send(to, 5, values); }), 3);
    EXPECT_EQ(saves_of([&] { world.isend(to, 6, values).wait(); }), 3);
    EXPECT_EQ(saves_of([&] {
                  world.recv(from, 1, arrived[0]);
                  world.irecv(from, 2, arrived[0]).wait();
                  world.recv(from, 3, arrived.data(), 3);
                  world.irecv(from, 4, arrived.data(), 3).wait();
                  world.recv(from, 5, arrived);
                  world.irecv(from, 6, arrived).wait();
              }),
              0);
    for (int root = 0; root < world_size(); ++root) {
        EXPECT_EQ(saves_of([&] { broadcast(world, arrived[0], root); }), world_rank() == root ? 1 : 0);
        EXPECT_EQ(saves_of([&] { broadcast(world, arrived.data(), 3, root); }), world_rank() == root ? 3 : 0);
    }
}

TEST(boost_mpi_messages, serialised_data_lives_until_its_request_dies) {
    // Larger than what MPI takes a copy of.
    std::string const text(std::size_t{1} << 20, 'x');
    same_as_boost([&](auto const& world) {
        int const before = pmpi_log::live_buffers();
        {
            auto send = world.isend(next_rank(), tag, text);
            EXPECT_EQ(pmpi_log::live_buffers(), before + 1);
            std::string const scribble(text.size(), 'y');
            std::string arrived;
            world.recv(previous_rank(), tag, arrived);
            send.wait();
            EXPECT_TRUE(arrived == text);
        }
        EXPECT_EQ(pmpi_log::live_buffers(), before);
    });
}

TEST(boost_mpi_messages, of_any_source_and_tag_are_recorded_with_their_own) {
    auto const run = same_as_boost([](auto const& world) {
        std::string text;
        int number = 0;
        auto receive = world.irecv(mpi::any_source, mpi::any_tag, number);
        world.send(next_rank(), 3, 5);
        auto const status = receive.wait();
        EXPECT_EQ(status.source(), previous_rank());
        PMPI_Barrier(MPI_COMM_WORLD);
        world.send(next_rank(), 4, std::string{"abc"});
        EXPECT_EQ(world.recv(mpi::any_source, mpi::any_tag, text).tag(), 4);
    });
    ASSERT_EQ(run.calls.size(), 5);
    EXPECT_EQ(run.calls[0], (record{.operation = "irecv",
                                    .peer = mpiprof::any_source,
                                    .tag = mpiprof::any_tag,
                                    .capacity = datatype_nbytes<int>()}));
    EXPECT_EQ(run.calls[4], (record{.operation = "recv",
                                    .peer = previous_rank(),
                                    .tag = 4,
                                    .received = archive_nbytes(std::string{"abc"})}));
    EXPECT_EQ(run.completions,
              (std::vector<completion>{{"irecv", previous_rank(), 3, datatype_nbytes<int>()}}));
}

TEST(boost_mpi_messages, of_the_null_process_have_no_bytes) {
    auto const run = same_as_boost([](auto const& world) {
        int number = 7;
        world.send(MPI_PROC_NULL, tag, 5);
        world.send(MPI_PROC_NULL, tag, std::string{"abc"});
        world.recv(MPI_PROC_NULL, tag, number);
        auto receive = world.irecv(MPI_PROC_NULL, tag, number);
        world.isend(MPI_PROC_NULL, tag, 5).wait();
        receive.wait();
        EXPECT_EQ(number, 7);
    });
    constexpr int nobody = mpiprof::null_process;
    EXPECT_EQ(run.calls,
              (std::vector<record>{{.operation = "send", .peer = nobody, .tag = tag},
                                   {.operation = "send", .peer = nobody, .tag = tag},
                                   {.operation = "recv", .peer = nobody, .tag = tag},
                                   {.operation = "irecv", .peer = nobody, .tag = tag, .capacity = 0},
                                   {.operation = "isend", .peer = nobody, .tag = tag},
                                   {.operation = "wait", .request = "isend", .peer = nobody, .tag = tag},
                                   {.operation = "wait", .request = "irecv", .peer = nobody, .tag = tag}}));
    EXPECT_EQ(run.completions, (std::vector<completion>{{"isend", nobody, tag}, {"irecv", nobody, tag}}));
}

TEST(boost_mpi_messages, to_oneself_arrive) {
    auto const run = same_as_boost([](auto const& world) {
        auto const text = std::string{"abc"};
        std::string arrived;
        auto sending = world.isend(world_rank(), tag, text);
        world.recv(world_rank(), tag, arrived);
        sending.wait();
        EXPECT_EQ(arrived, text);
    });
    auto const bytes = archive_nbytes(std::string{"abc"});
    EXPECT_EQ(run.calls.at(0),
              (record{.operation = "isend", .peer = world_rank(), .tag = tag, .sent = bytes}));
    EXPECT_EQ(run.calls.at(1),
              (record{.operation = "recv", .peer = world_rank(), .tag = tag, .received = bytes}));
}

/// Starts a receive through a communicator made for this call.
template <class Comm, class Value>
auto receive_through_a_temporary(mpi::communicator const& world, Value& value) {
    if constexpr (std::is_same_v<Comm, mpi::communicator>) return world.irecv(previous_rank(), tag, value);
    else return Comm{world}.irecv(previous_rank(), tag, value);
}

TEST(boost_mpi_messages, outlive_the_communicator_that_a_plain_one_was_turned_into) {
    auto const run = same_as_boost([](auto const& world) {
        using communicator = std::remove_cvref_t<decltype(world)>;
        std::string text;
        std::vector<int> numbers;
        auto receive_text = receive_through_a_temporary<communicator>(world, text);
        auto copy = receive_text;
        world.send(next_rank(), tag, std::string{"abc"});
        copy.wait();
        EXPECT_EQ(text, "abc");
        auto receive_numbers = receive_through_a_temporary<communicator>(world, numbers);
        world.send(next_rank(), tag, std::vector{1, 2});
        while (!receive_numbers.test()) {
        }
        EXPECT_EQ(numbers.size(), 2);
    });
    EXPECT_EQ(run.completions.size(), 2);
}

TEST(boost_mpi_messages, outlive_the_moved_and_copied_communicator) {
    int const before = static_cast<int>(pmpi_log::calls("Comm_free").size());
    std::string text;
    profiled_request receive;
    {
        auto first = std::make_unique<profiled_communicator>(MPI_COMM_WORLD, mpi::comm_duplicate);
        receive = first->irecv(previous_rank(), tag, text);
        profiled_communicator const copy = *first;
        profiled_communicator const moved = std::move(*first);
        first.reset();
        copy.send(next_rank(), tag, std::string{"abc"});
        receive.wait();
        EXPECT_EQ(text, "abc");
        EXPECT_EQ(pmpi_log::calls("Comm_free").size(), before);
    }
    // The request, which is still there, does not hold it up.
    EXPECT_EQ(pmpi_log::calls("Comm_free").size(), before + 1);
}

TEST(boost_mpi_messages, statuses_are_left_as_boost_gives_them) {
    same_as_boost([](auto const& world) {
        int numbers[4] = {};
        world.send(next_rank(), tag, numbers, 3);
        // Boost's count remembers the first type it is asked for.
        auto const status = world.recv(previous_rank(), tag, numbers, 4);
        EXPECT_EQ(library::count_in<int>(status), 3);
    });
}

/// Calls each overload, one a line; returns the first line.
template <class... Site>
std::uint32_t call_each(Site... site) {
    profiled_communicator const world;
    int const to = next_rank();
    int const from = previous_rank();
    int number = 5;
    int numbers[2] = {};
    std::vector<int> vector(3);
    std::string text = "abc";
    std::list<int> list{1, 2};
    auto const shape = mpi::skeleton(list);
    mpi::skeleton_proxy<std::list<int>> shape_to_fill{list};
    begin_run();
    // clang-format off
    auto const first = static_cast<std::uint32_t>(__LINE__ + 1);
    world.send(to, 1, number, site...);
    world.recv(from, 1, number, site...);
    world.send(to, 2, vector, site...);
    world.recv(from, 2, vector, site...);
    world.send(to, 3, text, site...);
    world.recv(from, 3, text, site...);
    world.send(to, 4, numbers, 2, site...);
    world.recv(from, 4, numbers, 2, site...);
    world.send(to, 5, site...);
    world.recv(from, 5, site...);
    world.send(to, 6, shape, site...);
    world.recv(from, 6, shape, site...);
    world.send(to, 7, shape, site...);
    world.recv(from, 7, shape_to_fill, site...);
    auto r1 = world.irecv(from, 8, number, site...);
    auto r2 = world.irecv(from, 9, vector, site...);
    auto r3 = world.irecv(from, 10, text, site...);
    auto r4 = world.irecv(from, 11, numbers, 2, site...);
    auto r5 = world.irecv(from, 12, site...);
    auto s1 = world.isend(to, 8, number, site...);
    auto s2 = world.isend(to, 9, vector, site...);
    auto s3 = world.isend(to, 10, text, site...);
    auto s4 = world.isend(to, 11, numbers, 2, site...);
    auto s5 = world.isend(to, 12, site...);
    auto s6 = world.isend(to, 13, shape, site...);
    s1.wait(site...);
    r1.wait(site...);
    world.barrier(site...);
    world.probe(from, 13, site...);
    world.iprobe(from, 13, site...);
    world.recv(from, 13, shape, site...);
    world.sendrecv(to, 14, number, from, 14, number, site...);
    world.sendrecv(to, 15, text, from, 15, text, site...);
    // clang-format on
    for (auto* each : {&r2, &s2, &r3, &s3, &r4, &s4, &r5, &s5, &s6}) each->wait();
    return first;
}

TEST(boost_mpi_messages, record_where_they_were_called) {
    auto const first = call_each();
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 42);
    for (std::uint32_t i = 0; i < 33; ++i) {
        EXPECT_STREQ(calls[i].site.file(), __FILE__);
        EXPECT_EQ(calls[i].site.line(), first + i) << name(calls[i].operation);
    }
    // A request's completion stands where the request was made.
    EXPECT_EQ(recorded().completions.at(0).site.line(), first + 19);
    EXPECT_EQ(recorded().completions.at(1).site.line(), first + 14);
}

TEST(boost_mpi_messages, record_the_place_that_a_helper_passes_on) {
    call_each(mpiprof::call_site{"there", 7});
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 42);
    for (std::uint32_t i = 0; i < 33; ++i) {
        EXPECT_STREQ(calls[i].site.file(), "there");
        EXPECT_EQ(calls[i].site.line(), 7) << name(calls[i].operation);
    }
}

TEST(boost_mpi_messages, through_a_view_are_recorded_too) {
    mpi::communicator const plain;
    auto const world = mpiprof::profile<instrumentation>(plain);
    int const to = next_rank();
    int const from = previous_rank();
    begin_run();
    std::string text;
    std::vector<int> vector;
    auto receive = world.irecv(from, 1, text);
    world.isend(to, 1, std::string{"abc"}).wait();
    receive.wait();
    world.send(to, 2, std::vector{1, 2});
    world.recv(from, 2, vector);
    world.barrier();
    broadcast(world, text, 0);
    auto const bytes = archive_nbytes(std::string{"abc"});
    bool const is_root = world_rank() == 0;
    EXPECT_EQ(calls_in(__FILE__),
              (std::vector<record>{{.operation = "irecv", .peer = from, .tag = 1},
                                   {.operation = "isend", .peer = to, .tag = 1, .sent = bytes},
                                   {.operation = "wait", .request = "isend", .peer = to, .tag = 1},
                                   {.operation = "wait", .request = "irecv", .peer = from, .tag = 1},
                                   {.operation = "send", .peer = to, .tag = 2, .sent = 8},
                                   {.operation = "recv", .peer = from, .tag = 2, .received = 8},
                                   {.operation = "barrier"},
                                   {.operation = "bcast",
                                    .root = 0,
                                    .sent = is_root ? bytes : 0,
                                    .received = is_root ? 0 : bytes,
                                    .overhead = 8}}));
    EXPECT_EQ(vector, (std::vector{1, 2}));
}

/// Bytes of the heap that `rounds` messages leave in use.
template <class Comm>
long long heap_growth(Comm const& world) {
    std::string const text(100, 'x');
    std::string arrived;
    auto const exchange = [&](int rounds) {
        for (int i = 0; i < rounds; ++i) {
            auto send = world.isend(next_rank(), tag, text);
            world.recv(previous_rank(), tag, arrived);
            send.wait();
            world.send(next_rank(), tag, text);
            world.recv(previous_rank(), tag, arrived);
            pmpi_log::clear();
        }
        PMPI_Barrier(MPI_COMM_WORLD);
    };
    exchange(200);
    auto const before = static_cast<long long>(mallinfo2().uordblks);
    exchange(1000);
    return static_cast<long long>(mallinfo2().uordblks) - before;
}

TEST(boost_mpi_messages, BM24_leave_no_memory_in_use) {
    int const buffers = pmpi_log::live_buffers();
    auto const plain = heap_growth(mpi::communicator{});
    // The default profiling, whose sink has a fixed size.
    auto const profiled = heap_growth(mpiprof::boost_mpi::communicator{});
    EXPECT_EQ(pmpi_log::live_buffers(), buffers);
    // Less than two bytes for each of the 2000 messages.
    EXPECT_LT(profiled, plain + 4000);
}

}  // namespace

}  // namespace boost_mpi_tests
