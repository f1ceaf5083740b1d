"""What a study asks of those who label it, in sentences."""

from annotation.models import Study


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
