#include <mpiprof/exports/site_text.hpp>

#include <charconv>
#include <fmt/format.h>

namespace mpiprof::inline v1::exports {

std::string site_text(run const& of, call_site const& site) {
    if (site.line() > 0) return fmt::format("{}:{}", site.file(), site.line());
    return of.resolve ? of.resolve(site.file()) : site.file();
}

std::pair<std::string_view, std::uint32_t> split_place(std::string_view text) {
    auto const colon = text.find_last_not_of("0123456789");
    if (colon == std::string_view::npos || text[colon] != ':') return {text, 0};
    std::uint32_t line = 0;
    auto const digits = text.substr(colon + 1);
    auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), line);
    bool const is_one = read.ec == std::errc{} && text.find(" < ") == std::string_view::npos;
    return is_one ? std::pair{text.substr(0, colon), line} : std::pair{text, std::uint32_t{0}};
}

}  // namespace mpiprof::inline v1::exports
