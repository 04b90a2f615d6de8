#include "backends/cpu/simd/neon/attention_words.h"

#include "backends/cpu/word_list.inl"

namespace minfer::test {

const WordList kNeonWords = {kWords, sizeof(kWords) / sizeof(kWords[0])};

}  // namespace minfer::test
