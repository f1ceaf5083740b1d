"""Practice: what is said after the answer to a practice item, and when the items begin."""

from django.db import transaction

from annotation.models import Assignment, Sitting


def answered(sitting: Sitting, found: Assignment) -> None:
    """A practice item was answered: its feedback comes next, if it has any. Synthetic annotators read nothing.

    The caller has locked the sitting, and saves it.
    """
    has_feedback = sitting.study.path.feedback and found.item.has_feedback
    sitting.explaining = found.position if has_feedback and not sitting.annotator.is_synthetic else None
    _go_on(sitting)


def leave_feedback(sitting: Sitting, position: int) -> None:
    """On from the feedback on the practice item at `position`; behind the last one, the items begin."""
    with transaction.atomic():
        locked = Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
        if locked.explaining != position:
            return
        locked.explaining = None
        _go_on(locked)
        locked.save(update_fields=["explaining", "stage"])


def _go_on(sitting: Sitting) -> None:
    current = sitting.current()
    if sitting.explaining is None and (current is None or current.position > sitting.practice_items):
        sitting.stage = Sitting.Stage.ITEMS
