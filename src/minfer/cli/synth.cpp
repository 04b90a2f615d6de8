#include "cli/synth.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "base/cpu_count.h"
#include "base/printable.h"
#include "base/thread_pool.h"
#include "cli/interrupt.h"
#include "cli/model_output.h"
#include "cli/output.h"
#include "cli/synth/metadata.h"
#include "cli/synth/random_rows.h"
#include "cli/synth/tensors.h"
#include "cli/synth/vocabulary.h"
#include "gguf/writer.h"

namespace minfer::cli {
namespace {

void write_tensor(const SynthTensor& tensor, const SynthShape& shape, std::uint64_t key,
                  TensorOutput& output) {
  const std::int64_t cols = tensor.desc.shape.cols();
  output.write(tensor.name, tensor.desc, [&](std::int64_t first, std::int64_t n_rows, std::byte* out) {
    if (tensor.values == SynthTensor::Values::kRopeDivisors) {
      const std::vector<float> divisors = llama3_rope_divisors(shape.rope_base, shape.head_dim);
      std::memcpy(out, divisors.data(), divisors.size() * sizeof(float));
      return;
    }
    fill_random_rows(tensor.desc.dtype, key, tensor.deviation, first, n_rows, cols, out);
    if (tensor.values != SynthTensor::Values::kGain) return;
    for (std::int64_t i = 0; i < n_rows * cols; ++i, out += sizeof(float)) {
      float value;
      std::memcpy(&value, out, sizeof value);
      value += 1;
      std::memcpy(out, &value, sizeof value);
    }
  });
}

// The dimensions that were given on the command line, over those of the preset.
struct GivenShape {
  std::string preset;
  std::optional<std::string> architecture;
  std::optional<int> n_layer, n_embd, n_ff, n_head, n_head_kv, head_dim, n_vocab, n_ctx;
  std::optional<float> rope_base, rms_eps;
  bool tied = false;
  bool untied = false;
  bool rope_divisors = false;

  SynthShape resolve() const {
    SynthShape shape;
    if (!preset.empty()) {
      const SynthPreset* known = find_synth_preset(preset);
      if (!known)
        throw UsageError(fmt::format("there is no preset \"{}\"; presets: {}", preset, synth_preset_names()));
      shape = known->shape;
    } else if (!architecture || !n_layer || !n_embd || !n_ff || !n_head || !n_vocab) {
      throw UsageError("without a preset, --arch, --layers, --embd, --ff, --heads and --vocab are needed");
    }
    shape.architecture = architecture.value_or(shape.architecture);
    shape.n_layer = n_layer.value_or(shape.n_layer);
    shape.n_embd = n_embd.value_or(shape.n_embd);
    shape.n_ff = n_ff.value_or(shape.n_ff);
    shape.n_vocab = n_vocab.value_or(shape.n_vocab);
    resolve_heads(shape);
    resolve_positions(shape);
    if (tied || untied) shape.tied_head = tied;
    return shape;
  }

 private:
  void resolve_heads(SynthShape& shape) const {
    shape.n_head = n_head.value_or(shape.n_head);
    shape.n_head_kv = n_head_kv.value_or(preset.empty() ? shape.n_head : shape.n_head_kv);
    if (head_dim) {
      shape.head_dim = *head_dim;
    } else if (preset.empty()) {
      if (shape.n_head < 1 || shape.n_embd % shape.n_head != 0)
        throw UsageError(fmt::format("--heads {} is not a divisor of --embd {}, so --head-dim is needed",
                                     shape.n_head, shape.n_embd));
      shape.head_dim = shape.n_embd / shape.n_head;
    }
  }

