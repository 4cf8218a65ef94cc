// fuzz RUNS [FOLDER]
// Runs a fuzzer on its seeds and on RUNS of them that were changed, the same ones each time, where there is
// no libFuzzer; or writes the seeds to FOLDER for it.
#include "tests/fuzz/fuzzer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

namespace {

using engine = std::mt19937_64;

std::size_t below(engine& random, std::size_t bound) { return bound == 0 ? 0 : random() % bound; }

/// Changes one thing: some bits, a number of 1 to 8 bytes, a piece that is left out or doubled, the end.
void change(std::string& input, engine& random) {
    if (input.empty()) return;
    auto const place = below(random, input.size());
    auto const length = std::min<std::size_t>(std::size_t{1} << below(random, 4), input.size() - place);
    constexpr std::int64_t numbers[] = {0, 1, -1, 2, 127, 255, 2046, 65535, INT32_MAX, INT64_MAX, INT64_MIN};
    switch (random() % 6) {
    case 0:
        input[place] = static_cast<char>(input[place] ^ (1 << below(random, 8)));
        break;
    case 1:
        input[place] = static_cast<char>(random());
        break;
    case 2: {
        auto const value = numbers[below(random, std::size(numbers))];
        input.replace(place, length, reinterpret_cast<char const*>(&value), length);
        break;
    }
    case 3:
        input.erase(place, length);
        break;
    case 4:
        input.insert(place, input.substr(place, 8 * length));
        break;
    default:
        if (random() % 8 == 0) input.resize(place);
        break;
    }
}

void run(std::string const& input) {
    LLVMFuzzerTestOneInput(reinterpret_cast<std::uint8_t const*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
    auto const seeds = test_support::seeds();
    if (argc > 2) {
        for (std::size_t i = 0; i < seeds.size(); ++i)
            std::ofstream{argv[2] + ("/seed" + std::to_string(i)), std::ios::binary} << seeds[i];
        return 0;
    }
    for (auto const& seed : seeds) run(seed);
    long const runs = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 0;
    for (long i = 0; i < runs; ++i) {
        engine random{static_cast<std::uint64_t>(i)};
        auto input = seeds[below(random, seeds.size())];
        for (auto changes = 1 + below(random, 4); changes > 0; --changes) change(input, random);
        run(input);
    }
    std::printf("%ld runs\n", runs);
}
