// Turns functions for one block into the functions for many that QuantTraits holds. A Block is the packed
// struct of a format: its bytes are the file's, and Block::kValues says how many values it holds.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace minfer {

static_assert(std::endian::native == std::endian::little,
              "block structs are the bytes of little-endian files");

// Blocks are copied in and out, so that they may lie at any address.
template <typename Block, void (*kDecodeBlock)(const Block&, float*)>
void decode_blocks(const void* blocks, float* values, std::int64_t n) {
  const auto* source = static_cast<const std::byte*>(blocks);
  for (std::int64_t i = 0; i < n; i += Block::kValues, source += sizeof(Block)) {
    Block block;
    std::memcpy(&block, source, sizeof(Block));
    kDecodeBlock(block, values + i);
  }
}

template <typename Block, void (*kEncodeBlock)(const float*, Block&)>
void encode_blocks(const float* values, void* blocks, std::int64_t n) {
  auto* target = static_cast<std::byte*>(blocks);
  for (std::int64_t i = 0; i < n; i += Block::kValues, target += sizeof(Block)) {
    Block block;
    kEncodeBlock(values + i, block);
    std::memcpy(target, &block, sizeof(Block));
  }
}

}  // namespace minfer
