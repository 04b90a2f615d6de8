#include "runtime/vocab.h"

#include <fmt/format.h>

#include <limits>

#include "base/printable.h"
#include "gguf/metadata.h"
#include "minfer/error.h"

namespace minfer {
namespace {

std::optional<uint32_t> find_token_id(const gguf::Reader& reader, std::string_view key) {
  return gguf::find_u32(reader, key, 0, std::numeric_limits<int32_t>::max());
}

VocabSpec::Model read_model(const gguf::Reader& reader) {
  const std::string_view model = gguf::get_string(reader, "tokenizer.ggml.model");
  if (model == "gpt2") return VocabSpec::Model::kByteLevelBpe;
  if (model == "llama") return VocabSpec::Model::kSentencePiece;
  throw UnsupportedError(
      fmt::format("{}: the tokenizer model \"{}\" (tokenizer.ggml.model) is not known; known are gpt2 "
                  "(byte-level BPE) and llama "
                  "(SentencePiece BPE)",
                  reader.file_name(), printable(model, 64)));
}

std::vector<TokenKind> read_kinds(const gguf::Reader& reader) {
  std::vector<TokenKind> kinds;
  const auto values = gguf::find_i32s(reader, "tokenizer.ggml.token_type", 1, 6);
  if (!values) return kinds;
  kinds.reserve(values->size());
  for (int32_t value : *values) kinds.push_back(static_cast<TokenKind>(value));
  return kinds;
}

}  // namespace

VocabSpec read_vocab(const gguf::Reader& reader) {
  VocabSpec spec;
  spec.model = read_model(reader);
  spec.tokens = gguf::get_strings(reader, "tokenizer.ggml.tokens");
  spec.kinds = read_kinds(reader);
  if (spec.model == VocabSpec::Model::kByteLevelBpe) {
    spec.pre_tokenizer = gguf::find_string(reader, "tokenizer.ggml.pre").value_or("");
    spec.merges = gguf::get_strings(reader, "tokenizer.ggml.merges");
  } else {
    spec.scores = gguf::get_f32s(reader, "tokenizer.ggml.scores");
  }
  spec.bos = find_token_id(reader, "tokenizer.ggml.bos_token_id");
  spec.eos = find_token_id(reader, "tokenizer.ggml.eos_token_id");
  spec.eot = find_token_id(reader, "tokenizer.ggml.eot_token_id");
  spec.eom = find_token_id(reader, "tokenizer.ggml.eom_token_id");
  spec.unk = find_token_id(reader, "tokenizer.ggml.unknown_token_id");
  spec.pad = find_token_id(reader, "tokenizer.ggml.padding_token_id");
  spec.add_bos = gguf::find_bool(reader, "tokenizer.ggml.add_bos_token");
  spec.add_eos = gguf::find_bool(reader, "tokenizer.ggml.add_eos_token").value_or(false);
  spec.add_space_prefix = gguf::find_bool(reader, "tokenizer.ggml.add_space_prefix").value_or(true);
  return spec;
}

std::unique_ptr<Tokenizer> load_tokenizer(const gguf::Reader& reader) {
  const VocabSpec spec = read_vocab(reader);
  try {
    return Tokenizer::create(spec);
  } catch (const InvalidFileError& error) {
    throw InvalidFileError(fmt::format("{}: {}", reader.file_name(), error.what()));
  } catch (const UnsupportedError& error) {
    throw UnsupportedError(fmt::format("{}: {}", reader.file_name(), error.what()));
  }
}

}  // namespace minfer
