// A profile as JSON text: a small writer of our own, so that a run needs no other library.
#pragma once

#include <mpiprof/results/profile.hpp>

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace mpiprof::inline v1::results {

namespace detail {

/// Length of the valid UTF-8 sequence that `text` begins with; 0 if it begins with none (RFC 3629, section
/// 4).
inline std::size_t utf8_sequence(std::string_view text) noexcept {
    auto const byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    auto const continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    unsigned const lead = byte(0);
    unsigned const second = byte(1);
    if (lead < 0x80U) return 1;
    if (lead >= 0xC2U && lead <= 0xDFU) return continues(1) ? 2 : 0;
    if (lead >= 0xE0U && lead <= 0xEFU) {
        bool const in_range = (lead != 0xE0U || second >= 0xA0U) && (lead != 0xEDU || second <= 0x9FU);
        return in_range && continues(1) && continues(2) ? 3 : 0;
    }
    if (lead >= 0xF0U && lead <= 0xF4U) {
        bool const in_range = (lead != 0xF0U || second >= 0x90U) && (lead != 0xF4U || second <= 0x8FU);
        return in_range && continues(1) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

/// `text` as a JSON string; bytes that are not UTF-8 become U+FFFD.
inline void append_json_string(std::string& out, std::string_view text) {
    constexpr char const* hexadecimal = "0123456789abcdef";
    out += '"';
    while (!text.empty()) {
        auto const character = static_cast<unsigned char>(text.front());
        auto const length = utf8_sequence(text);
        if (length == 0) {
            out += "\\ufffd";
        } else if (character == '"' || character == '\\') {
            out += '\\';
            out += text.front();
        } else if (character < 0x20 || character == 0x7F) {
            out += "\\u00";
            out += hexadecimal[character >> 4];
            out += hexadecimal[character & 15];
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out += '"';
}

/// Writes described structs: a row on a line of its own, the parts of a row in it.
class json_writer {
  public:
    json_writer(std::string& out, int depth) : out_{out}, depth_{depth} {}

    void operator()(char const* name, auto const& value) {
        separate();
        append_json_string(out_, name);
        out_ += ": ";
        put(value);
    }

  private:
    void separate() {
        if (!first_) out_ += ',';
        if (depth_ == 0) {
            out_ += "\n  ";
        } else if (!first_) {
            out_ += ' ';
        }
        first_ = false;
    }

    void put(std::int64_t value) { out_ += std::to_string(value); }
    void put(double value) {
        char text[32];
        auto const end = std::to_chars(text, text + sizeof text, value).ptr;
        out_.append(text, end);
    }
    void put(bool value) { out_ += value ? "true" : "false"; }
    void put(std::string const& value) { append_json_string(out_, value); }
    void put(std::vector<std::int64_t> const& numbers) {
        out_ += '[';
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (i > 0) out_ += ", ";
            put(numbers[i]);
        }
        out_ += ']';
    }
    template <class Row>
    void put(std::vector<Row> const& rows) {
        out_ += '[';
        for (std::size_t i = 0; i < rows.size(); ++i) {
            out_ += i == 0 ? "\n    " : ",\n    ";
            put(rows[i]);
        }
        out_ += rows.empty() ? "]" : "\n  ]";
    }
    template <class Struct>
    void put(Struct const& value) {
        out_ += '{';
        json_writer inner{out_, depth_ + 1};
        Struct::describe(value, inner);
        out_ += '}';
    }

    std::string& out_;
    int depth_;
    bool first_ = true;
};

}  // namespace detail

/// The profile's file, whole (docs/file-format.md).
inline std::string to_json(profile const& run) {
    std::string out = "{";
    detail::json_writer field{out, 0};
    field("format", std::string{profile::format_name});
    field("version", profile::format_version);
    profile::describe(run, field);
    out += "\n}\n";
    return out;
}

}  // namespace mpiprof::inline v1::results
