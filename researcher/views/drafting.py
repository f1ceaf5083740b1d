"""The items of a study in its setup: the list, and one as a form; many from a file are in views/item_files.py."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from annotation.access.matrix import Right
from annotation.drafting.items import (
    DraftRefused,
    add_items,
    change_item,
    make_gold,
    put_back,
    remove_items,
    set_common_answer,
)
from annotation.drafting.rows import row_of
from annotation.editing import EditRefused
from annotation.editing import edit as edit_settings
from annotation.editing import state_of as settings_state
from annotation.itemfile import ItemRow
from annotation.loading import LoadRefused
from annotation.models import Item, Study
from annotation.studyfile import StudyFileError
from researcher.drafting.item_form import ItemForm
from researcher.drafting.item_list import MIXED_IN, PER_PAGE, read_list
from researcher.views.item_files import PART
from researcher.views.setup.parts import shared
from researcher.views.study_of import get_item_or_404, study_form, study_page, study_post, user_of

TAKEN_OUT = "items_taken_out"


@never_cache
@study_page(Right.EDIT)
def items(request: HttpRequest, study: Study) -> HttpResponse:
    pk, rows = request.session.get(TAKEN_OUT) or (None, [])
    context = shared(study) | {"part": PART, "list": read_list(study, request.GET)}
    context["taken_out"] = len(rows) if pk == study.pk and not study.has_opened else 0
    return render(request, "researcher/drafting/items.html", context)


@study_post(Right.EDIT)
def remove(request: HttpRequest, study: Study) -> HttpResponse:
    """What was taken out is kept in the session until the next, so that it can be put back."""
    ids = request.POST.getlist("item")[:PER_PAGE]
    try:
        gone = remove_items(study, ids) if ids else {}
    except (DraftRefused, StudyFileError) as refused:
        messages.error(request, said(refused))
    else:
        if gone:
            request.session[TAKEN_OUT] = [study.pk, [[place, row.fields()] for place, row in gone.items()]]
        else:
            messages.error(request, "Nothing removed: no item is selected.")
    return redirect("items", study.slug)


@study_post(Right.EDIT)
def gold(request: HttpRequest, study: Study) -> HttpResponse:
    ids = request.POST.getlist("item")[:PER_PAGE]
    if not ids:
        messages.error(request, "No item is selected.")
        return redirect("items", study.slug)
    had = study.items.filter(kind=Item.Kind.GOLD).exists()
    try:
        made = make_gold(study, ids, editor=user_of(request))
    except (DraftRefused, StudyFileError) as refused:
        messages.error(request, said(refused))
    else:
        now_has = "" if had else _put_into_batches(study, Item.Kind.GOLD)
        messages.success(request, f"{made} item{'' if made == 1 else 's'} made gold. {now_has}".strip())
    return redirect("items", study.slug)


@study_post(Right.EDIT)
def back(request: HttpRequest, study: Study) -> HttpResponse:
    pk, rows = request.session.get(TAKEN_OUT) or (None, [])
    if pk == study.pk:
        try:
            put_back(study, {place: ItemRow(**fields) for place, fields in rows})
        except (DraftRefused, StudyFileError) as refused:
            messages.error(request, said(refused))
        else:
            del request.session[TAKEN_OUT]
            messages.success(request, "Items restored. Score them again.")
    return redirect("items", study.slug)


@study_post(Right.EDIT)
def correct(request: HttpRequest, study: Study) -> HttpResponse:
    value = request.POST.get("correct", "")
    try:
        set_common_answer(study, value)
    except (DraftRefused, StudyFileError) as refused:
        messages.error(request, said(refused))
    else:
        messages.success(request, f"“{value}” is correct in every item." if value else "No item has a correct answer.")
    return redirect("items", study.slug)


def said(refused: DraftRefused | StudyFileError) -> str:
    """Why, with every fault in a sentence."""
    if isinstance(refused, StudyFileError):
        return "Nothing has changed. " + " ".join(f"{one.place} {one.message}." for one in refused.faults)
    return " ".join([str(refused), *(f"{one.place} {one.message}." for one in refused.faults)])


@study_form(Right.EDIT)
def new(request: HttpRequest, study: Study) -> HttpResponse:
    form = ItemForm(request.POST or None, study=study, kind=request.GET.get("kind", ""))
    if _is_sent(request) and form.is_valid():
        typed = form.cleaned_data
        row = form.row(named="" if typed["id"] else _unused(study, typed["kind"]))
        had = study.items.filter(kind=row.kind).exists()
        if _stored(form, lambda: add_items(study, [row])):
            now_has = "" if had else _put_into_batches(study, row.kind)
            messages.success(request, f"{row.id} added. {now_has}".strip())
            return redirect("item_new" if "another" in request.POST else "items", study.slug)
    return _page(request, study, form)


@study_form(Right.EDIT)
def edit(request: HttpRequest, study: Study, external_id: str) -> HttpResponse:
    item = get_item_or_404(study, external_id)
    form = ItemForm(request.POST or None, study=study, before=row_of(item))
    if _is_sent(request) and form.is_valid():
        row, seen, editor = form.row(named=""), form.cleaned_data["seen"], user_of(request)
        had = study.items.filter(kind=row.kind).exists()
        if _stored(form, lambda: change_item(study, row, seen=seen, editor=editor)):
            now_has = "" if had else _put_into_batches(study, row.kind)
            messages.success(request, f"{external_id} saved. {now_has}".strip())
            return redirect("items", study.slug)
    return _page(request, study, form, item=item)


def _stored(form: ItemForm, verb: object) -> bool:
    """Whether it was done; what stands against it is then in the form."""
    assert callable(verb)
    try:
        verb()
    except DraftRefused as refused:
        form.add_faults(str(refused), refused.faults)
        return False
    except StudyFileError as refused:
        form.add_error(None, said(refused))
        return False
    return True


def _put_into_batches(study: Study, kind: str) -> str:
    """The first check of its kind is there to be met: from now on each batch has one. Says so."""
    number = MIXED_IN.get(Item.Kind(kind))
    # A number is 0 beside other checks because somebody wants it so.
    if not number or getattr(study, number):
        return ""
    path = f"collection.{number}"
    try:
        edit_settings(study, {path: 1}, seen=settings_state(study, [path]))
    except (EditRefused, StudyFileError, LoadRefused):
        # The list of items says that no batch has one, and where the number is set.
        return ""
    return f"Each batch has one {'gold item' if kind == Item.Kind.GOLD else 'attention check'} now."


def _unused(study: Study, kind: str) -> str:
    """`gold-3`, if the last gold item is `gold-2`, or has another kind of name and is the second."""
    of_kind = study.items.filter(kind=kind)
    last = of_kind.order_by("-position").values_list("external_id", flat=True).first() or ""
    ends = last.removeprefix(f"{kind}-")
    number = int(ends) + 1 if ends.isascii() and ends.isdecimal() and len(ends) < 10 else of_kind.count() + 1
    while study.items.filter(external_id=f"{kind}-{number}").exists():
        number += 1
    return f"{kind}-{number}"


def _is_sent(request: HttpRequest) -> bool:
    """And not only to see how it looks."""
    return request.method == "POST" and "show" not in request.POST


def _page(request: HttpRequest, study: Study, form: ItemForm, *, item: Item | None = None) -> HttpResponse:
    context = shared(study) | {"part": PART, "form": form, "item": item}
    context["is_kept"] = study.has_opened or (item is not None and item.was_shown())
    refused = _is_sent(request) and form.errors
    return render(request, "researcher/drafting/item.html", context, status=422 if refused else 200)
