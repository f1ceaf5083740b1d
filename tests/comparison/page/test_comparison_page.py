"""The comparison page: who sees it, what it says, what the address changes."""

import json
import re
from html import escape
from urllib.parse import parse_qsl

import pytest
from django.core.cache import cache
from django.urls import reverse

from annotation.itemfile import ItemRow
from annotation.models import Assignment, Study
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import everything, page, plain, without_terms, words
from tests.studies import open_small_study, plausibility_row


def test_an_unknown_study_is_not_found(logged_in):
    assert logged_in.get(reverse("results", args=["nothing"])).status_code == 404


@pytest.mark.slow
def test_it_says_of_the_models_first_what_four_items_can_tell(logged_in, study):
    answer = page(logged_in, study)
    text, found = words(answer), answer.context["page"].verdict
    # Four items have a majority; parrot misses the one whose reference is more likely.
    [chance] = found.of("chance")
    coming = "tests allow for the labels still to come"
    assert chance.state.word == "Not shown"
    # The bar that is drawn leaves chance out.
    assert chance.evidence.startswith(
        f".8 [.3, 1.0] against .20 · {coming} · Holm-corrected p = .242; intervals are uncorrected"
    )
    assert chance.statement == "parrot is not shown to beat chance." and chance.statement in text
    assert found.subtitle == "Accuracy against the majority label on 4 items, with 95 % confidence intervals"
    assert found.subtitle in text and found.headline in text
    assert "majority (baseline) .5 [.2, .8] baseline" in text
    assert "n = 4 items that all these runs have labeled; chance is .20." in text


@pytest.mark.slow
def test_while_labels_come_in_every_page_says_so(logged_in, study):
    """15 of 18 labels are there: list, study page and Overview say that it is so far, until the study closes."""
    coming = "Labels are still coming in: "
    text = words(page(logged_in, study))
    assert coming in text and "83 % of the labels wanted are in" in text
    pages = {name: logged_in.get(reverse(name, args=args)) for name, args in (("studies", []), ("study", [study.slug]))}
    assert ", so far" in words(pages["studies"]) and coming in words(pages["study"])
    Study.objects.filter(pk=study.pk).update(state=Study.State.CLOSED)
    assert coming not in words(page(logged_in, study))
    assert ", so far" not in words(logged_in.get(reverse("studies")))
    assert coming not in words(logged_in.get(reverse("study", args=[study.slug])))


@pytest.mark.slow
def test_the_yield_is_counted(logged_in, study):
    found = page(logged_in, study).context["page"]
    counts = found.findings.counts
    assert (counts.unanimous, counts.majority, counts.none, counts.unlabeled) == (2, 2, 1, 1)
    assert (found.yields.labels, found.yields.complete, found.yields.annotators) == (15, 5, 3)


@pytest.mark.slow
def test_runs_stand_against_majority_and_reference(logged_in, study):
    runs = {run.model: run for run in page(logged_in, study).context["page"].findings.runs}
    assert (runs["parrot"].majority.hits.correct, runs["parrot"].majority.hits.compared) == (3, 4)
    assert (runs["parrot"].reference.hits.correct, runs["parrot"].reference.hits.compared) == (6, 6)
    assert (runs["majority"].reference.hits.correct, runs["majority"].reference.kappa.value) == (3, 0)


@pytest.mark.slow
def test_with_one_label_an_item_runs_are_held_against_the_reference(logged_in, single_study):
    response = page(logged_in, single_study)
    assert response.context["page"].selection.against == "reference"
    assert "Models are compared with the reference. All 6 items have one · no majority: one label" in words(response)
    assert "parrot is the only model compared. 1.00 [.61, 1.00] on 6 items" in words(response)
    runs = words(page(logged_in, single_study, "models"))
    assert "nothing to compare with yet" not in runs


@pytest.mark.slow
def test_where_a_reader_asks_for_the_majority_that_is_not_there_the_page_says_so(logged_in, single_study):
    response = page(logged_in, single_study, against="majority")
    assert response.context["page"].selection.against == "majority"
    assert "No item has a majority label yet. Each has one label" in words(response)
    assert "Compare with the reference" in words(response)


