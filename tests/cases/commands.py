"""A case's file, and a command on it as a person types it."""

from io import StringIO
from pathlib import Path

from django.core.management import call_command

from annotation.loading import load_study
from annotation.models import Item, Study
from tests.shared_data import shared

RATING = ("--task", "rating", "--question", "How natural?", "--set", "points=7", "low=bad", "high=good")


def case(room: str, name: str) -> Path:
    return shared(f"../cases/{room}/{name}")


def command(*words: object) -> str:
    """What the command printed; CommandError where it refused."""
    out = StringIO()
    call_command(*map(str, words), stdout=out, stderr=out)
    return out.getvalue()


def study_of(room: str, name: str, *, is_open: bool = False) -> Study:
    return load_study(case(room, name), open_study=is_open).study


def rated(file: Path, *mapped: str, more: tuple[str, ...] = ()) -> tuple[str, dict[str, Item]]:
    """A rating study of a table: what the command printed, and the items by id."""
    said = command("import_study", "table", file, *RATING, *more, "--slug", "made", "--map", *mapped)
    # The folder's path has the test's name.
    told = "\n".join(line for line in said.splitlines() if not line.startswith("written to"))
    return told, {item.external_id: item for item in Item.objects.filter(study__slug="made")}
