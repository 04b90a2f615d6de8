// Waiting for an atomic counter of another thread: spin briefly, then sleep in the kernel.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace minfer {

// The waits of one thread. Spinning answers within a microsecond where the awaited thread is about to finish, but
// wastes CPU time that this thread may need. A spin that times out is a sign that the awaited thread has no CPU
// (another process has it) or has much left to do: then the next 1, 3, 7, … waits sleep at once, until one spin
// succeeds again.
class AdaptiveWait {
 public:
  // Longer than the gaps between the operators of a decode step, much shorter than a scheduler's time slice.
  static constexpr std::chrono::microseconds kSpinTime{40};

  explicit AdaptiveWait(bool may_spin) : may_spin_(may_spin) {}

  // Returns once done(value) is true, with acquire ordering. Whoever makes it true must then notify `value`.
  template <typename Done>
  void wait_until(const std::atomic<std::uint32_t>& value, Done done) {
    if (spins_now()) {
      const bool in_time = spin_until(value, done);
      backoff_ = in_time ? 0 : std::min(2 * backoff_ + 1, kMaxBackoff);
      sleeps_left_ = backoff_;
      if (in_time) return;
    }
    for (std::uint32_t now = value.load(std::memory_order_acquire); !done(now);
         now = value.load(std::memory_order_acquire)) {
      value.wait(now, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr int kPausesPerClockRead = 16;
  static constexpr int kMaxBackoff = 63;

  bool spins_now() {
    if (!may_spin_) return false;
    if (sleeps_left_ == 0) return true;
    --sleeps_left_;
    return false;
  }

  template <typename Done>
  static bool spin_until(const std::atomic<std::uint32_t>& value, Done done) {
    const auto end = std::chrono::steady_clock::now() + kSpinTime;
    do {
      for (int i = 0; i < kPausesPerClockRead; ++i) {
        if (done(value.load(std::memory_order_acquire))) return true;
        pause_cpu();
      }
    } while (std::chrono::steady_clock::now() < end);
    return false;
  }

  static void pause_cpu() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  bool may_spin_;
  int backoff_ = 0;
  int sleeps_left_ = 0;
};

}  // namespace minfer
