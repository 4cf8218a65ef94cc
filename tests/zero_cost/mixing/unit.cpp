#include "tests/zero_cost/mixing/unit.hpp"

namespace {

int calls() {
    mpiprof::phase const here{"of a unit"};
    auto const world = mpiprof::profile(MPI_COMM_SELF);
    return send_twice(world) + share(world) + mpiprof::raw::barrier(MPI_COMM_SELF);
}

}  // namespace

unit UNIT() {
    using view = decltype(mpiprof::profile(MPI_COMM_SELF));
    return {&calls,
            &typeid(view),
            &typeid(mpiprof::phase),
            sizeof(view),
            std::is_pointer_v<decltype(mpiprof::raw::send)>,
            &mpiprof::process::instance(),
            users_function()};
}
