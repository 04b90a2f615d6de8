// The vocabularies and cases that the tokenizer's tests run on.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "support/data.h"
#include "tokenizer/tokenizer.h"

namespace minfer::test {

// Of a GGUF file, with the pre-tokenizer that it names or with another one.
std::unique_ptr<Tokenizer> load_vocabulary(const std::filesystem::path& path,
                                           const std::string& pre_tokenizer = "");

nlohmann::json read_json(const std::filesystem::path& path);

// tests/data/tokenizer/NAME
std::filesystem::path own_data(const std::string& name);
// A vocabulary of the shared data: qwen2, llama-bpe, llama-spm or gpt-2.
std::filesystem::path shared_vocabulary(const std::string& name);

}  // namespace minfer::test
