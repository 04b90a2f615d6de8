// The tokenizer of a GGUF file. A file of nothing but a vocabulary is enough.
#pragma once

#include <memory>

#include "gguf/reader.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocab_spec.h"

namespace minfer {

// The keys tokenizer.ggml.* as a spec, whose strings are views into the file. Throws InvalidFileError naming the key
// for a value that is missing, of another type or out of range, and UnsupportedError for another tokenizer model than
// "gpt2" and "llama".
VocabSpec read_vocab(const gguf::Reader& reader);

// The same, and Tokenizer::create() with the file's name before its messages. Keeps nothing of the file.
std::unique_ptr<Tokenizer> load_tokenizer(const gguf::Reader& reader);

}  // namespace minfer
