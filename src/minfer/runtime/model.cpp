#include "minfer/model.h"

#include <fmt/core.h>

#include <atomic>

#include "gguf/file.h"
#include "gguf/metadata.h"
#include "minfer/error.h"
#include "models/architecture.h"
#include "runtime/file_type.h"
#include "runtime/vocab.h"
#include "tokenizer/tokenizer.h"

namespace minfer {
namespace {

std::uint64_t next_model_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

// What a token costs, for benchmarks that compare rates with what the machine can do.
void add_costs(ModelInfo& info, std::span<const ModelWeight> weights) {
  const auto matmul = static_cast<WeightUses>(WeightUse::kMatMul);
  const auto get_rows = static_cast<WeightUses>(WeightUse::kGetRows);
  for (const ModelWeight& weight : weights) {
    if (weight.uses != get_rows) info.decode_bytes += weight.view.bytes;
    if ((weight.uses & matmul) != 0 && weight.ref.name.starts_with("blk."))
      info.layer_macs += static_cast<std::uint64_t>(weight.ref.desc.shape.elements());
  }
}

ModelInfo describe(const std::string& path, const gguf::File& file, const Architecture& architecture) {
  const Hyperparameters& hparams = architecture.hparams();
  const gguf::Reader& reader = file.reader();
  ModelInfo info;
  info.path = path;
  info.name = std::string(gguf::find_string(reader, "general.name").value_or(""));
  info.architecture = hparams.architecture;
  info.file_bytes = file.mapping().bytes().size();
  for (const gguf::TensorInfo& tensor : reader.tensors()) {
    info.tensor_bytes += tensor.bytes;
    info.n_params += static_cast<std::uint64_t>(tensor.shape.elements());
  }
  info.type = fmt::format("{} {} {}", hparams.architecture, parameter_count_text(info.n_params),
                          file_type_name(reader));
  add_costs(info, architecture.weights());
  info.n_layer = hparams.n_layer;
  info.n_embd = hparams.n_embd;
  info.n_head = hparams.n_head;
  info.n_head_kv = hparams.n_head_kv;
  info.head_dim = hparams.head_dim;
  info.n_vocab = hparams.n_vocab;
  info.n_ctx_train = hparams.n_ctx_train;
  return info;
}

}  // namespace

struct Model::Impl {
  std::shared_ptr<const gguf::File> file;
  std::unique_ptr<Architecture> architecture;
  std::unique_ptr<Tokenizer> tokenizer;
  ModelInfo info;
  std::uint64_t id = 0;
};

Model::Model(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;

std::shared_ptr<const Model> Model::load(const std::string& path) {
  auto impl = std::make_unique<Impl>();
  impl->file = gguf::File::open(path);
  const gguf::Reader& reader = impl->file->reader();
  impl->architecture = load_architecture(reader);
  impl->tokenizer = load_tokenizer(reader);
  const Hyperparameters& hparams = impl->architecture->hparams();
  if (impl->tokenizer->vocab_size() > hparams.n_vocab)
    throw InvalidFileError(fmt::format("{}: the vocabulary has {} tokens but token_embd.weight only {} rows",
                                       path, impl->tokenizer->vocab_size(), hparams.n_vocab));
  impl->info = describe(path, *impl->file, *impl->architecture);
  impl->id = next_model_id();
  return std::shared_ptr<const Model>(new Model(std::move(impl)));
}

const ModelInfo& Model::info() const { return impl_->info; }
const Tokenizer& Model::tokenizer() const { return *impl_->tokenizer; }
const Architecture& Model::architecture() const { return *impl_->architecture; }
std::uint64_t Model::id() const { return impl_->id; }

std::vector<TokenId> Model::tokenize(std::string_view text, bool add_bos, bool parse_special) const {
  std::vector<TokenId> tokens = impl_->tokenizer->encode(text, parse_special);
  if (add_bos && impl_->tokenizer->add_bos()) {
    const TokenId bos = *impl_->tokenizer->bos();
    if (tokens.empty() || tokens.front() != bos) tokens.insert(tokens.begin(), bos);
  }
  return tokens;
}

std::string Model::detokenize(std::span<const TokenId> tokens) const {
  return impl_->tokenizer->decode(tokens, false);
}

}  // namespace minfer
