#include "gguf/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/printable.h"

namespace minfer::gguf {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view start;
  std::string_view meaning;
};

constexpr std::array kSignatures = {
    Signature{"FUGG"sv, "a byte-swapped (big-endian) GGUF file; convert it on a little-endian machine"},
    Signature{"version https://git-lfs"sv,
              "a git-lfs pointer, not the model itself; fetch it with `git lfs pull`"},
    Signature{"PK\x03\x04"sv, "a zip archive, perhaps a PyTorch checkpoint; convert the model to GGUF"},
    Signature{"\x80\x02"sv, "a Python pickle, perhaps a PyTorch checkpoint; convert the model to GGUF"},
    Signature{"lmgg"sv, "an old GGML model file (before GGUF); convert the original model again"},
    Signature{"tjgg"sv, "an old GGJT model file (before GGUF); convert the original model again"},
    Signature{"fmgg"sv, "an old GGMF model file (before GGUF); convert the original model again"},
    Signature{"algg"sv, "an old GGLA adapter file (before GGUF); convert the original adapter again"},
    Signature{"\x1f\x8b"sv, "gzip-compressed; decompress it first"},
    Signature{"\x28\xb5\x2f\xfd"sv, "zstd-compressed; decompress it first"},
    Signature{"\xfd\x37zXZ"sv, "xz-compressed; decompress it first"},
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool looks_like_html(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (start == std::string_view::npos) return false;
  std::string head(text.substr(start, 14));
  std::transform(head.begin(), head.end(), head.begin(), lower);
  return head.starts_with("<!doctype html") || head.starts_with("<html") || head.starts_with("<?xml") ||
         head.starts_with("<head");
}

// safetensors: a 64-bit header length, then JSON.
bool looks_like_safetensors(std::string_view text) { return text.size() > 9 && text.substr(8, 2) == "{\""; }

}  // namespace

std::string why_not_gguf(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()),
                              std::min<std::size_t>(file.size(), 512));
  if (text.starts_with("GGUF")) return {};
  if (text.empty()) return "the file is empty";
  for (const Signature& signature : kSignatures)
    if (text.starts_with(signature.start))
      return fmt::format("not a GGUF file: this is {}", signature.meaning);
  if (looks_like_html(text)) return "not a GGUF file: this is an HTML page, probably from a failed download";
  if (looks_like_safetensors(text))
    return "not a GGUF file: this is a safetensors file; convert the model to GGUF";
  return fmt::format("not a GGUF file: it starts with '{}' instead of 'GGUF'", printable(text.substr(0, 4)));
}

}  // namespace minfer::gguf
