#include <mpiprof/boost_mpi/size_oarchive.hpp>

#include "archive_cases.hpp"

#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

namespace benchmarks {

namespace {

struct string {
    static constexpr char const* name = "string_100";
    std::string value = std::string(100, 'x');
};

struct strings {
    static constexpr char const* name = "vector_string_100";
    std::vector<std::string> value = std::vector<std::string>(100, std::string(20, 'x'));
};

struct map {
    static constexpr char const* name = "map_int_int_100";
    std::map<int, int> value = [] {
        std::map<int, int> made;
        for (int i = 0; i < 100; ++i) made[i] = i;
        return made;
    }();
};

struct doubles {
    static constexpr char const* name = "vector_double_10000";
    std::vector<double> value = std::vector<double>(10000);
};

template <class Value, class Archive, class... Arguments>
void save(std::int64_t times, Arguments... arguments) {
    Value const saved;
    for (std::int64_t i = 0; i < times; ++i) {
        Archive archive(arguments...);
        archive << saved.value;
        asm volatile("" : : "r"(archive.size()));
    }
}

template <class Value>
void add_cases_of(std::vector<benchmark_case>& cases) {
    std::string const name = Value::name;
    cases.push_back({name + "/packed", [](std::int64_t times) {
                         save<Value, boost::mpi::packed_oarchive>(times, MPI_COMM_SELF);
                     }});
    cases.push_back({name + "/counted", &save<Value, mpiprof::boost_mpi::size_oarchive>});
}

}  // namespace

std::vector<benchmark_case> archive_cases() {
    std::vector<benchmark_case> cases;
    type_list<string, strings, map, doubles>::for_each([&]<class Value> { add_cases_of<Value>(cases); });
    return cases;
}

}  // namespace benchmarks
