// write_small_program FOLDER: writes the traces of small_program's four ranks.
#include "tests/traces/trace_builder.hpp"

int main(int argc, char** argv) {
    return argc == 2 && test_support::small_program().write(argv[1]).size() == 4 ? 0 : 1;
}
