#include "vocabularies.h"

#include "gguf/file.h"
#include "runtime/vocab.h"

namespace minfer::test {

std::unique_ptr<Tokenizer> load_vocabulary(const std::filesystem::path& path,
                                           const std::string& pre_tokenizer) {
  const auto file = gguf::File::open(path);
  VocabSpec spec = read_vocab(file->reader());
  if (!pre_tokenizer.empty()) spec.pre_tokenizer = pre_tokenizer;
  return Tokenizer::create(spec);
}

nlohmann::json read_json(const std::filesystem::path& path) { return nlohmann::json::parse(read_text(path)); }

std::filesystem::path own_data(const std::string& name) { return test_data("tokenizer/" + name); }

std::filesystem::path shared_vocabulary(const std::string& name) {
  return shared_data("tokenizer/ggml-vocab-" + name + ".gguf");
}

}  // namespace minfer::test
