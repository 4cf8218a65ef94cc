// Which operations and which ranks are recorded, as settings name them.
#pragma once

#include <mpiprof/core/operation.hpp>
#include <mpiprof/results/rank_set.hpp>
#include <mpiprof/run/settings.hpp>
#include <mpiprof/run/words.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpiprof::inline v1::detail {

/// Does an operation's name match `word`, which may end in a `*` that stands for any ending?
constexpr bool matches(std::string_view name, std::string_view word) noexcept {
    if (word.empty() || word.back() != '*') return name == word;
    return name.starts_with(word.substr(0, word.size() - 1));
}

/// Does an operation's name match one of `words`, which have '+' between them?
constexpr bool matches_one(std::string_view name, std::string_view words) noexcept {
    bool found = false;
    while (!words.empty()) found |= matches(name, take_part(words, '+'));
    return found;
}

/// Does each of `words`, which have '+' between them, match an operation?
constexpr bool known_operations(std::string_view words) noexcept {
    bool known = !words.empty();
    while (!words.empty()) {
        auto const word = take_part(words, '+');
        bool found = false;
        for (std::size_t i = 1; i < operation_count && !found; ++i)
            found = matches(name(static_cast<operation>(i)), word);
        known = known && found;
    }
    return known;
}

/// Takes a rank off the front of `text`; -1 if there is none.
constexpr std::int64_t take_rank(std::string_view& text) noexcept {
    constexpr std::int64_t most = INT32_MAX;
    std::int64_t rank = -1;
    while (!text.empty() && text.front() >= '0' && text.front() <= '9' && rank <= most) {
        rank = (rank < 0 ? 0 : rank * 10) + (text.front() - '0');
        text.remove_prefix(1);
    }
    return rank <= most ? rank : -1;
}

/// The ranks of a list like "0-3+8"; nothing if it is none.
[[gnu::cold]] inline std::optional<results::rank_set> parse_ranks(std::string_view text) {
    results::rank_set all;
    if (text.empty()) return std::nullopt;
    while (!text.empty()) {
        auto part = take_part(text, '+');
        auto const first = take_rank(part);
        auto last = first;
        if (part.starts_with('-')) {
            part.remove_prefix(1);
            last = take_rank(part);
        }
        if (first < 0 || last < first || !part.empty()) return std::nullopt;
        results::rank_set one;
        one.push_back({first, last});
        results::merge(all, one);
    }
    return all;
}

/// Is the rank one of the list? All are where the list is "", or none at all.
[[gnu::cold]] inline bool lists_rank(std::string_view list, std::int64_t rank) {
    auto const ranks = parse_ranks(list);
    if (!ranks) return true;
    bool found = false;
    for (auto const& range : *ranks) found = found || (range.first <= rank && rank <= range.last);
    return found;
}

/// The ranks of a world of `size` that the list leaves out.
[[gnu::cold]] inline results::rank_set ranks_left_out(std::string_view list, std::int64_t size) {
    auto const ranks = parse_ranks(list);
    results::rank_set left_out;
    if (!ranks) return left_out;
    for (auto range : results::missing(*ranks, size)) {
        if (range.last >= size) range.last = size - 1;
        if (range.first <= range.last) left_out.push_back(range);
    }
    return left_out;
}

/// The filters that the settings name, as MPIPROF spells them; "" where there is none.
[[gnu::cold]] inline std::string describe_filters(settings const& options) {
    std::string text;
    auto const add = [&](char const* key, std::string const& value) {
        if (value.empty()) return;
        if (!text.empty()) text += ", ";
        text.append(key).append("=").append(value);
    };
    add("include", options.include);
    add("exclude", options.exclude);
    add("ranks", options.ranks);
    return text;
}

/// The operations that are recorded. They may change while other threads ask.
class operation_filter {
  public:
    /// Those that match `include`, or all if that is "", but for those that match `exclude`.
    void choose(std::string_view include, std::string_view exclude) noexcept {
        for (std::size_t i = 1; i < operation_count; ++i) {
            std::string_view const each{name(static_cast<operation>(i))};
            bool const wanted =
                (include.empty() || matches_one(each, include)) && !matches_one(each, exclude);
            left_out_[i].store(!wanted, std::memory_order_relaxed);
        }
    }

    bool records(operation which) const noexcept {
        return !left_out_[static_cast<std::size_t>(which)].load(std::memory_order_relaxed);
    }

  private:
    std::array<std::atomic<bool>, operation_count> left_out_{};
};

}  // namespace mpiprof::inline v1::detail
