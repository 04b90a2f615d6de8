// An engine under thousands of random requests, valid and not, beside a plain model of what each sequence holds: after
// every step the lengths are as expected, and logits have the bits of a fresh engine that was given the same tokens.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "minfer/engine.h"
#include "minfer/error.h"
#include "support/data.h"

namespace minfer::test {
namespace {

constexpr int kContext = 200;  // four pages, the last one not full
constexpr int kSequences = 5;
constexpr int kVocab = 512;

EngineOptions options_for(KvCellType cell, int n_sequences) {
  EngineOptions options;
  options.n_ctx = kContext;
  options.n_sequences = n_sequences;
  options.n_ubatch = 24;
  options.n_threads = 2;
  options.kv_cell = cell;
  return options;
}

// What a sequence holds. After a context shift its keys are no longer those of a fresh sequence: only forks of it can
// be compared with each other.
struct Contents {
  std::vector<TokenId> tokens;
  bool shifted = false;
};

class RandomRequests {
 public:
  RandomRequests(std::shared_ptr<const Model> model, KvCellType cell, unsigned seed)
      : engine_(model, options_for(cell, kSequences)), fresh_(model, options_for(cell, 1)), random_(seed) {}

  void step() {
    switch (below(10)) {
      case 0:
        return create();
      case 1:
        return free();
      case 2:
        return fork();
      case 3:
        return truncate();
      case 4:
        return shift();
      case 5:
        return refuse();
      case 6:
        return cancel();
      default:
        return decode();
    }
  }

