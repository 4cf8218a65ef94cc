// word_count [FILE…]: the most frequent words of the files; without files, of Debian's licence texts.
#include "count_words.hpp"

int main(int argc, char** argv) {
    mpi::environment environment{argc, argv};
    mpi::communicator world;

    std::vector<std::string> files;
    if (world.rank() == 0) {
        files.assign(argv + 1, argv + argc);
        if (files.empty()) files = word_count::files_of("/usr/share/common-licenses");
    }
    return word_count::count_words(world, files, std::cout) ? 0 : 1;
}
