"""Many who come by one link, and a study with places for ten."""

from datetime import timedelta
from pathlib import Path

from django.db.models import F

from annotation.assignment import hold_on
from annotation.models import Sitting, Study
from tests.annotation.pages.bot import Bot
from tests.studies import open_small_study, plausibility_rows


def begin_many(link: str, many: int) -> list[int]:
    return [Bot().begin(f"{link}?PROLIFIC_PID=p{number}").status for number in range(many)]


def work_through(link: str, many: int) -> None:
    """So many come to the end of their sitting, whose places do not come free again."""
    for number in range(many):
        visitor = Bot()
        visitor.begin(f"{link}?PROLIFIC_PID=p{number}")
        visitor.finish()


def ten_places(folder: Path, **collection: int) -> Study:
    return open_small_study(
        folder, plausibility_rows(6), collection={"labels_per_item": 10, "sitting_length": 6, **collection}
    )


def pass_minutes(many: int) -> None:
    """All that has happened so far was so much earlier."""
    past = timedelta(minutes=many)
    Sitting.objects.update(
        last_answer_at=F("last_answer_at") - past,
        instructed_at=F("instructed_at") - past,
        active_at=F("active_at") - past,
        lease_expires_at=F("lease_expires_at") - past,
    )


def all_hold_on() -> None:
    for sitting in Sitting.objects.filter(state="active"):
        hold_on(sitting)
