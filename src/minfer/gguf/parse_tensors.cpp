#include "gguf/parse_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gguf/tensor_type.h"

namespace minfer::gguf {
namespace {

constexpr std::uint64_t kMaxTensorNameBytes = 255;
constexpr std::uint64_t kMaxDim = std::numeric_limits<std::int64_t>::max();

std::uint64_t checked_product(const Cursor& cursor, std::uint64_t a, std::uint64_t b, std::uint64_t limit,
                              std::string_view what) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product > limit)
    cursor.fail(cursor.offset(), fmt::format("{} exceeds {}", what, limit));
  return product;
}

Shape parse_shape(Cursor& cursor) {
  const std::uint64_t start = cursor.offset();
  const std::uint32_t rank = cursor.take_u32("number of dimensions");
  if (rank < 1 || rank > kMaxRank)
    cursor.fail(start, fmt::format("{} dimensions, not 1..{}", rank, kMaxRank));
  Shape shape;
  shape.rank = static_cast<int>(rank);
  std::uint64_t elements = 1;
  for (std::uint32_t i = 0; i < rank; ++i) {
    const std::uint64_t at = cursor.offset();
    const std::uint64_t dim = cursor.take_u64("dimension");
    if (dim < 1 || dim > kMaxDim)
      cursor.fail(at, fmt::format("dimension {} is {}, not 1..{}", i, dim, kMaxDim));
    elements = checked_product(cursor, elements, dim, kMaxDim, "the product of the dimensions");
    shape.dim[i] = static_cast<std::int64_t>(dim);
  }
  return shape;
}

std::uint64_t data_bytes(const Cursor& cursor, std::uint64_t type_offset, const TensorInfo& info) {
  const std::optional<TensorTypeLayout> layout = find_tensor_type_layout(info.gguf_type);
  if (!layout) cursor.fail(type_offset, describe_refused_type(info.gguf_type));
  const auto elements = static_cast<std::uint64_t>(info.shape.elements());
  if (info.shape.cols() % layout->block_values != 0)
    cursor.fail(type_offset,
                fmt::format("a row of {} values is no multiple of the {} values in a block of type {}",
                            info.shape.cols(), layout->block_values, layout->name));
  return checked_product(cursor, elements / layout->block_values, layout->block_bytes, kMaxDim,
                         "the size of the data in bytes");
}

TensorInfo parse_tensor_info(Cursor& cursor, std::uint64_t alignment) {
  TensorInfo info;
  cursor.set_subject("tensor table", "");
  info.name = cursor.take_name("tensor name", kMaxTensorNameBytes);
  cursor.set_subject("tensor", info.name);
  info.shape = parse_shape(cursor);
  const std::uint64_t type_offset = cursor.offset();
  info.gguf_type = cursor.take_u32("tensor type");
  info.dtype = dtype_from_gguf(info.gguf_type);
  info.bytes = data_bytes(cursor, type_offset, info);
  const std::uint64_t start = cursor.offset();
  info.offset = cursor.take_u64("data offset");
  if (info.offset % alignment != 0)
    cursor.fail(start,
                fmt::format("data offset {} is no multiple of the alignment {}", info.offset, alignment));
  return info;
}

void check_overlap(const std::vector<TensorInfo>& tensors, std::string_view file_name) {
  std::vector<const TensorInfo*> by_offset;
  by_offset.reserve(tensors.size());
  for (const TensorInfo& info : tensors) by_offset.push_back(&info);
  std::sort(by_offset.begin(), by_offset.end(),
            [](const TensorInfo* a, const TensorInfo* b) { return a->offset < b->offset; });
  for (std::size_t i = 1; i < by_offset.size(); ++i) {
    const TensorInfo& before = *by_offset[i - 1];
    const TensorInfo& after = *by_offset[i];
    if (before.offset + before.bytes > after.offset)
      throw_invalid_file(file_name, "tensor", after.name, after.offset,
                         fmt::format("its data overlaps that of another tensor, bytes {}..{}", before.offset,
                                     before.offset + before.bytes));
  }
}

}  // namespace

std::vector<TensorInfo> parse_tensor_infos(Cursor& cursor, std::uint64_t count, std::uint64_t alignment) {
  std::vector<TensorInfo> tensors;
  tensors.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) tensors.push_back(parse_tensor_info(cursor, alignment));
  return tensors;
}

void place_tensors(std::vector<TensorInfo>& tensors, std::uint64_t data_offset, std::uint64_t file_bytes,
                   std::string_view file_name) {
  for (TensorInfo& info : tensors) {
    std::uint64_t end = 0;
    if (__builtin_add_overflow(info.offset, data_offset, &info.offset) ||
        __builtin_add_overflow(info.offset, info.bytes, &end))
      throw_invalid_file(file_name, "tensor", info.name, info.offset, "the end of its data exceeds 64 bits");
    if (end > file_bytes)
      throw_invalid_file(
          file_name, "tensor", info.name, info.offset,
          fmt::format(
              "its {} bytes of data need a file of at least {} bytes, but the file has {}: truncated or "
              "not completely downloaded",
              info.bytes, end, file_bytes));
  }
  check_overlap(tensors, file_name);
}

}  // namespace minfer::gguf
