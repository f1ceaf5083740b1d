"""The members of a study: who has which role, giving one, changing it and taking it away."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access.joining import MembershipRefused, find_member, find_user, give, take
from annotation.access.matrix import RIGHTS, Right, Role
from annotation.access.visible import members_of, owners_of, studies_for
from annotation.models import Study
from researcher.forms import MemberForm
from researcher.views.found import found


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """GET lists them, for whoever sees the study; POST gives a role, in the place of the one before."""
    is_sent = request.method == "POST"
    study = found(request, slug, Right.OWN if is_sent else Right.SEE)
    form = MemberForm(request.POST if is_sent else None)
    if is_sent and form.is_valid():
        name, role = form.cleaned_data["user"], Role(form.cleaned_data["role"])
        try:
            give(study, find_user(name), role)
        except MembershipRefused as refused:
            form.add_error("user", str(refused))
        else:
            messages.success(request, f"{name} is {role} of {study.title}.")
            return _back(request, study)
    owners = owners_of(study)
    context = {
        "study": study,
        "members": members_of(study),
        "only_owner": owners[0] if len(owners) == 1 else "",
        "rights": RIGHTS.values(),
        "roles": list(Role),
        "form": form,
    }
    return render(request, "researcher/sharing/members.html", context, status=422 if form.is_bound else 200)


@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.OWN)
    name = request.POST.get("user", "")
    try:
        take(study, find_member(study, name))
    except MembershipRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"{name} has no role in {study.title} any more.")
    return _back(request, study)


def _back(request: HttpRequest, study: Study) -> HttpResponse:
    """To the members; whoever took their own role finds them no more."""
    if studies_for(request.user, Right.SEE).filter(pk=study.pk).exists():
        return redirect("members", study.slug)
    return redirect("studies")
