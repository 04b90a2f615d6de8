#include "base/function_ref.h"

#include <gtest/gtest.h>

#include <memory>

namespace minfer {
namespace {

int apply(FunctionRef<int(int)> function, int value) { return function(value); }

TEST(FunctionRef, CallsTheOriginalNotACopy) {
  int calls = 0;
  auto counter = [calls = &calls, own = 0](int value) mutable {
    *calls = ++own;
    return 2 * value;
  };
  EXPECT_EQ(apply(counter, 4), 8);
  EXPECT_EQ(apply(counter, 5), 10);
  EXPECT_EQ(calls, 2);
}

TEST(FunctionRef, TakesConstCallablesAndDropsResultsForVoid) {
  const auto add = [](int value) { return value + 1; };
  EXPECT_EQ(apply(add, 1), 2);
  int seen = 0;
  const auto remember = [&seen](int value) { return seen = value; };
  FunctionRef<void(int)> function = remember;
  function(7);
  EXPECT_EQ(seen, 7);
}

TEST(FunctionRef, ForwardsMoveOnlyArgumentsAndReferences) {
  const auto take = [](std::unique_ptr<int> owned, int& out) { out = *owned; };
  FunctionRef<void(std::unique_ptr<int>, int&)> function = take;
  int out = 0;
  function(std::make_unique<int>(9), out);
  EXPECT_EQ(out, 9);
}

}  // namespace
}  // namespace minfer
