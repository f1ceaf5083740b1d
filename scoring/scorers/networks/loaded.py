"""Neural models in memory: loaded once a process, from safetensors only, without remote code."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers.models.auto import modeling_auto

from annotation.tasktypes.contract import Unscored
from corpus.errors import in_short
from scoring.scorers.contract import READING, ModelError, ModelSpec
from scoring.scorers.networks.bodies import KNOWN
from scoring.scorers.networks.onednn import remember_few
from scoring.scorers.networks.own_tokenizer import OwnTokenizer, own_tokenizer
from scoring.scorers.networks.products import pack, quantize, require_runs
from scoring.scorers.networks.room import best_device
from scoring.scorers.networks.weights import CONVERSION, DTYPES, INT8, read_config, require_registered

NAMED = 5
# What good checkpoints hold beside a language model: heads on the whole sentence (BERT's and RoBERTa's pooler, BERT's
# next sentence, ALBERT's order of sentences), and buffers that older versions of transformers stored. docs/scoring.md.
HARMLESS = re.compile(
    r"(^|\.)pooler\.|^cls\.seq_relationship\.|^sop_classifier\."
    r"|(^|\.)(position_ids|token_type_ids|inv_freq)$|\.(attn|attention)\.(masked_)?bias$"
)

AUTO_CLASSES = {
    "masked": transformers.AutoModelForMaskedLM,
    "causal": transformers.AutoModelForCausalLM,
    "classifier": transformers.AutoModelForSequenceClassification,
}
ARCHITECTURES = {
    "masked": set(modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES.values()),
    "causal": set(modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values()),
    "classifier": set(modeling_auto.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES.values()),
}
PUBLISHED_HEAD = "lm_predictions."
# What transformers calls a table of positions that are learned.
POSITIONS = "position_embeddings"


def require_fit(source: str, family: str, loading: Mapping[str, Iterable[Any]]) -> tuple[str, ...]:
    """The weights that are left over and harmless. `loading` is what transformers tells of loading the model.

    ModelError for weights that are missing or of another shape, which would be drawn at random, and for others that
    are left over: with these the architecture is not the checkpoint's (fewer layers, say), and the scores would be
    another model's.
    """
    mismatched = sorted(_shaped(*mismatch) for mismatch in loading["mismatched_keys"])
    if mismatched:
        raise ModelError(f"{source} has weights whose shapes differ from its config.json: {_some(mismatched)}")
    missing = sorted(map(str, loading["missing_keys"]))
    if missing:
        raise ModelError(f"{source} lacks weights for a {family} language model: {_some(missing)}")
    unused = sorted(map(str, loading["unexpected_keys"]))
    odd = [name for name in unused if not HARMLESS.search(name)]
    if odd:
        raise ModelError(f"{source} has weights that its config.json’s architecture does not use: {_some(odd)}")
    return tuple(unused)


def _shaped(name: str, held: Iterable[int], expected: Iterable[int]) -> str:
    return f"{name} ({_by(held)}, not {_by(expected)})"


def _by(shape: Iterable[int]) -> str:
    return "×".join(map(str, shape)) or "one number"


def _some(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


@dataclass(frozen=True)
class Loaded:
    """A model in evaluation mode and its tokenizer, on `device`."""

    model: Any
    tokenizer: Any
    device: torch.device
    # Of a folder: the sha256 of every file that decides.
    files: Mapping[str, str] = field(default_factory=dict)
    # What was done to its numbers beyond loading them, in words; empty for nothing.
    arithmetic: str = ""
    specials: tuple[str, ...] = ()
    # Tokens that were added to the tokenizer and not to the model.
    unembedded: tuple[str, ...] = ()
    # Weights of the checkpoint that its language model has no use for.
    unused: tuple[str, ...] = ()
    # What is read otherwise than transformers' class would, and what was noticed of the tokenizer, in words.
    reading: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    # Whether the tokenizer's word numbers can be taken for words.
    parts_at_spaces: bool = True

    @cached_property
    def longest(self) -> int:
        """The most tokens that the model reads, start and end included."""
        # State-space models have no positions to run out of; the tokenizer may say how long a text they are meant for.
        positions: int | None = getattr(self.model.config, "max_position_embeddings", None)
        if positions is None:
            return int(self.tokenizer.model_max_length)
        return int(min(positions - _first_position(self.model), self.tokenizer.model_max_length))

    def special_in(self, *texts: str) -> Unscored | None:
        """The reason not to score, if a special token is written out, or one that the model does not have: the
        tokenizer would not read it as text.
        """
        for tokens, why in (
            (self.specials, "which the model reads as a special token"),
            (self.unembedded, "which was added to the tokenizer, but the model has no weights for it"),
        ):
            if special := next((token for token in tokens if any(token in text for text in texts)), None):
                return Unscored(f"the text contains {special}, {why}")
        return None


def _first_position(model: Any) -> int:
    """RoBERTa and its kin (MPNet, ESM, data2vec) count positions from after the padding index of the positions."""
    paddings = (
        getattr(layer, "padding_idx", None) for name, layer in model.named_modules() if name.endswith(POSITIONS)
    )
    return max((padding + 1 for padding in paddings if padding is not None), default=0)


def load(spec: ModelSpec) -> Loaded:
    """The model, from this process's memory if it was used lately. ModelError if it cannot be had."""
    return _load(spec.method, spec.source, spec.revision, tuple(sorted(spec.files.items())), spec.dtype)


