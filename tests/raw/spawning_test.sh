#!/bin/bash
# spawning_test.sh MPIEXEC PROGRAM MPIPROF: processes that a program starts are a world of their own (case IC6).
. tests/examples/common.sh
program=$runfiles/$2
mpiprof=$runfiles/$3

MPIPROF=output=run.json run 1 "$program" || fail 'failed'
[[ $(ls) == $'run.json\nrun.rank0.json\nrun.rank1.json' ]] || fail "not the files of a parent and two children: $(ls)"

# The parent sent to the second child, over a communicator that is not its world.
"$mpiprof" report run.json >report || fail 'no report of the parent'
tr -s ' ' <report | grep -q '^mpiprof report: spawning_program, 1 rank on 1 host' || fail "another run: $(cat report)"
/usr/bin/python3 - <<'END' || fail 'not the one message'
import json
run = json.load(open('run.json'))
[message] = run['peers']
assert message['peer'] == 1 and message['sent'] == 4, message
[between] = [each for each in run['communicators'] if each['id'] == message['communicator']]
assert between['size'] == 3 and between['parent'] == 0, between
END

"$mpiprof" report run.rank0.json run.rank1.json >report || fail 'no report of the children'
tr -s ' ' <report | grep -q '^mpiprof report: spawning_program, 2 ranks on 1 host' || fail "another run: $(cat report)"
tr -s ' ' <report | grep -q '^recv 1 ' || fail "no receive: $(cat report)"
