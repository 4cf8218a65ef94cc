#include <mpiprof/exports/valid_text.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace mpiprof::inline v1::exports {

std::string valid_text(std::string text) {
    bool const is_ascii = std::all_of(text.begin(), text.end(), [](char each) { return (each & 0x80) == 0; });
    if (is_ascii) return text;
    using nlohmann::json;
    return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

}  // namespace mpiprof::inline v1::exports
