// Sends values by Boost.MPI as it comes, from rank 0 to rank 1, each through a communicator with a name of
// its own.
#include <boost/mpi.hpp>
#include <boost/mpi/skeleton_and_content.hpp>
#include <boost/optional.hpp>
#include <boost/serialization/export.hpp>
#include <boost/serialization/list.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/optional.hpp>
#include <boost/serialization/shared_ptr.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <iostream>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace mpi = boost::mpi;

template <int Number>
struct record {
    int number = 1;
    double real = 2;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number & real;
    }
};
using serialized_record = record<0>;
using typed_record = record<1>;
BOOST_IS_MPI_DATATYPE(typed_record)

struct Base {
    virtual ~Base() = default;
    int number = 1;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number;
    }
};

struct Der : Base {
    double real = 2;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& boost::serialization::base_object<Base>(*this) & real;
    }
};
BOOST_CLASS_EXPORT(Der)

namespace {

constexpr int tag = 9;

/// A communicator for one value.
mpi::communicator named(mpi::communicator const& world, char const* name) {
    mpi::communicator made{world, mpi::comm_duplicate};
    MPI_Comm_set_name(made, name);
    return made;
}

template <class T>
void exchange(mpi::communicator const& world, char const* name, T value) {
    auto const part = named(world, name);
    if (world.rank() == 0) part.send(1, tag, value);
    else part.recv(0, tag, value);
}

template <class T>
void exchange_array(mpi::communicator const& world, char const* name, std::vector<T> values, int count) {
    auto const part = named(world, name);
    if (world.rank() == 0) part.send(1, tag, values.data(), count);
    else part.recv(0, tag, values.data(), count);
}

template <class T>
void exchange_nonblocking(mpi::communicator const& world, char const* name, T value) {
    auto const part = named(world, name);
    auto request = world.rank() == 0 ? part.isend(1, tag, value) : part.irecv(0, tag, value);
    request.wait();
}

void exchange_parts(mpi::communicator const& world) {
    std::list<int> values{1, 2, 3};
    auto const part = named(world, "skeleton, content");
    if (world.rank() == 0) {
        part.send(1, tag, mpi::skeleton(values));
        part.send(1, tag, mpi::get_content(values));
    } else {
        part.recv(0, tag, mpi::skeleton(values));
        part.recv(0, tag, mpi::get_content(values));
    }
}

void exchange_values(mpi::communicator const& world) {
    using std::string;
    auto const empty = named(world, "nothing");
    if (world.rank() == 0) empty.send(1, tag);
    else empty.recv(0, tag);
    exchange(world, "int", 5);
    exchange(world, "bool", true);
    exchange(world, "vector<int> of 5", std::vector<int>(5));
    exchange(world, "vector<int> of 0", std::vector<int>{});
    exchange(world, "vector<vector<int>>", std::vector<std::vector<int>>{{1, 2}, {3}});
    exchange(world, "string of 0", string{});
    exchange(world, "string of 3", string{"abc"});
    exchange_array(world, "4 of int", std::vector<int>{1, 2, 3, 4}, 4);
    exchange_array(world, "0 of int", std::vector<int>(1), 0);
    exchange_array(world, "2 of string", std::vector<string>{"ab", "c"}, 2);
    exchange(world, "vector<string>", std::vector<string>{"ab", "c"});
    exchange(world, "serialized record", serialized_record{});
    exchange(world, "typed record", typed_record{});
    exchange(world, "vector of 3 typed records", std::vector<typed_record>(3));
    exchange(world, "map<int, string>", std::map<int, string>{{1, "x"}});
    exchange(world, "optional without", boost::optional<int>{});
    exchange(world, "optional with", boost::optional<int>{7});
    exchange(world, "shared_ptr<Base> to Der", boost::shared_ptr<Base>{new Der});
    exchange(world, "shared_ptr<Base> to nothing", boost::shared_ptr<Base>{});
    exchange_parts(world);
    exchange_nonblocking(world, "isend int", 5);
    exchange_nonblocking(world, "isend string of 3", string{"abc"});
    exchange_nonblocking(world, "isend vector<int> of 5", std::vector<int>(5));
}

void call_collectives(mpi::communicator const& world) {
    std::string text{world.rank() == 0 ? "hello" : ""};
    std::vector<int> numbers{1, 2, 3};
    int number = 1;
    auto const mine = std::string{world.rank() == 0 ? "x" : "yy"};
    std::vector<std::string> all;
    mpi::broadcast(named(world, "broadcast int"), number, 0);
    mpi::broadcast(named(world, "broadcast string of 5"), text, 0);
    mpi::broadcast(named(world, "broadcast vector<int> of 3"), numbers, 0);
    mpi::gather(named(world, "gather strings"), mine, all, 0);
    std::cout << world.rank() << ' ' << text << ' ' << all.size() << '\n';
}

}  // namespace

int main() {
    mpi::environment environment;
    mpi::communicator world;
    exchange_values(world);
    call_collectives(world);
}
