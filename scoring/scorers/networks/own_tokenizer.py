"""The tokenizer that a model's own files describe, whatever class transformers has for it.

Classes of transformers 5 set a normalizer and a pre-tokenizer of their own over those of tokenizer.json, so that a
text may be lower-cased or parted otherwise than the model was trained with. The file decides.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import transformers
from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordPiece
from transformers.models.auto.tokenization_auto import get_tokenizer_config
from transformers.utils.hub import cached_file

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
    present = {token.content for token in own.get_added_tokens_decoder().values()}
    added = (token for _, token in sorted(loaded.added_tokens_decoder.items()) if token.content not in present)
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
    token: str | None = model.get("unk_token")
    return token


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
    tokenizer = completed(_built(proto, loaded, before, is_causal=is_causal), loaded)
    pieces = SentencePieceProcessor(model_file=str(path))
    first = normalizers.Sequence(before)
    for text in HELD_TO:
        # Several unknown characters in a row are one token in the one and several in the other.
        expected = _joined(pieces.encode(first.normalize_str(text), out_type=str), pieces)
        if _joined(tokenizer.tokenize(text), pieces) != expected:
            raise ModelError(
                f"{source}: {path.name} cannot be read exactly as sentencepiece reads it ({text!r}); save the "
                "tokenizer as tokenizer.json where the model comes from, and put that file beside it"
            )
    return tokenizer


def _built(proto: Any, loaded: Any, before: Sequence[Any], *, is_causal: bool) -> Tokenizer:
    """The class's numbers for the pieces, and the file's own way from a text to them."""
    content = json.loads(loaded.backend_tokenizer.to_str())
    content["model"]["byte_fallback"] = proto.trainer_spec.byte_fallback
    if content["model"]["type"] == "Unigram":
        names = [piece for piece, _ in content["model"]["vocab"]]
        content["model"]["unk_id"] = names.index(proto.trainer_spec.unk_piece)
    # The class's own, until the file's are set.
    content |= {"normalizer": None, "pre_tokenizer": None}
    tokenizer = Tokenizer.from_str(json.dumps(content))
    spec = proto.normalizer_spec
    steps = list(before)
    prefix = [normalizers.Prepend(SPACE)] if spec.add_dummy_prefix else []
    if spec.precompiled_charsmap:
        steps.append(normalizers.Precompiled(spec.precompiled_charsmap))
    if spec.remove_extra_whitespaces:
        steps += [normalizers.Replace(Regex(" {2,}"), " "), normalizers.Strip(left=is_causal, right=True)]
    if is_causal:
        tokenizer.normalizer = normalizers.Sequence([*steps, *prefix, normalizers.Replace(" ", SPACE)])
        return tokenizer
    # What follows a mask is no beginning, and has no mark before it.
    tokenizer.normalizer = normalizers.Sequence(steps)
    scheme = "first" if spec.add_dummy_prefix else "never"
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme=scheme, split=False)
    return tokenizer


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
    joined: list[str] = []
    for token in tokens:
        piece = token if not pieces.is_unknown(pieces.piece_to_id(token)) else ""
        if piece or not joined or joined[-1]:
            joined.append(piece)
    return joined


TOKENIZER = "tokenizer.json"
# Capitals, digits, accents, marks, spaces, punctuation, and scripts other than the Latin one.
PROBES = (
    "The old dog slept near the door.",
    "Anna visited BERLIN, McDonald's and the U.S. in summer.",
    "In 1987, 3.14 of 2,000 people (½) paid $5.50; 24% didn't!",
    "cafe\u0301 caf\u00e9 na\u00efve \u00c5ngstr\u00f6m Stra\u00dfe \u0130stanbul S\u00e3o",
    "two  spaces, a\ttab and a\nline",
    " a space before and after ",
    "don't I'll we've it's o'clock re-read mother-in-law",
    "“Quite,” said… the otter — ﬁve Ｆull ① x²",
    "a_b @user #tag https://example.org/a?b=c",
    "zero\u200bwidth no\u00a0break soft\u00adhyphen",
    "Η παλιά γάτα κοιμήθηκε. Старый пёс спал у двери.",
    "\u0627\u0644\u0652\u0643\u064e\u0644\u0652\u0628 \u05db\u05bc\u05b6\u05dc\u05b6\u05d1",
    "\u0939\u093f\u0928\u094d\u0926\u0940 \u0e2a\u0e38\u0e19\u0e31\u0e02 \U0001f44d\U0001f3fd",
    "老狗睡在门边。古い犬が眠った。늙은 개가 잤다.",
)
# Of a vocabulary's entries with letters, how many have capitals where a model was trained to tell them apart: a third
# in BERT's cased vocabularies, none in its uncased ones.
CASED = 0.01
BRACKETED = re.compile(r"\[\S+\]")
SAMPLED, IN_A_TEXT, NAMED = 200, 10, 5
# Files of sentencepiece, as models name them.
PIECES = ("spm.model", "spiece.model", "sentencepiece.bpe.model", "sentencepiece.model", "tokenizer.model")


@dataclass(frozen=True, kw_only=True)
class OwnTokenizer:
    """A tokenizer, what it reads otherwise than transformers' class would, and what its user should know.

    Where words do not part at spaces (`parts_at_spaces`), word numbers are to be taken from the places of tokens.
    """

    tokenizer: Any
    changes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    parts_at_spaces: bool = True


def own_tokenizer(source: str, *, family: str, options: Mapping[str, Any]) -> OwnTokenizer:
    """The tokenizer of a folder or of a hub's model. `options` are those that transformers opens the model with.

    ModelError if tokens could not be traced to their words, or if the files cannot be read exactly.
    """
    path = _file(source, TOKENIZER, options)
    try:
        loaded = transformers.AutoTokenizer.from_pretrained(source, **options)
    except (ImportError, ValueError) as error:
        if path is not None:
            raise
        raise ModelError(_not_read(source, options)) from error
    if not loaded.is_fast:
        raise ModelError(f"{source} has no fast tokenizer ({TOKENIZER}), so tokens cannot be matched to words")
    chance = _without_chance(loaded.backend_tokenizer)
    if path is not None:
        own = _of_file(Path(path), loaded, is_read_whole=family != "causal")
    else:
        own = _of_vocabulary(source, loaded, options, is_causal=family == "causal")
    parts = all(_parts_at_spaces(own.tokenizer, text) for text in PROBES)
    # Only a masked model's metrics ask where a word ends.
    changes = own.changes if parts or family != "masked" else (*own.changes, "words part at spaces")
    if chance:
        changes = (*changes, "dropout is off")
    return replace(own, changes=changes, remarks=(*own.remarks, *chance), parts_at_spaces=parts)


def _without_chance(tokenizer: Any) -> tuple[str, ...]:
    """Have a tokenizer part each text in one way; what is said if it left out merges at random, as for training."""
    dropout = getattr(tokenizer.model, "dropout", None)
    if not dropout:
        return ()
    tokenizer.model.dropout = None
    return (f"its tokenizer leaves out merges at random (dropout {dropout:g}), which is turned off here",)


def _not_read(source: str, options: Mapping[str, Any]) -> str:
    """Why transformers makes no tokenizer of the files, where there is no tokenizer.json."""
    if "auto_map" in get_tokenizer_config(source, **options):
        return f"{source} needs its own tokenizer code (auto_map), but only code of transformers is run"
    pieces = next((name for name in PIECES if _file(source, name, options)), None)
    why = f"{pieces} is no file of sentencepiece" if pieces else "its other files make no tokenizer"
    return (
        f"{source}: there is no {TOKENIZER}, and {why}; save the tokenizer as {TOKENIZER} where the model comes from, "
        "and put that file beside it"
    )


def _file(source: str, name: str, options: Mapping[str, Any]) -> str | None:
    """Where a file of the model lies, in its folder or in the hub's cache; None where it has none of that name."""
    path: str | None = cached_file(source, name, _raise_exceptions_for_missing_entries=False, **options)
    return path


