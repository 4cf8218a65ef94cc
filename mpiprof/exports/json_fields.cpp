#include <mpiprof/exports/json_fields.hpp>

#include <nlohmann/json.hpp>

namespace mpiprof::inline v1::exports {

std::string json_text(std::string const& text) {
    using nlohmann::json;
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

void json_fields::start() {
    text_.clear();
    append("{");
    first_ = true;
}

void json_fields::number(std::string_view name, std::int64_t value) {
    begin(name);
    fmt::format_int const digits{value};
    append({digits.data(), digits.size()});
}

void json_fields::microseconds(std::string_view name, std::int64_t nanoseconds) {
    number(name, nanoseconds / 1000);
    if (auto const rest = nanoseconds % 1000; rest != 0) fmt::format_to(fmt::appender{text_}, ".{:03}", rest);
}

void json_fields::word(std::string_view name, std::string_view value) {
    begin(name);
    append("\"");
    append(value);
    append("\"");
}

void json_fields::json(std::string_view name, std::string_view value) {
    begin(name);
    append(value);
}

void json_fields::enter(std::string_view name) {
    begin(name);
    append("{");
    first_ = true;
}

void json_fields::leave() {
    append("}");
    first_ = false;
}

std::string_view json_fields::finish() {
    append("}");
    return {text_.data(), text_.size()};
}

void json_fields::begin(std::string_view name) {
    append(first_ ? "\"" : ",\"");
    append(name);
    append("\":");
    first_ = false;
}

}  // namespace mpiprof::inline v1::exports
