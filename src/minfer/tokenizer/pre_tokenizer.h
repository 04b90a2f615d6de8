// Cuts text into the words that byte-level BPE merges within, by a regular expression (PCRE2 with JIT).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pcre2_real_code_8;

namespace minfer {

// How the tokenizers that use one pattern behave.
struct PreTokenizerInfo {
  std::string_view pattern;
  bool nfc = false;                // text is brought to NFC first
  bool whole_words_first = false;  // a word that is a token is that token, whatever the merges say
  bool adds_bos = false;           // where the model file does not say
};

// By its name in model files (tokenizer.ggml.pre). Throws UnsupportedError with the list of known names.
PreTokenizerInfo find_pre_tokenizer(std::string_view name);

class PreTokenizer {
 public:
  explicit PreTokenizer(std::string_view pattern);

  // The words of `text`, which is valid UTF-8; together they are all of it. Safe to call from many threads.
  // Throws UnsupportedError if matching exceeds a limit that grows with the text (it cannot with our
  // patterns).
  std::vector<std::string_view> split(std::string_view text) const;

 private:
  struct CodeDeleter {
    void operator()(pcre2_real_code_8* code) const;
  };
  std::unique_ptr<pcre2_real_code_8, CodeDeleter> code_;
};

}  // namespace minfer
