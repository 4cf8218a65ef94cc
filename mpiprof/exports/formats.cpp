#include <mpiprof/exports/format.hpp>

namespace mpiprof::inline v1::exports {

std::span<format const* const> formats() {
    static constexpr format const* all[] = {&chrome, &csv_calls,      &csv_peers,           &csv_summary,
                                            &otf2,   &scope_profiler, &scope_profiler_hdf5, &speedscope};
    return all;
}

}  // namespace mpiprof::inline v1::exports
