#include <mpiprof/exports/csv.hpp>

#include <mpiprof/exports/valid_text.hpp>

#include <fmt/format.h>

namespace mpiprof::inline v1::exports {

std::string csv_cell(std::string const& text) {
    auto valid = valid_text(text);
    if (valid.find_first_of(",\"\r\n") == std::string::npos) return valid;
    std::string quoted{'"'};
    for (char const each : valid) {
        if (each == '"') quoted += each;
        quoted += each;
    }
    return quoted + '"';
}

csv_writer& csv_writer::operator<<(std::int64_t number) {
    fmt::format_int const digits{number};
    return cell({digits.data(), digits.size()});
}

csv_writer& csv_writer::operator<<(double number) { return cell(fmt::format("{}", number)); }

csv_writer& csv_writer::known(std::int64_t number) { return number == -1 ? cell("") : *this << number; }

csv_writer& csv_writer::cell(std::string_view text) {
    row_ += text;
    row_ += ',';
    return *this;
}

void csv_writer::end_row() {
    if (!row_.empty()) row_.pop_back();
    out_ << row_ << "\r\n";
    row_.clear();
}

}  // namespace mpiprof::inline v1::exports
