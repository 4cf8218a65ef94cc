// Rows of a profile as rows of a table.
#pragma once

#include <mpiprof/exports/csv.hpp>
#include <mpiprof/results/fields.hpp>

namespace mpiprof::inline v1::exports {

/// Writes a cell for each field of a row, also of the structs in it. Lists of numbers are one cell, with
/// spaces between them.
void add_fields(csv_writer& to, results::object const& row);

/// Writes a cell with the name of each of these fields: "time.sum" for the sum in `time`, without the name of
/// what holds all of a row's statistics.
void add_field_names(csv_writer& to, results::object const& row);

}  // namespace mpiprof::inline v1::exports
