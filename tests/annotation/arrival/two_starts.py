"""One browser begins in two studies that exclude each other, in the second before the first start is committed.

Run by test_repeats.py: `python -m tests.annotation.arrival.two_starts FOLDER`, in the database that DATABASE_URL names.
Prints as JSON what became of both starts, with an id of a platform and without, new and known before.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotation.arrival.visitor import Visitor

# Longer than the second start takes if nothing holds it up.
HELD_SECONDS = 1


def visitor(slug: str, platform: str, name: str) -> "Visitor":
    from annotation.arrival.visitor import Browser, Visitor
    from annotation.models import Study
    from annotation.models.sitting import Device

    return Visitor(
        link=Study.objects.get(slug=slug).links.select_related("study").get(),
        browser=Browser(name),
        platform=platform,
        external_id=name,
        device=Device.COMPUTER,
        is_signed=False,
        platform_study="",
        platform_session="",
        submits_to="",
        origin="",
    )


def begins(slug: str, platform: str, name: str, *, begun: Event, go_on: Event | None = None) -> str:
    """As the first page has it; the transaction stays open until `go_on`."""
    from django.db import connection, transaction

    from annotation.arrival.refusals import TakenPartBefore
    from annotation.assignment import start

    who = visitor(slug, platform, name)
    try:
        with transaction.atomic():
            start(who.link.study, who.annotator(), visitor=who)
            begun.set()
            if go_on is not None:
                go_on.wait(HELD_SECONDS)
    except TakenPartBefore:
        return "refused"
    finally:
        # Also where it fails: nobody waits for what will not come.
        begun.set()
        connection.close()
    return "begun"


def both(platform: str, name: str) -> list[str]:
    first_begun, second_begun = Event(), Event()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(begins, "first", platform, name, begun=first_begun, go_on=second_begun)
        first_begun.wait()
        second = pool.submit(begins, "second", platform, name, begun=second_begun)
        return [first.result(), second.result()]


def main(folder: Path) -> None:
    import django

    django.setup()
    from django.db import connection

    from tests.studies import open_small_study, plausibility_rows

    for slug, other in (("first", "second"), ("second", "first"), ("third", "")):
        collection = {"id_parameter": "pid", "max_unanswered": 0, "excludes": [other] if other else []}
        open_small_study(folder / slug, plausibility_rows(9), slug=slug, collection=collection)
    found = {}
    for platform in ("pid", "link"):
        found[f"{platform}, new"] = both(platform, f"{platform}-new")
        begins("third", platform, f"{platform}-known", begun=Event())
        found[f"{platform}, known"] = both(platform, f"{platform}-known")
    print(json.dumps({"vendor": connection.vendor, "found": found}))


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    main(Path(sys.argv[1]))
