// Sizes that are counted, against those of the archives that Boost makes.
#include <mpiprof/boost_mpi/serialized_size.hpp>

#include "tests/boost_mpi/same_as_boost.hpp"
#include "tests/boost_mpi/serialized_types.hpp"

#include <array>
#include <boost/optional.hpp>
#include <boost/serialization/array.hpp>
#include <boost/serialization/binary_object.hpp>
#include <boost/serialization/bitset.hpp>
#include <boost/serialization/complex.hpp>
#include <boost/serialization/deque.hpp>
#include <boost/serialization/export.hpp>
#include <boost/serialization/list.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/optional.hpp>
#include <boost/serialization/set.hpp>
#include <boost/serialization/shared_ptr.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/unique_ptr.hpp>
#include <boost/serialization/unordered_map.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/variant.hpp>
#include <boost/serialization/vector.hpp>
#include <boost/variant.hpp>
#include <boost/version.hpp>
#include <optional>
#include <random>
#include <variant>

namespace serialized_types {

/// Saved by pointer too, hence tracked.
struct point {
    int number = 0;
    double real = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number & real;
    }
};

/// Nowhere saved by pointer.
struct untracked {
    int number = 0;
    double real = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number & real;
    }
};

/// With an MPI datatype.
struct described : untracked {};

struct empty {
    template <class Archive>
    void serialize(Archive&, unsigned) {}
};

/// Saved without class information.
struct bare {
    int number = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number;
    }
};

/// Saved as its bytes, padding included.
struct bytewise {
    int number = 0;
    double real = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number & real;
    }
};

struct base {
    virtual ~base() = default;

    template <class Archive>
    void serialize(Archive&, unsigned) {}
};

template <int>
struct derived : base {
    int number = 0;
    double real = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& boost::serialization::base_object<base>(*this) & number & real;
    }
};

/// In a graph: several may share children.
struct node {
    std::string name;
    std::shared_ptr<base> held;
    std::vector<std::shared_ptr<node>> children;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & name & held & children;
    }
};

/// In a cycle.
struct chain_link {
    chain_link* next = nullptr;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & next;
    }
};

}  // namespace serialized_types

BOOST_CLASS_IMPLEMENTATION(serialized_types::bare, boost::serialization::object_serializable)
BOOST_CLASS_TRACKING(serialized_types::bare, boost::serialization::track_never)
BOOST_CLASS_IMPLEMENTATION(serialized_types::bytewise, boost::serialization::object_serializable)
BOOST_IS_BITWISE_SERIALIZABLE(serialized_types::bytewise)
BOOST_IS_MPI_DATATYPE(serialized_types::described)
BOOST_CLASS_EXPORT_GUID(serialized_types::derived<0>, "Derived")
BOOST_CLASS_EXPORT_GUID(serialized_types::derived<1>, "Der")

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;
using mpiprof::boost_mpi::serialized_size;
using mpiprof::boost_mpi::size_oarchive;
using namespace serialized_types;

/// Saves the same into a packed_oarchive and into a size_oarchive, which have the same size at any time.
class both_archives {
  public:
    /// By how many bytes the archives grow.
    template <class T>
    long long save(T const& value) {
        auto const before = packed_.size();
        packed_ << value;
        counted_ << value;
        EXPECT_EQ(counted_.size(), packed_.size());
        return static_cast<long long>(packed_.size() - before);
    }

  private:
    mpi::packed_oarchive packed_{MPI_COMM_SELF};
    size_oarchive counted_;
};

void expect_bytes_of_1_74(long long bytes, long long bytes_1_74) {
    if (BOOST_VERSION == 107400) {
        EXPECT_EQ(bytes, bytes_1_74);
    }
}

/// Sizes of a value that is saved, and of the same saved again into the same archive.
template <class T>
void is_counted(T const& value, long long bytes_1_74, long long again_1_74) {
    both_archives archives;
    auto const bytes = archives.save(value);
    EXPECT_EQ(serialized_size(value), bytes);
    expect_bytes_of_1_74(bytes, bytes_1_74);
    expect_bytes_of_1_74(archives.save(value), again_1_74);
}

template <class T>
void is_counted(T const& value, long long bytes_1_74) {
    is_counted(value, bytes_1_74, bytes_1_74);
}

// What Boost's archives hold.

TEST(serialized_size, of_numbers) {
    is_counted(5, 4);
    is_counted(5.0, 8);
    is_counted(5.0L, 16);
    is_counted(true, 1);
    is_counted('c', 1);
    is_counted(std::complex<double>{1, 2}, 16);
}

TEST(serialized_size, of_enumerators) {
    enum plain { one };
    enum class small : char { two };
    is_counted(one, 4);
    is_counted(small::two, 4);
}

