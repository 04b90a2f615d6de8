#include "backends/cpu/simd/scalar/words.h"

#include "backends/cpu/word_list.inl"

namespace minfer::test {

const WordList kScalarWords = {kWords, sizeof(kWords) / sizeof(kWords[0])};

}  // namespace minfer::test
