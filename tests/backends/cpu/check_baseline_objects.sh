#!/bin/sh
# check_baseline_objects.sh FOLDER: the object files of the CPU backend on x86, those of an instruction set
# (simd/avx2/...) aside, use no AVX register, so that the program runs on the baseline. Exits 77 (skipped) without
# objdump.
set -eu
command -v objdump >/dev/null || { echo "no objdump"; exit 77; }

status=0
n_objects=0
for object in $(find "$1" -name '*.o' \( -not -path '*/simd/*/*' -o -path '*/simd/scalar/*' \)); do
  n_objects=$((n_objects + 1))
  if objdump -d "$object" | grep -m 1 -E '%[yz]mm[0-9]'; then
    echo "$object uses AVX registers"
    status=1
  fi
done
echo "$n_objects objects for the baseline"
[ "$n_objects" -gt 0 ] || status=1
exit $status
