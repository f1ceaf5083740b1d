"""Two label files, imported one after the other; somebody else writes while the first is laid down.

Run by test_bulk.py with DATABASE_URL set: `python -m tests.annotation.label_importing FOLDER`. Prints what was found as
JSON.
"""

import json
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TARGETS, PEOPLE, EACH = 300, 40, 30


def answers(people: range, rng: random.Random) -> list[Any]:
    """Everyone labels some targets; the first two of them fail the check."""
    from annotation.elsewhere.labelfile import LabelRow

    values = ("impossible", "less_likely", "more_likely")
    rows = [
        LabelRow(f"target-{target}", f"w{who}", rng.choice(values), rng.choice([None, 1.5, 2.25]))
        for who in people
        for target in rng.sample(range(1, TARGETS + 1), EACH)
    ]
    failed = list(people)[:2]
    rows += [LabelRow("attention-1", f"w{who}", "more_likely" if who in failed else "impossible") for who in people]
    rng.shuffle(rows)
    return rows


def elsewhere(found: dict[str, Any]) -> None:
    """Another connection, as an annotator's."""
    from django.db import OperationalError, connection

    from annotation.models import Annotator, Judgment

    try:
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 200")
        found["seen_meanwhile"] = Judgment.objects.count()
        Annotator.objects.create(platform="link", external_id="ann")
        found["wrote_meanwhile"] = True
    except OperationalError as error:
        found["wrote_meanwhile"] = str(error)
    finally:
        connection.close()


def interrupted(rows: Iterator[Any], found: dict[str, Any]) -> Iterator[Any]:
    for number, row in enumerate(rows):
        if number == 100:
            thread = threading.Thread(target=elsewhere, args=(found,))
            thread.start()
            thread.join()
        yield row


def unlike() -> list[str]:
    """What the tables say of themselves that does not fit together."""
    from annotation.models import Assignment, Item, Judgment
    from annotation.models.item import agreed_in

    faults = []
    tallies: dict[int, Counter[str]] = {}
    for one in Assignment.objects.filter(state="counted").select_related("judgment"):
        tallies.setdefault(one.item_id, Counter())[one.judgment.answer] += 1
    for item in Item.objects.all():
        tally = tallies.get(item.pk, Counter())
        if (item.counted, item.reserved, item.tally) != (tally.total(), 0, dict(tally)):
            faults.append(f"{item}: {item.counted} {item.tally}, but {tally}")
        if item.agreed != agreed_in(tally):
            faults.append(f"{item}: {item.agreed} agreed, but {tally}")
    for sitting in {one.sitting for one in Assignment.objects.select_related("sitting")}:
        positions = list(sitting.assignments.values_list("position", flat=True))
        if positions != list(range(1, len(positions) + 1)):
            faults.append(f"{sitting.pk}: {positions}")
    if Judgment.objects.count() != Assignment.objects.count():
        faults.append("not every assignment has its judgment")
    return faults


def is_stored(study: Any, rows: list[Any]) -> bool:
    """Whether the database holds these labels and no others."""
    from annotation.models import Judgment

    columns = ("assignment__item__external_id", "assignment__annotator__external_id", "answer", "response_ms")
    wanted = [
        (row.item, f"{study.pk}/{row.annotator}", row.label, None if row.seconds is None else round(1000 * row.seconds))
        for row in rows
    ]
    return Counter(Judgment.objects.values_list(*columns)) == Counter(wanted)


def main(folder: Path) -> None:
    import django

    django.setup()
    import pytest
    from django.db import connection

    from annotation.bulk import Fresh
    from annotation.elsewhere.label_import import import_labels
    from annotation.elsewhere.labelfile import write_labels
    from annotation.loading import load_study
    from annotation.models import Exclusion, Item
    from tests.studies import plausibility_rows, write_study

    rows = plausibility_rows(TARGETS, attention=1)
    study = load_study(write_study(folder / "study", rows, collection={"labels_per_item": PEOPLE})).study
    rng, found = random.Random("two files"), dict[str, Any](vendor=connection.vendor)
    first, second = answers(range(PEOPLE // 2), rng), answers(range(PEOPLE // 2, PEOPLE), rng)
    write_labels(folder / "first.csv", first)
    write_labels(folder / "second.csv", first + second)
    plain = Fresh.laid_down
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Fresh, "laid_down", lambda fresh: interrupted(plain(fresh), found))
        found["first"] = str(import_labels(study, folder / "first.csv"))
    found["second"] = str(import_labels(study, folder / "second.csv"))
    found["again"] = str(import_labels(study, folder / "second.csv"))
    found["stored"] = is_stored(study, first + second)
    found["unlike"] = unlike()
    found["excluded"] = sorted(Exclusion.objects.values_list("annotator__external_id", flat=True))
    found["attention"] = Item.objects.get(external_id="attention-1").counted
    # Every reference leads somewhere.
    connection.check_constraints()
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA foreign_keys")
            found["references_kept"] = cursor.fetchone()[0]
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
