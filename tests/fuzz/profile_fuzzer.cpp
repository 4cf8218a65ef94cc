// Reads profiles and shards that may be damaged in any way: nothing but input_error comes out of it.
#include "tests/fuzz/fuzzer.hpp"

#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/results/json.hpp>
#include <mpiprof/run/shard_layout.hpp>

#include "tests/support/random_profile.hpp"

#include <cstring>

std::vector<std::string> test_support::seeds() {
    std::vector<std::string> made;
    for (int rank = 0; rank < 2; ++rank) made.push_back(mpiprof::results::to_json(random_profile(rank, 2)));
    mpiprof::shard_file_head head;
    std::memcpy(head.magic, head.right_magic, sizeof head.magic);
    head.version = head.right_version;
    head.rate = 1;
    head.rank = 0;
    head.world_size = 1;
    made.emplace_back(reinterpret_cast<char const*>(&head), sizeof head);
    return made;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    test_support::memory_file const file{{reinterpret_cast<char const*>(data), size}};
    try {
        static_cast<void>(mpiprof::results::to_json(mpiprof::cli::read_run({file.path()})));
    } catch (mpiprof::results::input_error const&) {
        // That is what it is for.
    }
    return 0;
}