@pytest.mark.slow
def test_kappa_against_references_that_are_all_alike_is_undefined_with_the_label(logged_in, study, nothing_remembered):
    study.items.update(reference="less_likely")
    response = page(logged_in, study, "models")
    runs = {run.model: run for run in response.context["page"].findings.runs}
    # One run always gives one label, the other does not; against the majority, which varies, both have a value.
    for name in ("majority", "parrot"):
        assert runs[name].reference.kappa.undefined == "all references are one label (Less likely)"
        assert runs[name].majority.kappa.value is not None
    assert "undefined: all references are one label (Less likely)" in words(response)
    study.items.exclude(external_id__in=["target-1", "target-3"]).update(reference=None)
    Assignment.objects.filter(item__in=study.items.exclude(external_id__in=["target-1", "target-3"])).update(
        state="surplus"
    )
    # References that are changed by hand are not among what figures are remembered by.
    cache.clear()
    runs = {run.model: run for run in page(logged_in, study).context["page"].findings.runs}
    assert runs["parrot"].majority.kappa.undefined == "all majority labels are one label (Less likely)"


@pytest.mark.slow
def test_the_majority_baseline_says_what_it_always_answers_and_is_held_against_people(
    logged_in, study, nothing_remembered
):
    """Without references: people's most common label, held against their majority."""
    study.runs.filter(model__key="majority").update(
        settings={"label": "equally_likely", "of": "labels", "n": 15, "count": 7}
    )
    study.items.update(reference=None)
    said = "always Equally likely: 7 of 15 labels"
    assert said in words(page(logged_in, study, "models"))


@pytest.mark.slow
def test_unscored_items_are_counted_with_their_reason(logged_in, study):
    response = page(logged_in, study, "models")
    runs = {run.model: run for run in response.context["page"].findings.runs}
    assert (runs["smol"].unscored, runs["smol"].reasons) == (1, (("too long for the model", 1),))
    assert "too long for the model (1)" in words(response)


@pytest.mark.slow
def test_a_run_without_decisions_has_its_strength_correlated(logged_in, study):
    response = page(logged_in, study, "models")
    smol = next(run for run in response.context["page"].findings.runs if run.model == "smol")
    assert smol.decided == 0
    assert smol.strength_people.n == 5
    assert "gives scores and no labels" in words(response)


@pytest.mark.slow
def test_a_run_of_nothing_but_ties_is_not_said_to_rate(logged_in, tmp_path):
    """Counts of little text give both options 0: that is undecided, item by item."""
    options = {"intensifier": "very", "negation": "not"}
    names = [f"i{n}" for n in range(4)]
    rows = [ItemRow(name, {"sentence": "Soup is ____ cold.", "options": options}) for name in names]
    task = {"type": "forced_choice", "question": "Which?", "options": ["intensifier", "negation"]}
    made = open_small_study(tmp_path / "slots", rows, task=task, quality={"gold_distance": 1})
    ties = [*((name, None, 0.0, "") for name in names[:3]), ("i3", None, None, "not counted")]
    give_run(made, ties, key="counted", metric="ppmi_syntax", family="baseline")
    assert "gives no label: all 3 scored items are ties" in words(page(logged_in, made, "models"))


@pytest.mark.slow
def test_three_classes_merge_before_the_majority_is_taken(logged_in, study):
    found = page(logged_in, study, classes="coarse").context["page"]
    assert found.outline.values == ("less_likely", "equally_likely", "more_likely")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "items"),
    [
        ({"agreement": "unanimous"}, 2),
        ({"agreement": "none"}, 1),
        ({"agreement": "unlabeled"}, 1),
        ({"attribute": "class", "value": "odd"}, 3),
        ({"q": "NUMBER 4"}, 1),
        ({"q": "no such words"}, 0),
    ],
)
def test_filters_act_on_everything(logged_in, study, query, items):
    response = page(logged_in, study, **query)
    assert response.status_code == 200
    found = response.context["page"]
    assert (found.items, found.table.total, found.findings.items) == (items, items, items)


@pytest.mark.slow
def test_figures_are_of_the_data_as_they_are_now(logged_in, study):
    """Remembered figures are forgotten as soon as a label stops counting."""
    before = page(logged_in, study).context["page"].findings.counts.agreed
    item = study.items.get(external_id="target-1")
    item.assignments.update(state="excluded")
    for _ in range(3):
        item.discount("less_likely")
    assert page(logged_in, study).context["page"].findings.counts.agreed == before - 1


