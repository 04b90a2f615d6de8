#include "sampling/random.h"

namespace minfer {
namespace {

std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

double random_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t position) {
  const std::uint64_t bits = mix(mix(mix(seed) ^ stream) ^ position);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace minfer
