#include "models/decoder.h"

#include <fmt/core.h>

#include <cmath>

namespace minfer {
namespace {

LayerTensors read_layer(TensorTable& table, const Hyperparameters& h, const DecoderOptions& options,
                        int layer) {
  const auto name = [&](const char* tensor) { return fmt::format("blk.{}.{}", layer, tensor); };
  LayerTensors t;
  t.attn_norm = table.vector(name("attn_norm.weight"), h.n_embd);
  t.wq = table.matrix(name("attn_q.weight"), h.n_q(), h.n_embd);
  t.wk = table.matrix(name("attn_k.weight"), h.n_kv(), h.n_embd);
  t.wv = table.matrix(name("attn_v.weight"), h.n_kv(), h.n_embd);
  if (options.qkv_bias || (options.optional_qkv_bias && table.has(name("attn_q.bias")))) {
    t.bq = table.vector(name("attn_q.bias"), h.n_q());
    t.bk = table.vector(name("attn_k.bias"), h.n_kv());
    t.bv = table.vector(name("attn_v.bias"), h.n_kv());
  }
  if (options.qk_norm) {
    t.q_norm = table.vector(name("attn_q_norm.weight"), h.head_dim);
    t.k_norm = table.vector(name("attn_k_norm.weight"), h.head_dim);
  }
  t.wo = table.matrix(name("attn_output.weight"), h.n_embd, h.n_q());
  t.ffn_norm = table.vector(name("ffn_norm.weight"), h.n_embd);
  t.gate = table.matrix(name("ffn_gate.weight"), h.n_ff, h.n_embd);
  t.up = table.matrix(name("ffn_up.weight"), h.n_ff, h.n_embd);
  t.down = table.matrix(name("ffn_down.weight"), h.n_embd, h.n_ff);
  return t;
}

DecoderTensors read_tensors(TensorTable& table, Hyperparameters& h, const DecoderOptions& options) {
  DecoderTensors t;
  const bool tied = !table.has("output.weight");
  t.embedding = table.embedding("token_embd.weight", h.n_embd, tied);
  h.n_vocab = static_cast<int>(t.embedding.desc.shape.rows());
  t.output_norm = table.vector("output_norm.weight", h.n_embd);
  t.head = tied ? t.embedding : table.matrix("output.weight", h.n_vocab, h.n_embd);
  t.rope_divisors = table.find_vector("rope_freqs.weight", h.rope.n_dims / 2);
  for (int layer = 0; layer < h.n_layer; ++layer) t.layers.push_back(read_layer(table, h, options, layer));
  table.check_all_used();
  return t;
}

// Builds one graph; the members are what every block needs.
class DecoderGraph {
 public:
  DecoderGraph(ModelId model, const Hyperparameters& hparams, const DecoderTensors& tensors,
               const BatchShape& shape)
      : builder_(model), hparams_(hparams), tensors_(tensors), shape_(shape) {}

  Graph build() && {
    const Value tokens = input(InputRole::kTokens, Shape{shape_.n_tokens});
    add_batch_inputs();
    Value x = builder_.add(GetRows{}, {tokens}, {weight(tensors_.embedding)}, "token_embd");
    for (int layer = 0; layer < hparams_.n_layer; ++layer) {
      label_prefix_ = fmt::format("blk.{}.", layer);
      x = attention_block(x, layer);
      // Tokens whose logits nobody wants need no feed-forward in the last layer: their keys are stored by now.
      if (layer + 1 == hparams_.n_layer && shape_.n_logit_rows > 0) x = select_logit_rows(x);
      x = feed_forward_block(x, layer);
    }
    label_prefix_.clear();
    if (shape_.n_logit_rows > 0) builder_.mark_output(head(x));
    return std::move(builder_).finish();
  }

 private:
  WeightId weight(const WeightRef& ref) { return builder_.weight(ref.name, ref.desc); }
  std::string label(const char* name) const { return label_prefix_ + name; }

  Value input(InputRole role, const Shape& shape) {
    return builder_.add(Input{role, {DType::kI32, shape}}, {}, {}, std::string(to_string(role)));
  }
  Value matmul(Value x, const WeightRef& w, const char* name) {
    return builder_.add(MatMul{}, {x}, {weight(w)}, label(name));
  }
  Value norm(Value x, const WeightRef& w, const char* name) {
    return builder_.add(RmsNorm{hparams_.rms_eps}, {x}, {weight(w)}, label(name));
  }

