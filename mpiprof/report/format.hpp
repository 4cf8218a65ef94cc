// Numbers and names as a person reads them.
#pragma once

#include <mpiprof/results/rank_set.hpp>

#include <cstdint>
#include <string>

namespace mpiprof::inline v1::report {

/// A decimal number with a point, whatever the locale. Not std::llround: <cmath> takes long to compile.
[[gnu::cold]] inline std::string decimal(double value, int places) {
    auto scale = std::int64_t{1};
    for (int i = 0; i < places; ++i) scale *= 10;
    auto const scaled =
        static_cast<std::int64_t>(__builtin_llround(__builtin_fabs(value) * static_cast<double>(scale)));
    auto text = std::to_string(scaled);
    auto const after_point = static_cast<std::size_t>(places);
    if (text.size() <= after_point) text.insert(0, after_point + 1 - text.size(), '0');
    if (places > 0) text.insert(text.size() - after_point, 1, '.');
    if (value < 0) text.insert(0, 1, '-');
    return text;
}

/// A time in nanoseconds with three or four digits and its unit: "12.3 ms".
[[gnu::cold]] inline std::string duration(double nanoseconds) {
    constexpr char const* units[] = {"ns", "us", "ms", "s"};
    std::size_t unit = 0;
    while (nanoseconds >= 999.95 && unit < 3) {
        nanoseconds /= 1000;
        ++unit;
    }
    int const places = unit == 0 ? 0 : nanoseconds >= 100 ? 1 : 2;
    auto text = decimal(nanoseconds, places);
    text += ' ';
    text += units[unit];
    return text;
}

[[gnu::cold]] inline std::string duration(std::int64_t nanoseconds) {
    return duration(static_cast<double>(nanoseconds));
}

/// part / whole as a percentage; "0.0" of nothing.
[[gnu::cold]] inline std::string percentage(double part, double whole) {
    return decimal(whole > 0 ? 100 * part / whole : 0, 1);
}

/// A name from the program with nothing in it that a terminal would act on.
[[gnu::cold]] inline std::string printable(std::string const& name) {
    auto text = name;
    for (auto& character : text) {
        if (static_cast<unsigned char>(character) < 0x20 || character == 0x7F) character = '?';
    }
    return text;
}

/// "0-2, 5".
[[gnu::cold]] inline std::string ranks(results::rank_set const& set) {
    std::string text;
    for (auto const& range : set) {
        if (!text.empty()) text += ", ";
        text += std::to_string(range.first);
        if (range.last == range.first) continue;
        text += '-';
        text += std::to_string(range.last);
    }
    return text;
}

/// "1 rank", "2 ranks".
[[gnu::cold]] inline std::string counted(std::int64_t number, char const* thing) {
    auto text = std::to_string(number);
    text += ' ';
    text += thing;
    if (number != 1) text += 's';
    return text;
}

}  // namespace mpiprof::inline v1::report
