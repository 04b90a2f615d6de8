// The words of an instruction set as functions from 48 floats to 16 patterns of 32 bits, so that a test can
// put the same arguments through those of every instruction set.
#pragma once

#include <cstdint>

namespace minfer::test {

struct NamedWord {
  const char* name;
  bool gives_floats;  // then any NaN is as good as another
  void (*run)(const float* arguments, std::uint32_t* result);
};
struct WordList {
  const NamedWord* words;
  int n_words;
};

extern const WordList kScalarWords;
extern const WordList kAvx2Words;         // x86 only
extern const WordList kAvx512Words;       // x86 only
extern const WordList kNeonWords;         // Arm only
extern const WordList kNeonDotprodWords;  // Arm only

}  // namespace minfer::test
