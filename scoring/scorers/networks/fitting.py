"""Whether the weights of a checkpoint are those that its architecture takes: none missing, none left over."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from scoring.scorers.contract import ModelError

NAMED = 5
# What good checkpoints hold beside a language model: heads on the whole sentence (BERT's and RoBERTa's pooler, BERT's
# next sentence, ALBERT's order of sentences), and buffers that older versions of transformers stored. docs/scoring.md.
HARMLESS = re.compile(
    r"(^|\.)pooler\.|^cls\.seq_relationship\.|^sop_classifier\."
    r"|(^|\.)(position_ids|token_type_ids|inv_freq)$|\.(attn|attention)\.(masked_)?bias$"
)


def require_fit(source: str, family: str, loading: Mapping[str, Iterable[Any]]) -> tuple[str, ...]:
    """The weights that are left over and harmless. `loading` is what transformers tells of loading the model.

    ModelError for weights that are missing or of another shape, which would be drawn at random, and for others that
    are left over: with these the architecture is not the checkpoint's (fewer layers, say), and the scores would be
    another model's.
    """
    mismatched = sorted(_shaped(*found) for found in loading["mismatched_keys"])
    if mismatched:
        raise ModelError(f"{source} holds weights of other shapes than its config.json says: {_some(mismatched)}")
    missing = sorted(map(str, loading["missing_keys"]))
    if missing:
        raise ModelError(f"{source} lacks weights for a {family} language model: {_some(missing)}")
    unused = sorted(map(str, loading["unexpected_keys"]))
    odd = [name for name in unused if not HARMLESS.search(name)]
    if odd:
        raise ModelError(
            f"{source} holds weights that the architecture in its config.json has no place for: {_some(odd)}"
        )
    return tuple(unused)


def _shaped(name: str, held: Iterable[int], wanted: Iterable[int]) -> str:
    return f"{name} ({_by(held)}, not {_by(wanted)})"


def _by(shape: Iterable[int]) -> str:
    return "×".join(map(str, shape)) or "one number"


def _some(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
