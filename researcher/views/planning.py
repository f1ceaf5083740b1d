"""What more items and labels, or another policy over the answers given, would show. Nothing is changed."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from annotation.access.matrix import Right
from annotation.models import Study
from annotation.quality.policy import LIMITS
from annotation.quality.sentences import rules
from comparison.exports.cells import lines
from comparison.frame.cache.computing import Computing, start
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import NotComputed, select
from comparison.page.drawn.curve import rows_of
from comparison.pictures.charts import power_chart
from researcher.studies.assumed import NAMES
from researcher.studies.planning import MOST_ITEMS, MOST_LABELS, PART, PLAN, read_planning
from researcher.views.exports import chart_file
from researcher.views.sent import as_file, record_sent
from researcher.views.study_of import study_page
from researcher.what_if import PolicyForm, read_what_if


@study_page(Right.SEE)
def planning(request: HttpRequest, study: Study) -> HttpResponse:
    chosen = select(study, Selection(), waits=False)
    try:
        planned = read_planning(chosen, request.GET)
    except NotComputed:
        # Only what it reads of the address, so that others cannot have the same drawn again and again.
        query = _query(request)
        computing = Computing(study.pk, PART, query)
        start(computing, PLAN, study.pk, query, answers=chosen.gathered.answers)
        context = {"study": study, "what": "The plan", "progress": computing.progress()}
        return render(request, "comparison/made_elsewhere.html", context)
    context = {
        "study": study,
        "planned": planned,
        "page": planned,
        "most_items": MOST_ITEMS,
        "most_labels": MOST_LABELS,
    }
    return render(request, "comparison/planning.html", context, status=400 if planned.fault else 200)


def _query(request: HttpRequest) -> str:
    kept = request.GET.copy()
    for name in [name for name in kept if name not in ("items", "labels", *NAMES)]:
        del kept[name]
    return kept.urlencode()


@study_page(Right.EXPORT)
def power_file(request: HttpRequest, study: Study, kind: str) -> HttpResponseBase:
    """The curves of the planning page, drawn, or their numbers."""
    try:
        planned = read_planning(select(study, Selection(), waits=False), request.GET)
    except NotComputed:
        raise Http404("The plan has not been computed yet. Open its page first.") from None
    if planned.assumed is None or planned.curve is None:
        raise Http404(planned.fault or planned.ground.undefined)
    name, rows = f"{study.slug}-power", rows_of(planned.assumed, [line.labels for line in planned.curve.lines])
    record_sent(request, study, f"{name}.{kind}")
    if kind == "csv":
        names = planned.assumed.NAMES
        header = ["items", "labels_per_item", planned.assumed.ABOVE, "power_apart", *names]
        numbers = [getattr(planned.assumed, one) for one in names]
        return as_file(lines([header, *([*line, *numbers] for line in rows)]), f"{name}.csv")
    return chart_file(
        power_chart(rows, is_apart=planned.assumed.is_apart), kind, name, said="Power by items and labels"
    )


@study_page(Right.SEE)
def what_if(request: HttpRequest, study: Study) -> HttpResponse:
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
                "what": "Effect of these rules",
                "heading": "What if",
                "progress": shown.progress,
            }
            return render(request, "comparison/made_elsewhere.html", said)
        context |= {"found": shown.found, "rules": rules(policy, study)}
    return render(request, "researcher/studies/policy.html", context)
