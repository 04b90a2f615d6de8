#include "support/op_compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "quant/activation_row.h"

namespace minfer::test {
namespace {

using testing::AssertionFailure;
using testing::AssertionResult;
using testing::AssertionSuccess;

struct Plane {
  std::size_t offset;
  std::size_t bytes;
};

// The parts of a row that hold values: all of it, but for the padding of activation rows.
std::vector<Plane> planes(DType type, std::int64_t cols) {
  const auto k = static_cast<std::size_t>(cols);
  const std::size_t group = type == DType::kQ8Row32 ? 32 : 256;
  const std::size_t summed = type == DType::kQ8Row32 ? 32 : 16;
  if (type != DType::kQ8Row32 && type != DType::kQ8Row256) return {{0, row_bytes(type, cols)}};
  return {{0, k},
          {activation_scales_offset(k), k / group * sizeof(float)},
          {activation_sums_offset(k, group), k / summed * sizeof(std::int16_t)}};
}

AssertionResult same_tensor(const TensorDesc& desc, const Bytes& actual, const Bytes& expected,
                            const char* what) {
  const std::size_t stride = row_bytes(desc.dtype, desc.shape.cols());
  for (std::int64_t row = 0; row < desc.shape.rows(); ++row)
    for (const Plane& plane : planes(desc.dtype, desc.shape.cols())) {
      const std::size_t offset = static_cast<std::size_t>(row) * stride + plane.offset;
      if (plane.bytes > 0 && std::memcmp(actual.data() + offset, expected.data() + offset, plane.bytes) != 0)
        return AssertionFailure() << what << " differs in row " << row << ", plane at byte " << plane.offset;
    }
  return AssertionSuccess();
}

std::vector<double> row_maxima(const TensorDesc& desc, const Bytes& bytes) {
  const auto values = decode(desc, bytes);
  const auto cols = static_cast<std::size_t>(desc.shape.cols());
  std::vector<double> result(values.size());
  for (std::size_t first = 0; first < values.size(); first += cols) {
    double largest = 0;
    for (std::size_t i = first; i < first + cols; ++i)
      largest = std::max(largest, std::abs(double{values[i]}));
    std::fill_n(result.begin() + static_cast<std::ptrdiff_t>(first), cols, largest);
  }
  return result;
}

// For each row of x, over the rows of all weights: the sum over k of |w * x|.
std::vector<double> product_magnitudes(const OpCase& c, const OpData& data) {
  const auto x = decode(c.inputs[0].desc, data.inputs[0]);
  const auto k = static_cast<std::size_t>(c.inputs[0].desc.shape.cols());
  std::vector<double> result;
  for (std::size_t token = 0; token < x.size() / k; ++token)
    for (std::size_t i = 0; i < c.weights.size(); ++i) {
      const auto w = decode(c.weights[i].desc, data.weights[i]);
      for (std::size_t row = 0; row < w.size() / k; ++row) {
        double sum = 0;
        for (std::size_t j = 0; j < k; ++j) sum += std::abs(double{x[token * k + j]} * w[row * k + j]);
        result.push_back(sum);
      }
    }
  return result;
}

AssertionResult close_rows(const TensorDesc& desc, const Bytes& actual, const Bytes& reference,
                           const std::vector<double>& magnitude, double tolerance, const char* what) {
  const auto got = decode(desc, actual);
  const auto want = decode(desc, reference);
  const auto cols = static_cast<std::size_t>(desc.shape.cols());
  for (std::size_t i = 0; i < want.size(); ++i)
    if (!(std::abs(double{got[i]} - want[i]) <= tolerance * magnitude[i]))
      return AssertionFailure() << what << " row " << i / cols << ", column " << i % cols << ": " << got[i]
                                << ", not " << want[i] << " (tolerance " << tolerance << " of "
                                << magnitude[i] << ")";
  return AssertionSuccess();
}

// The integer sums of an activation row are exact, whatever the values were rounded from.
AssertionResult sums_are_exact(const TensorDesc& desc, const Bytes& bytes) {
  const auto all = planes(desc.dtype, desc.shape.cols());
  if (all.size() < 3) return AssertionSuccess();
  const std::size_t stride = row_bytes(desc.dtype, desc.shape.cols());
  const std::size_t n_sums = all[2].bytes / sizeof(std::int16_t);
  const std::size_t summed = all[0].bytes / n_sums;
  for (std::int64_t row = 0; row < desc.shape.rows(); ++row) {
    const std::byte* data = bytes.data() + static_cast<std::size_t>(row) * stride;
    for (std::size_t i = 0; i < n_sums; ++i) {
      int expected = 0;
      for (std::size_t j = 0; j < summed; ++j) expected += static_cast<std::int8_t>(data[i * summed + j]);
      std::int16_t actual = 0;
      std::memcpy(&actual, data + all[2].offset + i * sizeof(actual), sizeof(actual));
      if (actual != expected)
        return AssertionFailure() << "row " << row << ", sum " << i << ": " << actual << ", not " << expected;
    }
  }
  return AssertionSuccess();
}

bool is_poison(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == kPoison; });
}

