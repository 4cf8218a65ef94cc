#include <mpiprof/exports/csv_fields.hpp>
#include <mpiprof/exports/format.hpp>
#include <mpiprof/exports/profile_communicators.hpp>
#include <mpiprof/exports/replace_file.hpp>

namespace mpiprof::inline v1::exports {

namespace {

void write_csv_summary(run const& from, std::string const& path) {
    replace_text_file(path, [&](std::ostream& out) {
        auto const names = communicator_names(*from.profile);
        csv_writer table{out};
        table << "communicator_name";
        add_field_names(table, results::object::to_read(results::call_row{}));
        table.end_row();
        for (auto const& row : from.profile->calls) {
            table << name_in(names, row.communicator);
            add_fields(table, results::object::to_read(row));
            table.end_row();
        }
    });
}

}  // namespace

format const csv_summary{
    "csv-summary",
    "a table of the profile's rows: operation, communicator, call site, phase, and all of their sums",
    needs::profile,
    write_csv_summary,
    true,
};

}  // namespace mpiprof::inline v1::exports
