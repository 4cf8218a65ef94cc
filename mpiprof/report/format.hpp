// Numbers and names as a person reads them.
#pragma once

#include <mpiprof/results/rank_set.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace mpiprof::inline v1::report {

/// A decimal number with a point, whatever the locale.
inline std::string decimal(double value, int places) {
    auto scale = std::int64_t{1};
    for (int i = 0; i < places; ++i) scale *= 10;
    auto const scaled = static_cast<std::int64_t>(std::llround(std::abs(value) * static_cast<double>(scale)));
    auto digits = std::to_string(scaled % scale);
    digits.insert(0, static_cast<std::size_t>(places) - (places > 0 ? digits.size() : 0), '0');
    return (value < 0 ? "-" : "") + std::to_string(scaled / scale) + (places > 0 ? '.' + digits : "");
}

/// A time in nanoseconds with three or four digits and its unit: "12.3 ms".
inline std::string duration(double nanoseconds) {
    constexpr char const* units[] = {"ns", "us", "ms", "s"};
    std::size_t unit = 0;
    while (nanoseconds >= 999.95 && unit < 3) {
        nanoseconds /= 1000;
        ++unit;
    }
    int const places = unit == 0 ? 0 : nanoseconds >= 100 ? 1 : 2;
    return decimal(nanoseconds, places) + ' ' + units[unit];
}

inline std::string duration(std::int64_t nanoseconds) { return duration(static_cast<double>(nanoseconds)); }

/// part / whole as a percentage; "0.0" of nothing.
inline std::string percentage(double part, double whole) {
    return decimal(whole > 0 ? 100 * part / whole : 0, 1);
}

/// A name from the program with nothing in it that a terminal would act on.
inline std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](unsigned char character) { return character < 0x20 || character == 0x7F; }, '?');
    return text;
}

/// "0-2, 5".
inline std::string ranks(results::rank_set const& set) {
    std::string text;
    for (auto const& range : set) {
        if (!text.empty()) text += ", ";
        text += std::to_string(range.first);
        if (range.last != range.first) text += '-' + std::to_string(range.last);
    }
    return text;
}

/// "1 rank", "2 ranks".
inline std::string counted(std::int64_t number, char const* thing) {
    return std::to_string(number) + ' ' + thing + (number == 1 ? "" : "s");
}

}  // namespace mpiprof::inline v1::report
