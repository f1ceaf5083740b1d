"""Small studies for tests, made as a researcher makes them: by writing a study folder and loading it."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db.models.signals import post_save
from django.utils import timezone

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.itemfile import ItemRow, write_items
from annotation.loading import IN_COLUMNS, load_study
from annotation.models import Annotator, AnnotatorNumber, Sitting, Study
from annotation.platforms import Outcome
from annotation.recording import Recorded
from tests.worlds import OWNERS, world
from training.models import Training

FIRST_LAMP = {"target": 0, "gold": 100_000, "attention": 200_000, "practice": 300_000}
DEFAULTS: dict[str, dict[str, Any]] = {
    "collection": {"labels_per_item": 3, "sitting_length": 5, "max_items_per_annotator": 100},
    "quality": {"max_attention_failures": 0, "gold_tolerance": 0.10, "gold_distance": 2},
    "scoring": {"metrics": ["pll"]},
}


def plausibility_row(number: int, *, kind: str = "target", reference: str | None = None, **more: Any) -> ItemRow:
    # Every item has a text of its own, whatever its kind.
    lamp = number + FIRST_LAMP[kind]
    content = {
        "original": f"Lamp number {lamp} lights the hall.",
        "modified": f"A broken lamp number {lamp} lights the hall.",
        "modifier": "broken",
        "noun": "lamp",
    }
    return ItemRow(f"{kind}-{number}", content, kind, reference, **more)


def plausibility_rows(targets: int, *, gold: int = 0, attention: int = 0) -> list[ItemRow]:
    """Targets without references, gold items that are less likely, attention items that ask for impossible."""
    rows = [plausibility_row(number) for number in range(1, targets + 1)]
    rows += [plausibility_row(number, kind="gold", reference="less_likely") for number in range(1, gold + 1)]
    rows += [plausibility_row(number, kind="attention", reference="impossible") for number in range(1, attention + 1)]
    return rows


def write_study(
    folder: Path,
    rows: list[ItemRow],
    *,
    slug: str = "small",
    task: Mapping[str, Any] | None = None,
    **tables: Mapping[str, Any],
) -> Path:
    """A study folder; `tables` are those of study.toml, over the values of [collection], [quality] and [scoring]."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f'slug = "{slug}"', f'title = "The {slug} study"', 'instructions = "Read both sentences."']
    for name, table in {
        "task": task or {"type": "plausibility"},
        **{name: {**DEFAULTS.get(name, {}), **tables.get(name, {})} for name in [*DEFAULTS, *tables]},
    }.items():
        # JSON's numbers, texts and lists are TOML as well.
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    (folder / "study.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    write_items(folder / "items.jsonl", rows)
    return folder


def open_small_study(folder: Path, rows: list[ItemRow], **options: Any) -> Study:
    """Its rows are those of the last one like it."""
    write_study(folder, rows, **options)
    return world(f"{rows} {options}", lambda: load_study(folder, open_study=True).study)


def declare(*studies: Study, **settings: Any) -> None:
    """These settings in the rows of the studies, or of all, whatever has come and been fixed."""
    for study in Study.objects.filter(pk__in=[one.pk for one in studies]) if studies else Study.objects.all():
        study.declared |= {name: value for name, value in settings.items() if name not in IN_COLUMNS}
        for name in IN_COLUMNS & settings.keys():
            setattr(study, name, settings[name])
        study.save()


@contextmanager
def owning(user: User) -> Iterator[None]:
    """Every study and training is this user's: those there are, and those that are made meanwhile, by whomever."""

    def own(sender: type[Study], instance: Study, *, created: bool, **rest: object) -> None:
        if created:
            give(instance, user, Role.OWNER)

    def own_training(sender: type[Training], instance: Training, *, created: bool, **rest: object) -> None:
        if created:
            instance.owners.add(user)

    own_all(user)
    OWNERS.append(user)
    post_save.connect(own, sender=Study, weak=False)
    post_save.connect(own_training, sender=Training, weak=False)
    try:
        yield
    finally:
        OWNERS.remove(user)
        post_save.disconnect(own, sender=Study)
        post_save.disconnect(own_training, sender=Training)


def own_all(user: User) -> User:
    """Every study and training that there is is this user's."""
    for study in Study.objects.all():
        give(study, user, Role.OWNER)
    user.trainings.add(*Training.objects.all())
    return user


def person(name: str) -> Annotator:
    return Annotator.objects.get_or_create(platform="annotator", external_id=name)[0]


def fill_link(study: Study, *, code: str = "") -> None:
    """One place by its link, and somebody who has gone to the end and was shown this code."""
    study.links.update(max_starts=1)
    first = person("who-was-first")
    AnnotatorNumber.objects.give(study.pk, [first.pk])
    study.sittings.create(
        annotator=first,
        link=study.links.get(),
        state=Sitting.State.FINISHED,
        outcome=Outcome.COMPLETED,
        lease_expires_at=timezone.now(),
        completion_code=code,
    )


def told(recorded: Recorded) -> tuple[bool, bool]:
    """What recording says of an answer: whether it changed anything, and whether it was the last."""
    return recorded.changed, recorded.finished
