#include "backends/cpu/simd/avx2/attention_words.h"

#include "backends/cpu/word_list.inl"

namespace minfer::test {

const WordList kAvx2Words = {kWords, sizeof(kWords) / sizeof(kWords[0])};

}  // namespace minfer::test
