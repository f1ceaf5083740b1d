"""The body of a masked language model, computed where it is read and nowhere else.

A pseudo-log-likelihood reads one place of every masked copy. All layers but the last must be computed at every
place, because the next one attends to them; the last layer, and the vocabulary after it, only at the place that
is read. For a sentence of a dozen tokens that leaves out about a twelfth of the body and all but a twelfth of
the vocabulary, the widest layer of all. And copies of one sentence differ in one token, so that the first layer's
queries, keys and values are few. The numbers are those of the model's own forward pass.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.nn import functional

# A linear layer: torch's own, or one over int8.
Affine = Callable[[Tensor], Tensor]


class Body(Protocol):
    @property
    def name(self) -> str:
        """What provenance says of the way the numbers were computed."""
        ...

    def logits(self, ids: Tensor, rows: Tensor | None, places: Tensor) -> Tensor:
        """Scores over the vocabulary where they are read, as float32.

        `ids` is (copies, length); `rows` and `places` (reads) say which place of which copy is read, without `rows`
        one of each copy in turn; the answer is (reads, words of the vocabulary).
        """
        ...


@dataclass(frozen=True)
class Layer:
    """One block of a post-norm encoder (Vaswani et al. 2017): attention, then two products, with sums and norms."""

    query: Affine
    key: Affine
    value: Affine
    output: Affine
    first_norm: torch.nn.LayerNorm
    up: Affine
    down: Affine
    last_norm: torch.nn.LayerNorm


@dataclass(frozen=True)
class WhereRead:
    """BERT, RoBERTa, DistilBERT, ELECTRA: the same layers under different names."""

    embed: Callable[[Tensor], Tensor]
    layers: tuple[Layer, ...]
    heads: int
    activate: Callable[[Tensor], Tensor]
    to_vocabulary: Callable[[Tensor], Tensor]
    name: str = "last layer and vocabulary where they are read"

    def logits(self, ids: Tensor, rows: Tensor | None, places: Tensor) -> Tensor:
        hidden = self.embed(ids)
        # On a GPU finding them costs more than the products do.
        alike = Alike.of(ids) if ids.device.type == "cpu" else None
        for layer in self.layers[:-1]:
            hidden = self._through(layer, hidden, hidden, alike=alike)
            alike = None
        asking = _where(hidden, rows, places).unsqueeze(1)
        read = self._through(self.layers[-1], asking, hidden, rows=rows)
        return self.to_vocabulary(read[:, 0]).float()

    def _through(
        self, layer: Layer, asking: Tensor, hidden: Tensor, *, rows: Tensor | None = None, alike: "Alike | None" = None
    ) -> Tensor:
        """One layer for the places in `asking` (rows, asked, width), attending to all of `hidden`.

        `rows` says which row of `hidden` each row of `asking` belongs to; without it they are the same rows. `alike`
        says which places of `asking` and `hidden`, the same then, have equal states.
        """
        query, key, value = (
            self._split(affine(states) if alike is None else alike.spread(affine(alike.one_of_each(states))))
            for states, affine in ((asking, layer.query), (hidden, layer.key), (hidden, layer.value))
        )
        if rows is not None:
            key, value = key[rows], value[rows]
        context = functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(asking.shape)
        attended = layer.first_norm(layer.output(context).add_(asking))
        wide = self.activate(layer.up(attended))
        result: Tensor = layer.last_norm(layer.down(wide).add_(attended))
        return result

    def _split(self, states: Tensor) -> Tensor:
        """(rows, length, width) → (rows, heads, length, width per head)."""
        rows, length, width = states.shape
        return states.view(rows, length, self.heads, width // self.heads).transpose(1, 2)


@dataclass(frozen=True)
class Alike:
    """Places where the same token stands at the same position, so that they begin with the same state.

    Masked copies of one sentence differ in one token: what the first layer makes of each place by itself it need make
    only once. `one` is a place of each kind, `kind` the kind of each of the (rows, length) places.
    """

    one: Tensor
    kind: Tensor

    @classmethod
    def of(cls, ids: Tensor) -> "Alike | None":
        """None where too few places are alike to be worth it."""
        length = ids.shape[1]
        kinds, kind = torch.unique(ids * length + torch.arange(length, device=ids.device), return_inverse=True)
        if 2 * len(kinds) > ids.numel():
            return None
        one = torch.empty_like(kinds)
        # Whichever of the equal ones is written last is as good as the others.
        one[kind.flatten()] = torch.arange(ids.numel(), device=ids.device)
        return cls(one, kind)

    def one_of_each(self, states: Tensor) -> Tensor:
        """(rows, length, width) → (kinds, width)."""
        return states.flatten(0, 1)[self.one]

    def spread(self, states: Tensor) -> Tensor:
        """(kinds, width) → (rows, length, width)."""
        return states[self.kind]


@dataclass(frozen=True)
class Whole:
    """Any other masked model: its own forward pass, of which one place is read."""

    model: Any
    name: str = "the model's own forward pass"

    def logits(self, ids: Tensor, rows: Tensor | None, places: Tensor) -> Tensor:
        return _where(self.model(input_ids=ids).logits, rows, places).float()


def _where(states: Tensor, rows: Tensor | None, places: Tensor) -> Tensor:
    """(copies, length, width) → (reads, width)."""
    return states[torch.arange(len(states), device=states.device) if rows is None else rows, places]


def body_of(model: Any) -> Body:
    """The fastest exact way through a Hugging Face masked model; its own forward pass for shapes not known here."""
    config = model.config
    plain = (
        not getattr(config, "is_decoder", False)
        and getattr(config, "position_embedding_type", None) in (None, "absolute")
        and config.model_type in KNOWN
    )
    return KNOWN[config.model_type](model) if plain else Whole(model)


def _bert_layers(encoder: Any) -> tuple[Layer, ...]:
    return tuple(
        Layer(
            query=block.attention.self.query,
            key=block.attention.self.key,
            value=block.attention.self.value,
            output=block.attention.output.dense,
            first_norm=block.attention.output.LayerNorm,
            up=block.intermediate.dense,
            down=block.output.dense,
            last_norm=block.output.LayerNorm,
        )
        for block in encoder.layer
    )


def _bert(model: Any) -> Body:
    base = model.base_model
    return WhereRead(
        embed=lambda ids: base.embeddings(input_ids=ids),
        layers=_bert_layers(base.encoder),
        heads=model.config.num_attention_heads,
        activate=base.encoder.layer[0].intermediate.intermediate_act_fn,
        to_vocabulary=model.cls if model.config.model_type == "bert" else model.lm_head,
    )


def _electra(model: Any) -> Body:
    base = model.electra

    def embed(ids: Tensor) -> Tensor:
        embedded: Tensor = base.embeddings(input_ids=ids)
        return base.embeddings_project(embedded) if hasattr(base, "embeddings_project") else embedded

    return WhereRead(
        embed=embed,
        layers=_bert_layers(base.encoder),
        heads=model.config.num_attention_heads,
        activate=base.encoder.layer[0].intermediate.intermediate_act_fn,
        to_vocabulary=lambda states: model.generator_lm_head(model.generator_predictions(states)),
    )


def _distilbert(model: Any) -> Body:
    base = model.distilbert
    layers = tuple(
        Layer(
            query=block.attention.q_lin,
            key=block.attention.k_lin,
            value=block.attention.v_lin,
            output=block.attention.out_lin,
            first_norm=block.sa_layer_norm,
            up=block.ffn.lin1,
            down=block.ffn.lin2,
            last_norm=block.output_layer_norm,
        )
        for block in base.transformer.layer
    )
    return WhereRead(
        embed=lambda ids: base.embeddings(ids),
        layers=layers,
        heads=model.config.n_heads,
        activate=base.transformer.layer[0].ffn.activation,
        to_vocabulary=lambda states: model.vocab_projector(
            model.vocab_layer_norm(model.activation(model.vocab_transform(states)))
        ),
    )


KNOWN: dict[str, Callable[[Any], Body]] = {
    "bert": _bert,
    "roberta": _bert,
    "xlm-roberta": _bert,
    "camembert": _bert,
    "electra": _electra,
    "distilbert": _distilbert,
}
