"""The strip above the list: what waits over all studies, for those who may see to it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.access.matrix import Role
from annotation.adjudicating import adjudicate
from annotation.models import Item, Membership, Sitting, Study
from researcher.studies.home import Kind, read_over_all
from scoring.models import Run
from tests.comparison.cast import give_labels, give_run
from tests.researcher.conftest import labeled_rows
from tests.studies import open_small_study

THREE = ("less_likely", "equally_likely", "more_likely")


@pytest.fixture
def waiting(client, study, tmp_path) -> Study:
    """Paid, with an item that is split three ways, three submissions, and a failed run."""
    made = open_small_study(
        tmp_path / "waiting", labeled_rows(), slug="waiting", collection={"pay": "1.50", "currency": "GBP"}
    )
    give_labels(made, [("target-1", f"p{place}", label) for place, label in enumerate(THREE)])
    made.sittings.update(source=None, state=Sitting.State.FINISHED)
    run = give_run(made, [], key="broken")
    Run.objects.filter(pk=run.pk).update(state=Run.State.FAILED)
    return made


def waits(user):
    found = read_over_all(user, {one.pk: one for one in Study.objects.all()})
    return {one.kind: [(inside.study.slug, inside.count, inside.more) for inside in one.studies] for one in found}


@pytest.mark.slow
def test_each_kind_is_counted_by_study(researcher, waiting):
    assert waits(researcher) == {
        Kind.PAYMENTS: [("waiting", 3, "£4.50")],
        Kind.TIES: [("waiting", 1, "")],
        Kind.RUNS: [("waiting", 1, "")],
    }


@pytest.mark.slow
def test_what_is_seen_to_waits_no_more(researcher, waiting):
    waiting.sittings.update(payment=Sitting.Payment.APPROVED)
    adjudicate(Item.objects.get(study=waiting, external_id="target-1"), THREE[0], note="", by=researcher, seen=None)
    waiting.runs.update(state=Run.State.FINISHED)
    assert waits(researcher) == {}


@pytest.mark.slow
def test_one_who_only_sees_is_asked_for_nothing(researcher, carl, waiting):
    Membership.objects.create(study=waiting, user=carl, role=Role.ANALYST.value)
    assert waits(carl) == {}


@pytest.mark.slow
def test_it_leads_to_where_it_is_seen_to(client, waiting):
    page = client.get(reverse("studies")).content.decode()
    for name in ("payment", "adjudication", "runs"):
        assert f'<a href="{reverse(name, args=["waiting"])}"><b>' in page, name


@pytest.mark.slow
def test_an_archived_study_is_left_out(client, waiting):
    Study.objects.filter(pk=waiting.pk).update(state=Study.State.CLOSED, archived_at=waiting.created_at)
    assert client.get(reverse("studies")).context["waits"] == ()


@pytest.mark.slow
def test_more_studies_take_no_more_queries(researcher, waiting, tmp_path):
    def queries():
        with CaptureQueriesContext(connection) as caught:
            waits(researcher)
        return len(caught)

    one = queries()
    for number in range(3):
        open_small_study(tmp_path / f"s{number}", labeled_rows(), slug=f"s{number}")
    assert queries() == one
