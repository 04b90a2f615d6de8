// Who may do what while a recording is open. Needs no GPU.
#include "backends/cuda/device/capture_lock.h"

#include <gtest/gtest.h>

#include <vector>

#include "minfer/error.h"

namespace minfer::cuda {
namespace {

TEST(CaptureLock, IsOneForEachGpu) {
  const auto first = CaptureLock::of_device(0);
  EXPECT_EQ(first, CaptureLock::of_device(0));
  EXPECT_NE(first, CaptureLock::of_device(1));
}

// Two threads take turns: what is between begin and end, and what excludes recordings, never overlaps.
TEST(CaptureLock, KeepsRecordingsAndOtherCallsApart) {
  const auto lock = CaptureLock::of_device(0);
  int inside = 0;
  int highest = 0;
  const auto visit = [&] {
    highest = std::max(highest, ++inside);
    std::this_thread::yield();
    --inside;
  };
  {
    std::jthread recorder([&] {
      for (int i = 0; i < 2000; ++i) {
        lock->begin_recording();
        visit();
        lock->end_recording();
      }
    });
    for (int i = 0; i < 2000; ++i) {
      const auto alone = lock->exclude_recordings();
      visit();
    }
  }
  EXPECT_EQ(highest, 1);
  EXPECT_EQ(inside, 0);
}

TEST(CaptureLock, WhatSpoilsOnesOwnRecordingIsAnErrorNotADeadlock) {
  const auto lock = CaptureLock::of_device(0);  // the current device, where there is none
  lock->begin_recording();
  EXPECT_TRUE(lock->recorded_by_this_thread());
  EXPECT_THROW(static_cast<void>(exclude_recordings("memory is taken")), InternalError);
  EXPECT_NO_THROW(static_cast<void>(wait_for_recordings())) << "must not throw, and does not wait";
  bool elsewhere = true;
  std::jthread([&] { elsewhere = lock->recorded_by_this_thread(); }).join();
  EXPECT_FALSE(elsewhere);
  lock->end_recording();
  EXPECT_NO_THROW(static_cast<void>(exclude_recordings("memory is taken")));
}

}  // namespace
}  // namespace minfer::cuda