def _of_file(path: Path, loaded: Any, *, is_read_whole: bool) -> OwnTokenizer:
    """What tokenizer.json says. `is_read_whole`: with the tokens that are put around a text."""
    own = Tokenizer.from_file(str(path))
    own.no_truncation()
    own.no_padding()
    _without_chance(own)
    if not _differ_in_parts(loaded.backend_tokenizer, own, is_read_whole=is_read_whole):
        return OwnTokenizer(tokenizer=loaded)
    tokenizer = completed(own, loaded)
    differing = next(_read_otherwise(loaded, tokenizer, is_read_whole=is_read_whole), None)
    if differing is None:
        return OwnTokenizer(tokenizer=tokenizer)
    name = type(loaded).__name__
    return OwnTokenizer(
        tokenizer=tokenizer,
        changes=(TOKENIZER,),
        remarks=(f"its {TOKENIZER} decides how texts are read, not the class {name}: {differing}",),
    )


def _of_vocabulary(source: str, loaded: Any, options: Mapping[str, Any], *, is_causal: bool) -> OwnTokenizer:
    """Without tokenizer.json: the class, with what its vocabulary and a sentencepiece file say for certain."""
    changes, remarks = [], []
    declared = get_tokenizer_config(source, **options)
    if getattr(loaded, "do_lower_case", False) and "do_lower_case" not in declared and _is_cased(loaded):
        loaded = transformers.AutoTokenizer.from_pretrained(source, do_lower_case=False, **options)
        changes.append("cased by its vocabulary")
        remarks.append(
            "its vocabulary has words with capitals, and no file says that texts are lower-cased, so they are not"
        )
    by_pieces = piece_tokenizer(source, loaded, is_causal=is_causal)
    if by_pieces is not None:
        loaded = by_pieces
        changes.append("sentencepiece")
    greedy = None if is_causal else with_greedy_mask(loaded)
    if greedy is not None:
        loaded = greedy
        changes.append("mask takes its space")
    return OwnTokenizer(tokenizer=loaded, changes=tuple(changes), remarks=tuple(remarks))


