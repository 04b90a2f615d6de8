#include "cli/quantize.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "base/cpu_count.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/thread_pool.h"
#include "cli/interrupt.h"
#include "cli/model_output.h"
#include "cli/output.h"
#include "gguf/file.h"
#include "gguf/metadata.h"
#include "gguf/writer.h"
#include "minfer/error.h"
#include "quant/encode_rows.h"
#include "quant/traits.h"

namespace minfer::cli {
namespace {

struct PlannedTensor {
  const gguf::TensorInfo* source;
  TensorDesc desc;
};

MixModel describe_model(const gguf::Reader& reader) {
  const std::string architecture(gguf::get_string(reader, "general.architecture"));
  MixModel model;
  model.n_layer = static_cast<int>(gguf::get_u32(reader, architecture + ".block_count", 1, 1u << 20));
  const auto n_head = gguf::find_u32(reader, architecture + ".attention.head_count", 1, 1u << 20);
  const auto n_head_kv = gguf::find_u32(reader, architecture + ".attention.head_count_kv", 1, 1u << 20);
  model.grouped_heads = n_head && n_head_kv && *n_head_kv < *n_head;
  model.tied_head = reader.find_tensor("output.weight") == nullptr;
  return model;
}

std::vector<PlannedTensor> plan(const gguf::Reader& reader, const FileType& file_type, bool pure) {
  const MixModel model = describe_model(reader);
  std::vector<PlannedTensor> planned;
  std::vector<TypeChoice> choices;
  bool quantized_twice = false;
  for (const gguf::TensorInfo& info : reader.tensors()) {
    if (!info.dtype || !find_quant_traits(*info.dtype))
      throw UnsupportedError(fmt::format("{}: tensor {}: type {} cannot be decoded", reader.file_name(),
                                         info.name, info.dtype ? dtype_name(*info.dtype) : "unknown"));
    TensorDesc desc{*info.dtype, info.shape};
    if (is_quantizable(info.name, info.shape)) {
      const TypeChoice choice = choose_type(file_type, model, info.name, info.shape, pure);
      choices.push_back(choice);
      desc.dtype = choice.type;
    }
    quantized_twice |= desc.dtype != *info.dtype && dtype_info(*info.dtype).block_values > 1;
    planned.push_back({&info, desc});
  }
  log_fallbacks(choices);
  if (quantized_twice)
    log_warning("{}: weights that are quantized already lose more than those of a float file",
                reader.file_name());
  return planned;
}

void copy_metadata(const gguf::Reader& reader, const FileType& file_type, gguf::Writer& writer) {
  for (const auto& [key, value] : reader.metadata())
    if (key != "general.alignment" && key != "general.file_type" && key != "general.quantization_version")
      writer.add_value(key, value);
  writer.add_u32("general.file_type", file_type.id);
  writer.add_u32("general.quantization_version", 2);  // of the formats of quant/: the only one in use
}

// Rows of `source` in the type `type`. A tensor that keeps its type is copied byte for byte, but read as well: a
// weight that is not finite must not pass.
void convert_rows(const TensorView& source, DType type, std::int64_t first, std::int64_t n_rows,
                  std::byte* out) {
  const std::int64_t cols = source.desc.shape.cols();
  const std::size_t source_bytes = row_bytes(source.desc.dtype, cols);
  const std::size_t bytes = row_bytes(type, cols);
  const QuantTraits& traits = quant_traits(source.desc.dtype);
  std::vector<float> values(static_cast<std::size_t>(cols));
  for (std::int64_t row = first; row < first + n_rows; ++row, out += bytes) {
    const std::byte* from = source.data + static_cast<std::size_t>(row) * source_bytes;
    traits.decode(from, values.data(), cols);
    if (type != source.desc.dtype) {
      encode_rows(type, values.data(), 1, cols, out, row);
      continue;
    }
    for (std::int64_t i = 0; i < cols; ++i)
      if (!std::isfinite(values[static_cast<std::size_t>(i)]))
        throw InvalidFileError(
            fmt::format("the value at row {}, column {} is {}", row, i, values[static_cast<std::size_t>(i)]));
    std::memcpy(out, from, bytes);
  }
}

void write_tensors(const gguf::Reader& reader, const std::vector<PlannedTensor>& tensors,
                   TensorOutput& output) {
  for (const auto& [info, desc] : tensors) {
    const TensorView source = reader.view(*info);
    try {
      output.write(info->name, desc, [&](std::int64_t first, std::int64_t n_rows, std::byte* out) {
        convert_rows(source, desc.dtype, first, n_rows, out);
      });
    } catch (const InvalidFileError& error) {
      throw InvalidFileError(fmt::format("{}: tensor {}: {}", reader.file_name(), info->name, error.what()));
    }
  }
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) && !error;
}

}  // namespace

std::string quantize(const QuantizeOptions& options, const FileType& file_type, std::stop_token stop) {
  if (same_file(options.input, options.output))
    throw InvalidRequestError(
        fmt::format("input and output are the same file, {}", printable(options.input.string())));
  const auto file = gguf::File::open(options.input);
  const gguf::Reader& reader = file->reader();
  const std::vector<PlannedTensor> tensors = plan(reader, file_type, options.pure);
  std::uint64_t total = 0;
  std::vector<DType> types;
  for (const PlannedTensor& tensor : tensors) {
    total += tensor_bytes(tensor.desc);
    types.push_back(tensor.desc.dtype);
  }
  check_output_path(options.output, options.force, total);

  gguf::Writer writer(options.output, static_cast<std::uint32_t>(reader.alignment()));
  copy_metadata(reader, file_type, writer);
  for (const PlannedTensor& tensor : tensors) writer.add_tensor(tensor.source->name, tensor.desc);
  ThreadPool pool(options.threads, ThreadPool::Wait::kSleep);
  TensorOutput output(writer, pool, total, std::move(stop));
  write_tensors(reader, tensors, output);
  writer.finish();
  return fmt::format("{}: {} of tensors (from {}): {}", printable(options.output.string()),
                     describe_bytes(total), describe_bytes(reader.file_bytes()), describe_types(types));
}

CommandBody declare_quantize(CLI::App& parser) {
  struct Arguments {
    std::string input, output, type;
    QuantizeOptions options;
  };
  auto arguments = std::make_shared<Arguments>();
  arguments->options.threads = count_cpus().default_threads();
  parser.add_option("IN", arguments->input, "GGUF file of any type that can be run")->required();
  parser.add_option("OUT", arguments->output, "File to write; appears when it is complete")->required();
  parser
      .add_option(
          "TYPE", arguments->type,
          file_type_names() +
              ".\nAs in llama.cpp, the output head (the embedding where both are one) gets q6_K, and _s and "
              "_m mix two types; rows that are no multiple of 256 fall back to a type of smaller blocks")
      ->required();
  parser.add_flag("--pure", arguments->options.pure,
                  "Every matrix in the type's base type, the head included");
  parser.add_flag("--force", arguments->options.force, "Replace OUT if it exists (it is refused otherwise)");
  parser.add_option("-t,--threads", arguments->options.threads, "Threads")
      ->check(CLI::Range(1, ThreadPool::kMaxWorkers))
      ->capture_default_str();
  return [arguments] {
    arguments->options.input = arguments->input;
    arguments->options.output = arguments->output;
    write_output(quantize(arguments->options, parse_file_type(arguments->type), interrupt_token()) + "\n");
    return 0;
  };
}

}  // namespace minfer::cli
