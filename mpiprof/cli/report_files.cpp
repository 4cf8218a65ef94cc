#include <mpiprof/cli/report_files.hpp>

#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/cli/resolve_places.hpp>
#include <mpiprof/report/text.hpp>

namespace mpiprof::inline v1::cli {

std::string report_files(std::vector<std::string> const& paths) {
    place_resolver places;
    // Rank by rank, where rows of one line can be put together exactly.
    auto const run = read_run(paths, [&](auto& part) { places.resolve(part); });
    return report::to_text(run) + places.notes();
}

}  // namespace mpiprof::inline v1::cli
