"""Many invented ids on one link, from four programs at once, while people work in the same study.

By test_invented_ids.py, with DATABASE_URL set: `python -m tests.annotation.arrival.invented FOLDER LIMIT`, LIMIT is
a setting of [collection] that is to stop them. Everybody goes through the real pages. Prints what happened as JSON.
"""

import json
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotation.models import Study

PROGRAMS, IDS = 4, 12
MOST = 20
ITEMS, LABELS, LENGTH = 100, 3, 4


def intruder(number: int, link: str, barrier: Barrier) -> dict[int, int]:
    """Begin with one id after the other, each in a browser of its own. How often each status came."""
    from tests.annotation.pages.bot import Bot

    barrier.wait(timeout=300)
    return Counter(Bot().begin(f"{link}?annotator=invented-{number}-{place}").status for place in range(IDS))


def worker(links: list[str], barrier: Barrier) -> list[str]:
    """Somebody who had begun by the same link, and somebody who begins by another one: what each reads at the end."""
    from tests.annotation.pages.bot import Bot

    before, after = Bot(), Bot()
    before.begin(f"{links[0]}?annotator=before")
    before.answer()
    barrier.wait(timeout=300)
    before.finish()
    after.begin(f"{links[1]}?annotator=after")
    after.finish()
    return [before.page.text, after.page.text]


def main(folder: Path, limit: str) -> None:
    import django
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    from django.db import connection

    from annotation.arrival.links import make_link
    from tests.annotation.pages.bot import Bot
    from tests.studies import open_small_study, plausibility_rows

    collection = {
        "labels_per_item": LABELS,
        "sitting_length": LENGTH,
        "max_starts": 0,
        "max_unanswered": 0,
        limit: MOST,
    }
    study = open_small_study(folder, plausibility_rows(ITEMS), collection=collection)
    links = [study.links.get().get_absolute_url(), make_link(study).get_absolute_url()]
    # What each process would load anew is loaded here, once.
    Bot().open("/")
    connection.close()
    context = get_context("fork")
    with context.Manager() as manager, ProcessPoolExecutor(PROGRAMS + 1, mp_context=context) as pool:
        barrier = manager.Barrier(PROGRAMS + 1)
        people = pool.submit(worker, links, barrier)
        programs = [pool.submit(intruder, number, links[0], barrier) for number in range(PROGRAMS)]
        statuses = sum((Counter(program.result()) for program in programs), Counter())
        last_pages = people.result()
    print(json.dumps(found(study, statuses, last_pages)))


def found(study: "Study", statuses: Counter[int], last_pages: list[str]) -> dict[str, Any]:
    from django.db import connection

    from annotation.models import Annotator, Judgment, Sitting

    invented = Annotator.objects.filter(platform_ids__value__startswith="invented")
    return {
        "vendor": connection.vendor,
        "statuses": {str(status): count for status, count in sorted(statuses.items())},
        "invented": invented.count(),
        "sittings": Sitting.objects.filter(annotator__in=invented).count(),
        "starts": study.links.earliest("pk").starts,
        "labels": Judgment.objects.count(),
        "thanked": sum("Thank you" in text for text in last_pages),
    }


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    main(Path(sys.argv[1]), sys.argv[2])