TEST(serialized_size, of_strings) {
    is_counted(std::string{}, 4);
    is_counted(std::string{"hello"}, 9);
    // Boost.MPI before 1.83 leaves most of it out.
    is_counted(std::wstring{L"hello"}, 9);
    is_counted(std::wstring{}, 4);
}

TEST(serialized_size, of_vectors) {
    is_counted(std::vector<int>{}, 8);
    is_counted(std::vector<int>{1, 2, 3}, 20);
    is_counted(std::vector<double>(100), 808);
    is_counted(std::vector<bool>(3), 11);
    is_counted(std::vector<std::string>{"a", "bb", "ccc"}, 32, 30);
    is_counted(std::vector<point>(3), 64, 24);
    is_counted(std::vector<untracked>(3), 52, 48);
    is_counted(std::vector<std::vector<int>>{{1}, {2, 3}}, 42, 40);
}

TEST(serialized_size, of_other_containers) {
    is_counted(std::list<int>{1, 2, 3}, 24);
    is_counted(std::deque<int>{1, 2, 3}, 24);
    is_counted(std::set<int>{1, 2, 3}, 24);
    is_counted(std::map<int, int>{{1, 2}, {3, 4}}, 30, 28);
    is_counted(std::map<std::string, int>{{"a", 1}, {"b", 2}}, 34, 30);
    is_counted(std::unordered_map<int, int>{{1, 2}, {3, 4}}, 38, 36);
    is_counted(std::bitset<16>{5}, 22, 20);
}

TEST(serialized_size, of_pairs_and_arrays) {
    is_counted(std::pair{1, 2.0}, 16);
    is_counted(std::pair{1, std::string{"a"}}, 11, 9);
    is_counted(std::array<int, 4>{}, 26, 24);
    int numbers[5] = {};
    is_counted(numbers, 28);
    is_counted(boost::serialization::make_array(numbers, 5), 20);
    is_counted(boost::serialization::make_binary_object(numbers, 7), 7);
    is_counted("x", 10);
}

TEST(serialized_size, of_classes) {
    is_counted(point{}, 18, 4);
    is_counted(untracked{}, 14, 12);
    is_counted(empty{}, 2, 0);
    is_counted(bare{}, 4);
    is_counted(bytewise{}, 16);
    is_counted(std::vector<bytewise>(3), 58, 56);
}

TEST(serialized_size, BM15_of_optionals_and_variants) {
    is_counted(boost::optional<int>{}, 3, 1);
    is_counted(boost::optional<int>{1}, 7, 5);
    is_counted(boost::variant<int, double>{1}, 14, 4);
    is_counted(boost::variant<int, double>{1.0}, 18, 4);
}

TEST(serialized_size, BM16_of_optionals_and_variants_of_the_standard_library) {
#if BOOST_VERSION >= 108400
    both_archives archives;
    archives.save(std::optional<int>{});
    archives.save(std::optional<std::string>{"text"});
    archives.save(std::variant<int, std::string>{"text"});
#else
    GTEST_SKIP() << "this Boost cannot serialise them";
#endif
}

TEST(serialized_size, of_pointers) {
    point const first;
    point const second;
    both_archives archives;
    expect_bytes_of_1_74(archives.save(&first), 20);
    expect_bytes_of_1_74(archives.save(&first), 6);
    expect_bytes_of_1_74(archives.save(&second), 18);
    is_counted(static_cast<point const*>(nullptr), 2);
    is_counted(std::make_shared<point>(), 22, 6);
    is_counted(std::make_unique<point>(), 22, 6);
    is_counted(std::shared_ptr<point>{}, 4, 2);
}

TEST(serialized_size, of_a_cycle_of_pointers) {
    chain_link first;
    chain_link second{&first};
    first.next = &second;
    is_counted(&first, 20, 6);
}

TEST(serialized_size, BM14_of_pointers_to_a_base) {
    derived<0> const first;
    derived<0> const second;
    auto const as_base = [](base const& object) { return &object; };
    both_archives archives;
    expect_bytes_of_1_74(archives.save(as_base(first)), 37);
    expect_bytes_of_1_74(archives.save(as_base(first)), 6);
    expect_bytes_of_1_74(archives.save(as_base(second)), 22);
    is_counted(std::shared_ptr<base>{std::make_shared<derived<0>>()}, 39, 6);
    is_counted(std::shared_ptr<base>{std::make_shared<derived<1>>()}, 35, 6);
    is_counted(std::shared_ptr<base>{}, 4, 2);
}

TEST(serialized_size, of_several_values_in_one_archive) {
    std::vector<std::string> const strings{"ab", "c"};
    EXPECT_EQ(serialized_size(strings.data(), 2), archive_nbytes(strings[0], strings[1]));
    std::vector<point> const points(3);
    EXPECT_EQ(serialized_size(points.data(), 3), archive_nbytes(points[0], points[1], points[2]));
    EXPECT_EQ(serialized_size(points.data(), 0), 0);
}

