#include <mpiprof/exports/json_fields.hpp>

#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace mpiprof::inline v1::exports {

std::string json_text(std::string const& text) {
    using nlohmann::json;
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

void json_fields::start() {
    text_.clear();
    text_ += "{";
    first_ = true;
}

void json_fields::number(std::string_view name, std::int64_t value) {
    begin(name);
    fmt::format_int const digits{value};
    text_.append(digits.data(), digits.size());
}

void json_fields::microseconds(std::string_view name, std::int64_t nanoseconds) {
    number(name, nanoseconds / 1000);
    if (auto const rest = nanoseconds % 1000; rest != 0)
        fmt::format_to(std::back_inserter(text_), ".{:03}", rest);
}

void json_fields::word(std::string_view name, std::string_view value) {
    begin(name);
    text_ += "\"";
    text_ += value;
    text_ += "\"";
}

void json_fields::json(std::string_view name, std::string_view value) {
    begin(name);
    text_ += value;
}

void json_fields::enter(std::string_view name) {
    begin(name);
    text_ += "{";
    first_ = true;
}

void json_fields::leave() {
    text_ += "}";
    first_ = false;
}

std::string_view json_fields::finish() {
    text_ += "}";
    return text_;
}

void json_fields::begin(std::string_view name) {
    text_ += first_ ? "\"" : ",\"";
    text_ += name;
    text_ += "\":";
    first_ = false;
}

}  // namespace mpiprof::inline v1::exports
