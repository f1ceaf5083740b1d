"""BERT with a masked-language-model head, and its forward pass where it is read.

All layers but the last are computed at every place, the last one and the vocabulary only where a token is hidden.
There is no dropout: a few passes over text that the model is too small to learn by heart.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from scoring.library.artefact import WEIGHTS
from scoring.scorers.contract import ModelError
from training.masked.batches import Masked

WORDS = "bert.embeddings.word_embeddings.weight"
# The pooler reads whole sentences; positions are counted, not learned.
LEFT_OUT = ("pooler.", "embeddings.position_ids")
# Of BERT's own initialization.
SPREAD = 0.02


def with_new_head(encoder: Path, *, seed: int, counts: NDArray[np.int64]) -> Any:
    """The encoder with a head whose weights the seed draws; its bias says how frequent each token is.

    `counts` (vocabulary) are those of the text. ModelError if the folder holds no BERT encoder with all its weights.
    """
    try:
        model = transformers.BertForMaskedLM(transformers.BertConfig.from_pretrained(encoder, local_files_only=True))
        weights = load_file(encoder / WEIGHTS)
        encoder_weights = {name: weight.float() for name, weight in weights.items() if not name.startswith(LEFT_OUT)}
        model.bert.load_state_dict(encoder_weights)
    # What transformers, safetensors and torch raise for files that are missing, broken, or of another kind or shape.
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"{encoder} could not be loaded as a BERT encoder: {error}") from error
    if len(counts) != model.config.vocab_size:
        raise ModelError(f"{encoder} has {model.config.vocab_size} words, and its tokenizer {len(counts)}")
    _draw_head(model, seed, counts)
    # Without dropout; gradients are computed all the same.
    model.eval()  # type: ignore[no-untyped-call]
    return model


def _draw_head(model: Any, seed: int, counts: NDArray[np.int64]) -> None:
    transform = model.cls.predictions.transform
    rng = np.random.default_rng([seed, 3])
    frequency = np.log((counts + 1) / (counts.sum() + len(counts)))
    with torch.no_grad():
        transform.dense.weight.copy_(torch.from_numpy(SPREAD * rng.standard_normal(transform.dense.weight.shape)))
        transform.dense.bias.zero_()
        transform.LayerNorm.weight.fill_(1)
        transform.LayerNorm.bias.zero_()
        model.cls.predictions.bias.copy_(torch.from_numpy(frequency - frequency.mean()))


def trained(model: Any, part: str) -> dict[str, torch.nn.Parameter]:
    """The weights that training changes, by name; of `body` all but the word embeddings. The others get no gradient."""
    weights = {}
    for name, weight in model.named_parameters():
        weight.requires_grad_(part == "all" or name != WORDS)
        if weight.requires_grad:
            weights[name] = weight
    return weights


def scores(model: Any, masked: Masked) -> Tensor:
    """Scores over the vocabulary (rows · hidden, words), for the hidden places row by row."""
    device = model.device
    base = model.bert
    hidden = base.embeddings(input_ids=torch.from_numpy(masked.ids).to(device))
    *before, last = base.encoder.layer
    for layer in before:
        hidden = _through(layer, hidden, hidden)
    places = torch.from_numpy(masked.places).to(device)
    asking = hidden.gather(1, places.unsqueeze(2).expand(-1, -1, hidden.shape[2]))
    read = _through(last, asking, hidden)
    logits: Tensor = model.cls(read.flatten(0, 1))
    return logits


def loss(model: Any, masked: Masked) -> Tensor:
    """Cross entropy summed over the hidden places, in nats."""
    targets = torch.from_numpy(masked.wanted).to(model.device).flatten()
    return functional.cross_entropy(scores(model, masked).float(), targets, reduction="sum")


def _through(layer: Any, asking: Tensor, hidden: Tensor) -> Tensor:
    """One layer for the places in `asking` (rows, asked, width), attending to all of `hidden` (rows, length, width)."""
    attention = layer.attention.self
    query, key, value = (
        affine(states).unflatten(2, (attention.num_attention_heads, -1)).transpose(1, 2)
        for affine, states in ((attention.query, asking), (attention.key, hidden), (attention.value, hidden))
    )
    context = _attended(query, key, value).transpose(1, 2).flatten(2)
    output = layer.attention.output
    attended = output.LayerNorm(output.dense(context) + asking)
    result: Tensor = layer.output.LayerNorm(layer.output.dense(layer.intermediate(attended)) + attended)
    return result


def _attended(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attention, all (rows, heads, places, width of a head).

    In bfloat16 on a CPU by products one by one: the backward pass of torch's one kernel takes five times as long there
    (measured with torch 2.13), a fifth of a whole training step. The gradients are as near to float32's.
    """
    if query.dtype == torch.bfloat16 and query.device.type == "cpu":
        shares = (query * query.shape[3] ** -0.5 @ key.transpose(2, 3)).softmax(dim=3)
        attended: Tensor = shares @ value
        return attended
    return functional.scaled_dot_product_attention(query, key, value)
