// Region names: one line of text for one kind of call, as scope-profiler writes and reads them.
#pragma once

#include <mpiprof/core/call.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpiprof::inline v1 {

/// The fields of a region name. -1 is "not applicable or unknown" for every number.
struct region_metadata {
    mpiprof::operation operation = operation::none;
    mpiprof::kind kind = kind::none;
    std::int64_t bytes = -1;
    std::int64_t peer = -1;
    std::int64_t root = -1;
    std::int64_t tag = -1;
    std::int64_t communicator = -1;
    /// The operation that a wait is for; `none` elsewhere.
    mpiprof::operation request = operation::none;

    bool operator==(region_metadata const&) const = default;
};

/// The fields of the region that a call belongs to.
constexpr region_metadata metadata_of(call const& record) noexcept {
    return {record.operation, kind_of(record.operation), region_bytes(record), record.peer, record.root,
            record.tag,       record.communicator,       record.request};
}

/// A buffer of this many characters takes any region name.
inline constexpr std::size_t region_name_capacity = 256;

namespace detail {

/// Appends text to a caller's buffer as long as there is room, and counts on where there is none.
class bounded_writer {
  public:
    constexpr explicit bounded_writer(std::span<char> buffer) noexcept : buffer_{buffer} {}

    constexpr bounded_writer& operator<<(std::string_view text) noexcept {
        for (char const character : text) {
            if (size_ < buffer_.size()) buffer_[size_] = character;
            ++size_;
        }
        return *this;
    }

    constexpr bounded_writer& operator<<(std::int64_t value) noexcept {
        char digits[20] = {};
        std::size_t first = sizeof digits;
        auto rest = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
        do {
            digits[--first] = static_cast<char>('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (value < 0) *this << std::string_view{"-"};
        return *this << std::string_view{digits + first, sizeof digits - first};
    }

    constexpr std::size_t size() const noexcept { return size_; }

  private:
    std::span<char> buffer_;
    std::size_t size_ = 0;
};

constexpr bool is_space(char character) noexcept {
    return character == ' ' || (character >= '\t' && character <= '\r');
}

/// Takes the next word off the front of `text`; empty when there is none.
constexpr std::string_view take_word(std::string_view& text) noexcept {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    std::size_t length = 0;
    while (length < text.size() && !is_space(text[length])) ++length;
    auto const word = text.substr(0, length);
    text.remove_prefix(length);
    return word;
}

/// A decimal integer with an optional sign that fits 64 bits, and nothing beside it.
constexpr std::optional<std::int64_t> parse_integer(std::string_view text) noexcept {
    bool const negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (negative || text.front() == '+')) text.remove_prefix(1);
    if (text.empty()) return std::nullopt;
    std::int64_t value = 0;
    for (char const character : text) {
        if (character < '0' || character > '9') return std::nullopt;
        int const digit = character - '0';
        if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return std::nullopt;
        if (__builtin_add_overflow(value, static_cast<std::int64_t>(negative ? -digit : digit), &value)) {
            return std::nullopt;
        }
    }
    return value;
}

}  // namespace detail

/// Writes the region name to `buffer`, without a terminating zero and without allocating. Returns the name's
/// length; where that is larger than the buffer, the buffer holds the name's beginning.
///
///     mpi:send kind=point-to-point bytes=32 peer=2 root=-1 tag=9 comm=7
constexpr std::size_t format_region(std::span<char> buffer, region_metadata const& region) noexcept {
    using std::operator""sv;
    detail::bounded_writer out{buffer};
    out << "mpi:"sv << name(region.operation) << " kind="sv << name(region.kind) << " bytes="sv
        << region.bytes << " peer="sv << region.peer << " root="sv << region.root << " tag="sv << region.tag
        << " comm="sv << region.communicator;
    if (region.request != operation::none) out << " request="sv << name(region.request);
    return out.size();
}

/// The region name as a string.
inline std::string format_region(region_metadata const& region) {
    char buffer[region_name_capacity];
    return {buffer, format_region(std::span<char>{buffer}, region)};
}

/// Reads a region name. Fields may stand in any order; further `key=value` words are passed over, and of a
/// key given twice the last counts, as in scope-profiler. Anything else (no `mpi:`, an operation or kind that
/// is not in the table, a field missing or not an integer of 64 bits, a word that is no `key=value`) is not a
/// region name.
constexpr std::optional<region_metadata> parse_region(std::string_view text) noexcept {
    constexpr std::string_view prefix = "mpi:";
    if (text.substr(0, prefix.size()) != prefix) return std::nullopt;
    text.remove_prefix(prefix.size());
    if (text.empty() || detail::is_space(text.front())) return std::nullopt;

    region_metadata region;
    auto const operation_name = detail::take_word(text);
    region.operation = find_operation(operation_name.data(), operation_name.size());
    if (region.operation == operation::none) return std::nullopt;

    struct field {
        std::string_view key;
        std::int64_t region_metadata::* member;
        bool seen = false;
    };
    field fields[] = {{"bytes", &region_metadata::bytes},
                      {"peer", &region_metadata::peer},
                      {"root", &region_metadata::root},
                      {"tag", &region_metadata::tag},
                      {"comm", &region_metadata::communicator}};

    for (auto word = detail::take_word(text); !word.empty(); word = detail::take_word(text)) {
        auto const equals = word.find('=');
        if (equals == std::string_view::npos) return std::nullopt;
        auto const key = word.substr(0, equals);
        auto const value = word.substr(equals + 1);
        if (key == "kind") {
            region.kind = find_kind(value.data(), value.size());
            if (region.kind == kind::none) return std::nullopt;
        } else if (key == "request") {
            region.request = find_operation(value.data(), value.size());
            if (region.request == operation::none) return std::nullopt;
        }
        for (auto& field : fields) {
            if (key != field.key) continue;
            auto const number = detail::parse_integer(value);
            if (!number) return std::nullopt;
            region.*field.member = *number;
            field.seen = true;
        }
    }
    for (auto const& field : fields) {
        if (!field.seen) return std::nullopt;
    }
    if (region.kind == kind::none) return std::nullopt;
    return region;
}

}  // namespace mpiprof::inline v1
