// The tensors of a model of a given shape, under the names of the GGUF convention, and how their values spread.
#pragma once

#include <string>
#include <vector>

#include "cli/synth/shape.h"
#include "quant/mix.h"
#include "tensor/view.h"

namespace minfer::cli {

struct SynthTensor {
  enum class Values : std::uint8_t {
    kRandom,        // mean 0, standard deviation `deviation`
    kGain,          // the same around 1
    kRopeDivisors,  // Llama 3.1's, of the shape's base and head size
  };

  std::string name;
  TensorDesc desc;
  Values values = Values::kRandom;
  float deviation = 0;
};

// Matrices have a deviation of 1 / sqrt(n_in), so that activations keep their size from layer to layer. Types are
// those of choose_type(). Notes about types that do not fit go to the log.
std::vector<SynthTensor> synth_tensors(const SynthShape& shape, const FileType& file_type, bool pure);

// Llama 3.1's frequency divisors (factor 8 for wavelengths above 8192 positions, 1 for those below 2048, between them
// a smooth ramp), head_dim / 2 values. Source: the rope_scaling section of the model's configuration.
std::vector<float> llama3_rope_divisors(float rope_base, int head_dim);

}  // namespace minfer::cli
