#!/usr/bin/env bash
# smoke_test.sh MPIEXEC: each benchmark program does a little of its work.
set -euo pipefail
mpiexec=$1
programs=$PWD/benchmarks

source bazel/mpi_env.sh
mpi_environment "$TEST_TMPDIR"
cd "$TEST_TMPDIR"

fail() {
    echo "smoke_test: $*" >&2
    exit 1
}

"$programs/calls" --benchmark_min_time=0 --benchmark_filter='summary|plain|bound|off' >calls.txt
grep -q '^boost_send_strings/steady/payload/summary/real_time ' calls.txt || fail 'calls leaves cases out'

"$programs/archives" --benchmark_min_time=0 >archives.txt
grep -q '^map_int_int_100/counted/real_time ' archives.txt || fail 'archives leaves cases out'

"$programs/instructions" 1

"$programs/memory" 10 plain steady/payload/summary >memory.txt
[[ $(wc -l <memory.txt) == 16 ]] || fail "memory measured $(wc -l <memory.txt) cases, not 16"

LD_PRELOAD=$programs/liblower_bound.so "$programs/preloaded" --benchmark_min_time=0 >preloaded.txt
grep -q '^isend_irecv_waitall/real_time ' preloaded.txt || fail 'preloaded leaves cases out'

"$mpiexec" -n 2 "$programs/ping_pong" --benchmark_min_time=0 --benchmark_filter=plain >ping_pong.txt
grep -q '^ping_pong_1MiB/plain/real_time ' ping_pong.txt || fail 'ping_pong leaves cases out'

for mode in plain profiled; do
    "$mpiexec" -n 2 "$programs/ending" $mode 3 | grep -qx '[0-9]*' || fail "ending $mode prints no time"
done
