"""The items that a researcher should look at, and the page on which one is reworded."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from annotation.access.matrix import Right
from annotation.models import Item
from annotation.revising import RevisionRefused, revise
from researcher.studies.revision import RevisionForm, flagged_lines, next_to_revise, revised_lines
from researcher.views.found import found

PER_PAGE = 50


@never_cache
@require_safe
def revisions(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    waiting = Paginator(study.items.to_revise(), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "waiting": waiting,
        "flagged": flagged_lines(study, list(waiting.object_list)),
        "revised": revised_lines(study),
    }
    return render(request, "researcher/studies/revisions.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def revision(request: HttpRequest, slug: str, external_id: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    if not external_id.isprintable():
        raise Http404("An item's id has no control characters.")
    item = get_object_or_404(Item, study=study, external_id=external_id)
    form = RevisionForm(request.POST or None, item=item, task_type=study.task_type)
    if request.method == "POST" and form.is_valid() and _saved(request, item, form):
        following = next_to_revise(study, after=item.position)
        if following is None:
            return redirect("revisions", slug)
        return redirect("revision", slug, following.external_id)
    context = {
        "study": study,
        "item": item,
        "form": form,
        "text": study.task.text(item.content),
        "history": revised_lines(study, external_id),
        "is_shown": item.was_shown(),
        "left": study.items.to_revise().count(),
    }
    return render(request, "researcher/studies/revision.html", context, status=422 if form.is_bound else 200)


def _saved(request: HttpRequest, item: Item, form: RevisionForm) -> bool:
    assert isinstance(request.user, User), "the page asks for a login"
    said = form.cleaned_data
    content = item.content if "keep" in request.POST else form.new_content()
    try:
        made = revise(item, content, seen=said["seen"], editor=request.user, reason=said["reason"])
    except RevisionRefused as refused:
        form.add_faults(str(refused), refused.faults)
        return False
    done = "is reworded" if made.has_changed_it else "stays as it is"
    messages.success(request, f"{item.external_id} {done}.")
    return True
