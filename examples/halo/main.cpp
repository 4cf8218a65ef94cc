// halo [CELLS [SWEEPS]]: the temperatures of a square plate with one hot edge.
#include "relax.hpp"

#include <charconv>
#include <iomanip>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>

namespace {

/// `text` as a whole number from `least` to `most`; throws a line for the user that names `what` if it is
/// not.
int parse_whole(std::string const& what, std::string const& text, int least, int most) {
    int number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const whole = error == std::errc{} && end == text.data() + text.size();
    if (whole && number >= least && number <= most) return number;
    throw std::invalid_argument{what + " is '" + text + "', but must be a whole number from " +
                                std::to_string(least) + " to " + std::to_string(most)};
}

}  // namespace

int main(int argc, char** argv) {
    mpi::environment environment(argc, argv);
    mpi::communicator world;
    try {
        // Each rank has a cell at least.
        int const cells = argc > 1 ? parse_whole("CELLS", argv[1], world.size(), 4096) : 64;
        int const sweeps = argc > 2 ? parse_whole("SWEEPS", argv[2], 0, 1'000'000) : 500;
        // All digits, so that two runs can be compared.
        std::cout << std::setprecision(std::numeric_limits<double>::max_digits10);
        halo::relax(halo::grid_of(world), cells, sweeps, std::cout);
    } catch (std::invalid_argument const& problem) {
        // All ranks have the same arguments.
        if (world.rank() == 0) std::cerr << "halo: " << problem.what() << std::endl;
        return 1;
    }
    return 0;
}
