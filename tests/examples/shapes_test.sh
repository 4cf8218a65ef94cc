#!/bin/bash
# shapes_test.sh MPIEXEC PROFILED PLAIN
. tests/examples/common.sh
profiled=$runfiles/$2
plain=$runfiles/$3

for ranks in 1 2 3 4; do
    same_output shapes "$ranks" "$plain"
    same_output shapes "$ranks" "$profiled"
    python3 "$runfiles/tests/examples/check_profile.py" shapes.mpiprof.json "$ranks" \
        bcast isend recv reduce waitall
    sent=$(python3 -c "
import json
[row] = [row for row in json.load(open('shapes.mpiprof.json'))['operations'] if row['operation'] == 'isend']
print(row['statistics']['calls'], 'shapes in', row['statistics']['sent'], 'bytes')")
    [[ $(tail -1 shapes) == "$sent" ]] || fail "the profile has $sent, but: $(cat shapes)"
    rm shapes.mpiprof.json
done
# An object that is sent twice in one message is there once.
bytes() { sed -n "s/^$1 *\([0-9]*\) bytes.*/\1/p" shapes; }
(($(bytes 'the disc twice') < $(bytes 'two discs'))) || fail "no less for the same disc: $(cat shapes)"
