"""The artefact: what training changed, in one safetensors file, and the model composed of it and the encoder.

Every trained matrix of the encoder is its difference in 8 or 4 bits with a scale a row, every vector its difference in
float16, and the new head is there whole in float16. Composing is one product and one sum in float32 a number, so that
every machine gets the same bits. numpy and safetensors only: no torch.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save_file

from corpus.provenance import sha256
from corpus.whole import whole_file

Arrays = dict[str, NDArray[Any]]

FORM = "parallax-masked-lm-1"
# Bytes. The repository carries it.
LARGEST = 12_000_000
BODY, HEAD = "bert.", "cls.predictions."
# The largest whole number that stands in so many bits, either sign.
LEVELS = {8: 127, 4: 7}
# Scales are float16 in units of this, or the smallest would lose digits.
SCALE_UNIT = 2.0**-12
CODES, SCALE, DIFFERENCE = ".codes", ".scale", ".difference"
WEIGHTS, CONFIG, TOKENIZER = "model.safetensors", "config.json", "tokenizer.json"
COPIED = ("tokenizer_config.json", "vocab.txt", "LICENSE", "NOTICE")


class ArtefactError(ValueError):
    """The artefact or the encoder is not what it says it is. Nothing is composed. str() says what is wrong."""


def pack(rounded: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Two numbers from -7 to 7 in a byte, (rows, columns) → (rows, columns / 2): even columns are the low halves."""
    lifted = (rounded + 8).astype(np.uint8)
    return (lifted[:, 0::2] | (lifted[:, 1::2] << 4)).astype(np.uint8)


def unpack(packed: NDArray[np.uint8]) -> NDArray[np.int8]:
    """The inverse of `pack`."""
    unpacked = np.empty((packed.shape[0], 2 * packed.shape[1]), dtype=np.int8)
    unpacked[:, 0::2] = (packed & 15).astype(np.int8) - 8
    unpacked[:, 1::2] = (packed >> 4).astype(np.int8) - 8
    return unpacked


def write(path: Path, parts: Arrays, *, encoder_sha256: str) -> str:
    """The file, whole or not at all, and its sha256. ArtefactError if it is larger than LARGEST bytes."""
    # One entry only: safetensors keeps no order among several, and the same parts must give the same bytes.
    about = json.dumps({"form": FORM, "encoder": encoder_sha256}, sort_keys=True)
    with whole_file(path) as scratch:
        save_file({name: np.ascontiguousarray(parts[name]) for name in sorted(parts)}, scratch, {"about": about})
        size = scratch.stat().st_size
        if size > LARGEST:
            raise ArtefactError(f"the artefact would have {size:,} bytes; at most {LARGEST:,} are allowed")
    return sha256(path)


def read(path: Path) -> tuple[Arrays, str]:
    """The parts, and the sha256 of the encoder's weights that they belong to. ArtefactError if the file is damaged."""
    try:
        with safe_open(path, framework="numpy") as file:
            about = json.loads((file.metadata() or {}).get("about", "{}"))
        parts: Arrays = load_file(path)
    except (OSError, ValueError, SafetensorError) as error:
        raise ArtefactError(f"{path} cannot be read: {error}") from error
    if not isinstance(about, dict) or about.get("form") != FORM or "encoder" not in about:
        raise ArtefactError(f"{path} is no artefact of the form {FORM}")
    for name, part in parts.items():
        if part.dtype == np.float16 and not np.isfinite(part).all():
            raise ArtefactError(f"{path}: {name} holds numbers that are not finite")
    return parts, str(about["encoder"])


def composed(encoder: Mapping[str, NDArray[Any]], parts: Arrays) -> Arrays:
    """The weights of the whole model, float32, by the names of a BertForMaskedLM. ArtefactError if the two do not fit.

    `encoder` has the names of a BertModel; its pooler, which reads whole sentences, is left out.
    """
    weights = _body(encoder)
    for name, part in parts.items():
        target = name.removesuffix(CODES).removesuffix(DIFFERENCE)
        if name.endswith(SCALE):
            continue
        if name.startswith(HEAD):
            weights[name] = part.astype(np.float32)
            continue
        if target not in weights:
            raise ArtefactError(f"the encoder has no {target}")
        change = _change(part, parts.get(target + SCALE)) if name.endswith(CODES) else part.astype(np.float32)
        if change.shape != weights[target].shape:
            raise ArtefactError(
                f"{target} is {weights[target].shape} in the encoder and {change.shape} in the artefact"
            )
        weights[target] = weights[target] + change
    if not any(name.startswith(HEAD) for name in weights):
        raise ArtefactError("the artefact has no head")
    return weights


def _body(encoder: Mapping[str, NDArray[Any]]) -> Arrays:
    return {
        BODY + name: np.asarray(weight, dtype=np.float32)
        for name, weight in encoder.items()
        if not name.startswith("pooler.") and np.issubdtype(weight.dtype, np.floating)
    }


def _change(part: NDArray[Any], scale: NDArray[Any] | None) -> NDArray[np.float32]:
    if scale is None or len(scale) != len(part):
        raise ArtefactError("a part lacks its scales")
    rounded = unpack(part) if part.dtype == np.uint8 else part
    change: NDArray[np.float32] = (
        rounded.astype(np.float32) * (scale.astype(np.float32) * np.float32(SCALE_UNIT))[:, None]
    )
    return change


def digest(weights: Arrays) -> str:
    """sha256 over names, shapes and numbers, whatever file they lie in."""
    sha = hashlib.sha256()
    for name in sorted(weights):
        sha.update(f"{name} {weights[name].shape}\n".encode())
        sha.update(np.ascontiguousarray(weights[name], dtype="<f4").tobytes())
    return sha.hexdigest()


def compose(encoder: Path, artefact: Path, folder: Path, *, expected: str = "") -> str:
    """Lay out the composed model in `folder`, which is there already; the digest of its weights.

    ArtefactError if the encoder is another than the artefact was made with, or if the digest is not `expected`.
    """
    parts, required = read(artefact)
    actual = sha256(encoder / WEIGHTS)
    if actual != required:
        raise ArtefactError(
            f"{artefact.name} belongs to an encoder with sha256 {required[:12]}…, and this is {actual[:12]}…"
        )
    weights = composed(load_file(encoder / WEIGHTS), parts)
    weights_sha = digest(weights)
    if expected and weights_sha != expected:
        raise ArtefactError(f"{artefact.name} composes to {weights_sha[:12]}…, not to {expected[:12]}…")
    # transformers asks for this entry before it reads a file.
    save_file(weights, folder / WEIGHTS, {"format": "pt"})
    _lay_out_tokenizer(encoder, folder)
    config = json.loads((encoder / CONFIG).read_text())
    config |= {"architectures": ["BertForMaskedLM"], "tie_word_embeddings": True, "dtype": "float32"}
    (folder / CONFIG).write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    return weights_sha


def _lay_out_tokenizer(encoder: Path, folder: Path) -> None:
    tokenizer = json.loads((encoder / TOKENIZER).read_text())
    # The packaged encoder's would cut every text at 128 tokens and fill it up.
    tokenizer |= {"truncation": None, "padding": None}
    (folder / TOKENIZER).write_text(json.dumps(tokenizer, ensure_ascii=False) + "\n")
    for name in COPIED:
        if (encoder / name).exists():
            shutil.copyfile(encoder / name, folder / name)
