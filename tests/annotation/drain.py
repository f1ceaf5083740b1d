"""Eight clients, each a process of its own, drain a study of twenty items at once.

Run by test_concurrency.py with DATABASE_URL set: `python -m tests.annotation.drain FOLDER [--excluding | --declining]`.
All start at one barrier and walk sittings until nothing is left for them. With --excluding, two annotators
are thrown out while they work; with --declining, a quarter of them cannot judge an item. Where the others had left by
then, late clients come for the reopened slots.
Prints the counts as JSON.
"""

import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier

CLIENTS = 8
ITEMS = 20
LABELS = 3
DEGREES = ("impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true")


def client(number: int, barrier: Barrier, *, excluding: bool, declining: bool = False) -> list[str]:
    """Answer until there is nothing left for this annotator; returns the errors met."""
    import django

    django.setup()
    from annotation.arrival.refusals import CannotStart
    from annotation.assignment import start
    from annotation.models import Study
    from annotation.quality.exclusion import exclude
    from annotation.recording import record
    from tests.studies import person

    errors: list[str] = []
    study = Study.objects.get()
    annotator = person(f"client-{number}")
    answered = 0
    to_exclude = excluding and number in (1, 2)
    # Those who will be excluded have their first items before the others come, so that there is something to lose.
    reserved = [start(study, annotator)] if to_exclude else []
    barrier.wait(timeout=300)
    try:
        while True:
            sitting = reserved.pop() if reserved else start(study, annotator)
            while (assignment := sitting.current()) is not None:
                declines = declining and (number + assignment.item.position) % 4 == 0
                answer = None if declines else DEGREES[(number + assignment.position) % 5]
                record(sitting, assignment.position, answer, response_ms=900)
                answered += 1
                if to_exclude and answered == 3:
                    exclude(study, annotator, rule="researcher", evidence={"reason": "the test says so"})
                sitting.refresh_from_db()
    except CannotStart:
        pass
    except Exception as error:  # noqa: BLE001 - whatever a client meets is the finding of this program
        errors.append(f"client {number}: {type(error).__name__}: {error}")
    return errors


def wave(numbers: range, *, excluding: bool, declining: bool = False) -> list[str]:
    """Let these clients work at once, each in a process of its own; returns the errors they met."""
    context = get_context("fork")
    with context.Manager() as manager, ProcessPoolExecutor(len(numbers), mp_context=context) as pool:
        barrier = manager.Barrier(len(numbers))
        working = [pool.submit(client, number, barrier, excluding=excluding, declining=declining) for number in numbers]
        return [error for work in working for error in work.result()]


def main(folder: Path, *, excluding: bool, declining: bool) -> None:
    import django

    django.setup()
    from django.db import connection
    from django.db.models import Sum

    from annotation.models import Assignment, Item, Judgment
    from tests.studies import open_small_study, plausibility_rows

    collection = {"labels_per_item": LABELS, "sitting_length": 4}
    open_small_study(folder, plausibility_rows(ITEMS), collection=collection, page={"cannot_judge": declining})
    connection.close()
    errors = wave(range(1, CLIENTS + 1), excluding=excluding, declining=declining)
    if (excluding or declining) and Item.objects.filter(need__gt=0).exists():
        errors += wave(range(CLIENTS + 1, CLIENTS + 1 + LABELS), excluding=False)
    counts = Item.objects.aggregate(counted=Sum("counted"), reserved=Sum("reserved"))
    print(
        json.dumps(
            {
                "errors": errors,
                "counted": counts["counted"],
                "reserved": counts["reserved"],
                "countable": Assignment.objects.filter(state="counted").count(),
                "excluded": Assignment.objects.filter(state="excluded").count(),
                "declined": Assignment.objects.filter(state="declined", judgment__answer="").count(),
                "judgments": Judgment.objects.count(),
                "per_item": sorted(Item.objects.values_list("counted", flat=True)),
                "tallies": sorted(sum(tally.values()) for tally in Item.objects.values_list("tally", flat=True)),
                "vendor": connection.vendor,
            }
        )
    )


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    main(Path(sys.argv[1]), excluding="--excluding" in sys.argv, declining="--declining" in sys.argv)
