"""Neural models in memory: loaded once a process, from safetensors only, without remote code."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers.models.auto import modeling_auto

from annotation.tasktypes.contract import Unscored
from scoring.scorers.contract import ModelError, ModelSpec, in_short
from scoring.scorers.networks.bodies import KNOWN
from scoring.scorers.networks.fitting import require_fit
from scoring.scorers.networks.int8 import quantize, require_runs
from scoring.scorers.networks.onednn import pack
from scoring.scorers.networks.remembered import remember_few
from scoring.scorers.networks.weights import DTYPES, INT8, read_config, require_registered

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

# What transformers calls a table of positions that are learned.
POSITIONS = "position_embeddings"


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
    # Weights of the checkpoint that its language model has no use for.
    unused: tuple[str, ...] = ()

    @cached_property
    def longest(self) -> int:
        """The most tokens that the model reads, start and end included."""
        # State-space models have no positions to run out of; the tokenizer may say how long a text they are meant for.
        positions: int | None = getattr(self.model.config, "max_position_embeddings", None)
        if positions is None:
            return int(self.tokenizer.model_max_length)
        return int(min(positions - _first_position(self.model), self.tokenizer.model_max_length))

    def special_in(self, *texts: str) -> Unscored | None:
        """The reason not to score, if a special token is written out: the tokenizer would not read it as text."""
        found = next((token for token in self.specials if any(token in text for text in texts)), None)
        return Unscored(f"the text contains {found}, which the model reads as a special token") if found else None


def _first_position(model: Any) -> int:
    """RoBERTa and its kin (MPNet, ESM, data2vec) count positions from after the padding index of the positions."""
    found = (getattr(layer, "padding_idx", None) for name, layer in model.named_modules() if name.endswith(POSITIONS))
    return max((padding + 1 for padding in found if padding is not None), default=0)


def load(spec: ModelSpec) -> Loaded:
    """The model, from this process's memory if it was used lately. ModelError if it cannot be had."""
    return _load(spec.method, spec.source, spec.revision, tuple(sorted(spec.files.items())), spec.dtype)


# Two, so that a masked and a causal run can take turns without loading anew each time.
@lru_cache(maxsize=2)
def _load(family: str, source: str, revision: str, files: tuple[tuple[str, str], ...], dtype: str) -> Loaded:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    _require_dtype(dtype, device)
    remember_few()
    try:
        found = _checked(source, dict(files))
        model, tokenizer, unused = _opened(family, source, revision, dtype)
    except (ModelError, MemoryError):
        raise
    except ZeroDivisionError as error:
        raise ModelError(f"{source} could not be loaded: a size or number in its config.json is 0") from error
    # Files that are missing, broken, of another kind, or need a package that is not here: transformers raises for them
    # whatever it stumbles over.
    except Exception as error:
        raise ModelError(f"{source} could not be loaded ({in_short(error)})") from error
    model = model.eval().to(device)
    return Loaded(
        model, tokenizer, device, found, _arithmetic(model, family, dtype, device), special_tokens(tokenizer), unused
    )


def _checked(source: str, registered: dict[str, str]) -> dict[str, str]:
    """The hashes of a folder's files, which are those registered. A model id has none: its commit stands for them."""
    folder = Path(source)
    if folder.is_absolute():
        found = require_registered(folder, registered)
        known = read_config(folder)["model_type"]
        if known not in transformers.CONFIG_MAPPING:
            raise ModelError(f"transformers {transformers.__version__} knows no architecture {known!r} ({source})")
        return found
    # transformers would take it for the model, whatever it holds.
    if folder.exists():
        raise ModelError(
            f"{source} is the id of a hub model, and {folder.absolute()} would be read in its place; run the worker in "
            "another folder"
        )
    return {}


def _opened(family: str, source: str, revision: str, dtype: str) -> tuple[Any, Any, tuple[str, ...]]:
    """The model, its tokenizer, and the weights that it has no use for."""
    is_folder = Path(source).is_absolute()
    options: dict[str, Any] = {"trust_remote_code": False, "local_files_only": is_folder}
    if revision and not is_folder:
        options["revision"] = revision
    config = transformers.AutoConfig.from_pretrained(source, **options)
    tokenizer = transformers.AutoTokenizer.from_pretrained(source, **options)
    _require_family(family, source, config, tokenizer)
    numbers = torch.float32 if dtype == INT8 else getattr(torch, dtype)
    model, loading = AUTO_CLASSES[family].from_pretrained(
        source,
        use_safetensors=True,
        dtype=numbers,
        output_loading_info=True,
        # Told with the rest of what does not fit, and refused just below.
        ignore_mismatched_sizes=True,
        **options,
    )
    return model, tokenizer, require_fit(source, family, loading)


def special_tokens(tokenizer: Any) -> tuple[str, ...]:
    """All tokens that are read as one wherever they are written: those with a role, and those without."""
    added = (token.content for token in tokenizer.added_tokens_decoder.values() if token.special)
    return tuple(dict.fromkeys([*tokenizer.all_special_tokens, *added]))


def _arithmetic(model: Any, family: str, dtype: str, device: torch.device) -> str:
    """Replace the linear layers by what multiplies as it was asked for; what was done, in words."""
    if dtype == INT8:
        done = quantize(model)
        require_runs(model)
        return done
    # Bodies that are not known may look into their linear layers, and keep them. So do causal models: what stands in
    # front of a text's first token is so large in some that oneDNN's order of summing moves it by 1e-4.
    known = family != "causal" and model.config.model_type in KNOWN
    return pack(model) if dtype == "float32" and device.type == "cpu" and known else ""


def _require_dtype(dtype: str, device: torch.device) -> None:
    if dtype not in DTYPES:
        raise ModelError(f"dtype {dtype!r} is not one of {', '.join(DTYPES)}")
    if dtype == INT8 and device.type != "cpu":
        raise ModelError("int8 is for the CPU only, and this worker has a GPU; use bfloat16 or float16 there")


def _require_family(family: str, source: str, config: Any, tokenizer: Any) -> None:
    """Classes of one family take weights of the other without a word where their names agree (BERT's do)."""
    declared = set(getattr(config, "architectures", None) or [])
    other = "causal" if family == "masked" else "masked"
    if declared and not declared & ARCHITECTURES[family] and declared & ARCHITECTURES[other]:
        raise ModelError(f"{source} is a {other} language model ({', '.join(sorted(declared))}), not a {family} one")
    if not tokenizer.is_fast:
        raise ModelError(f"{source} has no fast tokenizer (tokenizer.json), so tokens cannot be traced to their words")
    if family == "masked" and tokenizer.mask_token_id is None:
        raise ModelError(f"the tokenizer of {source} has no mask token, so this is no masked language model")


def provenance(loaded: Loaded, spec: ModelSpec) -> dict[str, Any]:
    """Model, tokenizer, numbers and machine, as far as they decide the scores."""
    tokenizer = loaded.tokenizer
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return {
        "source": spec.source,
        "revision": spec.revision,
        "files_sha256": dict(loaded.files),
        **({"weights_not_used": list(loaded.unused)} if loaded.unused else {}),
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
