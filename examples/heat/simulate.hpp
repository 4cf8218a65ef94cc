// The heat equation on a plate whose rows are spread over the ranks. All of it is written for any
// communicator: MPI's or Boost.MPI's, profiled or not.
#pragma once

#include "field.hpp"
#include "strip.hpp"

#include <mpiprof/mpiprof.hpp>

#include <algorithm>
#include <array>
#include <ostream>

namespace heat {

inline constexpr int rows_tag = 1;
inline constexpr int up_tag = 2;
inline constexpr int down_tag = 3;

/// The first row of a rank; the last one is before the next rank's first.
constexpr int first_row(int plate_rows, int rank, int ranks) { return plate_rows * rank / ranks; }

/// Gives each rank its rows of rank 0's plate; elsewhere only the plate's size is looked at.
template <mpiprof::communicator Comm>
strip scatter(Comm const& comm, field const& plate) {
    mpiprof::phase p{"scatter"};
    int const ranks = mpiprof::size(comm);
    int const rank = mpiprof::rank(comm);
    auto const first = [&](int r) { return first_row(plate.rows, r, ranks); };
    strip mine{first(rank), first(rank + 1) - first(rank), plate.columns, plate.rows};
    if (rank != 0) {
        mpiprof::recv(comm, 0, rows_tag, mine.row(1), mine.offset(mine.rows()));
        return mine;
    }
    std::copy_n(plate.values.data(), mine.offset(mine.rows()), mine.row(1));
    for (int r = 1; r < ranks; ++r) {
        mpiprof::send(comm, r, rows_tag, plate.values.data() + mine.offset(first(r)),
                      mine.offset(first(r + 1) - first(r)));
    }
    return mine;
}

/// Brings all ranks' rows back into rank 0's plate.
template <mpiprof::communicator Comm>
void gather(Comm const& comm, strip& mine, field& plate) {
    mpiprof::phase p{"gather"};
    int const ranks = mpiprof::size(comm);
    auto const first = [&](int r) { return first_row(plate.rows, r, ranks); };
    if (mpiprof::rank(comm) != 0) {
        mpiprof::send(comm, 0, rows_tag, mine.row(1), mine.offset(mine.rows()));
        return;
    }
    std::copy_n(mine.row(1), mine.offset(mine.rows()), plate.values.data());
    for (int r = 1; r < ranks; ++r) {
        mpiprof::recv(comm, r, rows_tag, plate.values.data() + mine.offset(first(r)),
                      mine.offset(first(r + 1) - first(r)));
    }
}

/// Fills the halo with the neighbours' nearest rows. Beyond the plate's edges is the null process, with
/// which nothing is exchanged.
template <mpiprof::communicator Comm>
void exchange_halo(Comm const& comm, strip& mine) {
    mpiprof::phase p{"exchange"};
    int const rank = mpiprof::rank(comm);
    int const up = rank == 0 ? mpiprof::null_process : rank - 1;
    int const down = rank == mpiprof::size(comm) - 1 ? mpiprof::null_process : rank + 1;
    std::size_t const one_row = mine.offset(1);
    std::array<mpiprof::request_of<Comm>, 4> requests{
        mpiprof::irecv(comm, up, down_tag, mine.row(0), one_row),
        mpiprof::irecv(comm, down, up_tag, mine.row(mine.rows() + 1), one_row),
        mpiprof::isend(comm, up, up_tag, mine.row(1), one_row),
        mpiprof::isend(comm, down, down_tag, mine.row(mine.rows()), one_row),
    };
    mpiprof::wait_all(comm, requests.data(), requests.size());
}

/// Steps until nothing changes much any more, at most `steps` times. Rank 0 tells on `out` how it goes, and
/// has the final plate; no number depends on how many ranks there are.
template <mpiprof::communicator Comm>
void simulate(Comm const& comm, field& plate, int steps, std::ostream& out) {
    constexpr int between_checks = 100;
    constexpr double small = 1e-6;
    auto mine = scatter(comm, plate);
    for (int step = 1; step <= steps; ++step) {
        exchange_halo(comm, mine);
        double change = 0;
        {
            mpiprof::phase p{"update"};
            change = mine.advance();
        }
        if (step % between_checks != 0 && step != steps) continue;
        // A maximum is the same in any order, which a sum of doubles is not.
        mpiprof::phase p{"check"};
        double residual = 0;
        mpiprof::allreduce(comm, &change, &residual, 1, mpiprof::maximum{});
        if (mpiprof::rank(comm) == 0) out << "step " << step << ": residual " << residual << '\n';
        if (residual < small) break;
    }
    gather(comm, mine, plate);
}

}  // namespace heat
