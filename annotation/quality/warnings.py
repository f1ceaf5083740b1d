"""What a study's platform says to its policy, and where the study contradicts itself, in sentences."""

from annotation.balancing.lists import square
from annotation.models import Item, Study
from annotation.paying.money import contradictions
from annotation.platforms import PLATFORMS
from annotation.platforms.contract import Rules
from annotation.tasktypes.contract import TaskType

# Of as many attention items the words are read.
MOST_CHECKS = 200


def warnings(study: Study) -> list[str]:
    """What should be looked at before people come, in sentences. Never a reason to refuse the study."""
    return [*against_the_platform(study), *contradictions(study), *_of_lists(study)]


def _of_lists(study: Study) -> list[str]:
    """How uneven its lists are; nothing once it has opened, which is too late."""
    found = None if study.has_opened else square(study)
    if found is None or found.is_even:
        return []
    return [
        f"The lists are uneven. {found} An attribute can be named that says the condition of each item, or its list."
    ]


def against_the_platform(study: Study) -> list[str]:
    """What goes against the rules of the study's platform."""
    platform = PLATFORMS.get(study.platform)
    if platform is None:
        return []
    attention = study.items.filter(kind=Item.Kind.ATTENTION).order_by("position")[:MOST_CHECKS]
    return platform.warnings(
        Rules(
            attention_per_sitting=study.attention_per_sitting,
            gold_per_sitting=study.gold_per_sitting,
            max_attention_failures=study.max_attention_failures,
            minutes=information.minutes if (information := study.path.information) else 0,
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