@pytest.mark.slow
def test_sorted_by_disagreement_among_people(logged_in, study):
    rows = page(logged_in, study, sort="people").context["page"].table.rows
    assert rows[0].item == "target-5"
    assert (rows[0].numbers, rows[-1].numbers) == (("1.00",), ("",))


@pytest.mark.slow
def test_sorted_by_divergence_of_models_from_people(logged_in, study):
    rows = page(logged_in, study).context["page"].table.rows
    assert [rows[0].item, rows[0].numbers] == ["target-4", (".67",)]
    assert rows[-1].item == "target-6", "what cannot be compared comes last"


@pytest.mark.slow
def test_sorted_by_a_runs_strength(logged_in, study):
    run = study.runs.get(model__key="smol")
    rows = page(logged_in, study, sort="strength", run=run.pk).context["page"].table.rows
    assert [row.item for row in rows][:2] == ["target-5", "target-4"]


@pytest.mark.slow
def test_the_breakdown_by_attribute(logged_in, study):
    groups = {group.value: group for group in page(logged_in, study, by="class").context["page"].figures["breakdown"]}
    assert (groups["odd"].items, groups["even"].items) == (3, 3)


@pytest.mark.slow
@pytest.mark.parametrize(("against", "is_drawn"), [("majority", False), ("reference", True)])
def test_the_caption_of_the_breakdown_names_one_person_where_one_is_drawn(logged_in, study, against, is_drawn):
    chart = page(logged_in, study, "breakdown", by="class", against=against).context["page"].charts["breakdown"]
    held = "the reference" if against == "reference" else "the majority label"
    person = " and one person (square)" if is_drawn else ""
    drawn = f"Accuracy of parrot · label (circle){person} by class"
    assert f"{drawn}, against {held}; 95 % intervals." in chart.caption
    assert ("One person" in json.dumps(chart.spec)) == is_drawn


@pytest.mark.slow
def test_only_where_there_are_labels_a_first_row_is_said_to_be_a_person(logged_in, study, tmp_path):
    said = "The first row is one person"
    assert said in words(page(logged_in, study, "run-figures"))
    rows = [plausibility_row(number, reference="less_likely") for number in (1, 2, 3)]
    unlabeled = open_small_study(tmp_path / "unlabeled", rows, slug="unlabeled")
    give_run(unlabeled, [(row.id, "less_likely", 1.0, "") for row in rows], key="parrot", metric="label")
    text = words(page(logged_in, unlabeled, "run-figures"))
    assert "These use the same answers as accuracy." in text
    assert said not in text


@pytest.mark.slow
def test_people_are_told_apart_from_synthetic_annotators(logged_in, synthetic_study):
    response = page(logged_in, synthetic_study)
    assert "is-synthetic" in response.content.decode()
    assert "These labels were made by a program." in words(response)


@pytest.mark.parametrize("runs", ["all", "strengths only"])
@pytest.mark.slow
def test_nothing_of_synthetic_annotators_is_said_to_be_of_people(logged_in, synthetic_study, runs):
    if runs == "strengths only":
        synthetic_study.runs.exclude(model__key="smol").delete()
    response = page(logged_in, synthetic_study, by="class")
    text = plain(without_terms(everything(logged_in, synthetic_study, by="class")))
    assert "ρ with synthetic annotators’ mean ratings" in text
    assert "annotators’s" not in text
    assert not re.search(r"people’s labels|People’s|among people|one person|One person|people against", text)
    charts = page(logged_in, synthetic_study, "strength").context["page"].charts
    overview = response.context["page"].charts.values()
    figures = json.dumps([chart.spec for chart in (*overview, charts["strength"])])
    assert "labels of synthetic annotators" in figures.lower()
    assert not re.search(r"people\\u2019s|One person", figures)


@pytest.mark.slow
def test_labels_of_people_are_not_marked_synthetic(logged_in, study):
    assert "synthetic" not in everything(logged_in, study)


