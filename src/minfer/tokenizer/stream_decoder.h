// Turns ids into text one by one, as they are generated.
#pragma once

#include <cstdint>
#include <string>

#include "tokenizer/tokenizer.h"

namespace minfer {

class StreamDecoder {
 public:
  struct Options {
    bool render_special = false;  // show control and unknown tokens
    bool at_start = false;  // the ids begin a text (not: they continue a prompt), see adds_space_prefix()
  };
  // `tokenizer` must outlive this.
  StreamDecoder(const Tokenizer& tokenizer, Options options);
  explicit StreamDecoder(const Tokenizer& tokenizer) : StreamDecoder(tokenizer, Options()) {}

  // The text that this token completes: whole characters, U+FFFD for bytes that cannot become one.
  std::string push(int32_t id);
  // What is left at the end: U+FFFD if it ends within a character. Ready for another text then.
  std::string flush();

 private:
  std::string take_complete();

  const Tokenizer& tokenizer_;
  Options options_;
  bool strip_space_;     // a space that the next token begins with was put there by encode()
  std::string pending_;  // bytes of a character that is not complete
};

}  // namespace minfer
