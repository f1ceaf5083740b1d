"""Another policy over the answers that are there: what it says, and that nothing changes."""

import re
from io import StringIO

import numpy as np
import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Exclusion, Item, Study
from annotation.quality.exclusion import exclude, reinstate
from annotation.quality.policy import Policy
from annotation.quality.rerun import answered, read_answers, rejudge
from annotation.quality.rules import Answer, held_against
from annotation.simulation import simulate
from comparison.frame import selected
from comparison.frame.cache.gathered import read_one
from comparison.statistics.resampling.sample import ITEMS
from researcher.tasks import what_if as compute_what_if
from researcher.what_if import standing, what_if
from tests.queued import listened_to
from tests.studies import open_small_study, plausibility_rows

ROOMS = ("annotation", "scoring", "training", "accounts")


def rows():
    """Every row of every table."""
    models = [model for room in ROOMS for model in apps.get_app_config(room).get_models()]
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in models}


@pytest.fixture(scope="module")
def made(rows_of_module, tmp_path_factory) -> Study:
    made = open_small_study(
        tmp_path_factory.mktemp("crowd"),
        plausibility_rows(12, gold=2, attention=2),
        slug="crowd",
        collection={"labels_per_item": 5, "sitting_length": 12, "gold_per_sitting": 2, "attention_per_sitting": 2},
        quality={"max_attention_failures": 1, "gold_tolerance": 1.0},
    )
    simulate(made, counts={"careful": 2, "hasty": 1, "careless": 1}, seed=1)
    return made


@pytest.fixture
def crowd(made, db) -> Study:
    """Two careful, one careless (excluded), one hasty (not), one who repeats a place; three labels an item."""
    return Study.objects.get(pk=made.pk)


def tried(study, **limits):
    return what_if(study, Policy(**{"gold_tolerance": 1.0, "max_attention_failures": 1} | limits), read_one(study))


@pytest.mark.slow
def test_the_studys_own_policy_changes_nobody(crowd):
    found = tried(crowd)
    assert found.is_same
    assert [one.change for one in found.people] == ["stays excluded"]
    assert (found.stopping, found.returning) == (0, 0)
    assert found.before == found.after


@pytest.mark.slow
def test_a_floor_of_time_would_exclude_the_hasty(crowd):
    found = tried(crowd, item_floor_ms=900)
    (new,) = found.changing
    assert new.change == "would be excluded"
    assert "timed answers" in new.then and new.now == ""
    assert (found.stopping, found.returning) == (12, 0)
    assert (found.before.labels, found.after.labels) == (36, 24)
    assert (found.before.missing, found.after.missing) == (24, 36)


def test_a_lenient_policy_would_let_labels_count_again(crowd):
    found = tried(crowd, max_attention_failures=9)
    (back,) = found.changing
    assert (back.change, back.then) == ("would count again", "")
    assert (found.returning, found.after.labels) == (12, 48)


def test_agreement_after_is_that_of_the_labels_that_are_left(crowd):
    """As if the policy had been applied for good."""
    found = tried(crowd, item_floor_ms=900)
    hasty = crowd.sittings.get(annotator__profile="hasty").annotator
    exclude(crowd, hasty, rule="researcher", evidence={"by": "rosa", "reason": "quick"})
    assert tried(crowd, item_floor_ms=900).before.alpha == found.after.alpha
    assert list(Item.objects.filter(kind="target").values_list("counted", flat=True)) == [2] * 12


def test_a_researchers_decision_stands(crowd):
    reinstate(crowd.exclusions.get())
    careful = crowd.sittings.filter(annotator__profile="careful").first().annotator
    exclude(crowd, careful, rule="researcher", evidence={"by": "rosa", "reason": "asked to leave"})
    found = tried(crowd)
    assert found.is_same
    assert found.lifted == 1
    assert [one.then for one in found.people] == ["decided by rosa"]


