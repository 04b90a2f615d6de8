#include "tokenizer/keyed_hash.h"

#include <cstring>
#include <random>

namespace minfer {
namespace {

struct Key {
  uint64_t a, b;
};

uint64_t random_odd(std::random_device& device) { return (uint64_t{device()} << 32 | device()) | 1; }

const Key& process_key() {
  static const Key key = [] {
    std::random_device device;
    return Key{random_odd(device), random_odd(device)};
  }();
  return key;
}

uint64_t fold(uint64_t x, uint64_t y) {
  const unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t load(const char* bytes, size_t n) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, n);
  return word;
}

}  // namespace

uint64_t keyed_hash(uint64_t value) {
  const Key& key = process_key();
  return fold(value ^ key.a, key.b);
}

uint64_t keyed_hash(std::string_view text) {
  const Key& key = process_key();
  uint64_t hash = key.a ^ text.size();
  const char* bytes = text.data();
  size_t left = text.size();
  for (; left > 8; bytes += 8, left -= 8) hash = fold(hash ^ load(bytes, 8), key.b);
  return fold(hash ^ load(bytes, left), key.b);
}

}  // namespace minfer