  void check_lengths() {
    std::int64_t pages = 0;
    for (const auto& [id, contents] : held_) {
      ASSERT_EQ(engine_.length(id), std::ssize(contents.tokens));
      pages += (std::ssize(contents.tokens) + 63) / 64;
    }
    ASSERT_LE(engine_.stats().pages_used, pages);
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  // Any sequence; false where there is none.
  bool pick(SequenceId& id) {
    if (held_.empty()) return false;
    id = std::next(held_.begin(), below(static_cast<int>(held_.size())))->first;
    return true;
  }

  void create() {
    if (held_.size() == kSequences) {
      EXPECT_THROW(engine_.create_sequence(), InvalidRequestError);
      return;
    }
    held_[engine_.create_sequence()] = {};
  }

  void free() {
    SequenceId id;
    if (!pick(id)) return;
    engine_.free_sequence(id);
    held_.erase(id);
    EXPECT_THROW(engine_.free_sequence(id), InvalidRequestError);
  }

  void fork() {
    SequenceId id;
    if (!pick(id)) return;
    if (held_.size() == kSequences) {
      EXPECT_THROW(engine_.fork(id), InvalidRequestError);
      return;
    }
    const SequenceId copy = engine_.fork(id);
    held_[copy] = held_[id];
    if (std::ssize(held_[id].tokens) == kContext) return;
    expect_equal_after_a_token(id, copy);
  }

  void expect_equal_after_a_token(SequenceId a, SequenceId b) {
    const TokenId token = below(kVocab);
    const BatchToken batch[] = {{a, token, true}, {b, token, true}};
    engine_.decode(batch);
    held_[a].tokens.push_back(token);
    held_[b].tokens.push_back(token);
    const std::span<const float> left = engine_.logits(0);
    EXPECT_EQ(std::memcmp(left.data(), engine_.logits(1).data(), left.size_bytes()), 0);
  }

  void truncate() {
    SequenceId id;
    if (!pick(id)) return;
    Contents& contents = held_[id];
    const int length = below(static_cast<int>(contents.tokens.size()) + 1);
    engine_.truncate(id, length);
    contents.tokens.resize(static_cast<std::size_t>(length));
    if (length == 0) contents.shifted = false;
  }

  void shift() {
    SequenceId id;
    if (!pick(id)) return;
    Contents& contents = held_[id];
    const int first = below(static_cast<int>(contents.tokens.size()) + 1);
    const int last = first + below(static_cast<int>(contents.tokens.size()) - first + 1);
    contents.shifted |= first < last && last < std::ssize(contents.tokens);
    engine_.remove_range(id, first, last);
    contents.tokens.erase(contents.tokens.begin() + first, contents.tokens.begin() + last);
  }

  // A request that is wrong in one place leaves everything as it was.
  void refuse() {
    std::vector<BatchToken> batch = random_batch();
    if (batch.empty()) return;
    BatchToken& wrong = batch[static_cast<std::size_t>(below(static_cast<int>(batch.size())))];
    const SequenceId id = wrong.sequence;
    switch (below(4)) {
      case 0:
        wrong.token = kVocab;
        break;
      case 1:
        wrong.token = -1;
        break;
      case 2:
        wrong.sequence = 1 << 30;
        break;
      default:
        batch.insert(batch.end(), kContext + 1, {id, 1, false});
    }
    EXPECT_THROW(engine_.decode(batch), InvalidRequestError);
    EXPECT_THROW(engine_.truncate(id, engine_.length(id) + 1), InvalidRequestError);
    EXPECT_THROW(engine_.truncate(id, -1), InvalidRequestError);
    EXPECT_THROW(engine_.remove_range(id, 1, 0), InvalidRequestError);
    EXPECT_THROW(engine_.remove_range(id, -1, 0), InvalidRequestError);
    EXPECT_EQ(engine_.n_logit_rows(), 0);
    EXPECT_THROW((void)engine_.logits(0), InvalidRequestError);
  }

  void cancel() {
    const std::vector<BatchToken> batch = random_batch();
    std::stop_source source;
    std::jthread stopper([&, after = std::chrono::microseconds(below(3000))] {
      std::this_thread::sleep_for(after);
      source.request_stop();
    });
    try {
      engine_.decode(batch, source.get_token());
      append(batch);
    } catch (const CancelledError&) {
      EXPECT_EQ(engine_.n_logit_rows(), 0);
    }
  }

  void decode() {
    const std::vector<BatchToken> batch = random_batch();
    engine_.decode(batch);
    append(batch);
    int row = 0;
    for (std::size_t i = 0; i < batch.size(); ++i)
      if (batch[i].logits) check_logits(batch, i, row++);
    EXPECT_EQ(engine_.n_logit_rows(), row);
  }

  // The row of token i of a batch that was decoded.
  void check_logits(const std::vector<BatchToken>& batch, std::size_t i, int row) {
    const Contents& contents = held_[batch[i].sequence];
    const std::span<const float> logits = engine_.logits(row);
    if (contents.shifted) {
      for (const float logit : logits) ASSERT_TRUE(std::isfinite(logit));
      return;
    }
    std::size_t n_later = 0;
    for (std::size_t j = i + 1; j < batch.size(); ++j) n_later += batch[j].sequence == batch[i].sequence;
    const std::span prefix = std::span(contents.tokens).first(contents.tokens.size() - n_later);
    const SequenceId alone = fresh_.create_sequence();
    std::vector<BatchToken> whole;
    for (const TokenId token : prefix) whole.push_back({alone, token, false});
    whole.back().logits = true;
    fresh_.decode(whole);
    ASSERT_EQ(std::memcmp(logits.data(), fresh_.logits(0).data(), logits.size_bytes()), 0)
        << "after " << prefix.size() << " tokens";
    fresh_.free_sequence(alone);
  }

  // Tokens of all sequences in any order, as many as fit.
  std::vector<BatchToken> random_batch() {
    std::vector<BatchToken> batch;
    std::map<SequenceId, int> length;
    for (const auto& [id, contents] : held_) length[id] = static_cast<int>(contents.tokens.size());
    SequenceId id;
    for (int n = below(60); n > 0 && pick(id); --n)
      if (length[id]++ < kContext) batch.push_back({id, below(kVocab), below(8) == 0});
    return batch;
  }

  void append(const std::vector<BatchToken>& batch) {
    for (const BatchToken& token : batch) held_[token.sequence].tokens.push_back(token.token);
  }

  Engine engine_;
  Engine fresh_;
  std::mt19937 random_;
  std::map<SequenceId, Contents> held_;
};

// A random seed is tried with --gtest_shuffle --gtest_random_seed=N.
unsigned seed() { return static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed()); }

void run_requests(const std::shared_ptr<const Model>& model, KvCellType cell, unsigned which, int n_steps) {
  RandomRequests requests(model, cell, which);
  for (int i = 0; i < n_steps && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(which) + ", step " + std::to_string(i));
    requests.step();
    requests.check_lengths();
  }
}

std::shared_ptr<const Model> nano() { return Model::load(test_data("oracle/nano-qwen3-q8_0.gguf").string()); }

TEST(EngineRandom, FloatCellsHoldWhatTheyWereGiven) { run_requests(nano(), KvCellType::kF32, seed(), 600); }

TEST(EngineRandom, HalfCellsHoldWhatTheyWereGiven) { run_requests(nano(), KvCellType::kF16, seed(), 300); }

TEST(EngineRandom, PackedCellsHoldWhatTheyWereGiven) { run_requests(nano(), KvCellType::kQ8_0, seed(), 600); }

TEST(EngineRandom, EnginesOnOneModelDoNotMeet) {
  const std::shared_ptr<const Model> model = nano();
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i <= 3; ++i)
    threads.emplace_back([&, i] { run_requests(model, KvCellType::kF32, seed() + i, 150); });
}

}  // namespace
}  // namespace minfer::test
