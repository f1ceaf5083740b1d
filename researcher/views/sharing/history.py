"""What has been done in a study, by whom and when, a page at a time and as a file."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from annotation.access.matrix import Right
from annotation.audit.deeds import Deed
from annotation.audit.history import acts_of, facts_of, how_of, names_in, read_page, rows, who_of
from annotation.models import Study
from comparison.exports.cells import lines
from researcher.views.sent import as_file, record_sent
from researcher.views.study_of import may, study_page

LARGEST_KEY = 2**63 - 1


class HistoryForm(forms.Form):
    who = forms.ChoiceField(required=False, label="Who")
    deed = forms.ChoiceField(required=False, label="What")
    before = forms.IntegerField(required=False, min_value=1, max_value=LARGEST_KEY, widget=forms.HiddenInput)

    def __init__(self, *args: object, study: Study) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        deeds = set(names_in(study, "deed"))
        for name, everything, there in (
            ("who", "everybody", names_in(study, "who")),
            ("deed", "everything", [deed.value for deed in Deed if deed.value in deeds]),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", everything), *((one, one) for one in there)]


@never_cache
@study_page(Right.SEE)
def history(request: HttpRequest, study: Study) -> HttpResponse:
    form = HistoryForm(request.GET, study=study)
    asked: dict[str, Any] = form.cleaned_data if form.is_valid() else {"who": "", "deed": "", "before": None}
    page = read_page(acts_of(study, who=asked["who"], deed=asked["deed"]), before=asked["before"])
    edits = may(request, Right.EDIT)
    query = QueryDict(mutable=True)
    query.update({name: asked[name] for name in ("who", "deed") if asked[name]})
    context = {
        "study": study,
        "form": form,
        "lines": [(act, who_of(act), how_of(act), facts_of(act, edits=edits)) for act in page.acts],
        "older": page.older,
        "is_first": asked["before"] is None,
        "query": query,
    }
    return render(request, "researcher/sharing/history.html", context, status=200 if form.is_valid() else 400)


@never_cache
@study_page(Right.EXPORT)
def history_file(request: HttpRequest, study: Study) -> HttpResponseBase:
    """The acts that the filters of the page leave, all of them."""
    form = HistoryForm(request.GET, study=study)
    if not form.is_valid():
        return HttpResponse("Unknown filter.\n", status=400, content_type="text/plain; charset=utf-8")
    acts = acts_of(study, who=form.cleaned_data["who"], deed=form.cleaned_data["deed"])
    record_sent(request, study, "history.csv")
    return as_file(lines(rows(acts, edits=may(request, Right.EDIT))), f"{study.slug}-history.csv")
