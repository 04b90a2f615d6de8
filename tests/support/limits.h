// Limits on time and memory that tests check are generous, but sanitizers multiply both.
#pragma once

namespace minfer::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kLimitFactor = 10;
#else
inline constexpr int kLimitFactor = 1;
#endif

}  // namespace minfer::test
