"""What the payment queue opens on, and what its decisions come to."""

import pytest
from django.urls import reverse

from tests.researcher.studies.paying import act


@pytest.mark.slow
def test_it_opens_on_what_is_to_be_decided(client, study):
    address = reverse("payment", args=[study.slug])
    act(client, study, "approve", chosen=study.sittings.values_list("token", flat=True)[:2])
    shown = client.get(address).context["page"]
    assert [chip.words for chip in shown.chips if chip.is_current] == ["To decide"]
    assert shown.lines.paginator.count == 1
    assert client.get(address, {"decision": ""}).context["page"].lines.paginator.count == 3
    act(client, study, "approve")
    assert client.get(address).context["page"].lines.paginator.count == 3


@pytest.mark.slow
def test_it_says_what_decisions_come_to_with_bonuses(client, study):
    study.pay, study.currency = "1.20", "GBP"
    study.save()
    first, second, third = study.sittings.order_by("pk").values_list("token", flat=True)
    act(client, study, "approve", chosen=[first])
    act(client, study, "bonus", chosen=[first, second], amount="0.50", bonus_reason="patience")
    shown = client.get(reverse("payment", args=[study.slug])).context["page"]
    assert shown.sums == ("£1.70 approved", "£2.90 to decide")
    assert {line.pay.sitting.token: line.cents for line in shown.lines} == {second: 170, third: 120}
