"""A researcher's own model becomes a row: looked at, really opened and asked once, and only then written down.

Of a model on a hub it is told which commit a branch stands at. What was asked for in the browser is registered by a
worker, and what came of it is told on its row.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from annotation.models import Study
from corpus.errors import in_short
from corpus.provenance import digest
from scoring.baselines import LABELING
from scoring.baselines.associations.methods import METHODS
from scoring.library import packaged
from scoring.library.composed import composed_keys
from scoring.library.location import Location, of_folder
from scoring.library.model_store import upload
from scoring.library.pickled import PICKLED, PICKLED_INDEX, converted, pickled_files
from scoring.library.trying import TRIAL_METRICS, try_model
from scoring.models import LanguageModel
from scoring.runs.fitting import CannotRun
from scoring.runs.starting import start_run
from scoring.scorers.contract import ModelError
from scoring.scorers.networks.own_tokenizer import unreachable
from scoring.scorers.networks.weights import (
    CONFIG,
    DTYPES,
    INDEX,
    TOKENIZER_CONFIG,
    WHOLE,
    differences,
    file_hashes,
    named_in,
    read_config,
)
from work.queue import QueueSilent

DEFAULT_BRANCH = "main"
# What a model has beside its weights, as far as transformers reads it.
FILES = (
    CONFIG, "tokenizer.json", TOKENIZER_CONFIG, "special_tokens_map.json", "added_tokens.json", "vocab.txt",
    "vocab.json", "merges.txt", "spm.model", "spiece.model", "sentencepiece.bpe.model", "sentencepiece.model",
    "tokenizer.model", "chat_template.jinja", "bpe.codes", "dict.txt",
)  # fmt: skip

HUB_ID = re.compile(r"[\w-][\w.-]{0,95}(/[\w.-]{1,96})?")
COMMIT = re.compile(r"[0-9a-f]{40}")
# Files that hold the words of a tokenizer; its other files only say how they are used.
VOCABULARIES = (
    "tokenizer.json", "tokenizer.*.json", "tokenizer.model*", "tekken.json", "vocab*", "*vocab.json", "dict.txt",
    "*.model", "*.spm", "*.codes", "*.tiktoken",
)  # fmt: skip
# What has a tokenizer of its own.
NEURAL = ("masked", "causal", "classifier")
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
    # What it is asked before it is written down, if not what it is usually asked.
    try_sentence: str = ""


@dataclass(frozen=True, kw_only=True)
class Registered:
    """The model's row, whether it is new, and what its user should know of how it reads."""

    row: LanguageModel
    is_new: bool
    remarks: tuple[str, ...] = ()


def register(params: Wanted) -> Registered:
    """The model's row; registering a model again changes nothing and opens nothing.

    Raises CannotRegister where the arguments do not fit and ModelError where the model cannot be used, or its files not
    be put into the model store; neither leaves a row behind.
    """
    _require_plain(params)
    _require_sense(params)
    row = _row(params)
    existing = LanguageModel.objects.filter(key=params.key).first()
    if existing is not None:
        _require_same(existing, row, params)
        return Registered(row=existing, is_new=False)
    require_valid(row)
    loaded = try_model(row.spec, sentence=params.try_sentence)
    row.reading = list(loaded.reading)
    if row.files:
        upload(Path(row.spec.source), row.files)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        raise CannotRegister(f"The key {params.key!r} was just taken by another model.") from error
    return Registered(row=row, is_new=True, remarks=(*loaded.remarks, *unreachable(loaded.tokenizer)))


def _require_plain(params: Wanted) -> None:
    """Texts that a row can hold and a page can show."""
    for name, text in asdict(params).items():
        # A start token may be any character; the vocabulary decides.
        if name != "start_token" and not text.isprintable():
            raise CannotRegister(f"The {name} contains an unprintable character.")
    if len(params.source) > LONGEST_SOURCE:
        raise CannotRegister(f"The source has {len(params.source)} characters; the maximum is {LONGEST_SOURCE}.")


