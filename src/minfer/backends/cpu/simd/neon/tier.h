// The tiers of NEON. Units of this folder are compiled once for each that they serve, and what they export lies in the
// namespace of that tier: minfer::neon (all that ARMv8.0 has), minfer::dotprod (with SDOT) or minfer::i8mm (also with
// SMMLA, the integer matrix product).
#pragma once

#if defined(__ARM_FEATURE_MATMUL_INT8)
#define MINFER_NEON_TIER i8mm
#elif defined(__ARM_FEATURE_DOTPROD)
#define MINFER_NEON_TIER dotprod
#else
#define MINFER_NEON_TIER neon
#endif
