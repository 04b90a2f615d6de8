// Qwen2 and Qwen2.5: biases on q, k and v; neox rotation; often a head tied to the embedding.
#include "models/qwen2.h"

#include "models/decoder.h"

namespace minfer {

std::unique_ptr<Architecture> load_qwen2(const gguf::Reader& file) {
  DecoderOptions options;
  options.qkv_bias = true;
  return std::make_unique<Decoder>(file, RopeStyle::kNeox, options);
}

}  // namespace minfer
