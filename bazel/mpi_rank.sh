#!/bin/bash
# Runs the program of one rank, for mpi_test.sh.
set -euo pipefail
rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-0}}}

# All ranks have the same file name for the test report; rank 0 writes it.
if [[ $rank != 0 ]]; then
    unset XML_OUTPUT_FILE GTEST_OUTPUT TEST_PREMATURE_EXIT_FILE
fi
"$@"
: >"$MPI_TEST_DIR/passed.$rank"
