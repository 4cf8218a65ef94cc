#!/bin/bash
# halo_test.sh MPIEXEC PROFILED PLAIN
. tests/examples/common.sh
profiled=$runfiles/$2
plain=$runfiles/$3

for ranks in 1 2 3 4; do
    same_output plate "$ranks" "$plain" 20 200
    same_output plate "$ranks" "$profiled" 20 200
    python3 "$runfiles/tests/examples/check_profile.py" halo.mpiprof.json "$ranks" \
        allreduce cart_create irecv isend waitall
    rm halo.mpiprof.json
done
[[ $(grep -c residual plate) == 2 ]] || fail "not two checks in 200 sweeps: $(cat plate)"

# One cell, computed by hand: the mean of the hot edge and three cold ones.
printf 'sweep 1: residual 0.25\n0 of 1 x 1 cells are warm\n' >one_sweep
same_output one_sweep 1 "$profiled" 1 1
# The cells below the hot edge go from 1/4 to 5/16, those below them from 0 to 1/16.
printf 'sweep 2: residual 0.0625\n0 of 2 x 2 cells are warm\n' >two_sweeps
same_output two_sweeps 2 "$profiled" 2 2

numbers='must be a whole number from'
rejects "halo: CELLS is 'ten', but $numbers 2 to 4096" 2 "$profiled" ten
rejects "halo: CELLS is '3', but $numbers 4 to 4096" 4 "$plain" 3
rejects "halo: SWEEPS is '-1', but $numbers 0 to 1000000" 3 "$profiled" 9 -1