TEST(serialized_size, of_what_is_counted_in_an_expression_with_ampersands) {
    size_oarchive archive;
    (archive << 1 << std::string{"ab"}) & 2.5 & point{};
    EXPECT_EQ(archive.size(), archive_nbytes(1, std::string{"ab"}, 2.5, point{}));
}

// What other sources of the program decide on.

TEST(serialized_size, of_objects_that_are_tracked_since_another_source_packs_pointers) {
    EXPECT_GT(packed_by_pointer(std::make_unique<pointed_to>().get()), 0);
    is_counted(pointed_to{}, 18, 4);
    is_counted(std::vector<pointed_to>(3), 64, 24);
    EXPECT_EQ(counted_elsewhere(std::vector<pointed_to>(3)), archive_nbytes(std::vector<pointed_to>(3)));
}

TEST(serialized_size, BM14_of_objects_exported_by_another_source) {
    std::shared_ptr<shape> const value = std::make_shared<square>();
    is_counted(value, 34, 6);
    EXPECT_EQ(counted_elsewhere(value), archive_nbytes(value));
}

TEST(serialized_size, is_unknown_where_no_source_exports_a_class_for_it) {
    std::shared_ptr<shape> const value = std::make_shared<circle>();
    EXPECT_GT(archive_nbytes(value), 0);
    EXPECT_EQ(serialized_size(value), -1);
    try {
        size_oarchive archive;
        archive << value;
        ADD_FAILURE() << "no exception";
    } catch (boost::archive::archive_exception const& problem) {
        EXPECT_EQ(problem.code, boost::archive::archive_exception::unregistered_class);
    }
}

TEST(serialized_size, of_a_class_whose_serialize_is_compiled_elsewhere) {
    is_counted(compiled_elsewhere{{1, 2, 3}}, 22, 20);
}

// Random values.

struct nested {
    using leaf = boost::variant<int, std::string, std::vector<point>>;

    std::map<std::string, std::vector<boost::optional<leaf>>> by_name;
    std::list<std::shared_ptr<node>> graph;
    std::unordered_map<int, std::deque<std::wstring>> texts;
    std::set<std::pair<double, std::vector<int>>> sets;
    std::vector<std::pair<leaf, std::shared_ptr<base>>> pairs;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & by_name & graph & texts & sets & pairs;
    }
};

class random_values {
  public:
    int below(int limit) { return std::uniform_int_distribution{0, limit - 1}(engine_); }

    void fill(int& value) { value = below(1000); }
    void fill(double& value) { value = below(1000) / 8.0; }
    template <class Character>
    void fill(std::basic_string<Character>& text) {
        text.assign(static_cast<std::size_t>(below(20)), Character('x'));
    }
    void fill(point& value) { fill(value.number); }
    void fill(nested& value) {
        fill(value.by_name);
        fill(value.graph);
        fill(value.texts);
        fill(value.sets);
        fill(value.pairs);
    }
    template <class T>
    void fill(boost::optional<T>& value) {
        if (below(2) == 0) return;
        value.emplace();
        fill(*value);
    }
    template <class... T>
    void fill(boost::variant<T...>& value) {
        boost::variant<T...> const kinds[] = {T{}...};
        value = kinds[below(sizeof...(T))];
        boost::apply_visitor([this](auto& held) { this->fill(held); }, value);
    }
    template <class First, class Second>
    void fill(std::pair<First, Second>& value) {
        fill(value.first);
        fill(value.second);
    }
    template <class Container>
        requires requires(Container& container) { container.insert(container.end(), *container.begin()); }
    void fill(Container& container) {
        for (int i = below(6); i > 0; --i) {
            container.insert(container.end(), make<element_of<Container>>());
        }
    }
    /// A new object, one from before, or none.
    void fill(std::shared_ptr<base>& value) {
        if (below(3) == 0) return;
        if (below(2) == 0) objects_.push_back(std::make_shared<derived<0>>());
        else if (below(2) == 0) objects_.push_back(std::make_shared<derived<1>>());
        if (!objects_.empty()) value = one_of(objects_);
    }
    void fill(std::shared_ptr<node>& value) {
        value = std::make_shared<node>();
        fill(value->name);
        fill(value->held);
        for (int i = nodes_.empty() ? 0 : below(4); i > 0; --i) value->children.push_back(one_of(nodes_));
        nodes_.push_back(value);
    }

    template <class T>
    T make() {
        T value{};
        fill(value);
        return value;
    }

