// Limits on time and memory that tests check are generous, but sanitizers and emulators multiply both.
#pragma once

namespace minfer::test {

// Whether this is a cross build, whose programs run under the command MINFER_EMULATOR ("" in others).
inline constexpr bool kEmulated = sizeof(MINFER_EMULATOR) > 1;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kLimitFactor = 10;
#else
inline constexpr int kLimitFactor = kEmulated ? 100 : 1;
#endif

}  // namespace minfer::test
