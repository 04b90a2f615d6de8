// The list of subcommands, in the order that --help prints them.
#include <array>

#include "cli/command.h"
#include "cli/eval.h"
#include "cli/quantize.h"
#include "cli/run.h"
#include "cli/synth.h"

namespace minfer::cli {
namespace {

constexpr std::array kCommands = {
    Command{"run", "continue a prompt (the default command)", declare_run},
    Command{"eval", "logits and greedy tokens of given token ids, as JSON", declare_eval},
    Command{"quantize", "write a model in another type", declare_quantize},
    Command{"synth", "write a model of random weights, of any shape and type", declare_synth},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace minfer::cli
