// Llama 1 to 3 and models of the same shape: interleaved rotation (the converter permutes q and k so), Llama 3's
// frequency divisors in rope_freqs.weight, biases only where a file has them.
#include "models/llama.h"

#include <fmt/core.h>

#include "gguf/metadata.h"
#include "minfer/error.h"
#include "models/decoder.h"

namespace minfer {

std::unique_ptr<Architecture> load_llama(const gguf::Reader& file) {
  const auto n_expert = gguf::find_u32(file, "llama.expert_count", 0, 1u << 20);
  if (n_expert.value_or(0) > 0)
    throw UnsupportedError(
        fmt::format("{}: key llama.expert_count: {} experts; mixtures of experts are not supported",
                    file.file_name(), *n_expert));
  DecoderOptions options;
  options.optional_qkv_bias = true;
  return std::make_unique<Decoder>(file, RopeStyle::kInterleaved, options);
}

}  // namespace minfer
