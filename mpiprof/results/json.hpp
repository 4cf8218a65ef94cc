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
[[gnu::cold]] inline std::size_t utf8_sequence(std::string_view text) noexcept {
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
[[gnu::cold]] inline void append_json_string(std::string& out, std::string_view text) {
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
class json_writer final : public field_visitor {
  public:
    json_writer(std::string& out, int depth) : out_{out}, depth_{depth} {}

    [[gnu::cold]] void operator()(char const* name, std::int64_t& value) override {
        put_name(name);
        out_ += std::to_string(value);
    }
    [[gnu::cold]] void operator()(char const* name, double& value) override {
        put_name(name);
        char text[32];
        out_.append(text, std::to_chars(text, text + sizeof text, value).ptr);
    }
    [[gnu::cold]] void operator()(char const* name, bool& value) override {
        put_name(name);
        out_ += value ? "true" : "false";
    }
    [[gnu::cold]] void operator()(char const* name, std::string& value) override {
        put_name(name);
        append_json_string(out_, value);
    }
    [[gnu::cold]] void operator()(char const* name, std::vector<std::int64_t>& numbers) override {
        put_name(name);
        out_ += '[';
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (i > 0) out_ += ", ";
            out_ += std::to_string(numbers[i]);
        }
        out_ += ']';
    }
    [[gnu::cold]] void operator()(char const* name, object value) override {
        put_name(name);
        put(value);
    }
    [[gnu::cold]] void operator()(char const* name, row_list& rows) override {
        put_name(name);
        out_ += '[';
        for (std::size_t i = 0; i < rows.size(); ++i) {
            out_ += i == 0 ? "\n    " : ",\n    ";
            put(rows.object_at(i));
        }
        out_ += rows.empty() ? "]" : "\n  ]";
    }

  private:
    [[gnu::cold]] void put_name(char const* name) {
        if (!first_) out_ += ',';
        if (depth_ == 0) {
            out_ += "\n  ";
        } else if (!first_) {
            out_ += ' ';
        }
        first_ = false;
        append_json_string(out_, name);
        out_ += ": ";
    }

    [[gnu::cold]] void put(object value) {
        out_ += '{';
        json_writer inner{out_, depth_ + 1};
        value.visit(inner);
        out_ += '}';
    }

    std::string& out_;
    int depth_;
    bool first_ = true;
};

}  // namespace detail

/// The profile's file, whole (docs/file-format.md).
[[gnu::cold]] inline std::string to_json(profile const& run) {
    std::string out = "{";
    detail::json_writer field{out, 0};
    std::string format = profile::format_name;
    auto version = profile::format_version;
    field("format", format);
    field("version", version);
    object::to_read(run).visit(field);
    out += "\n}\n";
    return out;
}

}  // namespace mpiprof::inline v1::results
