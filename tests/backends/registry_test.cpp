#include "backends/registry.h"

#include <gtest/gtest.h>

#include "minfer/error.h"

namespace minfer {
namespace {

std::vector<std::string> made(std::string_view only) {
  BackendOptions options;
  options.only = only;
  options.n_threads = 1;
  std::vector<std::string> result;
  for (const auto& backend : make_backends(options)) result.emplace_back(backend->name());
  return result;
}

TEST(Registry, EndsWithTheCpuUnlessAskedOtherwise) {
  const auto names = made("");
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.back(), "cpu");
}

TEST(Registry, MakesTheReferenceOnlyByName) {
  EXPECT_EQ(made("reference"), std::vector<std::string>{"reference"});
  for (const std::string& name : made("")) EXPECT_NE(name, "reference");
}

TEST(Registry, EveryBackendHasTheNameItIsListedUnder) {
  for (const std::string_view name : backend_names()) {
    if (name == "cuda") continue;  // there only where a device is; tests/backends/cuda
    EXPECT_EQ(made(name), std::vector<std::string>{std::string(name)});
  }
}

TEST(Registry, RefusesUnknownNamesAndListsTheKnownOnes) {
  try {
    made({"abacus"});
    FAIL();
  } catch (const InvalidRequestError& error) {
    EXPECT_NE(std::string(error.what()).find("abacus"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("cpu"), std::string::npos);
  }
}

TEST(Registry, RefusesKernelNamesThatNoOpHas) {
  EXPECT_NO_THROW(check_kernel_name("matmul"));
  EXPECT_NO_THROW(check_kernel_name("gemm"));
  EXPECT_THROW(check_kernel_name("matmu"), InvalidRequestError);
  EXPECT_THROW(check_kernel_name("matmul avx2"), InvalidRequestError);
}

}  // namespace
}  // namespace minfer
