// Row kernels: the same bits on every instruction set for every length, right values against double
// precision, and nothing read or written beyond the row.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "backends/cpu/node_runner.h"
#include "base/cpu_features.h"

namespace minfer::test {
namespace {

using Row = std::vector<float>;
struct RowKernel {
  const char* name;
  std::function<void(const CpuKernels&, const float* x, const float* y, float* out, std::int64_t n)> run;
};

const std::vector<RowKernel>& row_kernels() {
  static const std::vector<RowKernel> kernels = {
      {"rms_norm", [](auto& k, auto* x, auto* y, auto* out, auto n) { k.rms_norm_row(x, y, 1e-5f, out, n); }},
      {"add", [](auto& k, auto* x, auto* y, auto* out, auto n) { k.add_row(x, y, out, n); }},
      {"mul", [](auto& k, auto* x, auto* y, auto* out, auto n) { k.mul_row(x, y, out, n); }},
      {"scale", [](auto& k, auto* x, auto*, auto* out, auto n) { k.scale_row(x, 1.7f, out, n); }},
      {"exp", [](auto& k, auto* x, auto*, auto* out, auto n) { k.exp_row(x, out, n); }},
      {"silu", [](auto& k, auto* x, auto*, auto* out, auto n) { k.silu_row(x, out, n); }},
      {"swiglu", [](auto& k, auto* x, auto* y, auto* out, auto n) { k.swiglu_row(x, y, out, n); }},
      {"softmax", [](auto& k, auto* x, auto*, auto* out, auto n) { k.softmax_row(x, out, n); }},
      {"rope_neox",
       [](auto& k, auto* x, auto* y, auto* out, auto n) {
         k.rope_neox(x, y, out, 1, static_cast<int>(n), static_cast<int>(n / 2 * 2));
       }},
      {"rope_interleaved",
       [](auto& k, auto* x, auto* y, auto* out, auto n) {
         k.rope_interleaved(x, y, out, 1, static_cast<int>(n), static_cast<int>(n / 4 * 2));
       }},
  };
  return kernels;
}

// Exactly n floats on the heap: a sanitizer sees what lies beyond.
Row run(const RowKernel& kernel, CpuIsa isa, const Row& x, const Row& y) {
  Row out(x.size());
  kernel.run(cpu_kernels(isa), x.data(), y.data(), out.data(), static_cast<std::int64_t>(x.size()));
  return out;
}

Row run_in_place(const RowKernel& kernel, CpuIsa isa, Row x, const Row& y) {
  kernel.run(cpu_kernels(isa), x.data(), y.data(), x.data(), static_cast<std::int64_t>(x.size()));
  return x;
}

TEST(RowKernels, SameBitsForEveryLengthAndInPlace) {
  for (const RowKernel& kernel : row_kernels()) {
    for (std::size_t n = 1; n <= 70; ++n) {
      const Row x = random_floats(n, static_cast<unsigned>(n), 3.0f);
      const Row y = random_floats(n, static_cast<unsigned>(n) + 1000);
      const Row expected = run(kernel, CpuIsa::kScalar, x, y);
      for (const CpuIsa isa : usable_isas(detect_cpu_features())) {
        EXPECT_EQ(run(kernel, isa, x, y), expected) << kernel.name << " of " << n << ' ' << isa_name(isa);
        EXPECT_EQ(run_in_place(kernel, isa, x, y), expected) << kernel.name << " of " << n << ", in place";
      }
    }
  }
}

// Element i of a long row gives what it gives alone, so that ranges may be cut anywhere.
TEST(RowKernels, ElementsDoNotDependOnTheirNeighbours) {
  const Row x = random_floats(133, 1, 3.0f);
  const Row y = random_floats(133, 2);
  for (const RowKernel& kernel : row_kernels()) {
    if (std::string_view(kernel.name) != "silu" && std::string_view(kernel.name) != "swiglu") continue;
    for (const CpuIsa isa : usable_isas(detect_cpu_features())) {
      const Row whole = run(kernel, isa, x, y);
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(run(kernel, isa, {x[i]}, {y[i]})[0], whole[i]);
    }
  }
}

TEST(RowKernels, NormAndSoftmaxAgreeWithDoublePrecision) {
  const Row x = random_floats(900, 3, 2.0f);
  const Row w = random_floats(900, 4);
  double squares = 0, exps = 0;
  for (const float v : x) {
    squares += static_cast<double>(v) * static_cast<double>(v);
    exps += std::exp(static_cast<double>(v));
  }
  const double inverse = 1 / std::sqrt(squares / 900 + 1e-5);
  for (const CpuIsa isa : usable_isas(detect_cpu_features())) {
    Row norm(x.size()), soft(x.size());
    cpu_kernels(isa).rms_norm_row(x.data(), w.data(), 1e-5f, norm.data(), 900);
    cpu_kernels(isa).softmax_row(x.data(), soft.data(), 900);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double exact = static_cast<double>(x[i]) * inverse * static_cast<double>(w[i]);
      EXPECT_NEAR(static_cast<double>(norm[i]), exact, 5e-7 * std::fabs(exact) + 1e-12);
      const double share = std::exp(static_cast<double>(x[i])) / exps;
      EXPECT_NEAR(static_cast<double>(soft[i]), share, 1e-6 * share);
    }
  }
}

}  // namespace
}  // namespace minfer::test
