"""A worker's part: read a training's items again, train, name the model, put it in place.

One process at a time works in a training's folder: one that was told to leave may still be writing there.
"""

import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone
from safetensors import SafetensorError

from corpus.provenance import digest
from scoring.library.location import Location
from scoring.library.locks import FolderInUse, exclusive_folder
from scoring.library.model_store import offer, on_this_machine, remove
from scoring.models import LanguageModel
from scoring.scorers.contract import ModelError
from scoring.scorers.networks.weights import differences
from scoring.scorers.recipes import UnknownRecipe, recipe
from training.classifier.bases import Base
from training.classifier.collecting import CannotCollect, collect, find_studies
from training.classifier.examples import CannotSplit, Split
from training.classifier.history import History
from training.classifier.settings import NEW, Settings
from training.classifier.taking import of_others, whose_turn
from training.models import Training
from work.kinds import GivenUp, Kind, WornOut
from work.leases import LeaseLost

# What a base's name says of its architecture.
IN_BRACKETS = re.compile(r"\s*\([^()]*\)$")
LONGEST_ENCODER, LONGEST = 60, 120

RETRY_SECONDS = 0.5
# Hears the step that was reached and the curves so far.
OnStep = Callable[[int, dict[str, Any]], None]
# What is written when a training is done. The rest of the row may have changed while it was trained.
RESULT = ("model", "accuracy", "loss", "epoch", "step", "curves")


def name_for(training: Training) -> str:
    """The name for its new model, beside those there are."""
    others = Training.objects.filter(model__isnull=False).exclude(pk=training.pk)
    return name_of(training, [one for one in others if _plain(one) == _plain(training)])


def name_of(training: Training, alike: Iterable[Training]) -> str:
    """`alike` are those that would be called the same: what sets it apart from any of them is in the name."""
    apart = [tuple(_apart(training, one)) for one in alike]
    name = ", ".join(dict.fromkeys([_plain(training), *chain.from_iterable(apart)]))
    if all(apart) and len(name) <= LONGEST:
        return name
    # Of other items, or from another encoder of that name: nothing short says which.
    return f"{_plain(training)}, {training.fingerprint[:6]}"


def _plain(training: Training) -> str:
    encoder = IN_BRACKETS.sub("", training.base["name"])[:LONGEST_ENCODER]
    taught = f"{recipe(training.recipe).title}{_taught(training)}, {encoder}"
    return ", ".join([taught, *_of_another_kind(training)])


def _of_another_kind(training: Training) -> Iterator[str]:
    """What nobody may take it for: it is always in the name."""
    if training.settings.get("learns") == NEW:
        yield "encoder frozen"
    if without := training.settings.get("without"):
        yield f"without {without}"


def _taught(training: Training) -> str:
    if training.taught_by == Training.TaughtBy.REFERENCE:
        return ""
    return " by a synthetic majority" if training.synthetic else " by the majority"


def _apart(training: Training, other: Training) -> Iterator[str]:
    """What of the training is not so in the other one, in words."""
    if training.studies != other.studies:
        yield f"on {' and '.join(training.studies)}"
    for name, value in training.settings.items():
        if other.settings.get(name) != value:
            yield _in_words(name, value)


def _in_words(name: str, value: object) -> str:
    if name == "learning_rate":
        return f"rate {value:g}"
    if name == "epochs":
        return "1 epoch" if value == 1 else f"{value} epochs"
    return f"{name.replace('_', ' ')} {value}"


@contextmanager
def hold_folder(folder: Path, *, is_wanted: Callable[[], bool]) -> Iterator[bool]:
    """Hold the folder while the block runs, once nobody else does; False if `is_wanted` says no before that."""
    with ExitStack() as held:
        yield _held(held, folder, is_wanted)


def _held(held: ExitStack, folder: Path, is_wanted: Callable[[], bool]) -> bool:
    while is_wanted():
        try:
            held.enter_context(exclusive_folder(folder))
        except FolderInUse:
            time.sleep(RETRY_SECONDS)
        else:
            return True
    return False


class CannotFinish(ValueError):
    """What it rests on has changed, or its files or its loss are of no use. str() says what."""


