"""Reporting a problem with an item: stored beside the answer, which it neither is nor waits for."""

from django.db import transaction

from annotation.models import Assignment, ItemReport, Sitting, Study


class CannotReport(Exception):
    """Nothing was stored: the study takes no reports, or the item was not shown in this sitting."""


def report(sitting: Sitting, position: int, text: str) -> Assignment:
    """Store what somebody says of the item that was shown to them at `position`, in place of what they said before."""
    with transaction.atomic():
        locked = Sitting.objects.select_for_update(of=("self",), no_key=True).select_related("study")
        sitting = locked.get(pk=sitting.pk)
        shown = sitting.assignments.exclude(shown_at=None).select_related("item")
        found = shown.filter(position=position).first()
        is_open = sitting.study.state == Study.State.OPEN and not sitting.is_over
        if found is None or not is_open or not sitting.study.report_problem:
            raise CannotReport
        ItemReport.objects.update_or_create(sitting=sitting, item=found.item, defaults={"text": text})
    return found


def reported(assignment: Assignment) -> str:
    """What was said of it in this sitting; empty: nothing."""
    said = ItemReport.objects.filter(sitting=assignment.sitting_id, item=assignment.item_id)
    return said.values_list("text", flat=True).first() or ""
