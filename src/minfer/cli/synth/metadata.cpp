#include "cli/synth/metadata.h"

#include <string>

namespace minfer::cli {
namespace {

std::uint32_t u32(int value) { return static_cast<std::uint32_t>(value); }

void write_hyperparameters(const SynthShape& shape, gguf::Writer& writer) {
  const auto key = [&](const char* name) { return shape.architecture + "." + name; };
  writer.add_u32(key("block_count"), u32(shape.n_layer));
  writer.add_u32(key("context_length"), u32(shape.n_ctx));
  writer.add_u32(key("embedding_length"), u32(shape.n_embd));
  writer.add_u32(key("feed_forward_length"), u32(shape.n_ff));
  writer.add_u32(key("attention.head_count"), u32(shape.n_head));
  writer.add_u32(key("attention.head_count_kv"), u32(shape.n_head_kv));
  writer.add_f32(key("rope.freq_base"), shape.rope_base);
  writer.add_f32(key("attention.layer_norm_rms_epsilon"), shape.rms_eps);
  if (shape.has_qk_norm() || shape.n_q() != shape.n_embd) {
    writer.add_u32(key("attention.key_length"), u32(shape.head_dim));
    writer.add_u32(key("attention.value_length"), u32(shape.head_dim));
  }
  if (shape.architecture == "llama") {
    writer.add_u32(key("vocab_size"), u32(shape.n_vocab));
    writer.add_u32(key("rope.dimension_count"), u32(shape.head_dim));
  }
}

void write_vocabulary(const SynthVocabulary& vocabulary, gguf::Writer& writer) {
  writer.add_string("tokenizer.ggml.model", "gpt2");
  writer.add_string("tokenizer.ggml.pre", vocabulary.pre_tokenizer);
  writer.add_strings("tokenizer.ggml.tokens", vocabulary.tokens);
  writer.add_i32s("tokenizer.ggml.token_type", vocabulary.kinds);
  writer.add_strings("tokenizer.ggml.merges", vocabulary.merges);
  writer.add_u32("tokenizer.ggml.bos_token_id", vocabulary.bos);
  writer.add_u32("tokenizer.ggml.eos_token_id", vocabulary.eos);
  writer.add_u32("tokenizer.ggml.padding_token_id", vocabulary.pad);
  writer.add_bool("tokenizer.ggml.add_bos_token", vocabulary.add_bos);
  writer.add_string("tokenizer.chat_template", vocabulary.chat_template);
}

}  // namespace

void write_metadata(std::string_view name, const SynthShape& shape, const FileType& file_type,
                    const SynthVocabulary& vocabulary, gguf::Writer& writer) {
  writer.add_string("general.architecture", shape.architecture);
  writer.add_string("general.type", "model");
  writer.add_string("general.name", name);
  writer.add_string("general.description", "random weights, for tests and benchmarks");
  writer.add_u32("general.file_type", file_type.id);
  writer.add_u32("general.quantization_version", 2);  // of the formats of quant/: the only one in use
  write_hyperparameters(shape, writer);
  write_vocabulary(vocabulary, writer);
}

}  // namespace minfer::cli
