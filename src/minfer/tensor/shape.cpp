#include "tensor/shape.h"

#include "base/check.h"

namespace minfer {

Shape::Shape(std::initializer_list<std::int64_t> dims) {
  MINFER_CHECK(dims.size() <= kMaxRank, "{} dimensions", dims.size());
  for (std::int64_t d : dims) dim[rank++] = d;
}

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (int i = shape.rank - 1; i >= 0; --i) text += std::to_string(shape.dim[i]) + (i ? ", " : "");
  return text + ")";
}

}  // namespace minfer
