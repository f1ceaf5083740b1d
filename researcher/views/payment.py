"""What becomes of one who has taken part: the payment queue, and what is kept of them, as a file and erased.

Every decision in the queue is a POST to the page's own address, with its filters, and leads back there. The verbs are
those of annotation/paying/ and annotation/privacy/, which the commands call too.
"""

import json
import logging

from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from annotation.access.matrix import Right
from annotation.arrival.ownership import release
from annotation.models import Assignment, Item, PlatformId, Sitting, Study, annotator_name
from annotation.paying import deciding, handing_over
from annotation.paying.deciding import Decided, NotPayable
from annotation.paying.money import amount
from annotation.paying.queue import ALL, QueueFilter, handed_over, queue, to_approve
from annotation.privacy import CannotErase, erase, everything_about, forget_decided
from corpus.errors import counted
from researcher.forms import Typed
from researcher.studies.payment import QueueForm, read_payment_page, text_of
from researcher.views.sent import as_file, record_sent
from researcher.views.study_of import get_annotator_or_404, study_form, study_page, study_post, user_of

log = logging.getLogger(__name__)

Chosen = QuerySet[Sitting]
NOTHING = "Nothing done: no submission is selected."
HANDED_OVER = ("ids", "bonuses")
ACTIONS = ("approve", "approve_all", "reject", "bonus", "take_back", "not_handed_in", "release")


@study_form(Right.PAY)
def payment(request: HttpRequest, study: Study) -> HttpResponse:
    if request.method != "POST":
        return _show(request, study)
    what = request.POST.get("do", "")
    try:
        chosen = _chosen(request, study, what)
        if what == "ids":
            form = QueueForm(request.GET)
            asked = form.asked if form.is_valid() else ALL
            return _show(request, study, given=_handed_over(request, what, chosen, asked))
        messages.success(request, _done(request, study, chosen, what))
    except (NotPayable, ValueError) as error:
        return _show(request, study, refused=str(error))
    return redirect(request.get_full_path())


@study_form(Right.PAY)
def hand_over(request: HttpRequest, study: Study, what: str) -> HttpResponseBase:
    """The ids, or bonuses, of all that the filters of the address leave. Bonuses by POST: they are marked."""
    form = QueueForm(request.GET)
    if what not in HANDED_OVER or not form.is_valid():
        raise Http404(f"These submissions have no {what!r}.")
    if what == "bonuses" and request.method != "POST":
        return redirect("payment", study.slug)
    name = "bonuses.csv" if what == "bonuses" else f"ids-{handed_over(form.asked)}.txt"
    text = text_of(_handed_over(request, what, queue(study, form.asked), form.asked))
    return as_file(text, f"{study.slug}-{name}", "text/plain; charset=utf-8")


@study_post(Right.PAY)
def forget(request: HttpRequest, study: Study) -> HttpResponse:
    form = Typed(request.POST, word=study.slug)
    if not form.is_valid():
        return _show(request, study, forget_form=form, status=422)
    count = forget_decided(study)
    messages.success(request, f"IDs of {_people(count)} erased. Returning people are still recognized.")
    return redirect("payment", study.slug)


def _show(
    request: HttpRequest,
    study: Study,
    *,
    refused: str = "",
    given: handing_over.HandedOver | None = None,
    forget_form: Typed | None = None,
    status: int = 200,
) -> HttpResponse:
    """The queue; what was refused is shown again with what was typed, ticked, and why."""
    _note(request, study)
    context = {
        "study": study,
        "page": read_payment_page(study, request.GET),
        "refused": refused,
        "typed": request.POST if refused or given else {},
        "ticked": request.POST.getlist("sitting"),
        "handed_over": given,
        "handed_over_text": text_of(given) if given else "",
        "forget_form": forget_form or Typed(word=study.slug),
        "query": _of_files(request),
    }
    return render(request, "researcher/studies/payment.html", context, status=422 if refused else status)


def _note(request: HttpRequest, study: Study) -> None:
    """Who has read platform IDs, without the IDs."""
    log.info("Account %s: opened a page with platform IDs of %s", user_of(request).pk, study.slug)


def _of_files(request: HttpRequest) -> str:
    """The filters of the address for files: what is to be decided has no IDs to hand over."""
    kept = request.GET.copy()
    if kept.get("decision") == Sitting.Payment.UNDECIDED:
        del kept["decision"]
    return kept.urlencode()


