// The temperatures of a plate, and the file they are read from. No MPI here.
#pragma once

#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace heat {

/// Rows of temperatures, one after the other.
struct field {
    int rows = 0;
    int columns = 0;
    std::vector<double> values;
};

/// An argument or a file that heat cannot work with; what() is a line for the user.
struct bad_input : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// All of `text` as a number.
template <class Number>
bool parse(std::string_view text, Number& number) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

/// `text` as a whole number from `least` to `most`; `what` names it if it is not.
inline int parse_whole(std::string const& what, std::string const& text, int least, int most) {
    int number = 0;
    if (!parse(text, number) || number < least || number > most) {
        throw bad_input{what + " is '" + text + "', but must be a whole number from " +
                        std::to_string(least) + " to " + std::to_string(most)};
    }
    return number;
}

/// Reads "rows columns" and then as many temperatures, row by row.
inline field read_field(std::string const& path) {
    std::ifstream file{path};
    std::stringstream text;
    text << file.rdbuf();
    // A folder opens like a file, and gives nothing.
    if (!file.is_open() || text.str().empty())
        throw bad_input{"cannot read '" + path + "'; it must be a file with a field of temperatures"};

    constexpr int least = 3;  // an edge on each side, and something between them
    constexpr int most = 4096;
    std::string word;
    field plate;
    text >> word;
    plate.rows = parse_whole(path + ": the number of rows", word, least, most);
    word.clear();
    text >> word;
    plate.columns = parse_whole(path + ": the number of columns", word, least, most);

    for (int row = 1; row <= plate.rows; ++row) {
        for (int column = 1; column <= plate.columns; ++column) {
            word.clear();
            text >> word;
            double value = 0;
            if (!parse(word, value) || !std::isfinite(value)) {
                throw bad_input{path + ": the temperature in row " + std::to_string(row) + ", column " +
                                std::to_string(column) + " is '" + word + "', but must be a finite number"};
            }
            plate.values.push_back(value);
        }
    }
    if (text >> word)
        throw bad_input{path + ": '" + word + "' follows the last temperature; nothing may follow it"};
    return plate;
}

}  // namespace heat
