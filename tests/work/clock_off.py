"""Upkeep by a worker whose clock is days ahead, while somebody is in a sitting that a web process began, which is late.

Run by test_clock.py: `python -m tests.work.clock_off FOLDER`, in the database that DATABASE_URL names. Prints as JSON
what upkeep did, and how far the database's time is from this machine's, whose clock is right.
"""

import json
import sys
from datetime import timedelta
from pathlib import Path


def main(folder: Path) -> None:
    import django

    django.setup()
    from django.test.utils import setup_test_environment
    from django.utils import timezone

    from annotation.assignment import release_lapsed
    from annotation.loading import load_study
    from annotation.models import Delivery, PlatformId, Sitting
    from annotation.privacy import forget_due
    from tests.annotation.pages.bot import Bot
    from tests.studies import plausibility_rows, write_study
    from work.clock import database_now

    setup_test_environment()
    collection = {"platform": "prolific", "sitting_length": 2, "forget_after_days": 1, "max_unanswered": 9}
    write_study(folder, plausibility_rows(4), collection=collection)
    study = load_study(folder, open_study=True).study
    right = timezone.now
    # Later than the time until the first answer.
    timezone.now = lambda: right() - timedelta(minutes=12)
    Bot().begin(f"{study.links.get().get_absolute_url()}?PROLIFIC_PID={1:024x}")
    timezone.now = lambda: right() + timedelta(days=5)
    left = Sitting.objects.get().lease_seconds
    lapsed, erased = release_lapsed(), forget_due()
    webhook = study.webhooks.create(address="https://example.org/", events=[])
    Delivery.objects.create(webhook=webhook, event="test", next_at=right() + timedelta(hours=3))
    told = {
        "due": Delivery.objects.waiting().count(),
        "left": left,
        "lapsed": lapsed,
        "erased": erased,
        "active": Sitting.objects.filter(state="active").count(),
        "ids": PlatformId.objects.count(),
        "seconds": abs((database_now() - right()).total_seconds()),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
