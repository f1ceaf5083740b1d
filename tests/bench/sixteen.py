"""Sixteen of the made crowd through the real pages, four at once, in the database that DATABASE_URL names.

Run by test_crowd.py: `python -m tests.bench.sixteen FOLDER`. Prints the crowd's table, and what was found as JSON.
"""

import json
import os
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotation.models import Study
    from bench.crowd.checks import Standing
    from bench.crowd.schedule import Came

PEOPLE, AT_ONCE, SEED = 16, 4, 1
# So many targets that all sixteen get as many as a sitting has.
TARGETS, LENGTH = 50, 10


def main(folder: Path) -> None:
    import django
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    from annotation.loading import load_study
    from bench.crowd import checks, table
    from bench.crowd.schedule import Crowd, collect
    from bench.crowd.study import Size, make_world, write_study
    from tests.annotation.pages.bot import Bot

    world = make_world(TARGETS, seed=SEED)
    size = Size(targets=TARGETS, sitting_length=LENGTH)
    study = load_study(write_study(folder, world, size, slug="crowd"), open_study=True).study
    crowd = Crowd(study=study, world=world, new_browser=Bot, at_once=AT_ONCE)
    came = collect(crowd, people=PEOPLE, seed=SEED, lapse=let_leases_run_out)
    faults = table.tell(study, came)
    standing = checks.standings(study, came.visits)
    print(json.dumps(found(came, standing) | {"faults": faults, "seen": seen(study, came)}))


def let_leases_run_out(study: "Study") -> None:
    """Nobody waits: whoever is away has been so for as long as a lease runs."""
    from django.utils import timezone

    from annotation.assignment import release_lapsed
    from annotation.models import Sitting

    active = study.sittings.filter(state=Sitting.State.ACTIVE)
    active.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    release_lapsed(study=study)


def found(came: "Came", standing: "list[Standing]") -> dict[str, Any]:
    from django.db import connection

    planned, visits = standing[: came.planned], came.visits
    return {
        "vendor": connection.vendor,
        "planned": came.planned,
        "came": len(visits),
        "who": sorted({one.person.name for one in visits}),
        "excluded": sorted({one.visit.person.name for one in planned if one.rule}),
        "kept": sorted({one.visit.person.name for one in planned if one.was_judged and not one.rule}),
        "codes": Counter(one.code for one in visits),
        "sent_twice": sum(one.sent_twice for one in visits),
        "strangers": sum(len(one.strangers) for one in visits),
        "again": sum(one.code_again is not None for one in visits),
        "left": sum(one.left for one in visits),
    }


def seen(study: "Study", came: "Came") -> dict[str, int]:
    """How many faults are found once there are some: a label not counted, one lost, one changed, a wrong code."""
    from django.db.models import F

    from annotation.models import Item, Judgment
    from bench.crowd import checks

    study.items.filter(pk=study.items.filter(kind=Item.Kind.TARGET).earliest("pk").pk).update(counted=F("counted") - 1)
    of_items = len(checks.faults_of_items(study))
    judgments = Judgment.objects.filter(assignment__sitting__study=study)
    judgments.earliest("pk").delete()
    lost = len(checks.faults_of_labels(study, came.visits))
    latest = judgments.latest("pk")
    latest.answer = "impossible" if latest.answer != "impossible" else "more_likely"
    latest.save()
    changed = len(checks.faults_of_labels(study, came.visits))
    next(one for one in came.visits if one.code).code = "ANOTHER"
    ends = len(checks.faults_of_ends(study, checks.standings(study, came.visits)))
    return {"items": of_items, "lost": lost, "changed": changed, "ends": ends}


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    main(Path(sys.argv[1]))