AssertionResult close_region(const KvGeometry& geometry, const Bytes& actual, const Bytes& reference,
                             double tolerance, const char* what) {
  const std::size_t stride = geometry.row_bytes();
  const TensorDesc row{geometry.cell, Shape{geometry.row_values()}};
  for (std::size_t first = 0; first < reference.size(); first += stride) {
    const Bytes got(actual.begin() + static_cast<std::ptrdiff_t>(first),
                    actual.begin() + static_cast<std::ptrdiff_t>(first + stride));
    const Bytes want(reference.begin() + static_cast<std::ptrdiff_t>(first),
                     reference.begin() + static_cast<std::ptrdiff_t>(first + stride));
    if (is_poison(want) != is_poison(got))
      return AssertionFailure() << what << " cell " << first / stride << " should "
                                << (is_poison(want) ? "not " : "") << "be written";
    if (is_poison(want)) continue;
    if (AssertionResult close = close_rows(row, got, want, row_maxima(row, want), tolerance, what); !close)
      return close << " in cell " << first / stride;
  }
  return AssertionSuccess();
}

}  // namespace

bool is_product(const Op& op) {
  return std::holds_alternative<MatMul>(op) || std::holds_alternative<MatMulAdd>(op) ||
         std::holds_alternative<FusedQKV>(op);
}

std::vector<double> magnitudes(const OpCase& c, const OpData& data, const OpResult& reference) {
  return is_product(c.op) ? product_magnitudes(c, data) : row_maxima(reference.desc, reference.output);
}

AssertionResult close_to(const OpCase& c, const OpData& data, const OpResult& actual,
                         const OpResult& reference) {
  if (c.tolerance == 0) return same_bits(actual, reference);
  if (actual.desc.dtype != DType::kHandle) {
    const auto magnitude = magnitudes(c, data, reference);
    if (auto close =
            close_rows(actual.desc, actual.output, reference.output, magnitude, c.tolerance, "output");
        !close)
      return close;
    if (auto exact = sums_are_exact(actual.desc, actual.output); !exact) return exact;
  }
  const KvGeometry* geometry = kv_geometry(c.op);
  if (!geometry) return AssertionSuccess();
  if (auto close = close_region(*geometry, actual.keys, reference.keys, c.tolerance, "keys"); !close)
    return close;
  return close_region(*geometry, actual.values, reference.values, c.tolerance, "values");
}

AssertionResult same_bits(const OpResult& actual, const OpResult& expected) {
  if (actual.keys != expected.keys) return AssertionFailure() << "keys differ";
  if (actual.values != expected.values) return AssertionFailure() << "values differ";
  return same_tensor(actual.desc, actual.output, expected.output, "output");
}

}  // namespace minfer::test
