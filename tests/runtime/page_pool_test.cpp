#include "runtime/page_pool.h"

#include <gtest/gtest.h>

#include "minfer/error.h"

namespace minfer {
namespace {

TEST(PagePool, UsedPagesComeBeforeFreshOnes) {
  PagePool pool(4);
  EXPECT_EQ(pool.take(), 0);
  EXPECT_EQ(pool.take(), 1);
  pool.release(0);
  EXPECT_EQ(pool.take(), 0);
  EXPECT_EQ(pool.n_touched(), 2);
  EXPECT_EQ(pool.n_held(), 2);
}

TEST(PagePool, APageIsFreeWhenItsLastHolderLetsGo) {
  PagePool pool(1);
  const auto page = pool.take();
  pool.share(page);
  EXPECT_TRUE(pool.is_shared(page));
  EXPECT_THROW(pool.take(), OutOfMemoryError);
  pool.release(page);
  EXPECT_FALSE(pool.is_shared(page));
  EXPECT_THROW(pool.take(), OutOfMemoryError);
  pool.release(page);
  EXPECT_EQ(pool.take(), page);
}

TEST(PagePool, MisuseIsAnError) {
  PagePool pool(2);
  EXPECT_THROW(pool.release(0), InternalError);
  EXPECT_THROW(pool.share(1), InternalError);
}

}  // namespace
}  // namespace minfer
