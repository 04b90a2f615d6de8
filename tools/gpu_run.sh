#!/usr/bin/env bash
# Runs the device tests that tools/gpu_pack.sh packed. Usage: gpu_run.sh PACK-FOLDER REPOSITORY [GTEST-FILTER]
# Prints each program's results and ends with a line for each; exits 1 when one failed.
set -uo pipefail
pack=$(realpath "$1")
repository=$(realpath "$2")
filter=${3:-*}
xz -dkf "$pack"/bin/*.xz 2>/dev/null
chmod +x "$pack"/bin/*
export LD_LIBRARY_PATH=$pack/lib
{ read -r source; read -r build; read -r shared; } <"$pack/built-in"
mkdir -p "$source" "$build/bin" "$shared"
for folder in tests models docs; do [[ -e $source/$folder ]] || ln -s "$repository/$folder" "$source/$folder"; done
[[ -e $build/bin/minfer ]] || ln -s "$pack/bin/minfer" "$build/bin/minfer"
[[ -d $pack/oracle && ! -e $shared/oracle ]] && ln -s "$pack/oracle" "$shared/oracle"

status=0
summary=
for program in test_ops test_cuda test_cuda_engine test_cuda_attention_kernels test_cuda_matmul_kernels; do
  log=$(mktemp)
  timeout 300 "$pack/bin/$program" --gtest_filter="$filter" >"$log" 2>&1
  code=$?
  ((code == 0)) || status=1
  grep -E '^\[  (FAILED|PASSED|SKIPPED)|Failure|^\s+(Actual|Expected|Which)|: error' "$log" | head -n 60
  ((code == 0)) || tail -n 25 "$log"
  summary+="$program: exit $code, $(grep -cE '^\[       OK' "$log") passed"$'\n'
done
printf '%s' "$summary"
exit $status
