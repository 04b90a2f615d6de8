// Qwen3 (dense): RMS norms of each head of q and k before rotation, an explicit head size, no biases.
#include "models/qwen3.h"

#include "models/decoder.h"

namespace minfer {

std::unique_ptr<Architecture> load_qwen3(const gguf::Reader& file) {
  DecoderOptions options;
  options.qk_norm = true;
  return std::make_unique<Decoder>(file, RopeStyle::kNeox, options);
}

}  // namespace minfer
