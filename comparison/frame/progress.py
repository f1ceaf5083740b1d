"""What answers that do not count come to, and how that is said."""

from django.db.models import Count, Q

from annotation.models import Assignment

STATE = Assignment.State
# What answered assignments on targets come to, where their labels do not count.
SET_ASIDE = {
    "excluded": Count("pk", filter=Q(state=STATE.EXCLUDED)),
    "surplus": Count("pk", filter=Q(state=STATE.SURPLUS)),
    "dropped": Count("pk", filter=Q(state=STATE.DROPPED)),
}


def none_valid(*, excluded: int, surplus: int, annotators: int, dropped: int = 0) -> str:
    """Of labels of which none counts, how many there are and why: `4 labels, none valid: 1 annotator excluded`."""
    labels = excluded + surplus + dropped
    if not labels:
        return ""
    why = [f"{annotators:,} annotator{'' if annotators == 1 else 's'} excluded"] if excluded else []
    why += [f"{surplus:,} surplus"] if surplus else []
    why += [f"{dropped:,} of dropped items"] if dropped else []
    return f"{labels:,} label{'' if labels == 1 else 's'}, none valid: {', '.join(why)}"
