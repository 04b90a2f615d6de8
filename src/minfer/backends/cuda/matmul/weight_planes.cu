#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/repack.h"

namespace minfer::cuda {
namespace {

// A thread moves two bytes of a block: fields are whole pairs of bytes.
__global__ void to_planes_kernel(const PlaneTable table, std::size_t n_blocks, const BlockRange range,
                                 const std::uint16_t* raw, std::uint16_t* planar) {
  const int pairs = table.block_bytes / 2;
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= range.n * pairs) return;
  const std::size_t block = range.first + i / pairs;
  const int byte = static_cast<int>(i % pairs) * 2;
  std::size_t plane = 0;
  for (int f = 0; f < table.n_fields; plane += n_blocks * table.fields[f].bytes, ++f) {
    const PlaneField field = table.fields[f];
    if (byte < field.raw_offset || byte >= field.raw_offset + field.bytes) continue;
    planar[(plane + block * field.bytes + byte - field.raw_offset) / 2] = raw[i];
  }
}

template <DType... kTypes>
const PlaneTable* find_table(DType type) {
  const PlaneTable* found = nullptr;
  ((type == kTypes ? void(found = &Planes<kTypes>::kTable) : void()), ...);
  return found;
}

const PlaneTable* table_of(DType type) {
  return find_table<DType::kQ4_0, DType::kQ4_1, DType::kQ5_0, DType::kQ5_1, DType::kQ8_0, DType::kQ6_K>(type);
}

}  // namespace

bool has_planes(DType type) { return table_of(type) != nullptr; }

void launch_to_planes(DType type, std::size_t n_blocks, const BlockRange& range, const void* raw,
                      void* planar, cudaStream_t stream) {
  const PlaneTable& table = *table_of(type);
  const std::size_t pairs = range.n * static_cast<std::size_t>(table.block_bytes / 2);
  launch_kernel("to planes", to_planes_kernel, {static_cast<unsigned>((pairs + 255) / 256), 256}, stream,
                table, n_blocks, range, static_cast<const std::uint16_t*>(raw),
                static_cast<std::uint16_t*>(planar));
}

}  // namespace minfer::cuda
