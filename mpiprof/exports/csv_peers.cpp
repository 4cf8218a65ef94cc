#include <mpiprof/exports/csv_fields.hpp>
#include <mpiprof/exports/format.hpp>
#include <mpiprof/exports/profile_communicators.hpp>
#include <mpiprof/exports/replace_file.hpp>

#include <algorithm>

namespace mpiprof::inline v1::exports {

namespace {

/// The peer's rank in MPI_COMM_WORLD; -1 where that is not known.
std::int64_t world_rank(run const& from, results::peer_row const& row) {
    if (row.communicator == world_communicator || row.peer < 0) return row.peer < 0 ? -1 : row.peer;
    if (row.communicator == self_communicator) return row.rank;
    if (from.trace == nullptr) return -1;
    auto const& ranks = from.trace->ranks();
    auto const found = std::find_if(ranks.begin(), ranks.end(),
                                    [&](traces::rank const& each) { return each.number == row.rank; });
    if (found == ranks.end()) return -1;
    return from.trace->world_rank(row.communicator, static_cast<std::size_t>(found - ranks.begin()),
                                  row.peer);
}

void write_csv_peers(run const& from, std::string const& path) {
    replace_text_file(path, [&](std::ostream& out) {
        auto const names = communicator_names(*from.profile);
        csv_writer table{out};
        table << "peer_rank" << "communicator_name";
        add_field_names(table, results::object::to_read(results::peer_row{}));
        table.end_row();
        for (auto const& row : from.profile->peers) {
            table.known(world_rank(from, row)) << name_in(names, row.communicator);
            add_fields(table, results::object::to_read(row));
            table.end_row();
        }
    });
}

}  // namespace

format const csv_peers{
    "csv-peers",
    "a table of who sent how much to whom; the trace beside the profile gives more peers' ranks in the world",
    needs::profile,
    write_csv_peers,
    true,
};

}  // namespace mpiprof::inline v1::exports
