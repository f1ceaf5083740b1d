"""Decisions on payment as the page sends them."""

from django.urls import reverse


def act(client, study, do, *, query="", chosen=None, **data):
    tokens = study.sittings.order_by("pk").values_list("token", flat=True) if chosen is None else chosen
    address = reverse("payment", args=[study.slug]) + query
    return client.post(address, {"sitting": list(tokens), "do": do, **data}, follow=True)