class TrainingProgress:
    """Writes progress into the row, and sees there whether it is still wanted and still this worker's."""

    def __init__(self, training: Training, *, on_step: OnStep | None = None) -> None:
        self.training, self.on_step = training, on_step

    def hold(self) -> bool:
        """Renew the lease; whether there is one to renew."""
        return self._write(self.training.write)

    def progress(self, *, step: int, steps: int, history: History, is_saved: bool) -> bool:
        curves = history.curves(steps=steps)
        write = self.training.got_further if is_saved else self.training.write
        is_mine = self._write(write, step=step, steps=steps, curves=curves)
        if is_saved and is_mine:
            # Here and not above, as all that takes torch.
            from training.classifier import stored_states

            stored_states.keep(self.training.fingerprint, workplace(self.training), step=step)
        if self.on_step is not None:
            self.on_step(step, curves)
        return is_mine

    @staticmethod
    def _write(write: Callable[..., None], **values: object) -> bool:
        try:
            write(lease_expires_at=Now() + Training.LEASE, **values)
        except LeaseLost:
            return False
        return True


def train(training: Training, *, on_step: OnStep | None = None) -> None:
    """Train once whoever had it before has left its folder, if it is wanted then. `on_step` hears how far it is."""
    from scoring.scorers.networks.tensor_file import CheckpointError
    from training.classifier.trainer import Diverged, Stopped

    Training.objects.filter(pk=training.pk, started_at=None).update(started_at=timezone.now())
    watched = TrainingProgress(training, on_step=on_step)
    try:
        with hold_folder(workplace(training), is_wanted=watched.hold) as is_mine:
            if is_mine:
                _train(training, watched)
    except Stopped as left:
        raise LeaseLost from left
    except Diverged as error:
        raise CannotFinish(str(error)) from error
    except (OSError, SafetensorError, CheckpointError) as error:
        raise CannotFinish(f"a file in {settings.VAR_DIR} could not be written or read: {error}") from error


def fail(training: Training, error: Exception) -> None:
    if isinstance(error, GivenUp):
        message = f"training {error} without progress" if isinstance(error, WornOut) else f"training {error}"
    else:
        message = str(error) if isinstance(error, REFUSALS) else f"{type(error).__name__}: {error}"
    training.release(state=Training.State.FAILED, error=message, finished_at=timezone.now())


REFUSALS = (ModelError, CannotCollect, CannotSplit, UnknownRecipe, CannotFinish)
TRAININGS = Kind(model=Training, do=train, fail=fail, refusals=REFUSALS, in_turn=whose_turn, of_others=of_others)


def workplace(training: Training) -> Path:
    """Where its states are saved. Gone when it is finished."""
    return Path(settings.VAR_DIR) / "training" / training.fingerprint


def _train(training: Training, watched: TrainingProgress) -> None:
    from training.classifier import stored_states
    from training.classifier.loop import Task, fit, lay_out
    from training.shared.checkpoint import CHECKPOINT, saved_step

    split, base = _items(training), Base(**training.base)
    spec = on_this_machine(base)
    task = Task(base=spec, split=split, settings=Settings.of_json(training.settings))
    folder = workplace(training)
    if settings.MODEL_STORE:
        stored_states.take(training.fingerprint, folder, beyond=saved_step(folder / CHECKPOINT))
    trained = fit(task, folder=folder, listener=watched)
    training.accuracy, training.loss = trained.best.accuracy, trained.best.loss
    training.epoch, training.step = trained.best.epoch, trained.steps
    training.curves = trained.history.curves(steps=trained.steps)
    # Someone may have asked for this very one since, so that its weights are wanted whatever the grid says.
    training.refresh_from_db(fields=["in_grid", "model"])
    files: dict[str, str] = {}
    is_beaten = training.in_grid and any(rival.rank < training.rank for rival in _with_weights(training))
    if training.model is not None or not is_beaten:
        target = settings.MODELS_DIR / training.key
        accepted = partial(_require_those_that_scored, training)
        terms = Path(spec.source) if base.files else None
        files = lay_out(trained, target, about=_about(training, split), terms=terms, accepted=accepted)
    _finish(training, files)
    if files:
        offer(settings.MODELS_DIR / training.key, files)
    if training.in_grid:
        # Another may have finished in the meantime, so the best is looked for once more, and this one may have to go.
        for beaten in sorted(_with_weights(training), key=lambda one: one.rank)[1:]:
            _give_up(beaten)
    shutil.rmtree(folder)
    stored_states.forget(training.fingerprint)


