#include "quant/k_affine.h"

#include <algorithm>
#include <cmath>

#include "quant/float16.h"
#include "quant/range.h"
#include "quant/rounding.h"

namespace minfer {
namespace {

constexpr int kGroup = 32;
constexpr int kGroups = 8;
constexpr int kMaxScale = 63;

// value ~ scale * code + min, min <= 0
struct Fit {
  float scale;
  float min;
};

struct WeightedGroup {
  const float* values;
  float weights[kGroup];
  float sum_w = 0.0f;  // of the weights
  float sum_x = 0.0f;  // of weight * value
};

// Larger values count for more: weight = root mean square + |value|.
WeightedGroup weigh(const float* values) {
  WeightedGroup group{values, {}};
  float sum_squares = 0.0f;
  for (int j = 0; j < kGroup; ++j) sum_squares += values[j] * values[j];
  const float rms = std::sqrt(sum_squares / kGroup);
  for (int j = 0; j < kGroup; ++j) {
    group.weights[j] = rms + std::fabs(values[j]);
    group.sum_w += group.weights[j];
    group.sum_x += group.weights[j] * values[j];
  }
  return group;
}

void nearest_codes(const float* values, float min, float inverse, int max_code, std::uint8_t* codes) {
  for (int j = 0; j < kGroup; ++j)
    codes[j] = static_cast<std::uint8_t>(std::clamp(nearest_int(inverse * (values[j] - min)), 0, max_code));
}

float squared_error(const WeightedGroup& group, const std::uint8_t* codes, const Fit& fit) {
  float error = 0.0f;
  for (int j = 0; j < kGroup; ++j) {
    const float difference = fit.scale * codes[j] + fit.min - group.values[j];
    error += group.weights[j] * (difference * difference);
  }
  return error;
}

// The weighted least-squares line through (code, value), with min held at 0 where it would be positive. False
// where the codes do not determine one.
bool least_squares(const WeightedGroup& group, const std::uint8_t* codes, Fit& fit) {
  float sum_l = 0.0f;
  float sum_l2 = 0.0f;
  float sum_xl = 0.0f;
  for (int j = 0; j < kGroup; ++j) {
    const float weighted_code = group.weights[j] * codes[j];
    sum_l += weighted_code;
    sum_l2 += weighted_code * codes[j];
    sum_xl += weighted_code * group.values[j];
  }
  const float determinant = group.sum_w * sum_l2 - sum_l * sum_l;
  if (!(determinant > 0.0f)) return false;
  fit.scale = (group.sum_w * sum_xl - group.sum_x * sum_l) / determinant;
  fit.min = (sum_l2 * group.sum_x - sum_l * sum_xl) / determinant;
  if (fit.min > 0.0f) fit = {sum_xl / sum_l2, 0.0f};
  return true;
}

Fit search_fit(const WeightedGroup& group, const AffineSearch& search, std::uint8_t* codes) {
  const ValueRange range = value_range(group.values, kGroup);
  Fit best{0.0f, std::min(range.min, 0.0f)};
  std::fill_n(codes, kGroup, std::uint8_t{0});
  if (range.max == best.min) return best;

  const float inverse = static_cast<float>(search.max_code) / (range.max - best.min);
  best.scale = 1.0f / inverse;
  nearest_codes(group.values, best.min, inverse, search.max_code, codes);
  float best_error = squared_error(group, codes, best);
  for (int i = 0; i <= search.n_steps; ++i) {
    // From the best minimum so far, not from the first: the reference does so too.
    const float numerator =
        search.first + search.step * static_cast<float>(i) + static_cast<float>(search.max_code);
    std::uint8_t candidate_codes[kGroup];
    nearest_codes(group.values, best.min, numerator / (range.max - best.min), search.max_code,
                  candidate_codes);
    Fit candidate;
    if (!least_squares(group, candidate_codes, candidate)) continue;
    const float error = squared_error(group, candidate_codes, candidate);
    if (!(error < best_error)) continue;
    best = candidate;
    best_error = error;
    std::copy_n(candidate_codes, kGroup, codes);
  }
  return best;
}

// Rounds 8 non-negative numbers to 6 bits each, and returns the float16 scale of these.
std::uint16_t quantize_scales(const float* values, std::uint8_t* quantized) {
  const float largest = std::max(0.0f, *std::max_element(values, values + kGroups));
  const float inverse = largest > 0.0f ? kMaxScale / largest : 0.0f;
  for (int i = 0; i < kGroups; ++i) {
    const auto rounded = static_cast<std::uint8_t>(nearest_int(inverse * values[i]));
    quantized[i] = std::min<std::uint8_t>(kMaxScale, rounded);
  }
  return fp32_to_fp16(largest / kMaxScale);
}

// Codes once more, for the scales as stored. A group whose scale vanishes keeps those of the search.
void final_codes(const float* values, int max_code, AffineSuperBlock& block) {
  for (int i = 0; i < kGroups; ++i) {
    const float scale = fp16_to_fp32(block.d) * block.scales[i];
    if (scale == 0.0f) continue;
    const float min = fp16_to_fp32(block.dmin) * block.mins[i];
    for (int j = kGroup * i; j < kGroup * (i + 1); ++j)
      block.codes[j] =
          static_cast<std::uint8_t>(std::clamp(nearest_int((values[j] + min) / scale), 0, max_code));
  }
}

}  // namespace

void encode_affine(const float* values, const AffineSearch& search, AffineSuperBlock& out) {
  float scales[kGroups];
  float mins[kGroups];
  for (int i = 0; i < kGroups; ++i) {
    const Fit fit = search_fit(weigh(values + kGroup * i), search, out.codes + kGroup * i);
    scales[i] = fit.scale;
    mins[i] = -fit.min;
  }
  out.d = quantize_scales(scales, out.scales);
  out.dmin = quantize_scales(mins, out.mins);
  final_codes(values, search.max_code, out);
}

void decode_affine(const AffineSuperBlock& block, float* values) {
  const float d = fp16_to_fp32(block.d);
  const float dmin = fp16_to_fp32(block.dmin);
  for (int i = 0; i < kGroups; ++i) {
    const float scale = d * block.scales[i];
    const float minimum = dmin * block.mins[i];
    for (int j = kGroup * i; j < kGroup * (i + 1); ++j) values[j] = scale * block.codes[j] - minimum;
  }
}

}  // namespace minfer
