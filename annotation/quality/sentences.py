"""What a study asks of those who label it, what a rule found in their answers, and what its platform says, in
sentences.
"""

from collections.abc import Callable, Mapping
from typing import Any

from annotation.balancing import square
from annotation.models import Item, Study
from annotation.models.sitting import FIRST_ANSWER
from annotation.paying.money import contradictions
from annotation.platforms import PLATFORMS, Rules
from annotation.quality.policy import Policy
from annotation.setting import Warned
from annotation.tasktypes.contract import TaskType
from corpus.errors import counted

# Of as many attention items the words are read.
MOST_CHECKS = 200

Facts = Mapping[str, Any]
RESEARCHER = "researcher"


def warnings(study: Study) -> list[str]:
    """What should be looked at before people come, in sentences. Never a reason to refuse the study."""
    return [one.says for one in warned(study)]


def warned(study: Study) -> list[Warned]:
    """The same, each with the setting that it is about."""
    return [*against_the_platform(study), *contradictions(study), *_of_lists(study)]


def _of_lists(study: Study) -> list[Warned]:
    """How uneven its lists are; nothing once it has opened, which is too late."""
    found = None if study.has_opened else square(study)
    if found is None or found.is_even:
        return []
    says = f"The lists are uneven. {found} You can name the attribute for “Condition” or “List”."
    return [Warned("collection.condition_attribute", "The lists are uneven", says)]