def _require_those_that_scored(training: Training, files: Mapping[str, str]) -> None:
    """If its model has its row already: scores that stand there keep their meaning. CannotFinish if they would not."""
    if training.model is None or not training.model.runs.exists():
        return
    if changes := differences(training.model.files, files):
        raise CannotFinish(
            f"its result differs from the one its model scored with ({', '.join(changes)}), as can happen on another "
            f"machine; restore the folder {training.key}, or delete the model's runs and continue"
        )


def _items(training: Training) -> Split:
    """The items and labels as they were when the training was asked for; CannotFinish if they are not."""
    split = collect(
        find_studies(training.studies),
        recipe(training.recipe),
        taught_by=training.taught_by,
        apart_from=find_studies(training.apart_from),
        settings=Settings.of_json(training.settings),
    )
    if (split.train_sha256, split.held_out_sha256) != (training.train_sha256, training.held_out_sha256):
        raise CannotFinish(
            f"the items or labels of {', '.join(training.studies)} have changed since the training was requested; "
            f"request it again"
        )
    return split


def _with_weights(training: Training) -> Iterable[Training]:
    """The finished ones of the same grid whose weights are kept."""
    finished = Training.objects.filter(contest=training.contest, in_grid=True, state=Training.State.FINISHED)
    return finished.exclude(model=None).select_related("model")


def _about(training: Training, split: Split) -> dict[str, Any]:
    """The row's part of the card."""
    own_recipe = recipe(training.recipe)
    return {
        "model": training.key,
        "made_by": "Parallax (docs/training.md)",
        "recipe": {"key": own_recipe.key, "version": own_recipe.version, "reads": own_recipe.description},
        "base": training.base,
        "license": f"the base's ({training.base['license'] or 'not stated'}), and that of its training items",
        "items": {
            "studies": training.studies,
            "taught_by": training.get_taught_by_display(),
            "synthetic_labels_of": training.synthetic,
            "apart_from": training.apart_from,
            "labels": training.labels,
            "train": training.train_items,
            "train_sha256": training.train_sha256,
            "held_out": training.held_out_items,
            "held_out_sha256": training.held_out_sha256,
            "held_out_majority_accuracy": split.majority_share,
            "left_out": training.left_out,
        },
        "settings": training.settings,
        "fingerprint": training.fingerprint,
    }


def _finish(training: Training, files: dict[str, str]) -> None:
    """The model's row, and the end of the training, in one transaction. LeaseLost if it was stopped meanwhile."""
    with transaction.atomic():
        training.model = _model(training, files) if files else None
        result = {name: getattr(training, name) for name in RESULT}
        training.release(state=Training.State.FINISHED, error="", finished_at=timezone.now(), **result)


def _model(training: Training, files: dict[str, str]) -> LanguageModel:
    train_settings = Settings.of_json(training.settings)
    defaults = {
        "family": LanguageModel.Family.CLASSIFIER,
        "method": LanguageModel.Family.CLASSIFIER,
        "location": Location.MODELS,
        "source": training.key,
        "files": files,
        "file_hash": digest(files),
        "settings": {
            "recipe": training.recipe,
            "recipe_version": recipe(training.recipe).version,
            "max_length": train_settings.max_length,
        },
        "license": training.base["license"],
    }
    # A model that is made again keeps its name.
    new = defaults | {"name": name_for(training)}
    row, _ = LanguageModel.objects.update_or_create(key=training.key, defaults=defaults, create_defaults=new)
    return row


def _give_up(beaten: Training) -> None:
    """A better one of its grid is there: remove its weights, unless something is scored with them."""
    assert beaten.model is not None
    try:
        beaten.model.delete()
    except IntegrityError:
        # It has runs, or was given one just now.
        return
    shutil.rmtree(settings.MODELS_DIR / beaten.key, ignore_errors=True)
    remove(beaten.model.file_hash)
