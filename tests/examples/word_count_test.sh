#!/bin/bash
# word_count_test.sh MPIEXEC PROFILED PLAIN
. tests/examples/common.sh
profiled=$runfiles/$2
plain=$runfiles/$3

printf "One fish, two fish\nred FISH; can't" >fish.txt
printf 'two words\n' >two.txt
: >empty.txt

for ranks in 1 2 3 4; do
    same_output licences "$ranks" "$plain"
    same_output licences "$ranks" "$profiled"
    python3 "$runfiles/tests/examples/check_profile.py" word_count.mpiprof.json "$ranks" \
        allreduce bcast reduce $( ((ranks > 1)) && echo send recv)
    rm word_count.mpiprof.json
done
[[ $(wc -l <licences) == 11 ]] || fail "not ten words: $(cat licences)"

cat >fishes <<'END'
10 words, 7 different ones, in 3 files
       3  fish         in 1 files
       2  two          in 2 files
       1  can          in 1 files
       1  one          in 1 files
       1  red          in 1 files
       1  t            in 1 files
       1  words        in 1 files
END
same_output fishes 2 "$profiled" fish.txt two.txt empty.txt

if run 2 "$profiled" missing.txt 2>/dev/null; then fail "mpirun has not failed with its ranks"; fi
rejects "word_count: cannot read 'missing.txt': No such file or directory" 3 \
    "$profiled" fish.txt missing.txt two.txt
rejects "word_count: cannot read 'missing.txt': No such file or directory" 2 "$plain" missing.txt
rejects "word_count: cannot read '.': Is a directory" 2 "$profiled" fish.txt .
rejects "word_count: cannot read '': No such file or directory" 2 "$profiled" fish.txt ''
