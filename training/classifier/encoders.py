"""An encoder with a new classifier on top, drawn by the seed."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError

from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.networks.loaded import Loaded, special_tokens
from scoring.scorers.networks.own_tokenizer import own_tokenizer
from scoring.scorers.networks.weights import require_registered

CLASSIFIER = "classifier"


def load_encoder(spec: ModelSpec, *, labels: Sequence[str], seed: int) -> tuple[Loaded, tuple[str, ...]]:
    """The model to train, float32, on this machine's device, and the names of the weights that were drawn.

    ModelError if it cannot be had, or if more than what stands above the encoder would have to be drawn.
    """
    is_folder = Path(spec.source).is_absolute()
    found = require_registered(Path(spec.source), spec.files) if is_folder else {}
    options: dict[str, Any] = {"trust_remote_code": False, "local_files_only": is_folder}
    if spec.revision and not is_folder:
        options["revision"] = spec.revision
    transformers.set_seed(seed)
    try:
        own = own_tokenizer(spec.source, family=CLASSIFIER, options=options)
        model, loading = transformers.AutoModelForSequenceClassification.from_pretrained(
            spec.source,
            use_safetensors=True,
            dtype=torch.float32,
            id2label=dict(enumerate(labels)),
            label2id={label: place for place, label in enumerate(labels)},
            # What stood above the encoder for other labels is not wanted.
            ignore_mismatched_sizes=True,
            output_loading_info=True,
            **options,
        )
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"{spec.source} could not be loaded: {error}") from error
    tokenizer = own.tokenizer
    if tokenizer.pad_token_id is None:
        raise ModelError(f"{spec.source} needs a tokenizer with a padding token")
    drawn = _drawn(model, loading, spec)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return Loaded(model, tokenizer, device, found, specials=special_tokens(tokenizer)), drawn


def freeze(loaded: Loaded, drawn: Collection[str]) -> None:
    """Let nothing learn but the weights of these names."""
    for name, weight in loaded.model.named_parameters():
        weight.requires_grad_(name in drawn)


def _drawn(model: Any, loading: Any, spec: ModelSpec) -> tuple[str, ...]:
    """The weights that were drawn at random. An encoder's own must not be among them, its pooler's may."""
    fresh = sorted({*map(str, loading["missing_keys"]), *(str(key[0]) for key in loading["mismatched_keys"])})
    own = [name for name in fresh if name.startswith(f"{model.base_model_prefix}.") and ".pooler." not in name]
    if own:
        raise ModelError(f"{spec.source} lacks weights of an encoder: {', '.join(own[:5])}")
    return tuple(fresh)
