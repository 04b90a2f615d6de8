// The metadata of a model made by synth: everything that a real model's file has.
#pragma once

#include <string_view>

#include "cli/synth/shape.h"
#include "cli/synth/vocabulary.h"
#include "gguf/writer.h"
#include "quant/mix.h"

namespace minfer::cli {

void write_metadata(std::string_view name, const SynthShape& shape, const FileType& file_type,
                    const SynthVocabulary& vocabulary, gguf::Writer& writer);

}  // namespace minfer::cli
