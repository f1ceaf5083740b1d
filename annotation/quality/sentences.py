"""What a study asks of those who label it, in sentences."""

from annotation.models import Study
from annotation.models.sitting import FIRST_ANSWER
from annotation.quality.policy import Policy
from annotation.quality.words import degrees, seconds


def policy(study: Study) -> list[str]:
    """The quality policy in sentences."""
    return [
        *rules(Policy.of(study), study),
        *_of_declining(study),
        "Labels of excluded annotators do not count, and an item that has lost one is dropped: nobody is asked for it "
        "any more, and none of its labels counts."
        if Policy.of(study).drops
        else "Labels of excluded annotators do not count, and others are asked in their place.",
        f"An item needs {study.labels_per_item} labels; a sitting has {study.sitting_length} of them to give, with "
        f"{_mixed_in(study)} mixed in.",
        f"One annotator labels at most {study.max_items_per_annotator:,} items; "
        f"an unfinished sitting gives its items back after {study.lease_minutes} minutes without an answer"
        f"{_at_first(study)}.",
    ]


def _at_first(study: Study) -> str:
    first = int(FIRST_ANSWER.total_seconds()) // 60
    if not study.max_unanswered or study.lease_minutes <= first:
        return ""
    return f", and after {first} before its first one"


def _mixed_in(study: Study) -> str:
    counts = {"gold": study.gold_per_sitting, "attention": study.attention_per_sitting}
    found = [f"{count} {kind}" for kind, count in counts.items() if count]
    return f"{' and '.join(found)} {'item' if sum(counts.values()) == 1 else 'items'}" if found else "no checks"


def rules(policy: Policy, study: Study) -> list[str]:
    """Whom a policy excludes. Gold is spoken of where the study has any."""
    failures = policy.max_attention_failures
    return [
        "Any failed attention check excludes an annotator."
        if failures == 0
        else f"More than {failures} failed attention checks exclude an annotator.",
        *_of_gold(policy, study),
        *_of_times(policy),
        *_of_order(policy),
    ]


def _of_gold(policy: Policy, study: Study) -> list[str]:
    if not study.has_gold:
        return []
    least = f", once there are {policy.gold_least} of them" if policy.gold_least else ""
    return [
        f"So do gold answers if more than {100 * policy.gold_tolerance:.0f} % of them are "
        f"{degrees(policy.gold_distance)} or more from the reference{least}."
    ]


def _of_declining(study: Study) -> list[str]:
    if not study.cannot_judge:
        return []
    gold = "; a gold item is then left out" if study.has_gold else ""
    return [f"Annotators may say that they cannot judge an item. Of an attention check, that counts as failed{gold}."]


def _of_times(policy: Policy) -> list[str]:
    found = []
    if policy.item_floor_ms:
        found.append(
            f"So do answers in less than {seconds(policy.item_floor_ms)}, if they are more than "
            f"{100 * policy.quick_tolerance:.0f} % of all."
        )
    if policy.sitting_floor_ms:
        found.append(f"So does a sitting in which the median answer took less than {seconds(policy.sitting_floor_ms)}.")
    if found:
        found.append(
            "How long an answer took is what the annotator's browser says, and never more than passed on the server "
            "between showing the item and its first answer; without JavaScript it is that. It decides only where there "
            f"are {policy.timed_least} answers."
        )
    return found


def _of_order(policy: Policy) -> list[str]:
    found = []
    if policy.max_same_in_a_row:
        found.append(
            f"So does the same label, or the same place on the page, more than {policy.max_same_in_a_row} times in a "
            "row."
        )
    if policy.max_in_pattern:
        found.append(
            f"So do two to five answers again and again, over more than {policy.max_in_pattern} answers in a row."
        )
    if found:
        found.append(
            f"A stretch is held against nobody if it has a chance of {policy.stretch_chance:g} or more by what others "
            "say of its items; it is judged again as they say more."
        )
    return found