  void add_batch_inputs() {
    positions_ = input(InputRole::kPositions, Shape{shape_.n_tokens});
    cells_ = input(InputRole::kCells, Shape{shape_.n_tokens});
    slots_ = input(InputRole::kSlots, Shape{shape_.n_tokens});
    page_table_ = input(InputRole::kPageTable, Shape{shape_.max_pages, shape_.n_slots});
    rope_table_ = tensors_.rope_divisors ? builder_.add(hparams_.rope, {positions_},
                                                        {weight(*tensors_.rope_divisors)}, "rope_table")
                                         : builder_.add(hparams_.rope, {positions_}, {}, "rope_table");
  }

  // One projection with what the architecture does to it before attention.
  Value project(Value x, const WeightRef& w, const std::optional<WeightRef>& bias,
                const std::optional<WeightRef>& head_norm, bool rotate, const std::string& name) {
    Value y = matmul(x, w, name.c_str());
    if (bias) y = builder_.add(Add{}, {y}, {weight(*bias)}, label((name + "_bias").c_str()));
    if (head_norm)
      y = builder_.add(QkNorm{hparams_.head_dim, hparams_.rms_eps}, {y}, {weight(*head_norm)},
                       label((name + "_norm").c_str()));
    if (rotate)
      y = builder_.add(RoPE{hparams_.rope_style, hparams_.head_dim, hparams_.rope.n_dims}, {y, rope_table_},
                       {}, label((name + "_rope").c_str()));
    return y;
  }

  Value attention_block(Value x, int layer) {
    const LayerTensors& t = tensors_.layers[static_cast<std::size_t>(layer)];
    const KvGeometry kv{layer, hparams_.n_head_kv, hparams_.head_dim, shape_.kv_cell};
    const Value h = norm(x, t.attn_norm, "attn_norm");
    const Value q = project(h, t.wq, t.bq, t.q_norm, true, "attn_q");
    const Value k = project(h, t.wk, t.bk, t.k_norm, true, "attn_k");
    const Value v = project(h, t.wv, t.bv, std::nullopt, false, "attn_v");
    const Value stored = builder_.add(KvStore{kv}, {k, v, cells_}, {}, label("kv_store"));
    const float scale = 1.0f / std::sqrt(static_cast<float>(hparams_.head_dim));
    const Value mixed = builder_.add(Attn{kv, hparams_.n_head, scale},
                                     {q, stored, positions_, slots_, page_table_}, {}, label("attn"));
    return builder_.add(Add{}, {matmul(mixed, t.wo, "attn_output"), x}, {}, label("attn_residual"));
  }

  Value feed_forward_block(Value x, int layer) {
    const LayerTensors& t = tensors_.layers[static_cast<std::size_t>(layer)];
    const Value h = norm(x, t.ffn_norm, "ffn_norm");
    const Value gate = builder_.add(Silu{}, {matmul(h, t.gate, "ffn_gate")}, {}, label("ffn_silu"));
    const Value up = matmul(h, t.up, "ffn_up");
    const Value hidden = builder_.add(Mul{}, {gate, up}, {}, label("ffn_mul"));
    return builder_.add(Add{}, {matmul(hidden, t.down, "ffn_down"), x}, {}, label("ffn_residual"));
  }

  Value select_logit_rows(Value x) {
    const Value rows = input(InputRole::kLogitRows, Shape{shape_.n_logit_rows});
    return builder_.add(GetRows{}, {x, rows}, {}, "logit_rows");
  }

  Value head(Value x) {
    return matmul(norm(x, tensors_.output_norm, "output_norm"), tensors_.head, "output");
  }

  GraphBuilder builder_;
  const Hyperparameters& hparams_;
  const DecoderTensors& tensors_;
  const BatchShape& shape_;
  std::string label_prefix_;
  Value positions_, cells_, slots_, page_table_, rope_table_;
};

}  // namespace

Decoder::Decoder(const gguf::Reader& file, RopeStyle style, const DecoderOptions& options) {
  hparams_ = read_hyperparameters(file, style);
  TensorTable table(file);
  tensors_ = read_tensors(table, hparams_, options);
  weights_ = table.take();
  for (const ModelWeight& weight : weights_)
    if (tensors_.rope_divisors && weight.ref.name == tensors_.rope_divisors->name)
      rope_divisors_ = reinterpret_cast<const float*>(weight.view.data);
}

Graph Decoder::build(ModelId model, const BatchShape& shape) const {
  return DecoderGraph(model, hparams_, tensors_, shape).build();
}

}  // namespace minfer
