"""A tokenizer of a sentencepiece file that has no tokenizer.json beside it: read as sentencepiece reads it.

transformers 5 takes the pieces of such a file and sets a normalizer and spaces of its own; Llama's loses the mark
before the first word. Here all that the file says is kept, and what comes is held to sentencepiece itself.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import transformers
from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers

from scoring.scorers.contract import ModelError

SPACE = "▁"
# Texts that a wrong normalizer, wrong spaces or a wrong alphabet would show in.
HELD_TO = (
    "The old dog slept near the door.",
    "Anna visited BERLIN, in 1987: 3.14 of 2,000!",
    "cafe\u0301 caf\u00e9  two  spaces ",
    " ﬁve Ｆull ① x² “quoted”",
    "Старый пёс спал. 老狗睡在门边。 👍",
)


def completed(own: Tokenizer, loaded: Any) -> Any:
    """`own` as transformers takes a tokenizer, with the roles, the lengths and the chat template of `loaded`."""
    there = {token.content for token in own.get_added_tokens_decoder().values()}
    added = (token for _, token in sorted(loaded.added_tokens_decoder.items()) if token.content not in there)
    for token in added:
        (own.add_special_tokens if token.special else own.add_tokens)([token])
    # The role must be that of the token which unknown words really become, or they would not be noticed.
    unknown = _unknown(own)
    backend: Any = transformers.PreTrainedTokenizerFast
    return backend(
        tokenizer_object=own,
        model_max_length=loaded.model_max_length,
        model_input_names=loaded.model_input_names,
        padding_side=loaded.padding_side,
        clean_up_tokenization_spaces=loaded.clean_up_tokenization_spaces,
        chat_template=loaded.chat_template,
        **loaded.special_tokens_map | ({"unk_token": unknown} if unknown else {}),
    )


def _unknown(own: Tokenizer) -> str | None:
    """What the tokenizer reads a word as that it does not know; None if it knows all there are."""
    model = json.loads(own.model.__getstate__())
    if model.get("unk_id") is not None:
        return str(model["vocab"][model["unk_id"]][0])
    named: str | None = model.get("unk_token")
    return named


def with_greedy_mask(loaded: Any) -> Any | None:
    """The tokenizer with a mask that takes the space before it; None where it takes it, or leaves none behind.

    RoBERTa, DeBERTa and their kin were trained so. transformers knows it from tokenizer.json, and without that file
    forgets it, and every slot would follow a token for the space.
    """
    mask = loaded.mask_token
    if mask is None or not _leaves_a_space(loaded, mask):
        return None
    content = json.loads(loaded.backend_tokenizer.to_str())
    for token in content["added_tokens"]:
        if token["content"] == mask:
            token["lstrip"] = True
    return completed(Tokenizer.from_str(json.dumps(content)), loaded)


def _leaves_a_space(loaded: Any, mask: str) -> bool:
    ids = loaded(f"a {mask}", add_special_tokens=False)["input_ids"]
    before = ids[: ids.index(loaded.mask_token_id)] if loaded.mask_token_id in ids else []
    return len(before) > 1 and not loaded.decode(before[-1:]).strip()


def piece_tokenizer(source: str, loaded: Any, *, is_causal: bool) -> Any | None:
    """The tokenizer of the file that `loaded` was made from; None where it was made from no sentencepiece file.

    ModelError if a text would be read otherwise than sentencepiece reads it.
    """
    path = Path(str(getattr(loaded, "vocab_file", None) or ""))
    if path.suffix not in (".model", ".spm") or not path.is_file():
        return None
    # Only here: few models come so.
    from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2

    made_by_protobuf: Any = sentencepiece_model_pb2
    proto = made_by_protobuf.ModelProto()
    proto.ParseFromString(path.read_bytes())
    before = _before_pieces(loaded)
    made = completed(_built(proto, loaded, before, is_causal=is_causal), loaded)
    pieces = SentencePieceProcessor(model_file=str(path))
    first = normalizers.Sequence(before)
    for text in HELD_TO:
        # Several unknown characters in a row are one token in the one and several in the other.
        expected = _joined(pieces.encode(first.normalize_str(text), out_type=str), pieces)
        if _joined(made.tokenize(text), pieces) != expected:
            raise ModelError(
                f"{source}: {path.name} cannot be read exactly as sentencepiece reads it ({text!r}); save the "
                "tokenizer as tokenizer.json where the model comes from, and put that file beside it"
            )
    return made


def _built(proto: Any, loaded: Any, before: Sequence[Any], *, is_causal: bool) -> Tokenizer:
    """The class's numbers for the pieces, and the file's own way from a text to them."""
    content = json.loads(loaded.backend_tokenizer.to_str())
    content["model"]["byte_fallback"] = proto.trainer_spec.byte_fallback
    if content["model"]["type"] == "Unigram":
        names = [piece for piece, _ in content["model"]["vocab"]]
        content["model"]["unk_id"] = names.index(proto.trainer_spec.unk_piece)
    # The class's own, until the file's are set.
    content |= {"normalizer": None, "pre_tokenizer": None}
    made = Tokenizer.from_str(json.dumps(content))
    spec = proto.normalizer_spec
    steps = list(before)
    prefix = [normalizers.Prepend(SPACE)] if spec.add_dummy_prefix else []
    if spec.precompiled_charsmap:
        steps.append(normalizers.Precompiled(spec.precompiled_charsmap))
    if spec.remove_extra_whitespaces:
        steps += [normalizers.Replace(Regex(" {2,}"), " "), normalizers.Strip(left=is_causal, right=True)]
    if is_causal:
        made.normalizer = normalizers.Sequence([*steps, *prefix, normalizers.Replace(" ", SPACE)])
        return made
    # What follows a mask is no beginning, and has no mark before it.
    made.normalizer = normalizers.Sequence(steps)
    scheme = "first" if spec.add_dummy_prefix else "never"
    made.pre_tokenizer = pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme=scheme, split=False)
    return made


def _before_pieces(loaded: Any) -> list[Any]:
    """What ALBERT's and XLNet's classes do to a text before their file sees it."""
    steps: list[Any] = []
    if hasattr(loaded, "keep_accents"):
        steps += [normalizers.Replace("``", '"'), normalizers.Replace("''", '"')]
        if not loaded.keep_accents:
            steps += [normalizers.NFKD(), normalizers.StripAccents()]
    if getattr(loaded, "do_lower_case", False):
        steps.append(normalizers.Lowercase())
    return steps


def _joined(tokens: Sequence[str], pieces: Any) -> list[str]:
    """The tokens, with an unknown one for each run of them."""
    found: list[str] = []
    for token in tokens:
        known = token if not pieces.is_unknown(pieces.piece_to_id(token)) else ""
        if known or not found or found[-1]:
            found.append(known)
    return found