# Two, so that a masked and a causal run can take turns without loading anew each time.
@lru_cache(maxsize=2)
def _load(family: str, source: str, revision: str, files: tuple[tuple[str, str], ...], dtype: str) -> Loaded:
    device = best_device()
    _require_dtype(dtype, device)
    remember_few()
    try:
        hashes = _checked(source, dict(files))
        model, own, unused = _opened(family, source, revision, dtype)
    except (ModelError, MemoryError):
        raise
    except ZeroDivisionError as error:
        raise ModelError(f"{source} could not be loaded: a size or number in its config.json is 0") from error
    # Files that are missing, broken, of another kind, or need a package that is not here: transformers raises for them
    # whatever it stumbles over.
    except Exception as error:
        raise _in_our_words(source, error) from error
    model = model.eval().to(device)
    return Loaded(
        model,
        own.tokenizer,
        device,
        hashes,
        _arithmetic(model, family, dtype, device),
        special_tokens(own.tokenizer),
        tuple(token for token, number in own.tokenizer.get_added_vocab().items() if number >= _rows(model)),
        unused,
        own.changes,
        own.remarks,
        own.parts_at_spaces,
    )


def reading_of(spec: ModelSpec) -> tuple[str, ...]:
    """What the model's tokenizer reads otherwise than transformers' class would, without opening the model."""
    try:
        return own_tokenizer(spec.source, family=spec.method, options=_options(spec.source, spec.revision)).changes
    except ModelError:
        raise
    except Exception as error:
        raise _in_our_words(spec.source, error) from error


def _in_our_words(source: str, error: Exception) -> ModelError:
    if "trust_remote_code" in str(error):
        return ModelError(f"{source} needs its own code (auto_map in its files), but only code of transformers is run")
    return ModelError(f"{source} could not be loaded ({in_short(error)})")


def _options(source: str, revision: str) -> dict[str, Any]:
    """How transformers opens the files of a folder, or of a hub's model."""
    is_folder = Path(source).is_absolute()
    options: dict[str, Any] = {"trust_remote_code": False, "local_files_only": is_folder}
    return options | ({"revision": revision} if revision and not is_folder else {})


def _checked(source: str, registered: dict[str, str]) -> dict[str, str]:
    """The hashes of a folder's files, which are those registered. A model id has none: its commit stands for them."""
    folder = Path(source)
    if folder.is_absolute():
        hashes = require_registered(folder, registered)
        config = read_config(folder)
        kind = config["model_type"]
        if kind not in transformers.CONFIG_MAPPING:
            more = "; the model's own code (auto_map) is not run" if "auto_map" in config else ""
            raise ModelError(
                f"transformers {transformers.__version__} does not support the architecture {kind!r} ({source}){more}"
            )
        return hashes
    # transformers would take it for the model, whatever it holds.
    if folder.exists():
        raise ModelError(
            f"{source} is a hub ID, but the folder {folder.absolute()} would be read instead; run the worker in "
            f"another folder"
        )
    return {}


def _opened(family: str, source: str, revision: str, dtype: str) -> tuple[Any, OwnTokenizer, tuple[str, ...]]:
    """The model, its tokenizer, and the weights that it has no use for."""
    options = _options(source, revision)
    config = transformers.AutoConfig.from_pretrained(source, **options)
    _require_architecture(family, source, config)
    own = own_tokenizer(source, family=family, options=options)
    if family == "masked" and own.tokenizer.mask_token_id is None:
        raise ModelError(f"the tokenizer of {source} has no mask token, so this is not a masked language model")
    options |= {
        "use_safetensors": True,
        "dtype": torch.float32 if dtype == INT8 else getattr(torch, dtype),
        "output_loading_info": True,
        # Told with the rest of what does not fit, and refused just below.
        "ignore_mismatched_sizes": True,
    }
    model, loading = AUTO_CLASSES[family].from_pretrained(source, config=config, **options)
    # DeBERTa's head as its authors published it; transformers looks for one under another name unless it is told.
    if getattr(config, "legacy", False) and any(name.startswith(PUBLISHED_HEAD) for name in loading["unexpected_keys"]):
        config.legacy = False
        model, loading = AUTO_CLASSES[family].from_pretrained(source, config=config, **options)
    unused = require_fit(source, family, loading)
    require_embedded(source, model, own.tokenizer, _around(own.tokenizer) if family != "causal" else ())
    return model, own, unused


