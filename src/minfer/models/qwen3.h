#pragma once

#include <memory>

#include "models/architecture.h"

namespace minfer {

std::unique_ptr<Architecture> load_qwen3(const gguf::Reader& file);

}  // namespace minfer
