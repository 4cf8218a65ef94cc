// heat [FIELD_FILE [STEPS]]: how heat spreads in a plate.
#include "simulate.hpp"

#include <mpiprof/raw.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <limits>
#include <numeric>

namespace heat {

/// What the user asked for.
struct input {
    field plate;
    int steps = 500;
};

input read_input(std::vector<std::string> const& arguments, int ranks) {
    if (arguments.size() > 2)
        throw bad_input{"'" + arguments[2] + "' is too much; the arguments are [FIELD_FILE [STEPS]]"};
    auto const path = arguments.empty() ? "examples/heat/initial_field.txt" : arguments[0];
    input asked{read_field(path)};
    if (arguments.size() == 2) asked.steps = parse_whole("STEPS", arguments[1], 0, 1'000'000);
    if (ranks > asked.plate.rows) {
        throw bad_input{"there are " + std::to_string(ranks) + " ranks, but " + path +
                        " has rows for at most " + std::to_string(asked.plate.rows)};
    }
    return asked;
}

/// Rank 0 reads the input and prints the result. False on all ranks where the input is bad.
template <mpiprof::communicator Comm>
bool run(Comm const& comm, std::vector<std::string> const& arguments) {
    bool const is_root = mpiprof::rank(comm) == 0;
    input asked;
    if (is_root) {
        try {
            asked = read_input(arguments, mpiprof::size(comm));
        } catch (bad_input const& problem) {
            std::cerr << "heat: " << problem.what() << std::endl;
        }
    }
    // No rows tell the others that there is nothing to do, so that nobody waits.
    std::array<int, 3> sizes{asked.plate.rows, asked.plate.columns, asked.steps};
    mpiprof::bcast(comm, sizes.data(), sizes.size(), 0);
    auto& plate = asked.plate;
    plate.rows = sizes[0];
    plate.columns = sizes[1];
    if (plate.rows == 0) return false;

    // All digits, so that two runs can be compared.
    std::cout << std::setprecision(std::numeric_limits<double>::max_digits10);
    simulate(comm, plate, sizes[2], std::cout);
    if (is_root) {
        auto const [coldest, hottest] = std::minmax_element(plate.values.begin(), plate.values.end());
        double const sum = std::accumulate(plate.values.begin(), plate.values.end(), 0.0);
        std::cout << plate.rows << " x " << plate.columns << " cells: mean "
                  << sum / static_cast<double>(plate.values.size()) << ", min " << *coldest << ", max "
                  << *hottest << '\n';
    }
    return true;
}

}  // namespace heat

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    // These two lines profile the program; without them it would be  mpiprof::raw_communicator world{…}.
    mpiprof::profiler profiler;
    auto const world = mpiprof::profile(MPI_COMM_WORLD, profiler);
    bool const done = heat::run(world, {argv + 1, argv + argc});
    MPI_Finalize();
    return done ? 0 : 1;
}
