// The tiers of 256-bit x86 vectors. Integer products of this folder are compiled once for each, and what they export
// lies in the namespace of that tier: minfer::avx2, or minfer::avx_vnni where the CPU also has vpdpbusd on 256 bits.
#pragma once

#if defined(__AVXVNNI__)
#define MINFER_AVX2_TIER avx_vnni
#else
#define MINFER_AVX2_TIER avx2
#endif
