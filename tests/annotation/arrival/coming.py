"""Many who come by one link, and a study with places for ten."""

from pathlib import Path

from annotation.models import Study
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
