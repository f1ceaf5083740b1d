"""Approving all leaves out sittings that ended with failed checks, unless they are asked for."""

import io

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Sitting
from researcher.studies import payment


def approve_all(client, study, *, query="", **data):
    client.post(reverse("payment", args=[study.slug]) + query, {"do": "approve_all", **data})


def paid(study):
    return sorted(study.sittings.values_list("payment", flat=True))


class TestFailedChecks:
    @pytest.fixture(autouse=True)
    def ended(self, study):
        failed = study.sittings.order_by("pk").first()
        study.sittings.all().end(Sitting.Outcome.COMPLETED)
        study.sittings.filter(pk=failed.pk).update(outcome=Sitting.Outcome.FAILED_CHECKS)

    @pytest.mark.slow
    def test_are_left_out_of_all_and_the_button_counts_the_rest(self, client, study, monkeypatch):
        page = client.get(reverse("payment", args=[study.slug])).content.decode()
        assert "Approve all 2 with answers" in page
        assert "Include 1 with failed checks" in page
        monkeypatch.setattr(payment, "COUNTED", 1)
        assert "Approve all 1+ with" in client.get(reverse("payment", args=[study.slug])).content.decode()
        approve_all(client, study)
        assert paid(study) == ["approved", "approved", "undecided"]

    @pytest.mark.slow
    def test_are_approved_with_all_where_the_box_is_ticked(self, client, study):
        approve_all(client, study, failed_checks="yes")
        assert paid(study) == ["approved"] * 3

    @pytest.mark.slow
    def test_are_approved_where_the_filter_asks_for_them(self, client, study):
        approve_all(client, study, query="?outcome=failed_checks")
        assert paid(study) == ["approved", "undecided", "undecided"]

    @pytest.mark.slow
    def test_are_left_out_by_the_command_and_said_so(self, study):
        said = io.StringIO()
        call_command("payments", study.slug, "--approve", stdout=io.StringIO(), stderr=said)
        assert paid(study) == ["approved", "approved", "undecided"]
        assert "1 submissions are left out because of failed checks (--failed-checks)." in said.getvalue()
        call_command("payments", study.slug, "--approve", "--failed-checks", stdout=io.StringIO())
        assert paid(study) == ["approved"] * 3