@pytest.mark.slow
def test_an_empty_study_says_what_to_do_next(logged_in, bare_study):
    text = plain(everything(logged_in, bare_study))
    assert "Nothing to compare yet." in text and "Start runs" in text
    assert "Invite annotators" in text
    assert not re.search(r"\bnan\b", text, re.IGNORECASE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [{"sort": "x"}, {"classes": "9"}, {"attribute": "x"}, {"run": "999"}, {"page": "-1"}, {"runs": "x"}, {"by": "x"}],
)
def test_an_address_that_asks_for_nothing_known_is_refused_with_a_sentence(logged_in, study, query):
    response = page(logged_in, study, **query)
    assert response.status_code == 400
    assert response.context["fault"]


@pytest.mark.slow
def test_no_style_or_script_stands_in_the_page(logged_in, study):
    html = everything(logged_in, study)
    assert " style=" not in html
    assert "<style" not in html
    assert all("src=" in tag or "application/json" in tag for tag in re.findall(r"<script[^>]*>", html))


@pytest.mark.slow
def test_the_number_of_queries_does_not_grow_with_the_items(logged_in, study, django_assert_max_num_queries):
    assert Study.objects.count() == 1
    with django_assert_max_num_queries(29):
        page(logged_in, study)


def test_text_of_items_is_escaped(logged_in, study):
    item = study.items.get(external_id="target-5")
    item.content = {**item.content, "modified": f"<b>bold</b> {item.content['modified']}"}
    item.save(update_fields=["content"])
    assert "&lt;b&gt;bold" in page(logged_in, study, "items").content.decode()


@pytest.mark.slow
def test_the_run_beside_is_chosen_in_the_address(logged_in, study):
    runs = {run.model.key: run for run in study.runs.select_related("model")}
    response = page(logged_in, study, run=runs["majority"].pk, beside=runs["parrot"].pk)
    found = response.context["page"]
    assert (found.run.model, found.beside.model) == ("majority", "parrot")
    assert page(logged_in, study, beside="999").status_code == 400


@pytest.mark.slow
def test_ranks_of_every_degree_are_shown_where_degrees_are_merged(logged_in, study):
    """The panel knows the merged degrees only; ranks are of the scale's own."""
    run = give_run(study, [("target-1", "impossible", 1.0, "")], key="ranker")
    values = study.task.scale.values
    run.scores.update(detail={"options": {value: {"rank": place} for place, value in enumerate(values, 1)}})
    response = page(logged_in, study, "models", classes="coarse")
    assert response.status_code == 200
    assert response.context["page"].figures["ranks"].first == "Impossible"


@pytest.mark.slow
@pytest.mark.parametrize("part", ["overview", "models"])
def test_a_name_that_nothing_reads_is_said_and_changes_nothing(logged_in, study, part):
    response = page(logged_in, study, part, **{"majorty": "x", "<b>&": "y"})
    assert response.status_code == 200
    assert "Unknown filters were ignored: majorty, &lt;b&gt;&amp;." in response.content.decode()
    known = page(logged_in, study, part, against="majority", open="all", attribute="", value="")
    assert "Not understood" not in known.content.decode()


@pytest.mark.slow
def test_the_pages_of_an_item_and_of_two_runs_say_it_too(logged_in, study):
    for address in (
        reverse("comparison_item", args=[study.slug, "target-1"]),
        reverse("two_runs", args=[study.slug]),
    ):
        assert "ignored: majorty." in words(logged_in.get(address, {"majorty": "x", "page": "1"}))
        assert "Not understood" not in words(logged_in.get(address, {"page": "1", "tokens": "1"}))


@pytest.mark.slow
def test_each_filter_that_acts_is_a_chip_that_takes_it_off(logged_in, study):
    text = words(page(logged_in, study))
    assert "Remove this filter" not in text
    assert "Compared with the majority label" in text and "6 of 6 items" in text
    asked = {"agreement": "unanimous", "attribute": "class", "value": "odd", "entropy_min": "0"}
    response = page(logged_in, study, **asked)
    chips = response.context["page"].chips
    assert [chip.words for chip in chips] == [
        "Agreement: unanimous",
        "class: odd",
        "Entropy of labels is at least 0 bits",
    ]
    for chip in chips:
        left = page(logged_in, study, **dict(parse_qsl(chip.query, keep_blank_values=True))).context["page"].chips
        assert [one.words for one in left] == [one.words for one in chips if one != chip]
        assert f'?{escape(chip.query)}"' in response.content.decode()
