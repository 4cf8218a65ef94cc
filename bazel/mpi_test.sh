#!/bin/bash
# Runs a program on several ranks; mpi_test fills in what stands in %{}.
set -euo pipefail
cd "${TEST_SRCDIR:-$0.runfiles}/%{workspace}"
MPI_TEST_DIR=$(mktemp -d "${TEST_TMPDIR:-${TMPDIR:-/tmp}}/mpi_test.XXXXXX")
trap 'rm -rf "$MPI_TEST_DIR"' EXIT
export MPI_TEST_DIR

# Tests may run as root, with more ranks than cores, and beside each other, hence unpinned.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none

# Open MPI names its files after process ids, which tests in sandboxes beside each other have in common.
export TMPDIR=$MPI_TEST_DIR OMPI_MCA_osc_sm_backing_directory=$MPI_TEST_DIR
export OMPI_MCA_btl_vader_backing_directory=$MPI_TEST_DIR OMPI_MCA_btl_sm_backing_directory=$MPI_TEST_DIR

# MPI libraries leak, also from plug-ins already unloaded, which no suppression can name.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-}
%{env}

'%{mpiexec}' -n %{ranks} '%{rank}' '%{binary}' "$@"

# MPICH's launcher also succeeds when it has killed the others because one rank left without MPI_Finalize.
for ((rank = 0; rank < %{ranks}; ++rank)); do
    if [[ ! -e $MPI_TEST_DIR/passed.$rank ]]; then
        echo "mpi_test: rank $rank did not reach its end" >&2
        exit 1
    fi
done
