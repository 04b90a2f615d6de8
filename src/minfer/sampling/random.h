// A counter-based random number: a pure function of what it is drawn for, so that a sequence's text does not
// depend on what else was sampled before it or beside it.
#pragma once

#include <cstdint>

namespace minfer {

// Uniform in [0, 1), 53 bits. Three rounds of the SplitMix64 finalizer (Steele, Lea and Flood 2014) over the keys.
double random_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t position);

}  // namespace minfer
