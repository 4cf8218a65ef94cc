#include "tests/oracle/calls.hpp"

#include <string>

namespace oracle {

call called(char const* function) {
    std::string operation{function};
    note_function(("MPI_" + operation).c_str());
    for (auto& letter : operation) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    if (operation.ends_with("_c")) operation.resize(operation.size() - 2);
    return {.operation = operation};
}

}  // namespace oracle