def _require_sense(params: Wanted) -> None:
    if params.family not in TRIAL_METRICS:
        raise CannotRegister(f"The family {params.family!r} is not one of {', '.join(TRIAL_METRICS)}.")
    if params.dtype not in DTYPES:
        raise CannotRegister(f"The dtype {params.dtype!r} is not one of {', '.join(DTYPES)}.")
    if params.family == "causal" and not params.start_token:
        raise CannotRegister(
            "A causal model needs --start-token: the first token of a text is scored after it, and tokenizers "
            "differ (docs/metrics.md, L3). It is often <|endoftext|> or <s>; see the tokenizer's files."
        )
    if params.family == "masked" and params.start_token:
        raise CannotRegister("A masked model has no --start-token: its tokenizer adds start and end.")
    require_free(params.key)


def is_reserved(key: str) -> bool:
    """Whether the key is one that Parallax gives, whatever models are carried as an artefact."""
    made_here = ("endpoint-", "imported-", *(f"{method}-" for method in METHODS))
    return key in {*LABELING, *(model.key for model in packaged.PACKAGED)} or key.startswith(made_here)


def require_free(key: str) -> None:
    """CannotRegister if the key is kept for what Parallax itself registers."""
    if is_reserved(key) or key in composed_keys():
        raise CannotRegister(f"The key {key!r} is reserved for a model of Parallax; choose another.")


