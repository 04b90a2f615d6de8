// The list of subcommands, in the order that --help prints them.
#include <array>

#include "cli/bench.h"
#include "cli/command.h"
#include "cli/doctor.h"
#include "cli/eval.h"
#include "cli/inspect.h"
#include "cli/perplexity.h"
#include "cli/quantize.h"
#include "cli/run.h"
#include "cli/synth.h"
#include "cli/tokenize.h"

namespace minfer::cli {
namespace {

constexpr std::array kCommands = {
    Command{"run", "continue a prompt (the default command)", declare_run},
    Command{"bench", "tokens per second, with llama-bench's flags and columns", declare_bench},
    Command{"doctor", "what this machine offers, and what a model would get of it", declare_doctor},
    Command{"perplexity", "how well a model predicts a text, by llama.cpp's convention", declare_perplexity},
    Command{"inspect", "metadata and tensors of a GGUF file", declare_inspect},
    Command{"tokenize", "token ids of a text", declare_tokenize},
    Command{"detokenize", "text of token ids", declare_detokenize},
    Command{"eval", "logits and greedy tokens of given token ids, as JSON", declare_eval},
    Command{"quantize", "write a model in another type", declare_quantize},
    Command{"synth", "write a model of random weights, of any shape and type", declare_synth},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace minfer::cli
