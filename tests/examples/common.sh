# For the tests of the examples: `run RANKS PROGRAM ARGUMENT…` and what is checked of it.
set -euo pipefail
mpiexec=$1
runfiles=$PWD
source bazel/mpi_env.sh
work=$(mktemp -d "${TEST_TMPDIR:-${TMPDIR:-/tmp}}/examples.XXXXXX")
trap 'rm -rf "$work"' EXIT
# Profiles are written to where a program runs.
cd "$work"

mpi_environment "$work"

fail() {
    echo "$*" >&2
    exit 1
}

# A program that hangs is stopped, and has failed.
run() {
    local ranks=$1
    shift
    timeout 20 "$mpiexec" -n "$ranks" "$@" </dev/null
}

# same_output FILE RANKS PROGRAM ARGUMENT…: prints what FILE has; the first run makes the file.
same_output() {
    local expected=$1
    shift
    run "$@" >output || fail "failed: $*"
    [[ -s output ]] || fail "no output: $*"
    [[ -e $expected ]] || cp output "$expected"
    diff "$expected" output >&2 || fail "another output: $*"
}

# rejects LINE RANKS PROGRAM ARGUMENT…: stderr has the line, once, and every rank fails by itself.
rejects() {
    local line=$1 ranks=$2
    shift 2
    rm -f statuses
    # The launcher sees success, so that it stops no rank before its end.
    run "$ranks" bash -c '"$@"; echo $? >>statuses' bash "$@" >output 2>errors || fail "stopped: $*"
    [[ $(grep -cxF -- "$line" errors) == 1 ]] || fail "not once on stderr: '$line', but: $(cat errors)"
    [[ ! -s output ]] || fail "output in spite of bad input: $(cat output)"
    [[ $(wc -l <statuses) == "$ranks" ]] || fail "not all of $ranks ranks ended: $*"
    [[ $(sort -u statuses) == 1 ]] || fail "exit statuses not all 1, but $(tr '\n' ' ' <statuses)"
}