def _row(params: Wanted) -> LanguageModel:
    """The row as it would be, not saved. The files of a folder are hashed here."""
    folder, revision, called = _folder(params.source), "", Path(params.source).name
    if folder is None:
        if not HUB_ID.fullmatch(params.source):
            raise CannotRegister(f"{params.source} is neither a folder nor a hub ID (owner/name).")
        revision = params.revision if COMMIT.fullmatch(params.revision) else commit_of(params.source, params.revision)
        folder = pickled_snapshot(params.source, revision)
    elif params.revision:
        raise CannotRegister("A folder has no --revision: the hashes of its files are stored instead.")
    else:
        called = folder.name
    location, source, files = Location.HUB, params.source, {}
    if folder is not None:
        origin = f"{params.source} at {revision}" if revision else str(folder)
        folder = _in_safetensors(folder, origin)
        (location, source), files = of_folder(folder), _folder_files(folder)
    return LanguageModel(
        key=params.key,
        name=_labeled(params.name or called, params.dtype),
        family=params.family,
        method=params.family,
        location=location.value,
        source=source,
        revision=revision,
        files=files,
        file_hash=digest(files) if files else "",
        dtype=params.dtype,
        settings={"start_token": params.start_token} if params.start_token else {},
        license=params.license,
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


def _in_safetensors(folder: Path, origin: str) -> Path:
    """The folder, or one with the same model whose weights are no longer pickled."""
    if not pickled_files(folder):
        return folder
    read_config(folder)
    return converted(folder, origin=origin, models_dir=Path(settings.MODELS_DIR).resolve())


def _folder_files(folder: Path) -> dict[str, str]:
    try:
        read_config(folder)
        files = file_hashes(folder)
    except OSError as error:
        raise ModelError(f"{folder} cannot be read ({in_short(error)})") from error
    if not any(fnmatchcase(name, pattern) for name in files for pattern in VOCABULARIES):
        raise ModelError(f"{folder} has no tokenizer file (tokenizer.json, or a vocabulary such as vocab.txt)")
    return files


def _require_same(existing: LanguageModel, row: LanguageModel, params: Wanted) -> None:
    """What is asked for again under a key must be what stands there. Name and license count where they are given."""
    deciding = ["family", "location", "source", "revision", "dtype", "settings", "is_imported"]
    deciding += [field for field in ("name", "license") if getattr(params, field)]
    differing = [
        f"{field} is {getattr(existing, field)!r}, not {getattr(row, field)!r}"
        for field in deciding
        if getattr(existing, field) != getattr(row, field)
    ]
    differing += differences(existing.files, row.files)
    if differing:
        raise CannotRegister(
            f"The key {existing.key!r} belongs to another model: {'; '.join(differing)}. Choose another key, because "
            f"scores are stored under it."
        )


def require_valid(row: LanguageModel) -> None:
    """CannotRegister if the row's name is another model's, or a field does not fit."""
    # An imported model may have the same name: what is imported is marked wherever it is shown.
    other = LanguageModel.objects.filter(name=row.name, is_imported=False).first()
    if other is not None:
        raise CannotRegister(f"There is already a model called {row.name} (key {other.key}); give another --name.")
    try:
        row.full_clean(exclude=["settings", "files"])
    except ValidationError as error:
        faults = [f"{field}: {' '.join(messages)}" for field, messages in error.message_dict.items()]
        raise CannotRegister("; ".join(faults)) from error


def reread(*, say: Callable[[str], None]) -> None:
    """Check once how each model registered before this check reads texts; restart its runs where that has changed."""
    rows = LanguageModel.objects.filter(method__in=NEURAL, reading__isnull=True)
    if not rows:
        return
    from scoring.scorers.networks.loaded import reading_of
    from scoring.scorers.networks.quiet import quiet

    for model in rows:
        try:
            with quiet():
                model.reading = list(reading_of(model.spec))
        except ModelError as error:
            say(f"{model.key}: its tokenizer cannot be read now ({error})")
            continue
        model.save(update_fields=["reading"])
        if model.reading:
            say(f"{model.key}: texts are now tokenized differently ({', '.join(model.reading)})")
            _begin_anew(model, say)


def _begin_anew(model: LanguageModel, say: Callable[[str], None]) -> None:
    for run in model.runs.filter(scores__isnull=False).distinct().select_related("study"):
        study: Study = run.study
        try:
            start_run(study, model, run.metric)
        except (CannotRun, QueueSilent) as error:
            say(
                f"{model.key}: {study.slug}, {run.metric}: scores are from the old tokenization; start the run "
                f"again ({error})"
            )
        else:
            say(f"{model.key}: {study.slug}, {run.metric}: scored again")


def commit_of(source: str, branch: str) -> str:
    """The commit that a branch or tag stands at now; that of the default branch for none."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_url

    revision = branch or DEFAULT_BRANCH
    with _hub_errors_in_words(f"{source} at {revision}"):
        commit = get_hf_file_metadata(hf_hub_url(source, CONFIG, revision=revision)).commit_hash
    if not commit:
        raise ModelError(f"the hub does not report the commit of {source} at {revision}; give the commit")
    return commit


def pickled_snapshot(source: str, commit: str) -> Path | None:
    """A folder with the files of a model whose weights are pickled there; None where the hub has no such."""
    from huggingface_hub import file_exists, hf_hub_download, try_to_load_from_cache

    # Without a hub in reach, what was loaded before can be registered still.
    if any(isinstance(try_to_load_from_cache(source, name, revision=commit), str) for name in (WHOLE, INDEX)):
        return None

    def has(name: str) -> bool:
        return file_exists(source, name, revision=commit)

    def brought(name: str) -> Path:
        return Path(hf_hub_download(source, name, revision=commit))

    with _hub_errors_in_words(f"{source} at {commit[:12]}"):
        if has(WHOLE) or has(INDEX) or not (has(PICKLED) or has(PICKLED_INDEX)):
            return None
        weights = [PICKLED] if has(PICKLED) else [PICKLED_INDEX, *named_in(brought(PICKLED_INDEX))]
        paths = [brought(name) for name in (*weights, *filter(has, FILES))]
        return paths[0].parent


@contextmanager
def _hub_errors_in_words(what: str) -> Iterator[None]:
    """What the hub's library raises, as a sentence."""
    # huggingface_hub's own client, whose errors it lets through.
    from httpx2 import HTTPError

    try:
        yield
    except (HTTPError, OSError, ValueError) as error:
        raise ModelError(f"the hub does not provide {what} ({in_short(error)})") from error
