// The command line program: finds the subcommand, parses its options, turns exceptions into one line and a status.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/levers.h"
#include "base/log.h"
#include "base/mapping_guard.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/version.h"
#include "minfer/error.h"

namespace minfer::cli {
namespace {

const Command* find_command(std::string_view name) {
  for (const Command& command : commands())
    if (command.name == name) return &command;
  return nullptr;
}

void print_usage() {
  fmt::print("minfer {}: runs GGUF language models\n\n", version_text());
  fmt::print(
      "usage: minfer [MODEL.gguf] \"PROMPT\" [options]\n       minfer COMMAND [options]\n\ncommands:\n");
  for (const Command& command : commands()) fmt::print("  {:<12} {}\n", command.name, command.summary);
  fmt::print(
      "\nother options:\n  --version    version, compiler and instruction sets\n"
      "  --levers     environment variables for developers\n"
      "  --help       this text; minfer COMMAND --help explains a command\n");
}

void print_levers() {
  for (const LeverInfo& lever : lever_table())
    fmt::print("{:<26} {:<14} {}\n", lever.name, lever.values, lever.meaning);
}

// "-ub 512" -> "--ub 512": long options with one dash, as users of llama.cpp write them.
void accept_single_dashes(const CLI::App& parser, std::vector<std::string>& arguments) {
  for (std::string& argument : arguments) {
    const bool single = argument.size() > 2 && argument[0] == '-' && argument[1] != '-';
    const std::string name = "-" + argument.substr(0, argument.find('='));
    if (single && parser.get_option_no_throw(name)) argument.insert(0, "-");
  }
}

int run_command(const Command& command, std::vector<std::string> arguments) {
  CLI::App parser{std::string(command.summary), "minfer " + std::string(command.name)};
  parser.set_help_flag("-h,--help", "Explain this command");
  const CommandBody body = command.declare(parser);
  accept_single_dashes(parser, arguments);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
    parser.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", parser.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  return body();
}

int dispatch(std::vector<std::string> arguments) {
  if (arguments.empty()) {
    print_usage();
    return kExitUsage;
  }
  const std::string& first = arguments.front();
  if (first == "-h" || first == "--help" || first == "help") return print_usage(), 0;
  if (first == "--version") return fmt::print("{}", version_report()), 0;
  if (first == "--levers") return print_levers(), 0;
  const Command* command = find_command(first);
  if (command) {
    arguments.erase(arguments.begin());
  } else {
    command = find_command("run");
  }
  MINFER_CHECK(command, "run is one of the commands");
  return run_command(*command, std::move(arguments));
}

int main(int argc, char** argv) {
  reserve_standard_streams();
  install_truncated_file_handler();
  set_log_sink([](LogLevel level, std::string_view message) {
    level == LogLevel::kWarning ? print_warning(message) : print_note(message);
  });
  int status = kExitFailure;
  try {
    levers();  // a malformed lever is an error before anything runs
    const int result = dispatch({argv + 1, argv + argc});
    flush_output();  // else a full disk would go unnoticed
    status = result;
  } catch (const UsageError& error) {
    print_error(fmt::format("{} (minfer --help tells more)", error.what()));
    status = kExitUsage;
  } catch (const CancelledError&) {
    status = kExitInterrupted;
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  return status;
}

}  // namespace
}  // namespace minfer::cli

int main(int argc, char** argv) { return minfer::cli::main(argc, argv); }
