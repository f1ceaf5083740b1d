"""Payment: a fact of its own."""

from django.urls import reverse

from annotation.models import Exclusion
from annotation.quality.exclusion import exclude


def paid(study):
    return sorted(study.sittings.values_list("payment", flat=True))


def test_selected_sittings_are_approved(client, study):
    chosen = list(study.sittings.values_list("token", flat=True)[:2])
    client.post(reverse("payment", args=[study.slug]), {"sitting": chosen, "payment": "approved"})
    assert paid(study) == ["approved", "approved", "undecided"]


def test_a_decision_can_be_taken_back(client, study):
    chosen = list(study.sittings.values_list("token", flat=True))
    for state in ("declined", "undecided"):
        client.post(reverse("payment", args=[study.slug]), {"sitting": chosen, "payment": state})
    assert paid(study) == ["undecided"] * 3


def test_excluding_an_annotator_leaves_payment_alone(client, study):
    sitting = study.sittings.first()
    client.post(reverse("payment", args=[study.slug]), {"sitting": [sitting.token], "payment": "approved"})
    exclude(study, sitting.annotator, rule=Exclusion.Rule.RESEARCHER, evidence={})
    sitting.refresh_from_db()
    assert sitting.payment == "approved"


def test_nothing_selected_is_said(client, study):
    answer = client.post(reverse("payment", args=[study.slug]), {"payment": "approved"}, follow=True)
    assert "No sitting was selected." in answer.content.decode()


def test_an_unknown_state_is_refused(client, study):
    data = {"sitting": [study.sittings.first().token], "payment": "doubled"}
    answer = client.post(reverse("payment", args=[study.slug]), data, follow=True)
    assert "There is no payment state" in answer.content.decode()
    assert paid(study) == ["undecided"] * 3


def test_sittings_of_another_study_stay_as_they_are(client, study, draft):
    data = {"sitting": [study.sittings.first().token], "payment": "approved"}
    client.post(reverse("payment", args=[draft.slug]), data)
    assert paid(study) == ["undecided"] * 3


def test_synthetic_annotators_are_not_paid(client, checked):
    data = {"sitting": [checked.sittings.first().token], "payment": "approved"}
    answer = client.post(reverse("payment", args=[checked.slug]), data, follow=True)
    assert "Synthetic annotators are not paid." in answer.content.decode()
