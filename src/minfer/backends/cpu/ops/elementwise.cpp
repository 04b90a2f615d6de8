#include "backends/cpu/ops/elementwise.h"

#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

constexpr std::int64_t kGranule = 64;  // values; a multiple of a cache line
// What a value's exponential costs, in bytes that could be moved meanwhile.
constexpr std::int64_t kUnaryCost = 16;

}  // namespace

void run_binary(const Launch& launch, void (*row)(const float*, const float*, float*, std::int64_t)) {
  const Shape& shape = launch.input_descs[0].shape;
  const float* x = launch.input<const float>(0);
  float* out = launch.out<float>();
  if (launch.weights.empty()) {
    const float* y = launch.input<const float>(1);
    parallel_ranges(launch, shape.elements(), 12, kGranule, [&](Range range, int) {
      row(x + range.begin, y + range.begin, out + range.begin, range.end - range.begin);
    });
    return;
  }
  const std::int64_t n = shape.cols();
  parallel_ranges(launch, shape.rows(), n * 8, 1, [&](Range range, int) {
    for (std::int64_t i = range.begin; i < range.end; ++i)
      row(x + i * n, launch.weight_floats(0), out + i * n, n);
  });
}

void run_unary(const Launch& launch, void (*row)(const float*, float*, std::int64_t)) {
  const float* x = launch.input<const float>(0);
  float* out = launch.out<float>();
  parallel_ranges(
      launch, launch.input_descs[0].shape.elements(), kUnaryCost, kGranule,
      [&](Range range, int) { row(x + range.begin, out + range.begin, range.end - range.begin); });
}

}  // namespace minfer
