#include "cli/synth.h"

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/synth/random_rows.h"
#include "cli/synth/tensors.h"
#include "cli/synth/vocabulary.h"
#include "gguf/file.h"
#include "gguf/metadata.h"
#include "minfer/engine.h"
#include "minfer/error.h"
#include "minfer/model.h"
#include "models/architecture.h"
#include "quant/traits.h"
#include "runtime/vocab.h"
#include "support/data.h"

namespace minfer::cli {
namespace {

using test::scratch_folder;

void expect_contains(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

SynthShape small_shape(const std::string& architecture) {
  SynthShape shape{architecture, 2, 256, 512, 8, 2, 32, 600, 512, 1e6f, 1e-6f, true, false};
  if (architecture == "llama") {
    shape.tied_head = false;
    shape.rope_divisors = true;
  }
  return shape;
}

std::filesystem::path made(const SynthShape& shape, std::string_view type, std::uint64_t seed = 1,
                           int threads = 2) {
  SynthOptions options;
  options.name = "synth-test";
  options.shape = shape;
  options.output = scratch_folder() / "synth.gguf";
  options.seed = seed;
  options.threads = threads;
  options.force = true;
  synth(options, *find_file_type(type), {});
  return options.output;
}

struct Moments {
  double mean = 0;
  double deviation = 0;
  double largest = 0;
};

Moments moments(std::span<const float> values) {
  double sum = 0, squares = 0, largest = 0;
  for (const float value : values) {
    sum += value;
    squares += double{value} * value;
    largest = std::max(largest, std::abs(double{value}));
  }
  const double mean = sum / static_cast<double>(values.size());
  return {mean, std::sqrt(squares / static_cast<double>(values.size()) - mean * mean), largest};
}

std::vector<float> decoded(const TensorView& view) {
  std::vector<float> values(static_cast<std::size_t>(view.desc.shape.elements()));
  quant_traits(view.desc.dtype).decode(view.data, values.data(), view.desc.shape.elements());
  return values;
}

TEST(RandomRows, EveryEncodableTypeHasTheDeviationAskedFor) {
  constexpr std::int64_t kRows = 512, kCols = 512;
  for (const QuantTraits* traits : all_quant_traits()) {
    if (!traits->encode) continue;
    SCOPED_TRACE(dtype_name(traits->type));
    std::vector<std::byte> blocks(row_bytes(traits->type, kCols) * kRows);
    fill_random_rows(traits->type, 7, 0.05f, 0, kRows, kCols, blocks.data());
    const std::vector<float> values = decoded({{traits->type, {kCols, kRows}}, blocks.data(), blocks.size()});
    const Moments all = moments(values);
    EXPECT_NEAR(all.deviation, 0.05, 0.0005);
    EXPECT_NEAR(all.mean, 0, 0.0005);
    EXPECT_LT(all.largest, 0.2);
  }
}

TEST(RandomRows, ARowIsTheSameWhereverAPieceStarts) {
  constexpr std::int64_t kCols = 256;
  const std::size_t bytes = row_bytes(DType::kQ4_K, kCols);
  std::vector<std::byte> all(8 * bytes), part(3 * bytes);
  fill_random_rows(DType::kQ4_K, 5, 1.0f, 0, 8, kCols, all.data());
  fill_random_rows(DType::kQ4_K, 5, 1.0f, 4, 3, kCols, part.data());
  EXPECT_EQ(std::memcmp(part.data(), all.data() + 4 * bytes, part.size()), 0);
  EXPECT_NE(std::memcmp(all.data(), all.data() + bytes, bytes), 0);
}

TEST(RandomRows, RefusesTypesWithoutEncoder) {
  std::vector<std::byte> blocks(1000);
  EXPECT_THROW(fill_random_rows(DType::kQ2_K, 1, 1.0f, 0, 1, 256, blocks.data()), UnsupportedError);
}

TEST(Synth, FileIsAFunctionOfTheSeedAlone) {
  const auto bytes = [](std::uint64_t seed, int threads) {
    return test::read_bytes(made(small_shape("qwen3"), "q4_k_m", seed, threads));
  };
  const auto file = bytes(1, 1);
  EXPECT_EQ(file, bytes(1, 3));
  EXPECT_NE(file, bytes(2, 1));
}

TEST(Synth, ModelsOfEveryArchitectureLoad) {
  for (const char* architecture : {"qwen2", "qwen3", "llama"})
    for (const FileType& file_type : file_types()) {
      SCOPED_TRACE(std::string(architecture) + " " + std::string(file_type.name));
      const gguf::File file(made(small_shape(architecture), file_type.name));
      const auto model = load_architecture(file.reader());
      EXPECT_EQ(model->hparams().n_vocab, 600);
      EXPECT_EQ(model->hparams().head_dim, 32);
      EXPECT_EQ(model->rope_divisors() != nullptr, std::string(architecture) == "llama");
    }
}

// Logits are finite (the engine throws otherwise) and of the size that the weights are made for.
TEST(Synth, ModelsRun) {
  for (const char* architecture : {"qwen2", "qwen3", "llama"}) {
    SCOPED_TRACE(architecture);
    SynthShape shape = small_shape(architecture);
    shape.n_layer = 12;
    EngineOptions options;
    options.n_threads = 2;
    Engine engine(Model::load(made(shape, "q4_k_m").string()), options);
    const SequenceId sequence = engine.create_sequence();
    std::vector<BatchToken> batch;
    for (TokenId token = 0; token < 20; ++token) batch.push_back({sequence, token * 7, token == 19});
    engine.decode(batch);
    const Moments logits = moments(engine.logits(0));
    EXPECT_NEAR(logits.deviation, 1, 0.2);
    EXPECT_NEAR(logits.mean, 0, 0.2);
  }
}

TEST(Synth, WeightsKeepActivationsOfOneSize) {
  const gguf::File file(made(small_shape("qwen2"), "q4_0"));
  const auto values = [&](const char* name) {
    return moments(decoded(file.reader().view(*file.reader().find_tensor(name))));
  };
  EXPECT_NEAR(values("blk.0.ffn_up.weight").deviation, 1 / std::sqrt(256.0), 0.002);
  EXPECT_NEAR(values("blk.1.ffn_down.weight").deviation, 1 / std::sqrt(512.0), 0.002);
  EXPECT_NEAR(values("blk.1.attn_norm.weight").mean, 1, 0.03);
  EXPECT_NEAR(values("blk.1.attn_q.bias").mean, 0, 0.02);
}

// Of a converted Llama 3 model of head size 32.
TEST(Synth, RopeDivisorsAreLlama3s) {
  MINFER_NEED_SHARED();
  const gguf::File file(test::shared_data("oracle/tiny-llama3-f32.gguf"));
  const TensorView view = file.reader().view(*file.reader().find_tensor("rope_freqs.weight"));
  EXPECT_EQ(llama3_rope_divisors(500000, 32), decoded(view));
}

double model_megabytes(std::string_view preset, std::string_view type) {
  const SynthShape& shape = find_synth_preset(preset)->shape;
  double bytes = 0;
  for (const SynthTensor& tensor : synth_tensors(shape, *find_file_type(type), false))
    bytes += static_cast<double>(tensor_bytes(tensor.desc));
  const SynthVocabulary vocabulary = make_vocabulary(shape.architecture, shape.n_vocab);
  for (const std::string& token : vocabulary.tokens) bytes += 12.0 + static_cast<double>(token.size());
  for (const std::string& merge : vocabulary.merges) bytes += 8.0 + static_cast<double>(merge.size());
  return bytes / 1e6;
}

// Sizes of models of these shapes as llama.cpp's quantizer makes them.
TEST(Synth, PresetsHaveTheSizesOfTheModels) {
  const struct {
    const char* preset;
    const char* type;
    double megabytes;
  } cases[] = {
      {"qwen2.5-0.5b", "q4_0", 352},
      {"qwen2.5-0.5b", "q8_0", 531},
      {"qwen2.5-0.5b", "q4_k_m", 398},
      {"qwen2.5-0.5b", "q6_k", 506},
      {"qwen3-0.6b", "q4_0", 382},
      {"qwen3-0.6b", "q8_0", 639},
      {"qwen3-0.6b", "q4_k_m", 397},
      {"qwen3-0.6b", "q6_k", 495},
      {"qwen2.5-1.5b", "q4_0", 935},
      {"qwen2.5-1.5b", "q8_0", 1647},
      {"qwen2.5-1.5b", "q4_k_m", 986},
      {"qwen2.5-1.5b", "q6_k", 1273},
      {"qwen2.5-7b", "q4_k_m", 4.36 * 1073.741824},
      {"llama-3.1-8b", "q4_k_m", 4920.7},  // the published file
  };
  for (const auto& [preset, type, megabytes] : cases)
    EXPECT_NEAR(model_megabytes(preset, type), megabytes, 0.005 * megabytes) << preset << " " << type;
}

TEST(SynthVocabulary, IsARealOneInSizeAndSpecialTokens) {
  const SynthVocabulary qwen = make_vocabulary("qwen2", 151936);
  EXPECT_EQ(qwen.tokens.size(), 151936u);
  EXPECT_EQ(qwen.tokens[151643], "<|endoftext|>");
  EXPECT_EQ(qwen.tokens[151645], "<|im_end|>");
  EXPECT_EQ(qwen.eos, 151645u);
  EXPECT_EQ(qwen.merges.size(), 151643u - 256);
  EXPECT_EQ(std::set(qwen.tokens.begin(), qwen.tokens.end()).size(), qwen.tokens.size());
  const SynthVocabulary llama = make_vocabulary("llama", 128256);
  EXPECT_EQ(llama.tokens[128000], "<|begin_of_text|>");
  EXPECT_EQ(llama.kinds[128255], 3);
  EXPECT_TRUE(llama.add_bos);
}

TEST(SynthVocabulary, EveryMergeMakesATokenOfEarlierOnes) {
  const SynthVocabulary vocabulary = make_vocabulary("qwen3", 60000);
  std::set<std::string> known(vocabulary.tokens.begin(), vocabulary.tokens.begin() + 256);
  for (std::size_t i = 0; i < vocabulary.merges.size(); ++i) {
    const std::string& merge = vocabulary.merges[i];
    const std::string left = merge.substr(0, merge.find(' ')), right = merge.substr(merge.find(' ') + 1);
    ASSERT_TRUE(known.contains(left) && known.contains(right)) << merge;
    ASSERT_EQ(vocabulary.tokens[256 + i], left + right);
    known.insert(left + right);
  }
}

TEST(SynthVocabulary, TokenizesAnyText) {
  const std::string text =
      "The quick brown fox, 1234 \xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x98\x80\n  <|im_end|>\t";
  for (const char* architecture : {"qwen2", "llama"})
    for (const int n_vocab : {300, 600, 20000}) {
      SynthShape shape = small_shape(architecture);
      shape.n_vocab = n_vocab;
      const gguf::File file(made(shape, "q8_0"));
      const auto tokenizer = load_tokenizer(file.reader());
      const std::vector<std::int32_t> ids = tokenizer->encode(text, false);
      EXPECT_EQ(tokenizer->decode(ids, false), text) << architecture << n_vocab;
      if (n_vocab == 20000) {
        EXPECT_EQ(tokenizer->encode("fox", false).size(), 1u);
        EXPECT_LT(tokenizer->encode("the quick brown fox jumps", false).size(), 12u);
      }
    }
  const gguf::File file(made(small_shape("qwen2"), "q8_0"));
  const auto tokenizer = load_tokenizer(file.reader());
  EXPECT_EQ(tokenizer->encode("<|im_end|>", true), (std::vector<std::int32_t>{599}));
  EXPECT_TRUE(tokenizer->is_end_of_generation(599));
}

std::string refusal(const SynthShape& shape) {
  try {
    check_shape(shape);
  } catch (const InvalidRequestError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(SynthShape, EveryDimensionIsChecked) {
  for (const SynthPreset& preset : synth_presets())
    EXPECT_EQ(refusal(preset.shape), "not refused") << preset.name;
  const auto with = [](auto change) {
    SynthShape shape = small_shape("qwen2");
    change(shape);
    return refusal(shape);
  };
  expect_contains(with([](SynthShape& shape) { shape.n_layer = 0; }), {"--layers is 0"});
  expect_contains(with([](SynthShape& shape) { shape.n_embd = -4; }), {"--embd is -4"});
  expect_contains(with([](SynthShape& shape) { shape.n_head_kv = 3; }), {"--kv-heads 3", "--heads 8"});
  expect_contains(with([](SynthShape& shape) { shape.n_head_kv = 16; }), {"--kv-heads is 16"});
  expect_contains(with([](SynthShape& shape) { shape.head_dim = 33; }), {"--head-dim 33"});
  expect_contains(with([](SynthShape& shape) { shape.n_vocab = 258; }), {"--vocab is 258", "259"});
  expect_contains(with([](SynthShape& shape) { shape.rope_base = NAN; }), {"--rope-base is nan"});
  expect_contains(with([](SynthShape& shape) { shape.rope_divisors = true; }), {"llama"});
}

std::string run_command(std::vector<std::string> arguments) {
  CLI::App parser;
  const CommandBody body = declare_synth(parser);
  try {
    parser.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    body();
  } catch (const UsageError& error) {
    return error.what();
  } catch (const Error& error) {
    return error.what();
  }
  return "done";
}

TEST(SynthCommand, DimensionsReplaceThoseOfAPreset) {
  const std::string path = (scratch_folder() / "command.gguf").string();
  ASSERT_EQ(run_command({"qwen3-0.6b", "--layers", "1", "--embd", "128", "--ff", "96", "--vocab", "700",
                         "--heads", "4", "--kv-heads", "2", "--untied", "--type", "Q4_0", "-o", path}),
            "done");
  const gguf::File file(path);
  EXPECT_EQ(gguf::get_string(file.reader(), "general.name"), "synth-qwen3-0.6b-seed1");
  EXPECT_EQ(file.reader().find_tensor("blk.0.attn_k.weight")->shape,
            (Shape{128, 256}));  // 2 heads of the preset's 128
  EXPECT_NE(file.reader().find_tensor("output.weight"), nullptr);
  expect_contains(run_command({"qwen3-0.6b", "--type", "q4_0", "-o", path}),
                  {"command.gguf", "exists", "--force"});
}

TEST(SynthCommand, SaysWhatIsWrong) {
  const std::string path = (scratch_folder() / "never.gguf").string();
  expect_contains(run_command({"qwen9", "--type", "q4_0", "-o", path}), {"qwen9", "llama-3.1-8b"});
  expect_contains(run_command({"qwen3-0.6b", "--type", "q4_9", "-o", path}), {"q4_9", "q4_k_m"});
  expect_contains(run_command({"--arch", "llama", "--type", "q4_0", "-o", path}), {"--layers", "--vocab"});
  expect_contains(run_command({"--arch", "llama", "--layers", "1", "--embd", "100", "--ff", "64", "--heads",
                               "3", "--vocab", "300", "--type", "q4_0", "-o", path}),
                  {"--heads 3", "--head-dim"});
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace minfer::cli
