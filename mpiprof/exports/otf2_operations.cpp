#include <mpiprof/exports/otf2_operations.hpp>

#include <algorithm>

namespace mpiprof::inline v1::exports {

namespace {

using enum operation;

/// The forms of one collective operation: blocking, nonblocking, persistent.
struct collective_row {
    operation forms[3];
    OTF2_CollectiveOp what;
    OTF2_RegionRole role;
};

constexpr collective_row collective_rows[] = {
    {{barrier, ibarrier, barrier_init}, OTF2_COLLECTIVE_OP_BARRIER, OTF2_REGION_ROLE_BARRIER},
    {{bcast, ibcast, bcast_init}, OTF2_COLLECTIVE_OP_BCAST, OTF2_REGION_ROLE_COLL_ONE2ALL},
    {{scatter, iscatter, scatter_init}, OTF2_COLLECTIVE_OP_SCATTER, OTF2_REGION_ROLE_COLL_ONE2ALL},
    {{scatterv, iscatterv, scatterv_init}, OTF2_COLLECTIVE_OP_SCATTERV, OTF2_REGION_ROLE_COLL_ONE2ALL},
    {{gather, igather, gather_init}, OTF2_COLLECTIVE_OP_GATHER, OTF2_REGION_ROLE_COLL_ALL2ONE},
    {{gatherv, igatherv, gatherv_init}, OTF2_COLLECTIVE_OP_GATHERV, OTF2_REGION_ROLE_COLL_ALL2ONE},
    {{reduce, ireduce, reduce_init}, OTF2_COLLECTIVE_OP_REDUCE, OTF2_REGION_ROLE_COLL_ALL2ONE},
    {{allgather, iallgather, allgather_init}, OTF2_COLLECTIVE_OP_ALLGATHER, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {{allgatherv, iallgatherv, allgatherv_init},
     OTF2_COLLECTIVE_OP_ALLGATHERV,
     OTF2_REGION_ROLE_COLL_ALL2ALL},
    {{alltoall, ialltoall, alltoall_init}, OTF2_COLLECTIVE_OP_ALLTOALL, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {{alltoallv, ialltoallv, alltoallv_init}, OTF2_COLLECTIVE_OP_ALLTOALLV, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {{alltoallw, ialltoallw, alltoallw_init}, OTF2_COLLECTIVE_OP_ALLTOALLW, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {{allreduce, iallreduce, allreduce_init}, OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {{reduce_scatter, ireduce_scatter, reduce_scatter_init},
     OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
     OTF2_REGION_ROLE_COLL_ALL2ALL},
    {{reduce_scatter_block, ireduce_scatter_block, reduce_scatter_block_init},
     OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
     OTF2_REGION_ROLE_COLL_ALL2ALL},
    {{scan, iscan, scan_init}, OTF2_COLLECTIVE_OP_SCAN, OTF2_REGION_ROLE_COLL_OTHER},
    {{exscan, iexscan, exscan_init}, OTF2_COLLECTIVE_OP_EXSCAN, OTF2_REGION_ROLE_COLL_OTHER},
};

}  // namespace

std::optional<otf2_collective> otf2_collective_of(operation value) noexcept {
    for (auto const& row : collective_rows) {
        auto const* const form = std::find(std::begin(row.forms), std::end(row.forms), value);
        if (form != std::end(row.forms))
            return otf2_collective{row.what, row.role, form == std::begin(row.forms)};
    }
    return std::nullopt;
}

OTF2_RegionRole otf2_role_of(operation value) noexcept {
    switch (kind_of(value)) {
    case kind::point_to_point:
    case kind::wait:
    case kind::request:
        return OTF2_REGION_ROLE_POINT2POINT;
    case kind::collective:
        if (auto const known = otf2_collective_of(value)) return known->role;
        return OTF2_REGION_ROLE_COLL_OTHER;
    case kind::communicator:
        return OTF2_REGION_ROLE_COLL_OTHER;
    case kind::one_sided:
        return OTF2_REGION_ROLE_RMA;
    case kind::io:
        return OTF2_REGION_ROLE_FILE_IO;
    case kind::none:
    case kind::environment:
    case kind::query:
        break;
    }
    return OTF2_REGION_ROLE_FUNCTION;
}

std::string mpi_function_name(operation value) {
    std::string text = name(value);
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return "MPI_" + text;
}

}  // namespace mpiprof::inline v1::exports
