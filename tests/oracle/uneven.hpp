// Arguments of collectives in which each rank or neighbour has a part of its own.
#pragma once

#include "tests/oracle/forms.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace oracle {

/// Parts of one buffer, one behind the other, each with a count, a place and a datatype.
struct uneven_parts {
    static constexpr auto room = static_cast<std::size_t>(widest);

    std::array<int, room> counts = {};
    /// In elements, and in bytes.
    std::array<int, room> places = {};
    std::array<MPI_Aint, room> addresses = {};
    std::array<int, room> byte_places = {};
    std::array<MPI_Datatype, room> types = {};
    long long sum = 0;

    /// `number` parts of ints, of `count(i)` of them.
    template <class Count>
    uneven_parts(int number, Count count) {
        types.fill(MPI_INT);
        for (int i = 0; i < number; ++i) {
            auto const place = static_cast<std::size_t>(i);
            counts[place] = count(i);
            places[place] = static_cast<int>(sum);
            addresses[place] = 4 * sum;
            byte_places[place] = static_cast<int>(4 * sum);
            sum += counts[place];
        }
    }

    /// Makes a part one of fours of ints, where that many they are.
    void by_fours(int i, MPI_Datatype four) {
        auto const place = static_cast<std::size_t>(i);
        if (counts[place] % 4 != 0) return;
        counts[place] /= 4;
        types[place] = four;
    }
};

}  // namespace oracle
