// Norms, element-wise operations, softmax and rotation of a row.
#pragma once

#include "backends/cpu/simd/generic/exp.inl"
#include "backends/cpu/simd/generic/lanes.inl"

namespace minfer {
namespace {

inline void rms_norm_row(const float* x, const float* weight, float eps, float* out, std::int64_t n) {
  F32x16 squares = zeros();
  for_words(n, [&](std::int64_t i, int count) {
    const F32x16 v = load_n(x + i, count);
    squares = fma(v, v, squares);
  });
  const float mean = reduce_add(squares) / static_cast<float>(n);
  const F32x16 inverse = broadcast(1.0f / sqrt_scalar(mean + eps));
  for_words(n, [&](std::int64_t i, int count) {
    store_n(out + i, mul(mul(load_n(x + i, count), inverse), load_n(weight + i, count)), count);
  });
}

inline void add_row(const float* x, const float* y, float* out, std::int64_t n) {
  for_words(n, [&](std::int64_t i, int count) {
    store_n(out + i, add(load_n(x + i, count), load_n(y + i, count)), count);
  });
}

inline void mul_row(const float* x, const float* y, float* out, std::int64_t n) {
  for_words(n, [&](std::int64_t i, int count) {
    store_n(out + i, mul(load_n(x + i, count), load_n(y + i, count)), count);
  });
}

inline void scale_row(const float* x, float factor, float* out, std::int64_t n) {
  for_words(n, [&](std::int64_t i, int count) {
    store_n(out + i, mul(load_n(x + i, count), broadcast(factor)), count);
  });
}

inline void exp_row(const float* x, float* out, std::int64_t n) {
  for_words(n, [&](std::int64_t i, int count) { store_n(out + i, exp(load_n(x + i, count)), count); });
}

inline void silu_row(const float* x, float* out, std::int64_t n) {
  for_words(n, [&](std::int64_t i, int count) { store_n(out + i, silu(load_n(x + i, count)), count); });
}

inline void swiglu_row(const float* gate, const float* up, float* out, std::int64_t n) {
  for_words(n, [&](std::int64_t i, int count) {
    store_n(out + i, mul(silu(load_n(gate + i, count)), load_n(up + i, count)), count);
  });
}

inline void softmax_row(const float* x, float* out, std::int64_t n) {
  F32x16 largest = broadcast(-__builtin_inff());
  for_words(
      n, [&](std::int64_t i, int count) { largest = max(largest, load_n(x + i, count, -__builtin_inff())); });
  const F32x16 top = broadcast(reduce_max(largest));
  F32x16 sums = zeros();
  for_words(n, [&](std::int64_t i, int count) {
    const F32x16 p = exp(sub(load_n(x + i, count, -__builtin_inff()), top));  // 0 in lanes beyond the row
    store_n(out + i, p, count);
    sums = add(sums, p);
  });
  const F32x16 sum = broadcast(reduce_add(sums));
  for_words(n, [&](std::int64_t i, int count) { store_n(out + i, div(load_n(out + i, count), sum), count); });
}

struct Rotated {
  F32x16 first;
  F32x16 second;
};
inline Rotated rotate(F32x16 x, F32x16 y, F32x16 cosine, F32x16 sine) {
  return {sub(mul(x, cosine), mul(y, sine)), add(mul(x, sine), mul(y, cosine))};
}

inline void copy_rest(const float* x, float* out, int from, int to) {
  if (x == out) return;
  for (int i = from; i < to; ++i) out[i] = x[i];
}

inline void rope_neox(const float* x, const float* table, float* out, int n_heads, int head_dim, int n_dims) {
  const int half = n_dims / 2;
  for (int head = 0; head < n_heads; ++head, x += head_dim, out += head_dim) {
    for_words(half, [&](std::int64_t i, int count) {
      const Rotated r = rotate(load_n(x + i, count), load_n(x + half + i, count), load_n(table + i, count),
                               load_n(table + half + i, count));
      store_n(out + i, r.first, count);
      store_n(out + half + i, r.second, count);
    });
    copy_rest(x, out, n_dims, head_dim);
  }
}

inline void rope_interleaved(const float* x, const float* table, float* out, int n_heads, int head_dim,
                             int n_dims) {
  const int half = n_dims / 2;
  for (int head = 0; head < n_heads; ++head, x += head_dim, out += head_dim) {
    for_words(half, [&](std::int64_t i, int count) {
      float even[kLanes], odd[kLanes];
      for (int j = 0; j < count; ++j) {
        even[j] = x[2 * (i + j)];
        odd[j] = x[2 * (i + j) + 1];
      }
      const Rotated r = rotate(load_n(even, count), load_n(odd, count), load_n(table + i, count),
                               load_n(table + half + i, count));
      store_n(even, r.first, count);
      store_n(odd, r.second, count);
      for (int j = 0; j < count; ++j) {
        out[2 * (i + j)] = even[j];
        out[2 * (i + j) + 1] = odd[j];
      }
    });
    copy_rest(x, out, n_dims, head_dim);
  }
}

}  // namespace
}  // namespace minfer
