#include "backends/cpu/simd/avx512/attention_words.h"

#include "backends/cpu/word_list.inl"

namespace minfer::test {

const WordList kAvx512Words = {kWords, sizeof(kWords) / sizeof(kWords[0])};

}  // namespace minfer::test