  private:
    template <class Container>
    struct element {
        using type = typename Container::value_type;
    };
    /// A map's, without the const.
    template <class Container>
        requires requires { typename Container::mapped_type; }
    struct element<Container> {
        using type = std::pair<typename Container::key_type, typename Container::mapped_type>;
    };
    template <class Container>
    using element_of = typename element<Container>::type;

    template <class T>
    T one_of(std::vector<T> const& some) {
        return some[static_cast<std::size_t>(below(static_cast<int>(some.size())))];
    }

    std::mt19937 engine_{1};
    std::vector<std::shared_ptr<base>> objects_;
    std::vector<std::shared_ptr<node>> nodes_;
};

TEST(serialized_size, of_random_values) {
    random_values random;
    for (int i = 0; i < 50; ++i) {
        SCOPED_TRACE(i);
        both_archives archives;
        auto const values = random.make<std::vector<nested>>();
        for (auto const& value : values) archives.save(value);
    }
}

// Table T1 of the bytes that Boost.MPI puts on the wire.

constexpr int tag = 9;

template <class T>
std::int64_t predicted(T const& value) {
    if constexpr (mpiprof::boost_mpi::detail::serialized<T>) return serialized_size(value);
    else return mpiprof::boost_mpi::detail::known_nbytes(&value, 1);
}
template <class T>
    requires mpiprof::boost_mpi::detail::by_datatype<T>
std::int64_t predicted(std::vector<T> const& values) {
    return mpiprof::boost_mpi::detail::known_nbytes(values.data(), static_cast<std::int64_t>(values.size()));
}

/// Boost's message with the value has the predicted size, which with Boost 1.74 is this.
template <class T>
void travels_as_predicted(T const& value, long long bytes_1_74) {
    mpi::communicator const world;
    begin_run();
    auto sending = world.isend(next_rank(), tag, value);
    T arrived{};
    world.recv(previous_rank(), tag, arrived);
    sending.wait();
    EXPECT_EQ(pmpi_log::calls("Isend").at(0).sent, predicted(value));
    expect_bytes_of_1_74(predicted(value), bytes_1_74);
}

TEST(serialized_size, T1_BM25_of_what_mpi_has_datatypes_for) {
    travels_as_predicted(5, 4);
    travels_as_predicted(true, 1);
    travels_as_predicted(described{}, 12);
    travels_as_predicted(std::vector<int>(5), 20);
    travels_as_predicted(std::vector<int>{}, 0);
    travels_as_predicted(std::vector<described>(3), 36);
}

TEST(serialized_size, T1_BM25_of_what_is_serialised) {
    travels_as_predicted(std::vector<std::vector<int>>{{1, 2}, {3}}, 42);
    travels_as_predicted(std::string{}, 4);
    travels_as_predicted(std::string{"abc"}, 7);
    travels_as_predicted(std::vector<std::string>{"ab", "c"}, 25);
    travels_as_predicted(untracked{}, 14);
    travels_as_predicted(std::map<int, std::string>{{1, "x"}}, 25);
    travels_as_predicted(boost::optional<int>{}, 3);
    travels_as_predicted(boost::optional<int>{7}, 7);
    travels_as_predicted(std::shared_ptr<base>{std::make_shared<derived<1>>()}, 35);
    travels_as_predicted(std::shared_ptr<base>{}, 4);
}

TEST(serialized_size, T1_BM25_of_values_by_pointer_and_count) {
    mpi::communicator const world;
    std::vector<std::string> const values{"ab", "c"};
    std::vector<std::string> arrived(2);
    begin_run();
    auto sending = world.isend(next_rank(), tag, values.data(), 2);
    world.recv(previous_rank(), tag, arrived.data(), 2);
    sending.wait();
    EXPECT_EQ(pmpi_log::calls("Isend").at(0).sent, serialized_size(values.data(), 2));
    expect_bytes_of_1_74(serialized_size(values.data(), 2), 11);
}

// The byte policy.

template <class Bytes>
using counting = mpiprof::instrumentation<mpiprof::timing::none, Bytes, mpiprof::sinks::tally>;

static_assert(counting<mpiprof::bytes::serialized>::sizes && counting<mpiprof::bytes::serialized>::arrivals);
static_assert(counting<mpiprof::bytes::serialized>::serialized);
static_assert(!counting<mpiprof::bytes::payload>::serialized && !mpiprof::off::serialized);

TEST(serialized_size, is_asked_for_by_the_byte_policy) {
    using mpiprof::boost_mpi::detail::archive_counter;
    std::string const text{"abc"};
    EXPECT_EQ(archive_counter<mpiprof::bytes::serialized>::nbytes(&text, 1), archive_nbytes(text));
    EXPECT_EQ(archive_counter<mpiprof::bytes::payload>::nbytes(&text, 1), -1);
}

}  // namespace

}  // namespace boost_mpi_tests
