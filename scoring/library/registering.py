"""A researcher's own model becomes a row: looked at, really opened and asked once, and only then written down."""

import re
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from annotation.tasktypes.contract import Result, Sentence, SentenceNumbers, Unscored
from corpus.provenance import digest
from scoring.baselines import LABELING
from scoring.baselines.associations.methods import METHODS
from scoring.library import packaged
from scoring.library.composed import composed_keys
from scoring.library.location import Location, of_folder
from scoring.models import LanguageModel
from scoring.runs.asking import finite
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError, ModelSpec, Scorer, in_short
from scoring.scorers.networks.quiet import quiet
from scoring.scorers.networks.weights import DTYPES, differences, file_hashes, read_config

# What a model is asked before it is written down: one beginning with two ends.
TRIAL = ("The old dog slept near the door.", "The old dog slept on top of us.")
TRIAL_METRICS = {"masked": "pll", "causal": "causal"}
# Tokens of TRIAL that begin alike, however a tokenizer cuts its first words, and how near their numbers must be:
# products round by their shape, coarse numbers coarsely.
ALIKE, NEAR, NEAR_IF_COARSE = 2, 1e-3, 0.25
HUB_ID = re.compile(r"[\w-][\w.-]{0,95}(/[\w.-]{1,96})?")
COMMIT = re.compile(r"[0-9a-f]{40}")
# Files that hold the words of a tokenizer; its other files only say how they are used.
VOCABULARIES = (
    "tokenizer.json", "tokenizer.*.json", "tokenizer.model*", "tekken.json", "vocab*", "*vocab.json", "dict.txt",
    "*.model", "*.spm", "*.codes", "*.tiktoken",
)  # fmt: skip
# Of LanguageModel.source.
LONGEST_SOURCE = 300


class CannotRegister(ValueError):
    """What was asked for does not fit. str() is a sentence that says what would."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A model as the researcher names it. `source` is a folder or a hub id; an empty `name` is made from it."""

    key: str
    source: str
    family: str
    name: str = ""
    revision: str = ""
    dtype: str = "float32"
    start_token: str = ""
    license: str = ""


def register(wanted: Wanted) -> tuple[LanguageModel, bool]:
    """The model's row, and whether it is new. The same again changes nothing and opens nothing.

    Raises CannotRegister where the arguments do not fit and ModelError where the model cannot be used; neither leaves
    a row behind.
    """
    _require_plain(wanted)
    _require_sense(wanted)
    row = _row(wanted)
    known = LanguageModel.objects.filter(key=wanted.key).first()
    if known is not None:
        _require_same(known, row, wanted)
        return known, False
    require_valid(row)
    _try_out(row.spec)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        raise CannotRegister(f"The key {wanted.key!r} was taken by another model just now.") from error
    return row, True


def _require_plain(wanted: Wanted) -> None:
    """Texts that a row can hold and a page can show."""
    for name, text in asdict(wanted).items():
        # A start token may be any character; the vocabulary decides.
        if name != "start_token" and not text.isprintable():
            raise CannotRegister(f"The {name} holds a character that cannot be printed.")
    if len(wanted.source) > LONGEST_SOURCE:
        raise CannotRegister(f"The source has {len(wanted.source)} characters; at most {LONGEST_SOURCE} are kept.")


def _require_sense(wanted: Wanted) -> None:
    if wanted.family not in TRIAL_METRICS:
        raise CannotRegister(f"The family {wanted.family!r} is not one of {', '.join(TRIAL_METRICS)}.")
    if wanted.dtype not in DTYPES:
        raise CannotRegister(f"The dtype {wanted.dtype!r} is not one of {', '.join(DTYPES)}.")
    if wanted.family == "causal" and not wanted.start_token:
        raise CannotRegister(
            "A causal model needs --start-token: the first token of a text is scored given it, and tokenizers differ "
            "in what they add (docs/metrics.md, L3). Often it is <|endoftext|> or <s>; the tokenizer's files say."
        )
    if wanted.family == "masked" and wanted.start_token:
        raise CannotRegister("A masked model has no --start-token: its tokenizer adds start and end.")
    require_free(wanted.key)


def is_kept(key: str) -> bool:
    """Whether the key is one that Parallax gives, whatever models are carried as an artefact."""
    made_here = ("endpoint-", "imported-", *(f"{method}-" for method in METHODS))
    return key in {*LABELING, *(model.key for model in packaged.PACKAGED)} or key.startswith(made_here)


def require_free(key: str) -> None:
    """CannotRegister if the key is kept for what Parallax itself registers."""
    if is_kept(key) or key in composed_keys():
        raise CannotRegister(f"The key {key!r} is kept for a model of Parallax's own; choose another.")


