"""How long it takes to add, change and remove one item of a draft, by the number of items that it has.

    python -m bench.listing.drafting FOLDER [--items 1000 200000] [--rounds 5] [--database URL]

Makes a draft of each size in a database of its own in FOLDER, and does each with one item: by the verb, and as the page
does it, from the request to the answer. Prints the median of the rounds in milliseconds.
"""

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.million import installation

if TYPE_CHECKING:
    from annotation.itemfile import ItemRow
    from annotation.models import Study

WHAT = ("add", "change", "remove", "put back", "add by page", "change by page", "remove by page", "list")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the database is made")
    parser.add_argument("--items", type=int, nargs="+", default=[1_000, 200_000], help="of each draft (1000 200000)")
    parser.add_argument("--rounds", type=int, default=5, help="times that each is done (5)")
    parser.add_argument("--database", default="", metavar="URL", help="another database than FOLDER/drafting.sqlite3")
    options = parser.parse_args()
    folder = options.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    installation(folder, options.database or f"sqlite:///{folder / 'drafting.sqlite3'}")
    os.environ["PARALLAX_LOCAL"] = "1"
    import django
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    print(f"{platform.platform()}, Python {platform.python_version()}, median of {options.rounds}, ms")
    print(f"| items | {' | '.join(WHAT)} |\n|{'---|' * (len(WHAT) + 1)}")
    for count in options.items:
        study = made(count)
        found: dict[str, list[float]] = {what: [] for what in WHAT}
        for number in range(options.rounds):
            for what, seconds in one_round(study, number, count // 2).items():
                found[what].append(1000 * seconds)
        print(f"| {count:,} | {' | '.join(f'{statistics.median(found[what]):.0f}' for what in WHAT)} |", flush=True)


def made(count: int) -> "Study":
    """A draft of so many targets; loaded if it is not there."""
    from annotation.loading import StudyFolder, store_folder
    from annotation.models import Study
    from annotation.studyfile import settings_of
    from tests.api.made import TABLES

    slug = f"draft-{count}"
    if Study.objects.filter(slug=slug).exists():
        return Study.objects.get(slug=slug)
    rows = [row_of(number) for number in range(1, count + 1)]
    return store_folder(StudyFolder(settings_of(TABLES | {"slug": slug}, rows), None)).study


def row_of(number: int) -> "ItemRow":
    from tests.studies import plausibility_row

    return replace(plausibility_row(number), attributes={"source": f"s{number % 7}"})


def one_round(study: "Study", number: int, middle: int) -> dict[str, float]:
    """Each once, with items at the end and in the middle; the draft is afterwards as it was before."""
    from django.test import Client
    from django.urls import reverse

    from accounts.models import User
    from annotation.drafting.items import add_items, change_item, put_back, remove_items, state_of
    from annotation.revised import row_of as stored

    user, _ = User.objects.get_or_create(username="bench", defaults={"is_superuser": True})
    client = Client()
    client.force_login(user)

    def post(name: str, *rest: str, **said: Any) -> Any:
        return client.post(reverse(name, args=[study.slug, *rest]), said)

    found: dict[str, float] = {}
    fresh = row_of(10_000_000 + number)
    found["add"] = timed(lambda: add_items(study, [fresh]))
    changed = replace(fresh, group=f"g{number}")
    found["change"] = timed(lambda: change_item(study, changed, seen=state_of(fresh), editor=user))
    timed(lambda: remove_items(study, [fresh.id]))
    item = study.items.order_by("pk")[middle]
    gone: dict[int, ItemRow] = {}
    found["remove"] = timed(lambda: gone.update(remove_items(study, [item.external_id])))
    found["put back"] = timed(lambda: put_back(study, gone))
    said = {"kind": "target", "id": f"page-{number}", **{f"content.{k}": v for k, v in fresh.content.items()}}
    found["add by page"] = timed(lambda: done(post("item_new", **said)))
    seen = state_of(stored(study.items.get(external_id=f"page-{number}")))
    found["change by page"] = timed(lambda: done(post("item_edit", f"page-{number}", **said, group="g", seen=seen)))
    found["remove by page"] = timed(lambda: done(post("items_remove", item=f"page-{number}")))
    assert not study.items.filter(external_id=f"page-{number}").exists()
    found["list"] = timed(lambda: done(client.get(reverse("items", args=[study.slug])), 200))
    return found


def timed(verb: Callable[[], object]) -> float:
    begun = time.monotonic()
    verb()
    return time.monotonic() - begun


def done(answer: Any, status: int = 302) -> None:
    assert answer.status_code == status, answer.content.decode()[:5_000]


if __name__ == "__main__":
    main()
