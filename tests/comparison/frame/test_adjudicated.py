"""Where a reader asks for it, what researchers decided of an item stands in for the majority that it lacks."""

import pytest
from django.contrib.auth import get_user_model

from accounts.models import User
from annotation.adjudicating import adjudicate
from annotation.models import Adjudication
from comparison.figures.findings import FINDINGS
from comparison.frame.filters.address import SelectionError, read_selection
from comparison.frame.selected import select
from tests.comparison.conftest import EQUAL, MORE
from tests.comparison.page.visiting import page

ASKED = {"against": ["majority"], "ties": ["adjudicated"]}


def correct(study, **query):
    """How many items the run `parrot` has right, and of how many."""
    chosen = select(study, read_selection(query))
    run = next(one for one in FINDINGS.read(chosen).runs if one.model == "parrot")
    hits = run.against("majority").hits
    return hits.correct, hits.compared


@pytest.mark.slow
def test_a_decision_counts_where_there_is_no_majority(study):
    # target-5 is a tie, decided as its reference, which is what the run gives.
    assert correct(study) == (3, 4)
    assert correct(study, **ASKED) == (4, 5)


@pytest.mark.slow
def test_a_new_decision_changes_the_figures_at_once(study):
    assert correct(study, **ASKED) == (4, 5)
    item = study.items.get(external_id="target-5")
    standing = Adjudication.objects.get(item=item, stands=True)
    adjudicate(item, MORE, note="", by=User.objects.get(username="judge"), seen=standing.pk)
    assert correct(study, **ASKED) == (3, 5)
    assert correct(study) == (3, 4)


@pytest.mark.slow
def test_what_cannot_be_decided_has_no_truth(study):
    item = study.items.get(external_id="target-5")
    standing = Adjudication.objects.get(item=item, stands=True)
    adjudicate(item, "", note="", by=get_user_model().objects.get(username="judge"), seen=standing.pk)
    assert correct(study, **ASKED) == (3, 4)


@pytest.mark.slow
def test_a_decision_never_overrules_a_majority(study):
    item = study.items.get(external_id="target-1")
    adjudicate(item, EQUAL, note="", by=User.objects.get(username="judge"), seen=None)
    assert correct(study, **ASKED) == (4, 5)


@pytest.mark.slow
def test_the_verdict_says_how_many_were_decided(study):
    said = select(study, read_selection(ASKED)).verdict
    assert said.labels.known == 5
    assert said.labels.adjudicated == 1
    assert select(study, read_selection({})).verdict.labels.adjudicated == 0


@pytest.mark.slow
def test_agreement_is_of_labels_alone(study):
    one, other = (select(study, read_selection(query)).verdict.people.alpha for query in ({}, ASKED))
    assert one == other


@pytest.mark.slow
def test_the_page_offers_it_as_a_chip_and_says_what_counts(logged_in, study):
    plain = page(logged_in, study)
    assert "ties=adjudicated" in plain.content.decode()
    shown = page(logged_in, study, against="majority", ties="adjudicated").content.decode()
    assert "Compared with <b>the majority or adjudicated label</b>" in shown
    assert '<input type="hidden" name="ties" value="adjudicated">' in shown
    Adjudication.objects.all().delete()
    assert "ties=adjudicated" not in page(logged_in, study).content.decode()


def test_references_need_no_decision(study):
    chosen = select(study, read_selection({"against": ["reference"], "ties": ["adjudicated"]}))
    assert chosen.target_words == "the reference"
    assert chosen.whole.decisions is None


def test_an_unknown_way_is_refused():
    with pytest.raises(SelectionError, match="ties cannot be 'coin'"):
        read_selection({"ties": ["coin"]})