def _around(tokenizer: Any) -> tuple[str, ...]:
    """The tokens that every text is given: its start and end, and the mask."""
    ids = tokenizer("")["input_ids"]
    return tuple(token for token in (*tokenizer.convert_ids_to_tokens(ids), tokenizer.mask_token) if token)


def require_embedded(source: str, model: Any, tokenizer: Any, needed: Iterable[str]) -> None:
    """ModelError if the model has no weights for a token that is `needed`, or for one that a text may hold."""
    rows = _rows(model)
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    beyond = [token for token in dict.fromkeys(needed) if vocabulary[token] >= rows]
    added = tokenizer.added_tokens_decoder
    ordinary = ((number, token) for token, number in vocabulary.items() if number not in added)
    beyond += [token for number, token in sorted(ordinary) if number >= rows]
    if beyond:
        token = beyond[0]
        raise ModelError(
            f"{source} has embeddings for {rows:,} tokens (0 to {rows - 1:,}), and {token!r} of its tokenizer is "
            f"number {vocabulary[token]:,}: the two belong to different models, or the token was added without resizing"
        )


def _rows(model: Any) -> int:
    return int(model.get_input_embeddings().weight.shape[0])


def special_tokens(tokenizer: Any) -> tuple[str, ...]:
    """All tokens that are read as one wherever they are written: those with a role, and those without."""
    added = (token.content for token in tokenizer.added_tokens_decoder.values() if token.special)
    return tuple(dict.fromkeys([*tokenizer.all_special_tokens, *added]))


def _arithmetic(model: Any, family: str, dtype: str, device: torch.device) -> str:
    """Replace the linear layers by what multiplies as it was asked for; what was done, in words."""
    if dtype == INT8:
        summary = quantize(model)
        require_runs(model)
        return summary
    # Bodies that are not known may look into their linear layers, and keep them. So do causal models: what stands in
    # front of a text's first token is so large in some that oneDNN's order of summing moves it by 1e-4.
    is_packable = family != "causal" and model.config.model_type in KNOWN
    return pack(model) if dtype == "float32" and device.type == "cpu" and is_packable else ""


def _require_dtype(dtype: str, device: torch.device) -> None:
    if dtype not in DTYPES:
        raise ModelError(f"dtype {dtype!r} is not one of {', '.join(DTYPES)}")
    if dtype == INT8 and device.type != "cpu":
        raise ModelError("int8 is for CPUs only, but this worker has a GPU; use bfloat16 or float16")


def _require_architecture(family: str, source: str, config: Any) -> None:
    """Classes of one family take weights of the other without a word where their names agree (BERT's do)."""
    declared = set(getattr(config, "architectures", None) or [])
    other = "causal" if family == "masked" else "masked"
    if declared and not declared & ARCHITECTURES[family] and declared & ARCHITECTURES[other]:
        raise ModelError(f"{source} is a {other} language model ({', '.join(sorted(declared))}), not a {family} one")
    mapping: Any = AUTO_CLASSES[family]._model_mapping
    if type(config) not in mapping:
        raise ModelError(f"{source} has the architecture {config.model_type!r}, which has no {family} model")


def provenance(loaded: Loaded, spec: ModelSpec) -> dict[str, Any]:
    """Model, tokenizer, numbers and machine, as far as they decide the scores."""
    tokenizer = loaded.tokenizer
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return {
        "source": spec.source,
        "revision": spec.revision,
        "files_sha256": dict(loaded.files),
        **_converted_from(spec.source, loaded.files),
        **({"weights_not_used": list(loaded.unused)} if loaded.unused else {}),
        **({READING: list(loaded.reading)} if loaded.reading else {}),
        "model_class": type(loaded.model).__name__,
        "tokenizer_class": type(tokenizer).__name__,
        "tokenizer_sha256": hashlib.sha256(backend.to_str().encode()).hexdigest() if backend is not None else "",
        "dtype": spec.dtype,
        **({"arithmetic": loaded.arithmetic} if loaded.arithmetic else {}),
        "device": str(loaded.device),
        "threads": torch.get_num_threads(),
        "torch": str(torch.__version__),
        "transformers": transformers.__version__,
    }


def _converted_from(source: str, files: Mapping[str, str]) -> dict[str, Any]:
    """The sha256 of the weights as they were published, where they were pickled."""
    if CONVERSION not in files:
        return {}
    return {"converted_from": json.loads((Path(source) / CONVERSION).read_text(encoding="utf-8"))}
