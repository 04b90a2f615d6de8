#!/usr/bin/env bash
# Packs the programs and data of a CUDA build's device tests into a folder that can be taken to a machine with a GPU and
# no toolchain; tools/gpu_run.sh, which goes along, runs them there.
#
# Usage: tools/gpu_pack.sh BUILD-FOLDER TARGET-FOLDER [MODEL.gguf...]
set -euo pipefail
build=$(realpath "$1")
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
target=$2
shift 2
tests=tests/backends/cuda
programs=(bin/minfer tests/ops/test_ops "$tests/test_cuda" "$tests/test_cuda_engine"
          "$tests/attention/test_cuda_attention_kernels" "$tests/matmul/test_cuda_matmul_kernels")

rm -rf "$target"
mkdir -p "$target/bin" "$target/lib"
for program in "${programs[@]}"; do
  strip -o "$target/bin/$(basename "$program")" "$build/$program"
  # Everything but the C library itself, which comes with the other machine.
  ldd "$build/$program" | awk '$3 ~ "^/" { print $3 }' | grep -vE '/lib(c|m|dl|rt|pthread)\.so' |
    xargs -I {} cp -uL {} "$target/lib/"
done
xz -T0 -1 "$target"/bin/*
cp "$source/tools/gpu_run.sh" "$target/run.sh"
# Programs look for data, and for each other, where they were built.
shared=$(sed -n 's/^MINFER_SHARED_DATA:[A-Z]*=//p' "$build/CMakeCache.txt")
printf '%s\n%s\n%s\n' "$source" "$build" "$(realpath -m "$shared")" >"$target/built-in"
for model in "$@"; do cp "$model" "$target/"; done
du -sh "$target"
