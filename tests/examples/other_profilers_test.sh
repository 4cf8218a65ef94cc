#!/bin/bash
# other_profilers_test.sh MPIEXEC PROFILED PLAIN
. tests/examples/common.sh
profiled=$runfiles/$2
plain=$runfiles/$3

run 2 "$plain" >output || fail "failed without profiling"
[[ ! -s output ]] || fail "output without profiling: $(cat output)"

# A file for each rank, since launchers mix lines.
run 2 bash -c 'exec "$@" >output.$$' bash "$profiled" || fail "failed"
[[ -s other_profilers.mpiprof.json ]] || fail "no profile"

# Of both ranks: each region once, and each call.
sed -E 's/(_ns)=[0-9]+/\1=TIME/g' output.* | sort >found
live() { echo "mpi:$1 kind=collective bytes=-1 peer=-1 root=-1 tag=-1 comm=0"; }
{
    for rank in 0 1; do
        for name in mpi:other "$(live allreduce)" "$(live bcast)"; do echo "MPI: register $name"; done
        for operation in allreduce allreduce allreduce bcast; do
            printf 'MPI: push %s\nMPI: pop\n' "$(live $operation)"
            root=-1
            if [[ $operation == bcast ]]; then root=0; fi
            echo "caliper, scope 2: mpi.region='mpi:$operation kind=collective bytes=8 peer=-1 root=$root tag=-1 comm=0'" \
                "mpi.start_ns=TIME mpi.duration_ns=TIME"
        done
    done
} | sort >expected
diff expected found || fail "the profilers were told something else"

# In order, on one rank: pushes and pops in pairs, and times that do not go back.
run 1 "$profiled" >output || fail "failed on one rank"
[[ $(grep -oE '^MPI: p(ush|op)' output | uniq -c | awk '{print $1}' | sort -u) == 1 ]] || fail "not in pairs: $(cat output)"
sed -nE 's/.*start_ns=([0-9]+).*/\1/p' output | sort -nc || fail "times go back: $(cat output)"
