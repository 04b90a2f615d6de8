#!/bin/sh
# Checks the object files of the CPU backend on x86: check_isa_objects.sh FOLDER [nm [objdump]]
#   units of an instruction set (simd/avx2/...) define kernels and tables of ours and nothing weak: a weak copy of an
#   inline function could be the one that the linker keeps for the whole program
#   all other units use no AVX register, so that they run on the baseline
# Exits 77 (skipped) where a tool is missing.
set -eu
folder=$1
nm=${2:-nm}
objdump=${3:-objdump}
command -v "$nm" >/dev/null && command -v "$objdump" >/dev/null || { echo "nm or objdump is missing"; exit 77; }

status=0
n_isa=0
n_baseline=0
for object in $(find "$folder" -name '*.o'); do
  case $object in
    */simd/avx2/*)
      n_isa=$((n_isa + 1))
      shared=$("$nm" -C --defined-only "$object" | grep -E ' [WVuwv] ' || true)
      if [ -n "$shared" ]; then
        echo "$object defines symbols that the linker may share:"
        echo "$shared"
        status=1
      fi
      foreign=$("$nm" -C --defined-only --extern-only "$object" | grep -v ' minfer::' || true)
      if [ -n "$foreign" ]; then
        echo "$object exports more than kernels and tables of ours:"
        echo "$foreign"
        status=1
      fi
      ;;
    *)
      n_baseline=$((n_baseline + 1))
      if "$objdump" -d "$object" | grep -m 1 -E '%[yz]mm[0-9]'; then
        echo "$object uses AVX registers"
        status=1
      fi
      ;;
  esac
done
echo "$n_isa units of an instruction set, $n_baseline baseline units"
[ "$n_isa" -gt 0 ] && [ "$n_baseline" -gt 0 ] || { echo "found no object files below $folder"; exit 1; }
exit $status
