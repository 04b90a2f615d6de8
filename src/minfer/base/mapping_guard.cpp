#include "base/mapping_guard.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace minfer {
namespace {

// A slot is free while begin is 0. kClaimed marks one that is being filled: no address is below it.
struct Slot {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::atomic<const char*> message{nullptr};
};
constexpr std::uintptr_t kClaimed = 1;
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

constinit std::array<Slot, 256> slots;

const char* message_for(std::uintptr_t address) noexcept {
  for (const Slot& slot : slots) {
    const std::uintptr_t begin = slot.begin.load(std::memory_order_acquire);
    if (begin > kClaimed && begin <= address && address < slot.end.load()) return slot.message.load();
  }
  return nullptr;
}

// Async-signal-safe calls only.
void on_bus_error(int signal_number, siginfo_t* info, void*) {
  const bool has_address = info->si_code == BUS_ADRERR;
  const char* message = has_address ? message_for(reinterpret_cast<std::uintptr_t>(info->si_addr)) : nullptr;
  if (message == nullptr) {  // not ours: again, with the default action, once this handler has returned
    ::signal(signal_number, SIG_DFL);
    ::raise(signal_number);
    return;
  }
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message, std::strlen(message));
  ::_exit(1);
}

}  // namespace

void guard_mapping(std::span<const std::byte> mapping, const char* message) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(mapping.data());
  for (Slot& slot : slots) {
    std::uintptr_t expected = 0;
    if (!slot.begin.compare_exchange_strong(expected, kClaimed)) continue;
    slot.end.store(begin + mapping.size());
    slot.message.store(message);
    slot.begin.store(begin, std::memory_order_release);
    return;
  }
}

void unguard_mapping(const std::byte* begin) noexcept {
  for (Slot& slot : slots) {
    if (slot.begin.load() != reinterpret_cast<std::uintptr_t>(begin)) continue;
    slot.begin.store(0);
    return;
  }
}

void install_truncated_file_handler() noexcept {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace minfer
