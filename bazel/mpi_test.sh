#!/bin/bash
# Runs a program on several ranks; mpi_test fills in what stands in %{}.
set -euo pipefail
cd "${TEST_SRCDIR:-$0.runfiles}/%{workspace}"
MPI_TEST_DIR=$(mktemp -d "${TEST_TMPDIR:-${TMPDIR:-/tmp}}/mpi_test.XXXXXX")
trap 'rm -rf "$MPI_TEST_DIR"' EXIT
export MPI_TEST_DIR

source '%{environment}'
mpi_environment "$MPI_TEST_DIR"
%{env}

'%{mpiexec}' -n %{ranks} '%{rank}' '%{binary}' "$@"

# MPICH's launcher also succeeds when it has killed the others because one rank left without MPI_Finalize.
for ((rank = 0; rank < %{ranks}; ++rank)); do
    if [[ ! -e $MPI_TEST_DIR/passed.$rank ]]; then
        echo "mpi_test: rank $rank did not reach its end" >&2
        exit 1
    fi
done
