// The shapes of a drawing, spread over the ranks of a Boost.MPI communicator.
#pragma once

#include "shapes.hpp"

#include <mpiprof/boost_mpi.hpp>

#include <functional>
#include <iomanip>
#include <ostream>
#include <string>

namespace mpi = mpiprof::boost_mpi;

namespace shapes {

/// A shape with a name.
struct part {
    std::string name;
    shape_pointer what;
};

using drawing = std::vector<part>;

inline drawing example() {
    auto const disc = std::make_shared<circle>(1.5);
    auto const like_it = std::make_shared<circle>(1.5);
    std::vector<point> const corners{{0, 0}, {4, 0}, {0, 3}};
    return {{"disc", disc},
            {"triangle", std::make_shared<polygon>(corners)},
            {"the disc twice", std::make_shared<group>(std::vector<shape_pointer>{disc, disc})},
            {"two discs", std::make_shared<group>(std::vector<shape_pointer>{disc, like_it})}};
}

/// Deals rank 0's shapes out to all ranks, like cards; each computes the areas of its own. Returns them on
/// rank 0.
template <class Communicator>
std::vector<double> areas(Communicator const& world, drawing const& parts) {
    constexpr int tag = 1;
    std::size_t number = parts.size();
    mpi::broadcast(world, number, 0);
    auto const ranks = static_cast<std::size_t>(world.size());
    auto const owner = [&](std::size_t i) { return static_cast<int>(i % ranks); };

    std::vector<decltype(world.isend(0, tag))> messages;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        messages.push_back(world.isend(owner(i), tag, parts[i].what));
    }
    std::vector<double> mine(number);
    for (std::size_t i = 0; i < number; ++i) {
        if (owner(i) != world.rank()) continue;
        shape_pointer received;
        world.recv(0, tag, received);
        mine[i] = received->area();
    }
    mpi::wait_all(messages.begin(), messages.end());
    std::vector<double> all;
    mpi::reduce(world, mine, all, std::plus<double>(), 0);
    return all;
}

/// Each shape with its area and the bytes of its message.
inline void print(drawing const& parts, std::vector<double> const& all_areas, std::ostream& out) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto const bytes = mpi::serialized_size(parts[i].what);
        total += bytes;
        out << std::left << std::setw(16) << parts[i].name << std::right << std::setw(5) << bytes
            << " bytes, area " << all_areas[i] << '\n';
    }
    out << parts.size() << " shapes in " << total << " bytes\n";
}

}  // namespace shapes