def _chosen(request: HttpRequest, study: Study, what: str) -> Chosen:
    """The ticked ones; of `approve_all` all that may be, under the filters of the address."""
    if study.people.are_synthetic:
        raise NotPayable("Synthetic annotators are not paid.")
    if what == "approve_all":
        form = QueueForm(request.GET)
        if not form.is_valid():
            raise NotPayable("Nothing decided: unknown filter.")
        return to_approve(study, form.asked, failed_checks=request.POST.get("failed_checks") == "yes")
    tokens = [token for token in request.POST.getlist("sitting") if token and token.isprintable()]
    if not tokens:
        raise NotPayable(NOTHING)
    return queue(study).filter(token__in=tokens)


def _handed_over(request: HttpRequest, what: str, chosen: Chosen, asked: QueueFilter) -> handing_over.HandedOver:
    if what == "ids":
        return handing_over.ids(chosen, handed_over(asked), by=user_of(request))
    return handing_over.hand_in_bonuses(chosen, by=user_of(request))


def _done(request: HttpRequest, study: Study, chosen: Chosen, what: str) -> str:
    """What was done, in a sentence."""
    said, by = request.POST, user_of(request)
    match what:
        case "approve":
            empty = said.get("without_answers") == "yes"
            return _said(deciding.approve(chosen, by=by, without_answers=empty), "Payment approved for")
        case "approve_all":
            return _said(deciding.approve(chosen, by=by), "Payment approved for")
        case "reject":
            why = {"reason": said.get("reason", ""), "message": said.get("message", "")}
            return _said(deciding.reject(study, chosen, **why, by=by), "Payment rejected for")
        case "bonus":
            bonus, reason = amount(said.get("amount", "")), said.get("bonus_reason", "")[:300]
            empty = said.get("bonus_without_answers") == "yes"
            found = deciding.give_bonus(chosen, bonus=bonus, reason=reason, by=by, without_answers=empty)
            return _said(found, "Bonus set for")
        case "take_back":
            return _said(deciding.take_back(chosen, by=by), "Undecided again:")
        case "not_handed_in":
            if not (count := handing_over.was_not_handed_in(chosen, by=by)):
                return "None of these submissions has a bonus marked as sent."
            return f"Bonuses of {count:,} submission{'' if count == 1 else 's'} marked as not sent."
        case "release":
            if not (count := release(study, chosen.values_list("token", flat=True))):
                return "None of these submissions is tied to a browser."
            return f"Another browser allowed for {_people(count)}. They can continue with the same link."
    raise NotPayable(f"There is no action {what[:40]!r}. Available: {', '.join(ACTIONS)}.")


def _said(found: Decided, done: str) -> str:
    said = f"{done} {found.count:,} submission{'' if found.count == 1 else 's'}."
    if found.without_answers:
        some = f"{found.without_answers:,}"
        said += f" Skipped: {some} without answers. To pay them, tick “Include submissions without answers”."
    if found.rejected:
        said += f" Skipped: {found.rejected:,} rejected. Undo the rejection to pay a bonus."
    if found.under_way:
        said += f" Skipped: {found.under_way:,} not finished."
    return said


def _people(count: int) -> str:
    return "1 annotator" if count == 1 else f"{count:,} annotators"


@study_form(Right.IDENTIFY)
def person(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    annotator = get_annotator_or_404(study, number)
    name = annotator_name(number)
    _note(request, study)
    form = Typed(request.POST or None, word=name)
    refused = ""
    if request.method == "POST" and form.is_valid():
        try:
            done = erase(study, annotator, labels=request.POST.get("labels") == "yes")
        except CannotErase as error:
            refused = str(error)
        else:
            more = f", and {counted(done.labels, 'label')}" if done.labels else ""
            messages.success(request, f"Identifying data of {name} erased{more}.")
            return redirect("payment", study.slug)
    mine = Sitting.objects.filter(study=study, annotator=annotator)
    labels = Assignment.objects.filter(sitting__in=mine).labels()
    context = {
        "study": study,
        "annotator": annotator,
        "number": number,
        "name": name,
        "given_id": PlatformId.current(study.pk, annotator.pk),
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
@study_page(Right.IDENTIFY)
def person_file(request: HttpRequest, study: Study, number: int) -> HttpResponseBase:
    annotator = get_annotator_or_404(study, number)
    text = json.dumps(everything_about(study, annotator), cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    record_sent(request, study, f"data of {annotator_name(number)}")
    return as_file(text + "\n", f"{study.slug}-{annotator_name(number)}.json", "application/json; charset=utf-8")
