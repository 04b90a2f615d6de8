#include "quant/encode_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "minfer/error.h"
#include "quant/traits.h"

namespace minfer {
namespace {

// The column of the first value that is not finite, or n.
std::int64_t find_non_finite(const float* values, std::int64_t n) {
  return std::find_if_not(values, values + n, [](float x) { return std::isfinite(x); }) - values;
}

const QuantTraits& encodable_traits(DType type, std::int64_t n_cols) {
  const QuantTraits& traits = quant_traits(type);
  if (!traits.encode)
    throw UnsupportedError(fmt::format("encoding to {} is not supported", dtype_name(type)));
  const std::uint32_t block = dtype_info(type).block_values;
  if (n_cols % block != 0)
    throw UnsupportedError(fmt::format("rows of {} values cannot be encoded to {}, which has blocks of {}",
                                       n_cols, dtype_name(type), block));
  return traits;
}

}  // namespace

void encode_rows(DType type, const float* values, std::int64_t n_rows, std::int64_t n_cols, std::byte* out,
                 std::int64_t first_row) {
  const QuantTraits& traits = encodable_traits(type, n_cols);
  const std::size_t bytes = row_bytes(type, n_cols);
  std::vector<float> decoded(static_cast<std::size_t>(n_cols));
  for (std::int64_t row = 0; row < n_rows; ++row, values += n_cols, out += bytes) {
    if (const std::int64_t column = find_non_finite(values, n_cols); column < n_cols)
      throw InvalidFileError(
          fmt::format("the value at row {}, column {} is {}", first_row + row, column, values[column]));
    traits.encode(values, out, n_cols);
    traits.decode(out, decoded.data(), n_cols);
    if (const std::int64_t column = find_non_finite(decoded.data(), n_cols); column < n_cols)
      throw InvalidFileError(
          fmt::format("the block at row {}, column {} holds values too large for {} (here {})",
                      first_row + row, column, dtype_name(type), values[column]));
  }
}

}  // namespace minfer
