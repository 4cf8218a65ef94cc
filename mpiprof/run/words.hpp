// The parts of a setting's text.
#pragma once

#include <mpiprof/core/config.hpp>

#include <string_view>

namespace mpiprof::inline v1::detail {

constexpr std::string_view trim(std::string_view text) noexcept {
    constexpr std::string_view spaces = " \t\r\n";
    auto const first = text.find_first_not_of(spaces);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

/// Takes the part before the next `separator` off the front of `text`, trimmed.
constexpr std::string_view take_part(std::string_view& text, char separator) noexcept {
    auto const end = text.find(separator);
    auto const part = trim(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : trim(text.substr(end + 1));
    return part;
}

/// Is `word` one of `words`, which have '+' between them?
constexpr bool has_word(std::string_view words, std::string_view word) noexcept {
    bool found = false;
    while (!words.empty()) found |= take_part(words, '+') == word;
    return found;
}

}  // namespace mpiprof::inline v1::detail
