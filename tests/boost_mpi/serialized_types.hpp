// Classes that several sources save, and what is known of them in one only.
#pragma once

#include <boost/serialization/base_object.hpp>
#include <memory>
#include <vector>

namespace serialized_types {

/// Saved by pointer in saved_by_boost.cpp only, into a packed_oarchive.
struct pointed_to {
    int number = 0;
    double real = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number & real;
    }
};

struct shape {
    virtual ~shape() = default;

    template <class Archive>
    void serialize(Archive&, unsigned) {}
};

/// Exported in exported_first.cpp, which includes mpiprof after that.
struct square : shape {
    double side = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& boost::serialization::base_object<shape>(*this) & side;
    }
};

/// Exported in saved_by_boost.cpp, which does not know mpiprof.
struct circle : shape {
    double radius = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& boost::serialization::base_object<shape>(*this) & radius;
    }
};

/// Its `serialize` is compiled in exported_first.cpp, for two archives.
struct compiled_elsewhere {
    std::vector<int> numbers;

    template <class Archive>
    void serialize(Archive& archive, unsigned);
};

/// Bytes of a packed_oarchive with the pointer and what it points to.
std::size_t packed_by_pointer(pointed_to const* pointer);

/// As serialized_size has it in exported_first.cpp.
long long counted_elsewhere(std::vector<pointed_to> const& values);
long long counted_elsewhere(std::shared_ptr<shape> const& value);

}  // namespace serialized_types
