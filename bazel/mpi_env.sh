# To be sourced: mpi_environment DIRECTORY lets mpirun run as any user, also with more ranks than cores and beside
# other jobs, hence unpinned, with MPI's own files in DIRECTORY.
mpi_environment() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none

    # Open MPI names its files after process ids, which jobs in sandboxes beside each other have in common.
    export TMPDIR=$1 OMPI_MCA_osc_sm_backing_directory=$1
    export OMPI_MCA_btl_vader_backing_directory=$1 OMPI_MCA_btl_sm_backing_directory=$1

    # MPI libraries leak, also from plug-ins already unloaded, which no suppression can name.
    export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-}
}
