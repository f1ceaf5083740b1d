"""What if: another quality policy over the answers that are there. It reads and changes nothing."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access.matrix import Right
from annotation.quality.policy import LIMITS
from annotation.quality.sentences import rules
from researcher.views.study_of import get_study_or_404
from researcher.what_if import PolicyForm, read_what_if


@require_safe
def what_if(request: HttpRequest, slug: str) -> HttpResponse:
    study = get_study_or_404(request, slug, Right.SEE)
    form = PolicyForm(request.GET.dict(), study=study)
    context = {"study": study, "form": form}
    if not form.is_valid():
        return render(request, "researcher/studies/policy.html", context, status=400)
    policy = form.policy()
    if any(name in request.GET for name in LIMITS):
        shown = read_what_if(study, policy)
        if shown.found is None:
            said = {
                "study": study,
                "what": "What this policy would do",
                "heading": "What if",
                "progress": shown.progress,
            }
            return render(request, "comparison/made_elsewhere.html", said)
        context |= {"found": shown.found, "rules": rules(policy, study)}
    return render(request, "researcher/studies/policy.html", context)
