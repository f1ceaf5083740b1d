"""Where a study's owner has other programs told what happens in it, and what became of the messages."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from annotation.access.matrix import Right
from annotation.models import Study
from annotation.models.researchers import LONGEST_ADDRESS
from annotation.webhooks.declaring import (
    AddressRefused,
    WebhookRefused,
    add_webhook,
    allowed,
    hosts_said,
    remove_webhook,
    secret_of,
    send_test,
)
from annotation.webhooks.outbox import TOLD
from researcher.views.study_of import study_form, study_post

SHOWN = 10


class WebhookForm(forms.Form):
    address = forms.CharField(max_length=LONGEST_ADDRESS, error_messages={"required": "Enter an address."})
    events = forms.MultipleChoiceField(
        choices=[(event.value, event.words) for event in TOLD],
        error_messages={"required": "Choose at least one event."},
    )


@study_form(Right.OWN)
def webhooks(request: HttpRequest, study: Study) -> HttpResponse:
    """GET lists them with their last messages; POST adds one and shows its secret."""
    form, made = WebhookForm(request.POST if request.method == "POST" else None), None
    if form.is_bound and form.is_valid():
        try:
            made = add_webhook(study, **form.cleaned_data)
        except (AddressRefused, WebhookRefused) as refused:
            form.add_error("address", str(refused))
    context = {
        "study": study,
        "form": WebhookForm() if made else form,
        "lines": [
            (one, [event.words for event in TOLD if event in one.events], one.deliveries.all()[:SHOWN])
            for one in study.webhooks.all()
        ],
        "hosts": allowed(),
        "hosts_said": hosts_said(),
        "made": made,
        "secret": secret_of(made) if made else "",
    }
    status = 201 if made else 422 if form.is_bound else 200
    return render(request, "researcher/sharing/webhooks.html", context, status=status)


@study_post(Right.OWN)
def test(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    send_test(get_object_or_404(study.webhooks, pk=pk))
    messages.success(request, "Test message sent. Reload this page to see the answer.")
    return redirect("webhooks", study.slug)


@study_post(Right.OWN)
def remove(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    remove_webhook(get_object_or_404(study.webhooks, pk=pk))
    messages.success(request, "Webhook removed. Its waiting messages were deleted.")
    return redirect("webhooks", study.slug)
