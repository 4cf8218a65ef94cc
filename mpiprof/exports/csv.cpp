#include <mpiprof/exports/csv.hpp>

#include <mpiprof/exports/valid_text.hpp>

#include <fmt/format.h>

namespace mpiprof::inline v1::exports {

std::ostream& csv_writer::cell() {
    if (!first_) out_ << ',';
    first_ = false;
    return out_;
}

csv_writer& csv_writer::operator<<(std::string_view text) {
    auto& out = cell();
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out << valid_text(std::string{text});
        return *this;
    }
    out << '"';
    for (char const each : valid_text(std::string{text}))
        out << (each == '"' ? "\"\"" : std::string(1, each));
    out << '"';
    return *this;
}

csv_writer& csv_writer::operator<<(std::int64_t number) {
    cell() << fmt::format("{}", number);
    return *this;
}

csv_writer& csv_writer::operator<<(double number) {
    cell() << fmt::format("{}", number);
    return *this;
}

csv_writer& csv_writer::known(std::int64_t number) {
    return number == -1 ? *this << std::string_view{} : *this << number;
}

void csv_writer::end_row() {
    out_ << "\r\n";
    first_ = true;
}

}  // namespace mpiprof::inline v1::exports