# --- Whether two read alike --------------------------------------------------------------------------


def _differ_in_parts(one: Any, other: Any, *, is_read_whole: bool) -> bool:
    parts = ["normalizer", "pre_tokenizer", "model", *(["post_processor"] if is_read_whole else [])]
    return any(_state(getattr(one, part)) != _state(getattr(other, part)) for part in parts)


def _state(part: Any) -> bytes:
    # What tokenizers itself writes of a part: JSON.
    return bytes(part.__getstate__()) if part is not None else b""


def _read_otherwise(one: Any, other: Any, *, is_read_whole: bool) -> Iterator[str]:
    """The texts that the two read otherwise, in words."""
    for text in (*PROBES, *_samples(other)):
        first, second = (reader(text, add_special_tokens=is_read_whole).encodings[0] for reader in (one, other))
        if (first.ids, first.offsets) != (second.ids, second.offsets):
            yield f"{text!r} is {_shown(second.tokens, first.tokens)}, not {_shown(first.tokens, second.tokens)}"


def _shown(tokens: list[str], others: list[str]) -> str:
    """The tokens about the first that differs."""
    pairs = zip(tokens, others, strict=False)
    place = next((place for place, (one, other) in enumerate(pairs) if one != other), 0)
    return " ".join(tokens[place : place + NAMED]) or "nothing"


def _samples(tokenizer: Any) -> Iterator[str]:
    """Texts of the model's own vocabulary, spread over all of it."""
    ids = sorted(set(tokenizer.get_vocab().values()) - set(tokenizer.all_special_ids))
    drawn = ids[:: max(1, len(ids) // SAMPLED)]
    words = [tokenizer.decode([token]).strip() for token in drawn]
    for start in range(0, len(words), IN_A_TEXT):
        yield " ".join(words[start : start + IN_A_TEXT])


# --- What a vocabulary tells ------------------------------------------------------------------------


def words_in(tokenizer: Any) -> list[str]:
    """The vocabulary's entries as they are read from a text, without those that have a role."""
    kept_apart = {*tokenizer.added_tokens_decoder, *tokenizer.all_special_ids}
    decode = tokenizer.backend_tokenizer.decode
    entries = (
        decode([number]).strip() for number in sorted(tokenizer.get_vocab().values()) if number not in kept_apart
    )
    # BERT's are [unused7] and the like; half a letter of a byte-level vocabulary is no text.
    return [entry for entry in entries if entry and "\ufffd" not in entry and not BRACKETED.fullmatch(entry)]


def _is_cased(tokenizer: Any) -> bool:
    """Whether the vocabulary tells capitals from small letters: more words have some than by chance.

    Single letters of word pieces are listed whatever the text was; sentencepiece has only those of its text.
    """
    least = 2 if isinstance(tokenizer.backend_tokenizer.model, WordPiece) else 1
    with_letters = [entry for entry in words_in(tokenizer) if sum(map(str.isalpha, entry)) >= least]
    capitals = [entry for entry in with_letters if any(map(str.isupper, entry))]
    return len(capitals) >= max(1, CASED * len(with_letters))


def unreachable(tokenizer: Any) -> Iterator[str]:
    """What is said of words that no text is ever read as; it looks at the whole vocabulary."""
    normalizer = tokenizer.backend_tokenizer.normalizer
    if normalizer is None:
        return
    if "A" not in normalizer.normalize_str("A"):
        yield from _never_read(tokenizer, "lower-cased", str.isupper)
    if unicodedata.normalize("NFC", normalizer.normalize_str("\u00e9")).endswith("e"):
        yield from _never_read(tokenizer, "read without accents", _has_accent)


def _never_read(tokenizer: Any, how: str, is_lost: Callable[[str], bool]) -> Iterator[str]:
    # Single letters are in many vocabularies whatever the text was.
    lost = sorted(
        entry for entry in words_in(tokenizer) if any(map(is_lost, entry)) and sum(map(str.isalpha, entry)) > 1
    )
    if lost:
        examples = ", ".join(lost[:NAMED]) + (", …" if len(lost) > NAMED else "")
        yield f"texts are {how}, so these words of its vocabulary are never read ({len(lost):,}): {examples}"


def _has_accent(letter: str) -> bool:
    return letter > "\x7f" and "LATIN" in unicodedata.name(letter, "") and bool(unicodedata.decomposition(letter))


def _parts_at_spaces(tokenizer: Any, text: str) -> bool:
    """Whether no word number runs over a space."""
    spans: dict[int, tuple[int, int]] = {}
    encoding = tokenizer(text, add_special_tokens=False).encodings[0]
    for word, (start, end) in zip(encoding.word_ids, encoding.offsets, strict=True):
        if word is not None:
            first, last = spans.get(word, (start, end))
            spans[word] = min(first, start), max(last, end)
    return all(len(text[start:end].split()) < 2 for start, end in spans.values())
