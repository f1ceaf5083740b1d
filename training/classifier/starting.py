"""Starting, stopping and resuming trainings."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from django.db import transaction

from accounts.models import User
from annotation.models import Study
from corpus.provenance import digest
from scoring.library.model_store import StoreError, is_stored
from scoring.scorers.recipes import Recipe
from training.classifier.bases import Base
from training.classifier.collecting import collect
from training.classifier.examples import Split
from training.classifier.settings import MAJORITY, REFERENCE, Settings
from training.models import Training
from training.shared.settings import faults as faults_of
from work.queue import send

# Goes up when the same settings would give other weights.
LOOP_VERSION = "1"


class CannotTrain(ValueError):
    """Why this training cannot be started. str() is a sentence that says what would fit."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What several trainings of one grid share: the encoder, the recipe, and the items in two parts."""

    base: Base
    recipe: Recipe
    taught_by: str
    studies: tuple[Study, ...]
    apart_from: tuple[Study, ...]
    split: Split

    def contest(self, settings: Settings) -> str:
        """Those that share it learned from the same texts and were chosen by the same ones."""
        return digest(self._identity | {"max_length": settings.max_length})

    def fingerprint(self, settings: Settings) -> str:
        return digest(self._identity | {"loop": LOOP_VERSION, "settings": settings.as_json()})

    @property
    def synthetic(self) -> list[str]:
        """The studies whose labels teach and were given by programs."""
        studies = self.studies if self.taught_by == MAJORITY else ()
        return [study.slug for study in studies if study.people.are_synthetic]

    @property
    def _identity(self) -> dict[str, object]:
        return {
            "base": self.base.deciding,
            "recipe": [self.recipe.key, self.recipe.version],
            "labels": self.split.labels,
            "taught_by": self.taught_by,
            "items": [self.split.train_sha256, self.split.held_out_sha256],
        }


def prepare(
    base: Base,
    recipe: Recipe,
    studies: Sequence[Study],
    *,
    taught_by: str = REFERENCE,
    apart_from: Sequence[Study],
    settings: Settings,
) -> Prepared:
    """Read the items once. CannotCollect or CannotSplit where they do not fit."""
    split = collect(studies, recipe, taught_by=taught_by, apart_from=apart_from, settings=settings)
    return Prepared(base, recipe, taught_by, tuple(studies), tuple(apart_from), split)


def prepare_grid(
    base: Base,
    recipe: Recipe,
    studies: Sequence[Study],
    *,
    taught_by: str = REFERENCE,
    apart_from: Sequence[Study],
    points: Sequence[Settings],
) -> list[tuple[Prepared, list[Settings]]]:
    """The points of a grid by the items that they learn from, which the label left out decides; raises as `prepare`."""
    by_label: dict[str | None, list[Settings]] = {}
    for point in points:
        by_label.setdefault(point.without, []).append(point)
    return [
        (prepare(base, recipe, studies, taught_by=taught_by, apart_from=apart_from, settings=those[0]), those)
        for those in by_label.values()
    ]


def start_grid(grid: Sequence[tuple[Prepared, Sequence[Settings]]], *, owner: User | None = None) -> list[Training]:
    """All of its trainings, or none; of those that learn from the same items the best one’s weights are kept."""
    with transaction.atomic():
        return [
            start_training(prepared, point, in_grid=len(points) > 1, owner=owner)
            for prepared, points in grid
            for point in points
        ]


def start_training(
    prepared: Prepared, settings: Settings, *, in_grid: bool = False, owner: User | None = None
) -> Training:
    """The training with these settings: a new one, one to go on with, or the finished one.

    `owner` is who asks for it on a page; for a command it is everybody's. The same request is always the same row. Of a
    grid only the best one's weights are kept; asked for singly, one whose weights were not kept is trained again, and
    so is one whose files were removed by hand. Messages are the caller's to send, by `send`. Raises CannotTrain.
    """
    faults = faults_of(settings)
    if settings.max_length is not None and not prepared.recipe.cuts:
        faults.append(f"{prepared.recipe.key} reads no passage to cut, so it takes no length.")
    if faults:
        raise CannotTrain(" ".join(faults))
    with transaction.atomic():
        columns = _columns(prepared, settings, in_grid=in_grid) | {"for_all": owner is None}
        row, _ = Training.objects.get_or_create(fingerprint=prepared.fingerprint(settings), defaults=columns)
        if owner is not None:
            row.owners.add(owner)
        row = Training.objects.select_for_update().get(pk=row.pk)
        row.in_grid = row.in_grid and in_grid
        _queue_again(row)
        if row.state == Training.State.QUEUED:
            # The same texts may lie in another study now, and the same encoder in another folder.
            row.base = asdict(prepared.base)
            row.studies = [study.slug for study in prepared.studies]
            row.synthetic = prepared.synthetic
            row.apart_from = [study.slug for study in prepared.apart_from]
        row.save()
    return row


def _columns(prepared: Prepared, settings: Settings, *, in_grid: bool) -> dict[str, object]:
    split = prepared.split
    return {
        "contest": prepared.contest(settings),
        "in_grid": in_grid,
        "recipe": prepared.recipe.key,
        "base": asdict(prepared.base),
        "taught_by": prepared.taught_by,
        "synthetic": prepared.synthetic,
        "studies": [study.slug for study in prepared.studies],
        "apart_from": [study.slug for study in prepared.apart_from],
        "settings": settings.as_json(),
        "labels": list(split.labels),
        "train_items": len(split.train),
        "train_sha256": split.train_sha256,
        "held_out_items": len(split.held_out),
        "held_out_sha256": split.held_out_sha256,
        "commonest_right": split.commonest_right,
        "left_out": dict(split.left_out),
        "steps": settings.steps(len(split.train)),
    }


def _queue_again(row: Training) -> None:
    """Under the row's lock: what was stopped or has failed goes on; finished without its weights, it begins anew."""
    lacks_weights = row.state == Training.State.FINISHED and _lacks_weights(row)
    if lacks_weights:
        row.step, row.curves = 0, {}
        row.accuracy = row.loss = row.epoch = row.finished_at = None
    if lacks_weights or row.state in (Training.State.STOPPED, Training.State.FAILED):
        row.state, row.error, row.attempts, row.finished_at = Training.State.QUEUED, "", 0, None


def _lacks_weights(row: Training) -> bool:
    """A better one of its grid was kept, and now it is asked for singly; or someone has removed its files."""
    if row.model is None:
        return not row.in_grid
    folder = Path(row.model.spec.source)
    if all((folder / name).is_file() for name in row.model.files):
        return False
    try:
        # Another machine may have trained it.
        return not is_stored(row.model.file_hash)
    except StoreError as error:
        message = str(error)
        raise CannotTrain(f"{message[0].upper()}{message[1:]}.") from error


def go_on(training: Training) -> Training:
    """Take up a training that was stopped or has failed, from its last saved state. QueueSilent as in `send`."""
    with transaction.atomic():
        row = Training.objects.select_for_update().get(pk=training.pk)
        _queue_again(row)
        row.save()
    send([row])
    return row


def stop_training(training: Training) -> None:
    """Train no further. The worker saves the state within seconds, and going on starts from there."""
    live = [Training.State.QUEUED, Training.State.RUNNING]
    Training.objects.filter(pk=training.pk, state__in=live).update(state=Training.State.STOPPED)
    training.refresh_from_db()
