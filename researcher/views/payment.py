"""What becomes of one who has taken part: the payment queue, and what is kept of them, as a file and erased.

Every decision in the queue is a POST to the page's own address, with its filters, and leads back there. The verbs are
those of annotation/paying/ and annotation/privacy/, which the commands call too.
"""

import json
from collections.abc import Callable

from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from annotation.access.matrix import Right
from annotation.arrival.holding import release
from annotation.models import Annotator, Assignment, Item, PlatformId, Sitting, Study
from annotation.paying import deciding, handing_over
from annotation.paying.deciding import Decided, NotPayable
from annotation.paying.money import amount
from annotation.paying.queue import ALL, QueueFilter, handed_over, queue, to_approve
from annotation.privacy import CannotErase, Erased, erase, everything_about, forget_decided
from comparison.frame.names import annotator_name
from researcher.forms import Typed
from researcher.studies.payment import QueueForm, read_payment_page, text_of
from researcher.views.sharing.history import record_sent
from researcher.views.study_of import get_study_or_404

Chosen = QuerySet[Sitting]
NOTHING = "No sitting was selected. Tick the sittings first."
HANDED_OVER = ("ids", "bonuses")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def payment(request: HttpRequest, slug: str) -> HttpResponse:
    study = get_study_or_404(request, slug, Right.PAY)
    if request.method != "POST":
        return _show(request, study)
    what = request.POST.get("do", "")
    try:
        chosen = _chosen(request, study, what)
        if what in HANDED_OVER:
            form = QueueForm(request.GET)
            asked = form.asked if form.is_valid() else ALL
            return _show(request, study, given=_handed_over(request, what, chosen, asked), what=what)
        if what not in ACTIONS:
            raise NotPayable(f"There is no action {what[:40]!r}. There are: {', '.join(ACTIONS)}.")
        messages.success(request, ACTIONS[what](request, study, chosen))
    except (NotPayable, ValueError) as error:
        return _show(request, study, refused=str(error))
    return redirect(request.get_full_path())


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """The ids, or bonuses, of all that the filters of the address leave. Bonuses by POST: they are marked."""
    study, form = get_study_or_404(request, slug, Right.PAY), QueueForm(request.GET)
    if what not in HANDED_OVER or not form.is_valid():
        raise Http404(f"There is no {what!r} of such sittings.")
    if what == "bonuses" and request.method != "POST":
        return redirect("payment", slug)
    name = f"{slug}-bonuses.csv" if what == "bonuses" else f"{slug}-ids-{handed_over(form.asked)}.txt"
    return HttpResponse(
        text_of(_handed_over(request, what, queue(study, form.asked), form.asked)),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_POST
def forget(request: HttpRequest, slug: str) -> HttpResponse:
    study = get_study_or_404(request, slug, Right.PAY)
    form = Typed(request.POST, word=study.slug)
    if not form.is_valid():
        return _show(request, study, forget_form=form, status=422)
    count = forget_decided(study)
    messages.success(request, f"The ids of {_people(count)} are erased. Who comes again is still recognized.")
    return redirect("payment", slug)


def _show(
    request: HttpRequest,
    study: Study,
    *,
    refused: str = "",
    given: handing_over.HandedOver | None = None,
    what: str = "",
    forget_form: Typed | None = None,
    status: int = 200,
) -> HttpResponse:
    """The queue; what was refused is shown again with what was typed, ticked, and why."""
    context = {
        "study": study,
        "page": read_payment_page(study, request.GET),
        "refused": refused,
        "typed": request.POST if refused or given else {},
        "ticked": request.POST.getlist("sitting"),
        "handed_over": given,
        "handed_over_text": text_of(given) if given else "",
        "what": what,
        "forget_form": forget_form or Typed(word=study.slug),
        "query": request.GET.urlencode(),
    }
    return render(request, "researcher/studies/payment.html", context, status=422 if refused else status)


def _chosen(request: HttpRequest, study: Study, what: str) -> Chosen:
    """The ticked ones; of `approve_all` all that may be, under the filters of the address."""
    if study.people.are_synthetic:
        raise NotPayable("Synthetic annotators are not paid.")
    if what == "approve_all":
        form = QueueForm(request.GET)
        if not form.is_valid():
            raise NotPayable("There is no such filter. Nothing was decided.")
        return to_approve(study, form.asked, failed_checks=request.POST.get("failed_checks") == "yes")
    tokens = [token for token in request.POST.getlist("sitting") if token and token.isprintable()]
    if not tokens:
        raise NotPayable(NOTHING)
    return queue(study).filter(token__in=tokens)


def _handed_over(request: HttpRequest, what: str, chosen: Chosen, asked: QueueFilter) -> handing_over.HandedOver:
    if what == "ids":
        return handing_over.ids(chosen, handed_over(asked), by=_by(request))
    return handing_over.hand_in_bonuses(chosen, by=_by(request))


def _approve(request: HttpRequest, study: Study, chosen: Chosen) -> str:
    empty = request.POST.get("without_answers") == "yes"
    found = deciding.approve(chosen, by=_by(request), without_answers=empty)
    return _said(found, "Payment approved for")


def _approve_all(request: HttpRequest, study: Study, chosen: Chosen) -> str:
    return _said(deciding.approve(chosen, by=_by(request)), "Payment approved for")


def _reject(request: HttpRequest, study: Study, chosen: Chosen) -> str:
    reason, message = request.POST.get("reason", ""), request.POST.get("message", "")
    return _said(
        deciding.reject(study, chosen, reason=reason, message=message, by=_by(request)), "Payment rejected for"
    )


def _bonus(request: HttpRequest, study: Study, chosen: Chosen) -> str:
    bonus, reason = amount(request.POST.get("amount", "")), request.POST.get("bonus_reason", "")[:300]
    empty = request.POST.get("bonus_without_answers") == "yes"
    found = deciding.give_bonus(chosen, bonus=bonus, reason=reason, by=_by(request), without_answers=empty)
    return _said(found, "Bonus set for")


def _take_back(request: HttpRequest, study: Study, chosen: Chosen) -> str:
    return _said(deciding.take_back(chosen, by=_by(request)), "Undecided again:")


def _not_handed_in(request: HttpRequest, study: Study, chosen: Chosen) -> str:
    count = handing_over.was_not_handed_in(chosen, by=_by(request))
    if not count:
        return "Of none of these sittings a bonus is marked as handed in."
    return f"No longer marked as handed in: the bonuses of {count:,} sitting{'' if count == 1 else 's'}."


def _release(request: HttpRequest, study: Study, chosen: Chosen) -> str:
    count = release(study, chosen.values_list("token", flat=True))
    if not count:
        return "No browser held any of these sittings."
    return f"Released for {_people(count)}: the next browser that opens the link with the id goes on."


ACTIONS: dict[str, Callable[[HttpRequest, Study, Chosen], str]] = {
    "approve": _approve,
    "approve_all": _approve_all,
    "reject": _reject,
    "bonus": _bonus,
    "take_back": _take_back,
    "not_handed_in": _not_handed_in,
    "release": _release,
}


def _by(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # every page of a researcher's asks for a login
    return request.user


def _said(found: Decided, done: str) -> str:
    said = f"{done} {found.count:,} sitting{'' if found.count == 1 else 's'}."
    if found.without_answers:
        some = f"{found.without_answers:,}"
        said += f" Left alone: {some} without an answer. Nobody is paid by a code alone, unless you tick that box."
    if found.rejected:
        said += f" Left alone: {found.rejected:,} rejected. There is no bonus until that is taken back."
    if found.under_way:
        said += f" Left alone: {found.under_way:,} not finished. Payment is decided of sittings that are over."
    return said


def _people(count: int) -> str:
    return "1 annotator" if count == 1 else f"{count:,} annotators"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study, annotator = _found(request, slug, pk)
    name = annotator_name(pk)
    form = Typed(request.POST or None, word=name)
    refused = ""
    if request.method == "POST" and form.is_valid():
        try:
            done = erase(study, annotator, labels=request.POST.get("labels") == "yes")
        except CannotErase as error:
            refused = str(error)
        else:
            messages.success(request, _erased_in_words(name, done))
            return redirect("payment", slug)
    mine = Sitting.objects.filter(study=study, annotator=annotator)
    labels = Assignment.objects.filter(sitting__in=mine).labels()
    context = {
        "study": study,
        "annotator": annotator,
        "name": name,
        "given_id": PlatformId.kept(study.pk, pk),
        "form": form,
        "refused": refused,
        "sittings": mine.count(),
        "undecided": mine.filter(payment=Sitting.Payment.UNDECIDED).count(),
        "labels": labels.count(),
        "counted": labels.filter(state=Assignment.State.COUNTED, item__kind=Item.Kind.TARGET).count(),
        "erase_labels": request.POST.get("labels") == "yes",
    }
    return render(request, "researcher/studies/person.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_safe
def person_file(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study, annotator = _found(request, slug, pk)
    text = json.dumps(everything_about(study, annotator), cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    record_sent(request, study, f"data of {annotator_name(pk)}")
    return HttpResponse(
        text + "\n",
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{slug}-{annotator_name(pk)}.json"'},
    )


def _found(request: HttpRequest, slug: str, pk: int) -> tuple[Study, Annotator]:
    """The study and an annotator who has taken part in it, or 404."""
    study = get_study_or_404(request, slug, Right.IDENTIFY)
    people = Annotator.objects.filter(sittings__study=study).distinct()
    return study, get_object_or_404(people, pk=pk)


def _erased_in_words(name: str, done: Erased) -> str:
    return f"What {name} was known by is erased" + (f", and {done.labels:,} labels." if done.labels else ".")
