#include "models/architecture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "minfer/error.h"
#include "models/model_file.h"

namespace minfer::test {
namespace {

// A file and the description read from it.
struct Loaded {
  std::vector<std::byte> bytes;
  gguf::Reader reader;
  std::unique_ptr<Architecture> architecture;

  explicit Loaded(const ModelFile& file)
      : bytes(file.build()),
        reader(gguf::Reader::parse(bytes, "m.gguf")),
        architecture(load_architecture(reader)) {}
};

// Expects a refusal in one line that names the file and contains every one of the texts.
void expect_refused(const ModelFile& file, std::initializer_list<std::string_view> texts) {
  try {
    Loaded loaded(file);
    ADD_FAILURE() << "not refused";
  } catch (const InternalError& error) {
    ADD_FAILURE() << "an internal error: " << error.what();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("m.gguf: ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string_view text : texts) EXPECT_NE(message.find(text), std::string::npos) << message;
  }
}

TEST(Architecture, ReadsTheNumbersOfAModel) {
  const Loaded loaded{ModelFile()};
  const Hyperparameters& h = loaded.architecture->hparams();
  EXPECT_EQ(h.n_layer, 1);
  EXPECT_EQ(h.n_q(), 32);
  EXPECT_EQ(h.n_kv(), 16);
  EXPECT_EQ(h.n_vocab, 8);
  EXPECT_EQ(h.rope.n_dims, 16);
  EXPECT_EQ(h.rope.base, 1e4f);
  EXPECT_EQ(h.rope_style, RopeStyle::kNeox);
  EXPECT_EQ(loaded.architecture->weights().size(), 13u);
}

TEST(Architecture, ATiedHeadReadsTheEmbeddingTwice) {
  const auto uses_of = [](const Loaded& loaded, std::string_view name) {
    for (const ModelWeight& weight : loaded.architecture->weights())
      if (weight.ref.name == name) return weight.uses;
    return WeightUses{0};
  };
  constexpr auto kGather = static_cast<WeightUses>(WeightUse::kGetRows);
  constexpr auto kProduct = static_cast<WeightUses>(WeightUse::kMatMul);
  EXPECT_EQ(uses_of(Loaded(ModelFile()), "token_embd.weight"), kGather | kProduct);
  const Loaded untied(ModelFile().tensor("output.weight", {32, 8}));
  EXPECT_EQ(uses_of(untied, "token_embd.weight"), kGather);
  EXPECT_EQ(uses_of(untied, "output.weight"), kProduct);
}

TEST(Architecture, HeadSizeAndKvHeadsHaveTheFormatsDefaults) {
  ModelFile file;
  file.without_key("qwen3.attention.key_length").without_key("qwen3.attention.value_length");
  file.without_key("qwen3.attention.head_count_kv");
  file.tensor("blk.0.attn_k.weight", {32, 32}).tensor("blk.0.attn_v.weight", {32, 32});
  const Loaded loaded(file);
  EXPECT_EQ(loaded.architecture->hparams().head_dim, 16);
  EXPECT_EQ(loaded.architecture->hparams().n_head_kv, 2);
}

TEST(Architecture, ReadsLinearAndYarnScaling) {
  ModelFile file;
  file.string("qwen3.rope.scaling.type", "linear").f32("qwen3.rope.scaling.factor", 4);
  EXPECT_EQ(Loaded(file).architecture->hparams().rope.scaling, RopeScaling::kLinear);
  EXPECT_EQ(Loaded(file).architecture->hparams().rope.factor, 4);
  EXPECT_EQ(Loaded(file).architecture->hparams().rope.attention_factor, 1);
  file.string("qwen3.rope.scaling.type", "yarn").u32("qwen3.rope.scaling.original_context_length", 32);
  const Loaded yarn(file);
  EXPECT_EQ(yarn.architecture->hparams().rope.original_context, 32);
  EXPECT_NEAR(yarn.architecture->hparams().rope.attention_factor, 1 + 0.1 * std::log(4.0), 1e-6);
}

TEST(Architecture, UnknownOnesAreRefusedWithTheKnownOnes) {
  expect_refused(ModelFile().string("general.architecture", "gpt-neox"),
                 {"gpt-neox", "qwen2", "qwen3", "llama"});
  expect_refused(ModelFile().without_key("general.architecture"), {"general.architecture"});
  expect_refused(ModelFile().u32("general.architecture", 3), {"general.architecture"});
}

struct HostileKey {
  const char* what;
  std::function<void(ModelFile&)> change;
  std::vector<std::string_view> texts;
};

TEST(Architecture, HostileHyperparametersAreRefusedNamingKeyAndValue) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const HostileKey cases[] = {
      {"no layers", [](auto& f) { f.u32("qwen3.block_count", 0); }, {"block_count", "0"}},
      {"too many layers",
       [](auto& f) { f.u32("qwen3.block_count", 4000000000); },
       {"block_count", "4000000000"}},
      {"layers as text", [](auto& f) { f.string("qwen3.block_count", "1"); }, {"block_count"}},
      {"more layers than tensors",
       [](auto& f) { f.u32("qwen3.block_count", 2); },
       {"blk.1.attn_norm.weight", "missing"}},
      {"no embedding size", [](auto& f) { f.without_key("qwen3.embedding_length"); }, {"embedding_length"}},
      {"huge embedding size",
       [](auto& f) { f.u32("qwen3.embedding_length", 1u << 31); },
       {"embedding_length"}},
      {"no heads", [](auto& f) { f.u32("qwen3.attention.head_count", 0); }, {"head_count", "0"}},
      {"KV heads no divisor",
       [](auto& f) { f.u32("qwen3.attention.head_count_kv", 3); },
       {"head_count_kv", "3"}},
      {"head size zero", [](auto& f) { f.u32("qwen3.attention.key_length", 0); }, {"key_length", "0"}},
      {"value size differs",
       [](auto& f) { f.u32("qwen3.attention.value_length", 8); },
       {"value_length", "8"}},
      {"context zero", [](auto& f) { f.u32("qwen3.context_length", 0); }, {"context_length", "0"}},
      {"no eps",
       [](auto& f) { f.without_key("qwen3.attention.layer_norm_rms_epsilon"); },
       {"layer_norm_rms_epsilon"}},
      {"eps NaN",
       [=](auto& f) { f.f32("qwen3.attention.layer_norm_rms_epsilon", nan); },
       {"layer_norm_rms_epsilon"}},
      {"eps negative",
       [](auto& f) { f.f32("qwen3.attention.layer_norm_rms_epsilon", -1e-6f); },
       {"layer_norm_rms_epsilon"}},
      {"rope base zero", [](auto& f) { f.f32("qwen3.rope.freq_base", 0); }, {"rope.freq_base"}},
      {"rope base NaN", [=](auto& f) { f.f32("qwen3.rope.freq_base", nan); }, {"rope.freq_base"}},
      {"rope dimensions odd",
       [](auto& f) { f.u32("qwen3.rope.dimension_count", 7); },
       {"rope.dimension_count", "7"}},
      {"rope dimensions beyond the head",
       [](auto& f) { f.u32("qwen3.rope.dimension_count", 32); },
       {"rope.dimension_count", "32"}},
      {"unknown scaling",
       [](auto& f) { f.string("qwen3.rope.scaling.type", "longrope"); },
       {"rope.scaling.type", "longrope"}},
      {"YaRN on a base of 1, whose frequencies are all equal",
       [](auto& f) { f.string("qwen3.rope.scaling.type", "yarn").f32("qwen3.rope.freq_base", 1); },
       {"rope.freq_base"}},
      {"unknown scaling that would clear the screen",
       [](auto& f) { f.string("qwen3.rope.scaling.type", "\x1b[2J"); },
       {"rope.scaling.type", "\\x1b[2J"}},
      {"scaling factor zero",
       [](auto& f) { f.string("qwen3.rope.scaling.type", "yarn").f32("qwen3.rope.scaling.factor", 0); },
       {"rope.scaling.factor"}},
  };
  for (const HostileKey& c : cases) {
    SCOPED_TRACE(c.what);
    ModelFile file;
    c.change(file);
    try {
      Loaded loaded(file);
      ADD_FAILURE() << "not refused";
    } catch (const InternalError& error) {
      ADD_FAILURE() << "an internal error: " << error.what();
    } catch (const Error& error) {
      for (const std::string_view text : c.texts)
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }
}

TEST(Architecture, TensorsThatDoNotFitAreRefusedByName) {
  constexpr std::uint32_t kI32Type = 26;
  constexpr std::uint32_t kIq2Type = 16;
  expect_refused(ModelFile().without_tensor("output_norm.weight"), {"output_norm.weight", "missing"});
  expect_refused(ModelFile().without_tensor("token_embd.weight"), {"token_embd.weight", "missing"});
  expect_refused(ModelFile().tensor("blk.0.ffn_up.weight", {32, 63}),
                 {"blk.0.ffn_up.weight", "(63, 32)", "(64, 32)"});
  expect_refused(ModelFile().tensor("blk.0.ffn_up.weight", {32, 64, 2}), {"blk.0.ffn_up.weight"});
  expect_refused(ModelFile().tensor("blk.0.attn_q_norm.weight", {32}), {"blk.0.attn_q_norm.weight", "(32)"});
  expect_refused(ModelFile().tensor("token_embd.weight", {16, 8}), {"token_embd.weight"});
  expect_refused(ModelFile().tensor("output.weight", {32, 9}), {"output.weight", "(9, 32)"});
  expect_refused(ModelFile().tensor("blk.0.attn_norm.weight", {32}, kI32Type),
                 {"blk.0.attn_norm.weight", "i32"});
  expect_refused(ModelFile().tensor("blk.0.attn_k.weight", {32, 16}, kI32Type),
                 {"blk.0.attn_k.weight", "i32"});
  expect_refused(ModelFile()
                     .tensor("blk.0.ffn_down.weight", {256, 32}, kIq2Type)
                     .u32("qwen3.feed_forward_length", 256)
                     .tensor("blk.0.ffn_gate.weight", {32, 256})
                     .tensor("blk.0.ffn_up.weight", {32, 256}),
                 {"blk.0.ffn_down.weight", "iq2_xxs", "requantize"});
  expect_refused(ModelFile().tensor("blk.0.attn_q.bias", {32}),
                 {"blk.0.attn_q.bias", "not part of this architecture"});
}

TEST(Architecture, EveryOneBuildsAGraphOfAnyBatchShape) {
  const Loaded loaded{ModelFile()};
  for (const BatchShape& shape :
       {BatchShape{1, 1, 1, 2}, BatchShape{5, 0, 1, 2}, BatchShape{7, 3, 2, 4, DType::kF32}}) {
    const Graph graph = loaded.architecture->build(1, shape);
    EXPECT_EQ(graph.outputs.size(), shape.n_logit_rows > 0 ? 1u : 0u);
    if (graph.outputs.empty()) continue;
    const TensorDesc& logits = graph.nodes[static_cast<std::size_t>(graph.outputs[0])].out;
    EXPECT_EQ(logits.shape, (Shape{8, shape.n_logit_rows}));
  }
}

}  // namespace
}  // namespace minfer::test