@pytest.mark.slow
def test_what_is_summed_up_first_loses_nobody(crowd):
    """Those whom the sums leave out break no rule, whatever the limits."""
    for limits in (
        {"max_attention_failures": 0},
        {"gold_tolerance": 0.0, "gold_distance": 1},
        {"item_floor_ms": 2500, "quick_tolerance": 0.5},
        {"sitting_floor_ms": 3000},
        {"sitting_floor_ms": 500, "item_floor_ms": 100},
        {"max_same_in_a_row": 2, "max_in_pattern": 5},
    ):
        policy = Policy(**{"gold_tolerance": 1.0, "max_attention_failures": 9} | limits)
        everybody: dict[int, list[Answer]] = {}
        for annotator, given in read_answers(answered(crowd), policy):
            everybody.setdefault(annotator, []).append(given)
        scale = crowd.task.scale
        broken = {who for who, given in everybody.items() if held_against(policy, given, scale).broken_rule}
        assert set(rejudge(crowd, policy)) == broken, limits


@pytest.mark.slow
def test_checks_alone_cost_a_few_queries_whoever_there_is(crowd):
    def queries():
        with CaptureQueriesContext(connection) as caught:
            rejudge(crowd, Policy(gold_tolerance=1.0))
        return len(caught)

    few = queries()
    simulate(crowd, counts={"careless": 3}, seed=2)
    assert queries() == few <= 3


@pytest.mark.slow
def test_the_page_says_it_and_changes_no_row(client, crowd):
    before = rows()
    address = reverse("what_if", args=[crowd.slug])
    assert "The status of" not in client.get(address).content.decode()
    page = " ".join(client.get(address, {"item_floor_ms": 900}).content.decode().split())
    assert "The status of 1 annotator would change" in page
    assert "12 would stop counting, 0 would count again" in page
    assert 'value="900"' in page
    # Whole words: a form's token is of random letters.
    assert not re.search(r"\b(NaN|None)\b", page)
    assert client.post(address).status_code == 405
    call_command("whatif", crowd.slug, "--item-floor-ms", "900", stdout=StringIO())
    assert rows() == before
    assert Exclusion.objects.count() == 1


def test_each_figure_of_agreement_has_its_question_mark(client, crowd):
    page = client.get(reverse("what_if", args=[crowd.slug]), {"max_attention_failures": "0"}).content.decode()
    for key in ("alpha_ordinal", "percent_agreement"):
        assert f'popovertarget="about-{key}"' in page
        assert f'id="about-{key}" role="dialog"' in page


def test_the_command_says_the_same(crowd):
    out = StringIO()
    call_command("whatif", crowd.slug, "--item-floor-ms", "900", stdout=out)
    said = out.getvalue()
    assert "1 annotators would change" not in said
    assert "The status of 1 annotator would change:" in said
    assert "12 labels would stop counting, 0 would count again." in said
    with pytest.raises(CommandError, match="It must be a share from 0 to 1"):
        call_command("whatif", crowd.slug, "--gold-tolerance", "1.5", stdout=out)


@pytest.mark.parametrize("query", [{"gold_tolerance": "2"}, {"gold_distance": "9"}, {"item_floor_ms": "soon"}])
def test_an_impossible_limit_is_told_beside_its_field(client, crowd, query):
    answer = client.get(reverse("what_if", args=[crowd.slug]), query)
    assert answer.status_code == 400
    assert 'class="field-error"' in answer.content.decode()


def test_of_a_large_study_a_worker_computes_it(client, crowd, monkeypatch):
    monkeypatch.setattr(selected, "QUICK", 0)
    asked = listened_to(monkeypatch)
    address = reverse("what_if", args=[crowd.slug])
    assert "Creating:" in client.get(address, {"item_floor_ms": 900}).content.decode()
    ((_, study, limits),) = asked
    compute_what_if(study, limits)
    assert "The status of 1 annotator would change" in " ".join(
        client.get(address, {"item_floor_ms": 900}).content.decode().split()
    )


def test_a_study_without_labels_says_so(client, draft):
    answer = client.get(reverse("what_if", args=[draft.slug]), {"item_floor_ms": 900})
    page = " ".join(answer.content.decode().split())
    assert "No one’s status would change" in page
    assert "undefined: no item has two labels yet" in page


def test_what_is_missing_is_counted_by_item():
    found = standing(np.array([[2, 1], [1, 0]]), np.array([3, 3]), ordered=False, sample=ITEMS)
    assert (found.labels, found.below, found.missing) == (4, 1, 2)
