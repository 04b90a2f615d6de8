#include "base/levers.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "minfer/error.h"

namespace minfer {
namespace {

using Environment = std::map<std::string, std::string>;

Levers read(const Environment& environment) {
  return read_levers([&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Levers, NothingSetChangesNothing) {
  const Levers levers = read({});
  EXPECT_FALSE(levers.no_avx2 || levers.no_avx512 || levers.no_neon || levers.no_fused_q8_kv ||
               levers.no_fuse_qkv || levers.no_fuse_ffn || levers.timing || levers.op_timing ||
               levers.trace || levers.graph_trace || levers.disable_cuda || levers.disable_metal);
  EXPECT_EQ(levers.cache_type + levers.kernel + levers.graph_dump, "");
}

TEST(Levers, NamesThoseThatAreSet) {
  EXPECT_TRUE(set_levers(read({})).empty());
  EXPECT_EQ(
      set_levers(read({{"MINFER_KERNEL", "gemm"}, {"MINFER_NO_AVX512", "yes"}, {"MINFER_NO_AVX2", "0"}})),
      (std::vector<std::string>{"MINFER_NO_AVX512=1", "MINFER_KERNEL=gemm"}));
}

TEST(Levers, SwitchIsOnForAnythingButEmptyAndZero) {
  EXPECT_FALSE(read({{"MINFER_NO_AVX2", ""}}).no_avx2);
  EXPECT_FALSE(read({{"MINFER_NO_AVX2", "0"}}).no_avx2);
  for (const char* value : {"1", "yes", "00", "off"})
    EXPECT_TRUE(read({{"MINFER_NO_AVX2", value}}).no_avx2) << value;
}

TEST(Levers, EachSwitchSetsItsOwnFieldOnly) {
  EXPECT_TRUE(read({{"MINFER_NO_FUSE_QKV", "1"}}).no_fuse_qkv);
  EXPECT_FALSE(read({{"MINFER_NO_FUSE_QKV", "1"}}).no_fuse_ffn);
  EXPECT_TRUE(read({{"MINFER_NO_FUSE_FFN", "1"}}).no_fuse_ffn);
  EXPECT_TRUE(read({{"MINFER_NO_FUSED_Q8_KV", "1"}}).no_fused_q8_kv);
  EXPECT_TRUE(read({{"MINFER_NO_AVX512", "1"}}).no_avx512);
  EXPECT_TRUE(read({{"MINFER_NO_NEON", "1"}}).no_neon);
  EXPECT_TRUE(read({{"MINFER_TIMING", "1"}}).timing);
  EXPECT_TRUE(read({{"MINFER_OP_TIMING", "1"}}).op_timing);
  EXPECT_TRUE(read({{"MINFER_TRACE", "1"}}).trace);
  EXPECT_TRUE(read({{"MINFER_GRAPH_TRACE", "1"}}).graph_trace);
  EXPECT_FALSE(read({{"MINFER_GRAPH_TRACE", "1"}}).trace);
  EXPECT_TRUE(read({{"MINFER_DISABLE_CUDA", "1"}}).disable_cuda);
  EXPECT_TRUE(read({{"MINFER_DISABLE_METAL", "1"}}).disable_metal);
}

TEST(Levers, TextsAreTakenAsTheyAre) {
  const Levers levers = read({{"MINFER_KERNEL", "q4_0_avx2"}, {"MINFER_GRAPH_DUMP", "/a b/graph.dot"}});
  EXPECT_EQ(levers.kernel, "q4_0_avx2");
  EXPECT_EQ(levers.graph_dump, "/a b/graph.dot");
}

TEST(Levers, MalformedValueNamesVariableValueAndChoices) {
  EXPECT_EQ(read({{"MINFER_CACHE_TYPE", "q8_0"}}).cache_type, "q8_0");
  EXPECT_EQ(read({{"MINFER_CACHE_TYPE", ""}}).cache_type, "");
  try {
    read({{"MINFER_CACHE_TYPE", "q8"}});
    FAIL() << "q8 was accepted";
  } catch (const InvalidRequestError& error) {
    EXPECT_STREQ(error.what(),
                 "environment variable MINFER_CACHE_TYPE is \"q8\", but must be one of f32|f16|q8_0");
  }
}

TEST(Levers, TableListsExactlyWhatIsRead) {
  std::set<std::string> asked, listed;
  read_levers([&](const char* name) -> const char* {
    asked.insert(name);
    return nullptr;
  });
  for (const LeverInfo& lever : lever_table()) {
    listed.insert(std::string(lever.name));
    EXPECT_FALSE(lever.values.empty() || lever.meaning.empty()) << lever.name;
  }
  EXPECT_EQ(asked, listed);
  EXPECT_EQ(lever_table().size(), listed.size());
}

}  // namespace
}  // namespace minfer
