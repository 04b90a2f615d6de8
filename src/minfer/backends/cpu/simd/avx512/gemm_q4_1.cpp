#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks32.h"
#include "quant/q4_1.h"

namespace minfer {
namespace {

struct CodesOf {
  using Block = BlockQ4_1;
  static constexpr Codes kCodes = Codes::kUnsigned;
  static constexpr bool kHasMin = true;

  static void load(const BlockRows& rows, const __m512i*, __m512i q[8]) {
    unpack_nibbles(rows, offsetof(Block, qs), q);
  }
};

}  // namespace

const GemmKernel kGemmQ4_1Avx512 = gemm_kernel<Format32<CodesOf>>();

}  // namespace minfer
