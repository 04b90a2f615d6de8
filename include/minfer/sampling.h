// Choosing the next token from logits. The same parameters, seed, logits and history give the same token, on
// every machine: randomness is a counter-based generator keyed by (seed, stream, position).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "minfer/model.h"

namespace minfer {

struct SamplingParams {
  float temperature = 0.8f;     // 0: greedy, the lowest id among equals
  int top_k = 40;               // 0: off
  float top_p = 0.95f;          // 1: off
  float min_p = 0.05f;          // 0: off
  float repeat_penalty = 1.0f;  // 1: off
  float presence_penalty = 0.0f;
  float frequency_penalty = 0.0f;
  int repeat_last_n = 64;  // tokens that the penalties look back on; 0: none, -1: all
  std::vector<std::pair<TokenId, float>> logit_bias;
  std::int64_t seed = -1;  // -1: a random one, which Sampler::params() then tells
};

class Sampler {
 public:
  // Throws InvalidRequestError naming a parameter out of range. stream tells sequences with one seed apart.
  Sampler(const SamplingParams& params, int n_vocab, std::uint64_t stream = 0);
  ~Sampler();
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler&&) noexcept;

  // Tokens of the prompt, so that penalties see them.
  void accept(std::span<const TokenId> tokens);
  // Picks a token and accepts it.
  TokenId sample(std::span<const float> logits);

  const SamplingParams& params() const;  // effective: the seed is never -1
  std::string description() const;       // one line: the chain and its parameters

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace minfer
