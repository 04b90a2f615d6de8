#define PCRE2_CODE_UNIT_WIDTH 8
#include "tokenizer/pre_tokenizer.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/printable.h"
#include "minfer/error.h"

namespace minfer {
namespace {

// The models' own patterns (tokenizer.json), with \s written out: their engines take White_Space for it,
// PCRE2 would take a few other characters.
constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+)"
    R"(|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+)";
constexpr std::string_view kLlama3Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n]*)"
    R"(|\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+)";
constexpr std::string_view kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n]*)"
    R"(|\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+)";

constexpr PreTokenizerInfo kGpt2{.pattern = kGpt2Pattern};
constexpr PreTokenizerInfo kLlama3{.pattern = kLlama3Pattern, .whole_words_first = true, .adds_bos = true};
constexpr PreTokenizerInfo kQwen2{.pattern = kQwen2Pattern, .nfc = true};

struct Named {
  std::string_view name;
  PreTokenizerInfo info;
};

constexpr std::array kPreTokenizers{
    Named{"gpt-2", kGpt2},
    Named{"phi-2", kGpt2},
    Named{"llama-bpe", kLlama3},
    Named{"llama3", kLlama3},
    Named{"llama-v3", kLlama3},
    Named{"falcon3", kLlama3},
    Named{"pixtral", kLlama3},
    Named{"smaug-bpe", {.pattern = kLlama3Pattern}},
    Named{"qwen2", kQwen2},
    Named{"deepseek-r1-qwen",
          {.pattern = kQwen2Pattern}},  // Qwen2's vocabulary, but its tokenizer leaves text as it is
};

std::string error_text(int error) {
  std::array<PCRE2_UCHAR, 256> buffer{};
  pcre2_get_error_message(error, buffer.data(), buffer.size());
  return {buffer.begin(), std::find(buffer.begin(), buffer.end(), 0)};
}

struct MatchDeleter {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

// No recursion, and effort that grows with the text only.
std::unique_ptr<pcre2_match_context, MatchDeleter> make_limits(size_t text_bytes) {
  constexpr uint32_t kHeapKib = 64 * 1024;
  std::unique_ptr<pcre2_match_context, MatchDeleter> limits(pcre2_match_context_create(nullptr));
  if (!limits) throw OutOfMemoryError("no memory to match text");
  const size_t steps = std::min<size_t>(10000 + 16 * text_bytes, UINT32_MAX);
  pcre2_set_match_limit(limits.get(), static_cast<uint32_t>(steps));
  pcre2_set_heap_limit(limits.get(), kHeapKib);
  return limits;
}

}  // namespace

PreTokenizerInfo find_pre_tokenizer(std::string_view name) {
  std::string known;
  for (const Named& entry : kPreTokenizers) {
    if (entry.name == name) return entry.info;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  if (name.empty()) {
    throw UnsupportedError(fmt::format("the vocabulary names no pre-tokenizer; known are {}", known));
  }
  throw UnsupportedError(
      fmt::format("the pre-tokenizer \"{}\" is not known; known are {}", printable(name, 64), known));
}

void PreTokenizer::CodeDeleter::operator()(pcre2_real_code_8* code) const { pcre2_code_free(code); }

PreTokenizer::PreTokenizer(std::string_view pattern) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), PCRE2_UTF, &error,
                            &offset, nullptr));
  MINFER_CHECK(code_ != nullptr, "{} at {} of {}", error_text(error), offset, pattern);
  // Where the system forbids generated code, the same pattern runs interpreted.
  pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);
}

std::vector<std::string_view> PreTokenizer::split(std::string_view text) const {
  const std::unique_ptr<pcre2_match_data, MatchDeleter> match(pcre2_match_data_create(1, nullptr));
  if (!match) throw OutOfMemoryError("no memory to match text");
  const auto limits = make_limits(text.size());
  const auto subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  const PCRE2_SIZE* span = pcre2_get_ovector_pointer(match.get());
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    const int found =
        pcre2_match(code_.get(), subject, text.size(), at, PCRE2_NO_UTF_CHECK, match.get(), limits.get());
    if (found < 0 && found != PCRE2_ERROR_NOMATCH) {
      throw UnsupportedError(
          fmt::format("the pre-tokenizer gives up at byte {} of {}: {}", at, text.size(), error_text(found)));
    }
    const size_t begin = found < 0 ? text.size() : span[0];
    if (begin > at) words.push_back(text.substr(at, begin - at));  // what no alternative of the pattern takes
    if (begin == text.size()) break;
    MINFER_CHECK(span[1] > begin, "an empty word at byte {}", begin);
    words.push_back(text.substr(begin, span[1] - begin));
    at = span[1];
  }
  return words;
}

}  // namespace minfer
