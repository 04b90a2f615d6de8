#include "backends/reference/kv_rows.h"

#include "quant/traits.h"

namespace minfer::reference {

std::vector<float> KvRows::read(std::int64_t cell) const {
  std::vector<float> values(static_cast<std::size_t>(geometry_.row_values()));
  quant_traits(geometry_.cell).decode(row(cell), values.data(), geometry_.row_values());
  return values;
}

void KvRows::write(std::int64_t cell, std::span<const float> values) const {
  quant_traits(geometry_.cell).encode(values.data(), row(cell), geometry_.row_values());
}

}  // namespace minfer::reference
