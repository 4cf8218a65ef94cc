// Shapes, as Boost.Serialization sends them by a pointer to their base.
#pragma once

// What counts a serialised object must be known where the object's class is exported.
#include <mpiprof/boost_mpi/serialized_size.hpp>

#include <boost/serialization/assume_abstract.hpp>
#include <boost/serialization/base_object.hpp>
#include <boost/serialization/export.hpp>
#include <boost/serialization/shared_ptr.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace shapes {

struct shape {
    virtual ~shape() = default;
    virtual double area() const = 0;

    template <class Archive>
    void serialize(Archive&, unsigned) {}
};

using shape_pointer = std::shared_ptr<shape>;

struct circle : shape {
    double radius = 0;

    explicit circle(double r = 0) : radius(r) {}

    double area() const override { return std::numbers::pi * radius * radius; }

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& boost::serialization::base_object<shape>(*this) & radius;
    }
};

/// x and y.
using point = std::pair<double, double>;

/// Its corners counter-clockwise.
struct polygon : shape {
    std::vector<point> corners;

    explicit polygon(std::vector<point> all = {}) : corners(std::move(all)) {}

    double area() const override {
        double twice = 0;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            auto const& [x, y] = corners[i];
            auto const& [next_x, next_y] = corners[(i + 1) % corners.size()];
            twice += x * next_y - next_x * y;
        }
        return twice / 2;
    }

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& boost::serialization::base_object<shape>(*this) & corners;
    }
};

struct group : shape {
    std::vector<shape_pointer> members;

    explicit group(std::vector<shape_pointer> all = {}) : members(std::move(all)) {}

    double area() const override {
        double sum = 0;
        for (auto const& member : members) sum += member->area();
        return sum;
    }

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& boost::serialization::base_object<shape>(*this) & members;
    }
};

}  // namespace shapes

BOOST_SERIALIZATION_ASSUME_ABSTRACT(shapes::shape)
BOOST_CLASS_EXPORT(shapes::circle)
BOOST_CLASS_EXPORT(shapes::polygon)
BOOST_CLASS_EXPORT(shapes::group)
