"""Fine-tuning one encoder as a classifier. Knows texts and folders, never rows.

The same task on the same machine gives the same weights, byte for byte, however often it was interrupted. What comes of
it is a folder: weights, configuration, tokenizer, and a card that says what it is.
"""

import json
import platform
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError

from annotation.tasktypes.contract import Unscored
from corpus.whole import whole_folder
from scoring.scorers.classifier import EncodedPair, encoded_pair
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.networks.loaded import Loaded, special_tokens
from scoring.scorers.networks.onednn import remember_few
from scoring.scorers.networks.own_tokenizer import own_tokenizer
from scoring.scorers.networks.quiet import quiet
from scoring.scorers.networks.weights import WHOLE, file_hashes, require_registered
from training.classifier.examples import Example, Split
from training.classifier.history import History, Judged
from training.classifier.settings import NEW, Settings
from training.classifier.trainer import ClassifierTrainer, Listener

CLASSIFIER = "classifier"


def load_encoder(spec: ModelSpec, *, labels: Sequence[str], seed: int) -> tuple[Loaded, tuple[str, ...]]:
    """The model to train, float32, on this machine's device, and the names of the weights that were drawn.

    ModelError if it cannot be had, or if more than what stands above the encoder would have to be drawn.
    """
    is_folder = Path(spec.source).is_absolute()
    hashes = require_registered(Path(spec.source), spec.files) if is_folder else {}
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
    return Loaded(model, tokenizer, device, hashes, specials=special_tokens(tokenizer)), drawn


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What to train: an encoder, the items in two parts, and how."""

    base: ModelSpec
    split: Split
    settings: Settings


@dataclass(frozen=True, slots=True)
class Trained:
    """The best epoch's weights (a safetensors file), and what goes with them into a model's folder."""

    weights: Path
    best: Judged
    history: History
    model: Any
    tokenizer: Any
    # Weights that the encoder lacked and that were drawn by the seed: the classifier's own.
    drawn: tuple[str, ...]
    steps: int


def fit(task: Task, *, folder: Path, listener: Listener) -> Trained:
    """Train, or go on where `folder` says that it was. Raises Left, Diverged, CheckpointError, and ModelError for a
    base or items that cannot be used."""
    remember_few()
    folder.mkdir(parents=True, exist_ok=True)
    # That the classifier on top is new, and that some texts are long, is known and dealt with.
    with quiet():
        loaded, drawn = load_encoder(task.base, labels=task.split.labels, seed=task.settings.seed)
        if task.settings.learns == NEW:
            freeze(loaded, drawn)
        train = _encoded(loaded, task.split.train, task)
        held_out = _encoded(loaded, task.split.held_out, task)
    trainer = ClassifierTrainer(loaded, train, held_out, task.settings, folder=folder, listener=listener)
    trainer.train()
    best = trainer.history.best
    assert best is not None  # every epoch ends with a judgment
    return Trained(
        trainer.best_weights(best.step),
        best,
        trainer.history,
        loaded.model,
        loaded.tokenizer,
        drawn,
        trainer.steps,
    )


def _encoded(loaded: Loaded, examples: Sequence[Example], task: Task) -> list[dict[str, Any]]:
    """The items as the trainer takes them. ModelError with the count and the first reason if some cannot be read."""
    places = {label: place for place, label in enumerate(task.split.labels)}
    rows: list[dict[str, Any]] = []
    reasons: list[str] = []
    for example in examples:
        pair = encoded_pair(loaded, example.pair, max_length=task.settings.max_length)
        if isinstance(pair, Unscored):
            reasons.append(pair.reason)
        else:
            rows.append(_row(pair, places[example.label]))
    if reasons:
        raise ModelError(
            f"{len(reasons)} of {len(examples)} items cannot be read, the first because {reasons[0]}. Shorten "
            f"passages with --max-length; remove other items from the study"
        )
    return rows


def _row(pair: EncodedPair, label: int) -> dict[str, Any]:
    types = {} if pair.types is None else {"token_type_ids": list(pair.types)}
    return {"input_ids": list(pair.ids), **types, "labels": label}


CARD = "card.json"
# What a base's folder says of its license goes on with what was made of it.
TERMS = ("LICENSE", "NOTICE")
LIMITS = (
    "It was chosen by its accuracy on the held-out items; that accuracy is therefore slightly too high. It knows only "
    "the labels of its own task, and it answers whatever it is asked."
)


def lay_out(
    trained: Trained,
    target: Path,
    *,
    about: Mapping[str, Any],
    terms: Path | None,
    accepted: Callable[[Mapping[str, str]], None],
) -> dict[str, str]:
    """Put the model's folder in place, all of it or nothing; returns the sha256 of the files that decide.

    `about` is what the training's row says of it; `terms` is the base's folder; `accepted` is shown those hashes before
    the folder is in place, and may raise. The same training gives the same bytes.
    """
    # One process at a time trains it.
    with whole_folder(target, is_locked=True) as folder:
        config = trained.model.config
        config.architectures = [type(trained.model).__name__]
        config.save_pretrained(folder)
        trained.tokenizer.save_pretrained(folder)
        shutil.copyfile(trained.weights, folder / WHOLE)
        for terms_file in [terms / name for name in TERMS] if terms is not None else []:
            if terms_file.is_file():
                shutil.copyfile(terms_file, folder / terms_file.name)
        (folder / CARD).write_text(json.dumps(card(trained, about), indent=2, ensure_ascii=False) + "\n")
        hashes = file_hashes(folder)
        accepted(hashes)
    return hashes


def card(trained: Trained, about: Mapping[str, Any]) -> dict[str, Any]:
    """What it is, what it learned from, how well it did, and what it took."""
    return {
        **about,
        "kept": {
            "epoch": trained.best.epoch,
            "step": trained.best.step,
            "of_steps": trained.steps,
            "held_out_accuracy": trained.best.accuracy,
            "held_out_loss": trained.best.loss,
        },
        "weights_drawn_by_the_seed": list(trained.drawn),
        "curves": trained.history.curves(steps=trained.steps),
        "limits": LIMITS,
        "made_with": {
            "python": platform.python_version(),
            "torch": str(torch.__version__),
            "transformers": transformers.__version__,
            "device": str(next(trained.model.parameters()).device),
            "threads": torch.get_num_threads(),
        },
    }
