// The list of architectures. A new one is a line here, its file and its test (docs/adding-a-model.md).
#include <fmt/core.h>

#include <array>

#include "base/printable.h"
#include "gguf/metadata.h"
#include "minfer/error.h"
#include "models/architecture.h"
#include "models/llama.h"
#include "models/qwen2.h"
#include "models/qwen3.h"

namespace minfer {
namespace {

constexpr std::array kArchitectures = {
    ArchitectureEntry{"qwen2", load_qwen2},
    ArchitectureEntry{"qwen3", load_qwen3},
    ArchitectureEntry{"llama", load_llama},
};

}  // namespace

std::span<const ArchitectureEntry> architectures() { return kArchitectures; }

std::unique_ptr<Architecture> load_architecture(const gguf::Reader& file) {
  const std::string_view name = gguf::get_string(file, "general.architecture");
  std::string known;
  for (const ArchitectureEntry& entry : kArchitectures) {
    if (entry.name == name) return entry.load(file);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  throw UnsupportedError(fmt::format("{}: architecture \"{}\" is not supported (known: {})", file.file_name(),
                                     printable(name, 64), known));
}

}  // namespace minfer
