#include <mpiprof/exports/format.hpp>

namespace mpiprof::inline v1::exports {

std::span<format const* const> formats() {
    static constexpr format const* all[] = {&otf2};
    return all;
}

}  // namespace mpiprof::inline v1::exports
