#!/bin/bash
# heat_test.sh MPIEXEC PROFILED PLAIN FIELD
. tests/examples/common.sh
profiled=$runfiles/$2
plain=$runfiles/$3
field=$runfiles/$4

for ranks in 1 2 3 4; do
    same_output plate "$ranks" "$plain" "$field" 250
    same_output plate "$ranks" "$profiled" "$field" 250
    python3 "$runfiles/tests/examples/check_profile.py" heat.mpiprof.json "$ranks" \
        allreduce bcast isend irecv waitall $( ((ranks > 1)) && echo send recv)
    rm heat.mpiprof.json
done
[[ $(grep -c residual plate) == 3 ]] || fail "not three checks in 250 steps: $(cat plate)"

# One inner cell, computed by hand: from 0 to 0.2 * (1 + 2 + 3 + 4).
printf '3 3\n0 1 0\n2 0 3\n0 4 0\n' >small.txt
printf 'step 1: residual 2\n3 x 3 cells: mean 1.3333333333333333, min 0, max 4\n' >one_step
same_output one_step 3 "$profiled" small.txt 1
printf '3 x 3 cells: mean 1.1111111111111112, min 0, max 4\n' >no_step
same_output no_step 2 "$profiled" small.txt 0

if run 2 "$profiled" missing.txt 2>/dev/null; then fail "mpirun has not failed with its ranks"; fi
numbers='must be a whole number from'
rejects "heat: cannot read 'missing.txt'; it must be a file with a field of temperatures" 2 \
    "$profiled" missing.txt
rejects "heat: cannot read '.'; it must be a file with a field of temperatures" 2 "$plain" .
rejects "heat: STEPS is 'ten', but $numbers 0 to 1000000" 2 "$profiled" small.txt ten
rejects "heat: STEPS is '-1', but $numbers 0 to 1000000" 1 "$plain" small.txt -1
rejects "heat: '7' is too much; the arguments are [FIELD_FILE [STEPS]]" 2 "$plain" small.txt 1 7
rejects "heat: there are 4 ranks, but small.txt has rows for at most 3" 4 "$profiled" small.txt
printf '2 3\n' >flat.txt
rejects "heat: flat.txt: the number of rows is '2', but $numbers 3 to 4096" 3 "$profiled" flat.txt
printf '3 3\n0 1 0\n2 x 3\n0 4 0\n' >letter.txt
rejects "heat: letter.txt: the temperature in row 2, column 2 is 'x', but must be a finite number" 2 \
    "$profiled" letter.txt
printf '3 3\n0 1 0\n2 0 3\n0 nan 0\n' >nan.txt
rejects "heat: nan.txt: the temperature in row 3, column 2 is 'nan', but must be a finite number" 2 \
    "$plain" nan.txt
printf '3 3\n0 1 0\n2 0 3\n0 4\n' >short.txt
rejects "heat: short.txt: the temperature in row 3, column 3 is '', but must be a finite number" 2 \
    "$profiled" short.txt
printf '3 3\n0 1 0\n2 0 3\n0 4 0\n5' >long.txt
rejects "heat: long.txt: '5' follows the last temperature; nothing may follow it" 2 "$profiled" long.txt
