// The shape of a tensor: at most four dimensions, innermost (contiguous) first, as GGUF stores them. Comments
// elsewhere write shapes the other way round, outermost first: "(n_tokens, n_embd)" is Shape{n_embd, n_tokens}.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace minfer {

inline constexpr int kMaxRank = 4;

struct Shape {
  std::array<std::int64_t, kMaxRank> dim{1, 1, 1, 1};  // dim[i] == 1 for i >= rank
  int rank = 0;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> dims);

  std::int64_t cols() const { return dim[0]; }
  std::int64_t rows() const { return dim[1] * dim[2] * dim[3]; }
  std::int64_t elements() const { return cols() * rows(); }
  bool operator==(const Shape&) const = default;
};

// "(3, 512)": outermost first.
std::string to_string(const Shape& shape);

}  // namespace minfer
