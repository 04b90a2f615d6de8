#include "cli/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "cli/command.h"

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
  std::thread(wait_for_signals, source, signals).detach();
  return source;
}

}  // namespace

std::stop_token interrupt_token() {
  static std::stop_source* source = install();
  return source->get_token();
}

}  // namespace minfer::cli
