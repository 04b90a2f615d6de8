// The vocabularies that the tokenizer's tests run on.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "gguf/file.h"
#include "runtime/vocab.h"
#include "support/data.h"

namespace minfer::test {

inline std::unique_ptr<Tokenizer> load_tokenizer_of(const std::filesystem::path& path) {
  return load_tokenizer(File::open(path)->reader());
}

inline nlohmann::json read_json(const std::filesystem::path& path) {
  return nlohmann::json::parse(read_text(path));
}

}  // namespace minfer::test
