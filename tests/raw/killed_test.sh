#!/bin/bash
# killed_test.sh MPIEXEC PROGRAM MPIPROF: jobs that die leave what they had recorded; those that end leave no shards.
. tests/examples/common.sh
program=$runfiles/$2
mpiprof=$runfiles/$3
mkdir shards
export MPIPROF="shards=$work/shards"

# has ROW: the report, in which runs of spaces are one space, has a line that begins so.
has() { tr -s ' ' <report | grep -q "^$1" || fail "no line '$1' in: $(cat report)"; }

shards() { find shards -name '*.shards' | sort; }

run 2 "$program" finalize || fail "failed: finalize"
[[ -z $(shards) ]] || fail "shards after the end: $(shards)"
[[ -e killed_program.mpiprof.json ]] || fail "no profile: $(ls)"
rm killed_program.mpiprof.json

# Where the ranks' settings differ they do not merge, nor wait for each other.
for other in off merge=files; do
    timeout 20 "$mpiexec" -n 1 env "MPIPROF=$other,shards=$work/shards" "$program" finalize : -n 1 "$program" finalize </dev/null ||
        fail "failed with $other on rank 0"
    [[ -e killed_program.mpiprof.rank1.json ]] || fail "no profile of rank 1 with $other on rank 0: $(ls)"
    [[ -z $(shards) ]] || fail "shards with $other on rank 0: $(shards)"
    rm -f killed_program.mpiprof*.json
done

for how in kill abort; do
    if run 3 "$program" "$how" >output 2>&1; then fail "mpirun has not failed: $how"; fi
    [[ $(shards | wc -l) == 3 ]] || fail "not the shards of 3 ranks: $(shards)"
    shards | xargs "$mpiprof" report >report || fail "no report of what $how left"
    has 'mpiprof report: killed_program, 3 ranks on 1 host'
    has 'sendrecv 300 .* 7200 7200$'
    has 'barrier 300 .* 0 0$'
    has 'killed_program.cpp:19 barrier 300 '
    has 'Unfinished: 3 ranks (0-2) did not reach the end'
    rm shards/*
done

# A job that hangs can be read, without being disturbed, and then stopped.
timeout 30 "$mpiexec" -n 2 "$program" hang </dev/null >output 2>&1 &
job=$!
for ((i = 0; i < 100; ++i)); do
    [[ $(shards | wc -l) == 2 ]] && shards | xargs "$mpiprof" report >report 2>errors &&
        tr -s ' ' <report | grep -q '^barrier 200 ' && break
    sleep 0.1
done
has 'barrier 200 '
has 'sendrecv 200 .* 4800 4800$'
kill $job
wait $job || true
