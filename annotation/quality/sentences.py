"""What a study asks of those who label it, and what its platform says to that, in sentences."""

from annotation.models import Item, Study
from annotation.platforms import PLATFORMS
from annotation.platforms.contract import Rules
from annotation.tasktypes.contract import TaskType

# Of as many attention items the words are read.
MOST_CHECKS = 200


def policy(study: Study) -> list[str]:
    """The quality policy in sentences."""
    failures = study.max_attention_failures
    return [
        "Any failed attention check excludes an annotator."
        if failures == 0
        else f"More than {failures} failed attention checks exclude an annotator.",
        f"So do gold answers if more than {100 * study.gold_tolerance:.0f} % of them are "
        f"{degrees(study.gold_distance)} or more from the reference.",
        f"An item needs {study.labels_per_item} labels; a sitting has {study.sitting_length} of them to give, with "
        f"{study.gold_per_sitting} gold and {study.attention_per_sitting} attention items mixed in.",
        f"One annotator labels at most {study.max_items_per_annotator:,} items; "
        f"an unfinished sitting gives its items back after {study.lease_minutes} minutes without an answer.",
    ]


def degrees(count: int) -> str:
    return "1 degree" if count == 1 else f"{count} degrees"


def warnings(study: Study, *, minutes: int = 0) -> list[str]:
    """What goes against the rules of the study's platform, in sentences. Never a reason to refuse the study."""
    platform = PLATFORMS.get(study.platform)
    if platform is None:
        return []
    attention = study.items.filter(kind=Item.Kind.ATTENTION).order_by("position")[:MOST_CHECKS]
    return platform.warnings(
        Rules(
            attention_per_sitting=study.attention_per_sitting,
            gold_per_sitting=study.gold_per_sitting,
            max_attention_failures=study.max_attention_failures,
            minutes=minutes,
            codes=study.codes,
            addresses=study.addresses,
            unasked=tuple(item.external_id for item in attention if not _names_its_answer(study.task, item)),
        )
    )


def _names_its_answer(task: TaskType, item: Item) -> bool:
    """Whether the words of a check contain the answer that it wants; also where it stands among its options only."""
    assert item.reference is not None  # the database holds checks to it
    words = " ".join(text for text in item.content.values() if isinstance(text, str)).casefold()
    wanted = [item.content.get("options", {}).get(item.reference, ""), task.scale.text(item.reference), item.reference]
    return not words or any(one.replace("_", " ").casefold() in words for one in wanted if one)
