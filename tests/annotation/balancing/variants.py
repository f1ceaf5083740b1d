"""A study of variants, drained by clients that are processes of their own; then one at a time until it is full.

Run by test_lists.py with DATABASE_URL set: `python -m tests.annotation.balancing.variants FOLDER SETTING`.
Prints the counts as JSON.
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.annotation.drain import CLIENTS, wave

SOURCES, VARIANTS, LABELS = 6, 3, 3
# A source wants VARIANTS times LABELS people, and those who came early may have met others. More than this is a lock.
MOST = 40


def rows() -> list[Any]:
    """Six sources of three variants, and two fillers that have none."""
    from tests.studies import plausibility_row

    variants = [
        plausibility_row(10 * source + variant, group=f"source {source}")
        for source in range(SOURCES)
        for variant in range(VARIANTS)
    ]
    return [*variants, *(plausibility_row(1000 + number) for number in range(2))]


def main(folder: Path, setting: dict[str, Any]) -> None:
    import django

    django.setup()
    from django.db import connection

    from annotation.models import Assignment, Item
    from tests.studies import open_small_study

    open_small_study(folder, rows(), collection={"labels_per_item": LABELS, "sitting_length": 4, **setting})
    connection.close()
    errors, clients = wave(range(1, CLIENTS + 1), excluding=False), CLIENTS
    while Item.objects.filter(need__gt=0).exists() and clients < MOST:
        clients += 1
        errors += wave_of_one(clients)
    counted = Assignment.objects.filter(state="counted")
    met = counted.exclude(item__group="").values_list("annotator", "item__group")
    print(
        json.dumps(
            {
                "errors": errors,
                "clients": clients,
                "most_of_a_group": max(Counter(met).values()),
                "per_item": sorted(set(Item.objects.values_list("counted", "reserved"))),
                "vendor": connection.vendor,
            }
        )
    )


def wave_of_one(number: int) -> list[str]:
    from threading import Barrier

    from tests.annotation.drain import client

    return client(number, Barrier(1), excluding=False)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
