#include "backends/reference/product.h"

namespace minfer::reference {
namespace {

float dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return static_cast<float>(sum);
}

}  // namespace

std::vector<std::vector<float>> product(const Call& call, int weight) {
  std::vector<std::vector<float>> x;
  for (std::int64_t token = 0; token < call.input_shape(0).rows(); ++token)
    x.push_back(call.activation_row(0, token));
  std::vector<std::vector<float>> out(x.size());
  for (std::int64_t row = 0; row < call.weight_shape(weight).rows(); ++row) {
    const auto w = call.weight_row(weight, row);
    for (std::size_t token = 0; token < x.size(); ++token) out[token].push_back(dot(x[token], w));
  }
  return out;
}

}  // namespace minfer::reference
