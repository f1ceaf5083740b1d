"""Items that were chosen by a result: nothing is concluded from that result, on any page or in any file."""

import pytest
from django.http import QueryDict
from django.urls import reverse

from comparison.exports.registry import export
from comparison.exports.report import report
from comparison.frame.filters.address import read_selection
from comparison.frame.filters.selection import Selection
from tests.comparison.page.visiting import page, words

RIGHT = "These items were filtered by whether a run is right, so no model is named nearest."
PEOPLE = "These items were filtered by agreement, so no agreement is reported."


def figures(study, selection):
    names, *lines = report(study, selection)
    return [dict(zip(names, line, strict=True)) for line in lines]


def key(study, model="smol"):
    return str(study.runs.get(model__key=model).pk)


@pytest.mark.parametrize(
    ("query", "by", "people"),
    [
        ("right=right", "whether a run is right", ""),
        ("beside_right=wrong", "whether a run is right", ""),
        ("given=x&true=x", "whether a run is right", ""),
        ("given=x", "", ""),
        ("true=x", "", ""),
        ("people=agrees", "whether the majority label matches the reference", "agreement"),
        ("agreement=unanimous", "", "agreement"),
        ("entropy_min=0.5", "", "agreement"),
        ("jensen_shannon_max=0.5", "a run’s distance from the labels", ""),
        ("surprisal_max=9", "", ""),
        ("attribute=a&value=b", "", ""),
        ("q=word", "", ""),
    ],
)
def test_by_what_items_were_chosen(query, by, people):
    found = read_selection(dict(QueryDict(query).lists()))
    assert (found.chosen_by_result, found.chosen_by_agreement) == (by, people)


@pytest.mark.slow
@pytest.mark.parametrize("right", ["right", "wrong"])
def test_a_run_is_not_nearest_on_what_it_was_asked_to_have_right(logged_in, cut_study, right):
    assert page(logged_in, cut_study).context["page"].verdict.runs.nearest, "on all items it is"
    asked = {"run": key(cut_study), "right": right}
    answer = page(logged_in, cut_study, **asked)
    verdict = answer.context["page"].verdict
    assert (verdict.runs.nearest, verdict.runs.level, verdict.figure) == ((), (), "")
    assert (verdict.headline, verdict.who) == ("Filtered by whether a run is right: no verdict.", RIGHT)
    assert [one.state.word for one in verdict.of("chance", "nearest", "person")] == ["Withheld"]
    assert verdict.runs.placed, "the figures stay"
    assert verdict.headline in words(answer)
    [nearest] = verdict.of("nearest")
    assert nearest.statement in words(answer) and nearest.evidence in words(answer)
    assert "whether a run is right" in nearest.evidence
    models = page(logged_in, cut_study, "models", **asked)
    assert RIGHT in words(models)
    assert "From the best to the worst by" not in words(models)
    assert models.context["page"].models.board.groups[0].title == "Models"


@pytest.mark.slow
def test_files_conclude_nothing_either(cut_study):
    chosen = Selection(run=key(cut_study), right="right")
    lines = figures(cut_study, chosen)
    verdict = [line for line in lines if line["section"] == "verdict"]
    [said] = {line["note"] for line in verdict if line["statistic"] == "nearest"}
    assert said == "No model is named nearest on these items. They were filtered by whether a run is right"
    concluded = {"rank", "first_in_resamples", "cannot_be_told_from_best", "p_no_better_than_chance"}
    assert not concluded & {line["statistic"] for line in verdict}
    everything = figures(cut_study, Selection())
    assert concluded <= {line["statistic"] for line in everything}


@pytest.mark.parametrize(
    ("query", "by"),
    [
        ("right=right", "whether a run is right"),
        ("given=x", "a run’s answers"),
        ("true=x&against=reference", "the reference"),
        ("agreement=unanimous", ""),
    ],
)
def test_by_what_items_were_chosen_for_biases(query, by):
    found = read_selection(dict(QueryDict(query).lists()))
    assert found.no_bias == (f"These items were filtered by {by}, so no bias is reported." if by else "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "statistics"),
    [("alternative", ("advantage_probability", "winning_rate")), ("report", ("advantage_probability",))],
)
def test_files_warn_of_the_alternative_annotator_test(study, name, statistics):
    names, *every = export(name)(study, Selection(run=key(study, "parrot"), right="right"))
    lines = [dict(zip(names, line, strict=True)) for line in every]
    notes = [line["note"] for line in lines if line["statistic"] in statistics]
    assert notes
    assert all(RIGHT in one for one in notes)
    names, *every = export(name)(study, Selection())
    assert not any(RIGHT in str(line[names.index("note")]) for line in every)


@pytest.mark.slow
def test_of_two_runs_none_is_nearer(logged_in, study):
    query = {"run": key(study, "parrot"), "beside": key(study, "majority"), "right": "right"}
    answer = logged_in.get(reverse("two_runs", args=[study.slug]), query)
    assert RIGHT in words(answer)
    assert "cannot be told apart" not in words(answer)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["unanimous", "none"])
def test_people_do_not_agree_well_where_they_were_asked_to_agree(logged_in, study, kind):
    answer = page(logged_in, study, agreement=kind)
    verdict = answer.context["page"].verdict
    assert verdict.people.alpha.undefined == "the items were filtered by agreement"
    assert verdict.runs.person.value is None, "who is measured by the others"
    [people] = verdict.of("people")
    assert people.state.word == "Withheld" and "agreement" in people.evidence
    assert "annotator" not in verdict.headline and "agree" not in verdict.headline
    assert people.statement in words(answer) and people.evidence in words(answer)
    assert "α =" not in words(answer)
    assert PEOPLE in words(page(logged_in, study, "people", agreement=kind))


@pytest.mark.slow
def test_files_warn_of_agreement(study):
    lines = figures(study, Selection(agreement="unanimous"))
    notes = [line["note"] for line in lines if line["section"] == "agreement" and "alpha" in str(line["statistic"])]
    assert notes
    assert all(PEOPLE in one for one in notes)
