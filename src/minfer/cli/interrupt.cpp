#include "cli/interrupt.h"

#include <fmt/core.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <system_error>
#include <thread>

#include "cli/command.h"
#include "minfer/error.h"

namespace minfer::cli {
namespace {

// request_stop is no async-signal-safe call, so signals are taken by a thread that waits for them.
void wait_for_signals(std::stop_source* source, sigset_t signals) {
  int received = 0;
  sigwait(&signals, &received);
  source->request_stop();
  sigwait(&signals, &received);
  _exit(kExitInterrupted);
}

std::stop_source* install() {
  auto* source = new std::stop_source;  // never freed: the thread below may outlive main
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // inherited by every thread started later
  try {
    std::thread(wait_for_signals, source, signals).detach();
  } catch (const std::system_error& error) {
    throw Error(fmt::format("cannot start the thread that waits for Ctrl-C: {}", error.what()));
  }
  return source;
}

}  // namespace

std::stop_token interrupt_token() {
  static std::stop_source* source = install();
  return source->get_token();
}

}  // namespace minfer::cli