  void resolve_positions(SynthShape& shape) const {
    const bool llama = shape.architecture == "llama";
    shape.n_ctx = n_ctx.value_or(preset.empty() ? 4096 : shape.n_ctx);
    shape.rope_base = rope_base.value_or(!preset.empty() ? shape.rope_base : llama ? 1e4f : 1e6f);
    shape.rms_eps = rms_eps.value_or(!preset.empty() ? shape.rms_eps : llama ? 1e-5f : 1e-6f);
    shape.rope_divisors = llama && (shape.rope_divisors || rope_divisors);
  }
};

void add_shape_options(CLI::App& parser, GivenShape& given) {
  parser.add_option("PRESET", given.preset, synth_preset_names());
  parser.add_option("--arch", given.architecture, "Architecture")
      ->check(CLI::IsMember({"qwen2", "qwen3", "llama"}));
  parser.add_option("--layers", given.n_layer, "Layers");
  parser.add_option("--embd", given.n_embd, "Hidden size");
  parser.add_option("--ff", given.n_ff, "Feed-forward size");
  parser.add_option("--heads", given.n_head, "Query heads");
  parser.add_option("--kv-heads", given.n_head_kv, "Key-value heads (without a preset: as many as heads)");
  parser.add_option("--head-dim", given.head_dim, "Size of a head (without a preset: hidden size / heads)");
  parser.add_option("--vocab", given.n_vocab, "Tokens in the vocabulary");
  parser.add_option("--ctx", given.n_ctx,
                    "Context the model claims to be trained for (without a preset: 4096)");
  parser.add_option("--rope-base", given.rope_base, "RoPE base (without a preset: 1e6; llama: 1e4)");
  parser.add_option("--eps", given.rms_eps, "Epsilon of the RMS norms (without a preset: 1e-6; llama: 1e-5)");
  parser.add_flag("--rope-divisors", given.rope_divisors, "Add Llama 3.1's frequency divisors (llama only)");
  auto* tied = parser.add_flag("--tied", given.tied, "The embedding is the output head as well");
  parser.add_flag("--untied", given.untied, "The output head is a matrix of its own")->excludes(tied);
}

}  // namespace

std::string synth(const SynthOptions& options, const FileType& file_type, std::stop_token stop) {
  check_shape(options.shape);
  const std::vector<SynthTensor> tensors = synth_tensors(options.shape, file_type, options.pure);
  std::uint64_t total = 0;
  std::vector<DType> types;
  for (const SynthTensor& tensor : tensors) {
    total += tensor_bytes(tensor.desc);
    types.push_back(tensor.desc.dtype);
  }
  check_output_path(options.output, options.force, total);

  gguf::Writer writer(options.output);
  write_metadata(options.name, options.shape, file_type,
                 make_vocabulary(options.shape.architecture, options.shape.n_vocab), writer);
  for (const SynthTensor& tensor : tensors) writer.add_tensor(tensor.name, tensor.desc);
  ThreadPool pool(options.threads, ThreadPool::Wait::kSleep);
  TensorOutput output(writer, pool, total, std::move(stop));
  for (std::size_t i = 0; i < tensors.size(); ++i)
    write_tensor(tensors[i], options.shape, mix_bits(mix_bits(options.seed) + i), output);
  writer.finish();
  return fmt::format("{}: {} of tensors: {}", printable(options.output.string()), describe_bytes(total),
                     describe_types(types));
}

CommandBody declare_synth(CLI::App& parser) {
  struct Arguments {
    GivenShape shape;
    std::string type, output;
    SynthOptions options;
  };
  auto arguments = std::make_shared<Arguments>();
  SynthOptions& options = arguments->options;
  options.threads = count_cpus().default_threads();
  add_shape_options(parser, arguments->shape);
  parser.add_option("--type", arguments->type, file_type_names())->required();
  parser.add_option("-o,--output", arguments->output, "File to write; appears when it is complete")
      ->required();
  parser.add_option("--seed", options.seed, "The same seed gives the same file")->capture_default_str();
  parser.add_flag("--pure", options.pure, "Every matrix in the type's base type, the head included");
  parser.add_flag("--force", options.force, "Replace the output if it exists (it is refused otherwise)");
  parser.add_option("-t,--threads", options.threads, "Threads")
      ->check(CLI::Range(1, ThreadPool::kMaxWorkers))
      ->capture_default_str();
  return [arguments] {
    SynthOptions& chosen = arguments->options;
    chosen.shape = arguments->shape.resolve();
    chosen.output = arguments->output;
    chosen.name = fmt::format(
        "synth-{}-seed{}",
        arguments->shape.preset.empty() ? chosen.shape.architecture : arguments->shape.preset, chosen.seed);
    write_output(synth(chosen, parse_file_type(arguments->type), interrupt_token()) + "\n");
    return 0;
  };
}

}  // namespace minfer::cli
