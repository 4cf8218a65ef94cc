// shapes: sends shapes by pointers to their base, and prints how many bytes that takes.
#include "drawing.hpp"

#include <iostream>

int main(int argc, char** argv) {
    mpi::environment environment{argc, argv};
    mpi::communicator world;

    shapes::drawing parts;
    if (world.rank() == 0) parts = shapes::example();
    auto const areas = shapes::areas(world, parts);
    if (world.rank() == 0) shapes::print(parts, areas, std::cout);
}