def against_the_platform(study: Study) -> list[Warned]:
    """What goes against the rules of the study's platform."""
    platform = PLATFORMS.get(study.platform)
    if platform is None:
        return []
    attention = study.items.filter(kind=Item.Kind.ATTENTION).order_by("position")[:MOST_CHECKS]
    return platform.warnings(
        Rules(
            attention_per_sitting=study.attention_per_sitting,
            gold_per_sitting=study.gold_per_sitting,
            max_attention_failures=study.policy.max_attention_failures,
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


def policy(study: Study) -> list[str]:
    """The quality policy in sentences."""
    return [
        *rules(study.policy, study),
        *_of_declining(study),
        "Labels of excluded annotators do not count. Items that lose a label are dropped, with all their labels."
        if study.policy.drops
        else "Labels of excluded annotators do not count. Other people label these items again.",
        f"Each item gets {counted(study.labels_per_item, 'label')}. A batch has {_in_batch(study)}.",
        f"One annotator labels at most {counted(study.max_items_per_annotator, 'item')}. Unanswered items go to "
        f"others after {counted(study.lease_minutes, 'minute')}{_at_first(study)}.",
    ]


def _at_first(study: Study) -> str:
    first = int(FIRST_ANSWER.total_seconds()) // 60
    if not study.max_unanswered or study.lease_minutes <= first:
        return ""
    return f", and after {first} minutes if none was answered yet"


def _in_batch(study: Study) -> str:
    counts = {"gold item": study.gold_per_sitting, "attention check": study.attention_per_sitting}
    checks = [counted(count, kind) for kind, count in counts.items() if count] or ["no checks"]
    *first, last = [counted(study.items_in_batch, "item"), *checks]
    return f"{', '.join(first)} and {last}"


def rules(policy: Policy, study: Study) -> list[str]:
    """Whom a policy excludes. Checks are spoken of where the study has any."""
    found = [
        *_of_attention(policy, study),
        *_of_gold(policy, study),
        *_of_times(policy),
        *_of_order(policy),
    ]
    return found or ["No rule excludes anyone."]


def _of_attention(policy: Policy, study: Study) -> list[str]:
    if not study.has_attention:
        return []
    failures = policy.max_attention_failures
    return [
        f"More than {failures} failed attention checks exclude an annotator."
        if failures
        else "Any failed attention check excludes an annotator."
    ]


def _of_gold(policy: Policy, study: Study) -> list[str]:
    if not study.has_gold:
        return []
    least = f", from {policy.gold_least} gold answers on" if policy.gold_least else ""
    wrong = "wrong" if policy.gold_distance == 1 else f"{degrees(policy.gold_distance)} or more off"
    return [f"Gold answers exclude an annotator if more than {100 * policy.gold_tolerance:.0f} % are {wrong}{least}."]


def _of_declining(study: Study) -> list[str]:
    if not study.cannot_judge:
        return []
    gold = "; a skipped gold item does not count" if study.has_gold else ""
    attention = f" A skipped attention check counts as failed{gold}." if study.has_attention else ""
    return [f"Annotators can skip items they cannot judge.{attention}"]


def _of_times(policy: Policy) -> list[str]:
    found = []
    if policy.item_floor_ms:
        found.append(
            f"More than {100 * policy.quick_tolerance:.0f} % of answers faster than {seconds(policy.item_floor_ms)} "
            "exclude an annotator."
        )
    if policy.sitting_floor_ms:
        floor = seconds(policy.sitting_floor_ms)
        found.append(f"A batch with a median response time below {floor} excludes an annotator.")
    if found:
        found.append(
            f"Response times come from the browser, capped by the server’s clock. At least {policy.timed_least} "
            "timed answers are needed."
        )
    return found


def _of_order(policy: Policy) -> list[str]:
    found = []
    if policy.max_same_in_a_row:
        found.append(
            f"The same label or position more than {policy.max_same_in_a_row} times in a row excludes an annotator."
        )
    if policy.max_in_pattern:
        found.append(
            f"A repeated pattern of two to five answers over more than {policy.max_in_pattern} answers excludes "
            "an annotator."
        )
    if found:
        found.append(
            f"Patterns with a likelihood of {policy.stretch_chance:g} or more, judging by other people’s answers, "
            f"are ignored."
        )
    return found


def because(rule: str, facts: Facts, *, in_full: bool = True) -> str:
    """Such as `2 of 2 attention checks failed; the limit is 0`; not `in_full`, without a researcher's own reason."""
    return WORDS[rule](facts) if in_full or rule != RESEARCHER else f"decided by {facts['by']}"


def degrees(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"


def seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.1f} s"


def _attention(facts: Facts) -> str:
    return (
        f"{facts['attention_failures']} of {len(facts['attention'])} attention checks failed; "
        f"the limit is {facts['max_attention_failures']}"
    )


def _gold(facts: Facts) -> str:
    far, answered = facts["gold_far"], len(facts["gold"])
    wrong = "wrong" if facts["gold_distance"] == 1 else f"{degrees(facts['gold_distance'])} or more off"
    limit = f"{100 * facts['gold_tolerance']:.0f} %"
    return f"{far} of {answered} gold answers ({100 * far / answered:.0f} %) {wrong}; the limit is {limit}"


def _quick(facts: Facts) -> str:
    below, timed = len(facts["quick"]), facts["timed"]
    return (
        f"{below} of {timed} timed answers ({100 * below / timed:.0f} %) took less than "
        f"{seconds(facts['item_floor_ms'])}; the limit is {100 * facts['quick_tolerance']:.0f} %{_claimed(facts)}"
    )


def _sitting(facts: Facts) -> str:
    return (
        f"median of {len(facts['sitting'])} timed answers in a batch: {seconds(facts['sitting_median_ms'])}; the "
        f"minimum is {seconds(facts['sitting_floor_ms'])}{_claimed(facts)}"
    )


def _claimed(facts: Facts) -> str:
    """Of times that cannot be."""
    count = facts.get("impossible", 0)
    return f". For {count}, the browser reported more time than passed on the server" if count else ""


def _straight(facts: Facts) -> str:
    what = "label" if facts["straight_by"] == "label" else "position on the page"
    return (
        f"the same {what} {len(facts['straight'])} times in a row; the limit is {facts['max_same_in_a_row']}. "
        f"{_likely(facts['straight_chance'])}"
    )


def _pattern(facts: Facts) -> str:
    what = "labels" if facts["pattern_by"] == "label" else "positions on the page"
    return (
        f"{facts['pattern_period']} {what} in turn over {len(facts['pattern'])} answers; the limit is "
        f"{facts['max_in_pattern']}. {_likely(facts['pattern_chance'])}"
    )


def _likely(chance: float) -> str:
    """In odds, since the numbers are small."""
    odds = f"1 in {1 / chance:,.0f}" if chance > 1e-9 else "less than 1 in a billion"
    return f"At most {odds} attentive annotators would do so, judging by other people’s answers"


WORDS: Mapping[str, Callable[[Facts], str]] = {
    "attention": _attention,
    "gold": _gold,
    "quick": _quick,
    "sitting": _sitting,
    "straight": _straight,
    "pattern": _pattern,
    RESEARCHER: lambda facts: f"decided by {facts['by']}: {facts['reason']}",
}
