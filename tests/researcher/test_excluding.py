"""Excluding an annotator by hand, and reinstating one."""

import pytest
from django.urls import reverse

from annotation.models import Annotator
from comparison.figures.people.yields import YIELD
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.frame.status import none_valid
from tests.comparison.cast import give_labels, give_run
from tests.studies import open_small_study, plausibility_rows


@pytest.fixture
def annotator(study):
    return Annotator.objects.get(external_id="p0")


def addresses(study, annotator):
    number = study.annotator_numbers.get(annotator=annotator).number
    return [reverse(name, args=[study.slug, number]) for name in ("annotator_exclude", "annotator_reinstate")]


def valid(study):
    return sum(item.counted for item in study.items.all())


@pytest.mark.slow
def test_the_page_names_what_will_be_lost(client, study, annotator):
    page = " ".join(client.get(addresses(study, annotator)[0]).content.decode().split())
    assert "4 valid labels stop counting. They are kept." in page


@pytest.mark.slow
def test_the_name_must_be_typed(client, study, annotator):
    answer = client.post(addresses(study, annotator)[0], {"reason": "a bot", "typed": "yes"})
    assert answer.status_code == 422
    assert "Nothing changed." in answer.content.decode()
    assert valid(study) == 12


@pytest.mark.slow
def test_a_reason_is_asked_for(client, study, annotator):
    answer = client.post(addresses(study, annotator)[0], {"typed": study.annotator_numbers.name_of(annotator.pk)})
    assert answer.status_code == 422
    assert valid(study) == 12


@pytest.mark.slow
def test_excluded_labels_stop_counting_and_the_reason_is_shown(client, study, annotator):
    data = {"reason": "a bot", "typed": study.annotator_numbers.name_of(annotator.pk)}
    answer = client.post(addresses(study, annotator)[0], data, follow=True)
    assert valid(study) == 8
    assert "decided by rosa: a bot" in answer.content.decode()


@pytest.mark.slow
def test_excluding_twice_is_harmless(client, study, annotator):
    data = {"reason": "a bot", "typed": study.annotator_numbers.name_of(annotator.pk)}
    client.post(addresses(study, annotator)[0], data)
    answer = client.post(addresses(study, annotator)[0], data | {"reason": "again"}, follow=True)
    assert "is already excluded" in answer.content.decode()
    assert study.exclusions.get().evidence["reason"] == "a bot"


@pytest.mark.slow
def test_a_reinstated_annotators_labels_count_again(client, study, annotator):
    exclude, reinstate = addresses(study, annotator)
    client.post(exclude, {"reason": "a bot", "typed": study.annotator_numbers.name_of(annotator.pk)})
    assert "4 labels count again" in client.get(reinstate).content.decode()
    answer = client.post(reinstate, follow=True)
    assert valid(study) == 12
    assert "reinstated" in answer.content.decode()


@pytest.mark.slow
def test_reinstating_someone_who_is_not_excluded_is_harmless(client, study, annotator):
    answer = client.post(addresses(study, annotator)[1], follow=True)
    assert "is not excluded" in answer.content.decode()


@pytest.mark.slow
def test_an_annotator_of_another_study_is_not_found(client, draft, study, annotator):
    assert client.get(addresses(study, annotator)[0].replace(study.slug, draft.slug)).status_code == 404


@pytest.mark.slow
def test_where_every_label_is_excluded_the_pages_say_that_and_not_that_there_are_none(client, tmp_path):
    study = open_small_study(tmp_path / "out", plausibility_rows(4), slug="out")
    give_labels(study, [(f"target-{number}", "p1", "impossible") for number in range(1, 5)])
    give_run(study, [("target-1", "impossible", None, "")], key="parrot", family="classifier")
    annotator = Annotator.objects.get(external_id="p1")
    data = {"reason": "a bot", "typed": study.annotator_numbers.name_of(annotator.pk)}
    client.post(addresses(study, annotator)[0], data)
    said = "4 labels, none valid: 1 annotator excluded"
    for name, arguments in (("studies", []), ("study", ["out"]), ("results", ["out"])):
        page = client.get(reverse(name, args=arguments)).content.decode()
        assert said in page
        for false in ("No one has labeled", "No labels yet", "no labels yet"):
            assert false not in page
    client.post(addresses(study, annotator)[1])
    for name, arguments in (("studies", []), ("study", ["out"]), ("results", ["out"])):
        assert "none valid" not in client.get(reverse(name, args=arguments)).content.decode()
    assert YIELD.read(select(study, Selection())).annotators_excluded == 0


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0, 1), ""),
        ((1, 0, 1), "1 label, none valid: 1 annotator excluded"),
        ((1200, 2, 3), "1,202 labels, none valid: 3 annotators excluded, 2 surplus"),
        ((0, 2, 0), "2 labels, none valid: 2 surplus"),
    ],
)
def test_why_no_label_is_valid(counts, words):
    excluded, surplus, annotators = counts
    assert none_valid(excluded=excluded, surplus=surplus, annotators=annotators) == words