def _row(wanted: Wanted) -> LanguageModel:
    """The row as it would be, not saved. The files of a folder are hashed here."""
    folder = _folder(wanted.source)
    files: dict[str, str] = {}
    if folder is not None:
        if wanted.revision:
            raise CannotRegister("A folder has no --revision: the hashes of its files are kept instead.")
        (location, source), files, called = of_folder(folder), _folder_files(folder), folder.name
    else:
        _require_hub(wanted)
        location, source, called = Location.HUB, wanted.source, wanted.source.rpartition("/")[2]
    return LanguageModel(
        key=wanted.key,
        name=_labeled(wanted.name or called, wanted.dtype),
        family=wanted.family,
        method=wanted.family,
        location=location.value,
        source=source,
        revision=wanted.revision,
        files=files,
        file_hash=digest(files) if files else "",
        dtype=wanted.dtype,
        settings={"start_token": wanted.start_token} if wanted.start_token else {},
        license=wanted.license,
    )


def _labeled(name: str, dtype: str) -> str:
    """The name with its dtype, unless that is the default: wherever it is named, it is seen to be another model."""
    label = f" ({dtype})"
    return name if dtype == DTYPES[0] or name.endswith(label) else name + label


def _folder(source: str) -> Path | None:
    """The folder that is named; None if it is none."""
    try:
        folder = Path(source).expanduser()
        return folder.resolve() if folder.is_dir() else None
    except (OSError, RuntimeError) as error:
        # Nobody here has that name, or the file system takes no such long one.
        raise CannotRegister(f"There is no folder {source} ({in_short(error)}).") from error


def _folder_files(folder: Path) -> dict[str, str]:
    try:
        read_config(folder)
        files = file_hashes(folder)
    except OSError as error:
        raise ModelError(f"{folder} cannot be read ({in_short(error)})") from error
    if not any(fnmatchcase(name, pattern) for name in files for pattern in VOCABULARIES):
        raise ModelError(f"{folder} has no tokenizer file (tokenizer.json, or a vocabulary such as vocab.txt)")
    return files


def _require_hub(wanted: Wanted) -> None:
    if not HUB_ID.fullmatch(wanted.source):
        raise CannotRegister(f"There is no folder {wanted.source}, and it is no id of a model hub (owner/name).")
    if not COMMIT.fullmatch(wanted.revision):
        raise CannotRegister(
            f"{wanted.source} is no folder here, so it is the id of a hub model, which needs --revision with a full "
            "commit (40 hexadecimal digits): the weights behind an id, a branch or a tag may change, and scores "
            "from before and after would stand under one name (docs/metrics.md, G7)."
        )


def _require_same(known: LanguageModel, row: LanguageModel, wanted: Wanted) -> None:
    """What is asked for again under a key must be what stands there. Name and license count where they are given."""
    deciding = ["family", "location", "source", "revision", "dtype", "settings", "is_imported"]
    deciding += [field for field in ("name", "license") if getattr(wanted, field)]
    differing = [
        f"{field} is {getattr(known, field)!r}, not {getattr(row, field)!r}"
        for field in deciding
        if getattr(known, field) != getattr(row, field)
    ]
    differing += differences(known.files, row.files)
    if differing:
        raise CannotRegister(
            f"There is another model under the key {known.key!r}: {'; '.join(differing)}. Choose another key; scores "
            "that stand there keep their meaning."
        )


def require_valid(row: LanguageModel) -> None:
    """CannotRegister if the row's name is another model's, or a field does not fit."""
    # An imported model may have the same name: what is imported is marked wherever it is shown.
    other = LanguageModel.objects.filter(name=row.name, is_imported=False).first()
    if other is not None:
        raise CannotRegister(f"There is a model called {row.name} already (key {other.key}); give another --name.")
    try:
        row.full_clean(exclude=["settings", "files"])
    except ValidationError as error:
        faults = [f"{field}: {' '.join(messages)}" for field, messages in error.message_dict.items()]
        raise CannotRegister("; ".join(faults)) from error


def _try_out(spec: ModelSpec) -> None:
    """Open the model and ask it for two sentences. ModelError if what comes is no score of a model of that family."""
    try:
        with quiet():
            scorer = open_scorer(spec, metric=TRIAL_METRICS[spec.method], settings={})
            first, second = (_numbers(scorer, spec, text) for text in TRIAL)
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(f"{spec.source} cannot score a sentence ({in_short(error)})") from error
    if spec.method != "causal":
        return
    near = NEAR if spec.dtype == DTYPES[0] else NEAR_IF_COARSE
    pairs = list(zip(first.tokens, second.tokens, strict=False))[:ALIKE]
    if any(abs(one[1] - other[1]) > near for one, other in pairs):
        raise ModelError(
            f"{spec.source} is no causal model: what it says of the beginning of a text depends on how the text ends"
        )


def _numbers(scorer: Scorer, spec: ModelSpec, text: str) -> SentenceNumbers:
    # One at a time: together, what two texts share would be computed once and could not differ.
    result: Result = scorer.score([Sentence(text)])[0]
    if isinstance(result, Unscored):
        raise ModelError(f"{spec.source} leaves {text!r} unscored: {result.reason}")
    sound = finite(result)
    if not isinstance(sound, SentenceNumbers):
        raise ModelError(f"{spec.source} gives {text!r} a score that is not finite; try float32")
    return sound
