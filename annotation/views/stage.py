"""What the annotator has before them: one item, or the last page. Constant queries, whatever the study's size."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone

from annotation.models import Assignment, Sitting
from annotation.views.instructions import paragraphs


def show(
    request: HttpRequest, sitting: Sitting, assignment: Assignment, *, message: str = "", status: int = 200
) -> HttpResponse:
    """One item: the whole page, or only the stage where htmx asked. The first time it is served is stamped."""
    _stamp(assignment)
    return render(request, "annotation/item.html", _context(sitting, assignment, message), status=status)


def show_done(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    """Thank you, what happens next, and the code."""
    answered, _ = sitting.progress()
    context = {
        "sitting": sitting,
        "study": sitting.study,
        "answered": answered,
        # Slots that were left went to others, or a verdict ended the sitting; the page does not say which.
        "ended_early": sitting.assignments.filter(state=Assignment.State.RELEASED).exists(),
        "message": message,
    }
    return render(request, "annotation/done.html", context, status=status)


def _stamp(assignment: Assignment) -> None:
    if assignment.shown_at is None:
        # Conditional, so that two tabs opened at once agree on the first time.
        Assignment.objects.filter(pk=assignment.pk, shown_at=None).update(shown_at=timezone.now())


def _context(sitting: Sitting, assignment: Assignment, message: str) -> dict[str, Any]:
    study, task = sitting.study, sitting.study.task
    answered, total = sitting.progress()
    going_back = assignment.is_answered
    # The place among the items offered: positions have gaps where a lapsed slot went to someone else.
    number = answered if going_back else answered + 1
    said = message or ("Saved." if answered and not going_back else "")
    shown = task.shown(assignment.item.content, assignment.presentation)
    return {
        "sitting": sitting,
        "study": study,
        "instructions": paragraphs(study.instructions),
        "task_key": task.key,
        "question": task.question,
        # Rendered apart, so that a task type's template sees what is shown and nothing else of the item.
        "stimulus": render_to_string(task.template, shown),
        "options": shown["options"],
        "chosen": task.posted(assignment.judgment.answer, assignment.presentation) if going_back else "",
        "position": assignment.position,
        "number": number,
        "answered": answered,
        "total": total,
        # For those who hear the page.
        "announcement": f"{said} Item {number} of {total}{', answered before' if going_back else ''}.".lstrip(),
        "can_go_back": answered > 0 and not going_back,
        "message": message,
    }
