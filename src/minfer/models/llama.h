#pragma once

#include <memory>

#include "models/architecture.h"

namespace minfer {

std::unique_ptr<Architecture> load_llama(const gguf::Reader& file);

}  // namespace minfer
