"""The Overview: each picture is of the study's figures, and each mark opens what it is of."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from annotation.access.sharing import make_share
from comparison.page.drawn.stacks import PRINTED
from scoring.short_names import rename
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import address, page, unopened, words

# Words of the page outside its tables, before anything is opened; with those of five studies' names and numbers.
MOST_WORDS = 280


def drawn(response):
    return response.context["page"].overview


def links(html: str) -> list[str]:
    return [unescape(one) for one in re.findall(r'href="([^"]+)"', html)]


@pytest.mark.slow
def test_runs_stand_with_their_numbers_between_people_and_baselines(logged_in, study):
    found = drawn(page(logged_in, study)).dots
    rows = {row.title: row for group in found.groups for row in group.rows}
    assert (rows["parrot · label"].number, rows["parrot · label"].mark.at) == (".75", "75%")
    assert rows["majority · label"].look == "b"
    assert found.groups[-1].title == "Baselines"
    assert found.people.name == "One annotator"
    assert len(found.people.ticks) >= 1


@pytest.mark.slow
def test_a_dot_opens_the_items_that_its_run_has_wrong(logged_in, study):
    html = page(logged_in, study).content.decode()
    run = study.runs.get(model__key="parrot").pk
    opened = next(one for one in links(html) if f"run={run}" in one and "right=wrong" in one)
    assert urlsplit(opened).path == address(study, "items")
    items = logged_in.get(opened).context["page"]
    assert [row.item for row in items.table.rows] == ["target-4"]


@pytest.mark.slow
def test_each_cell_of_the_matrix_opens_its_items(logged_in, study):
    response = page(logged_in, study)
    heat, html = drawn(response).confusion, response.content.decode()
    assert heat.name == "parrot"
    asked = [parse_qs(urlsplit(one).query) for one in links(html) if "true=" in one]
    for row in heat.rows:
        for cell in row.cells:
            opens = [one for one in asked if one["true"] == [row.true] and one["given"] == [cell.given]]
            assert len(opens) == (1 if cell.count else 0), cell
            if cell.count:
                query = {name: value[0] for name, value in opens[0].items()}
                assert page(logged_in, study, "items", **query).context["page"].items == cell.count


@pytest.mark.slow
def test_the_matrix_is_of_the_run_that_is_chosen(logged_in, study):
    run = study.runs.get(model__key="majority").pk
    assert drawn(page(logged_in, study, run=run)).confusion.name == "majority"


@pytest.mark.slow
def test_a_run_is_called_by_its_short_name_as_soon_as_it_has_one(logged_in, study):
    run = study.runs.get(model__key="parrot")
    assert ">parrot</" in page(logged_in, study).content.decode()
    rename(run, "Polly")
    shown = page(logged_in, study)
    assert drawn(shown).confusion.name == "Polly"
    assert drawn(shown).distribution.sentence.startswith("Polly uses")


@pytest.mark.slow
def test_the_distribution_has_people_their_majority_and_models(logged_in, study):
    found = drawn(page(logged_in, study)).distribution
    assert [bar.name for bar in found.bars] == ["People", "Majority", "parrot"]
    people = found.bars[0].parts
    assert [(part.number, part.color) for part in people] == [("40", "d2"), ("47", "d3"), ("13", "d4")]
    assert all(part.number for bar in found.bars for part in bar.parts), f"none is below {PRINTED}"
    assert found.sentence == "parrot uses “Less likely” for 33 %, people for 40 %."


@pytest.mark.slow
def test_the_gauge_counts_items_by_how_people_agree(logged_in, study):
    found = drawn(page(logged_in, study)).agreement
    assert [(share.name, share.count) for share in found.shares] == [
        ("unanimous", 2), ("majority", 2), ("no majority", 1),
    ]  # fmt: skip
    assert found.name == "Krippendorff’s α, ordinal"
    assert [name for name, _ in found.figures][:2] == ["Raw agreement", "Gwet’s AC1"]


@pytest.mark.slow
def test_sure_and_divided_items_stand_apart(logged_in, study):
    found = drawn(page(logged_in, study)).by_agreement
    assert [(row.name, row.filled.at, row.hollow.at) for row in found.rows] == [("parrot", "100%", "50%")]
    assert found.sizes == (2, 2)
    assert not found.sentence, "people are not shown to agree: what all gave may be luck"


@pytest.mark.slow
def test_of_items_chosen_by_how_they_agree_agreement_is_not_drawn(logged_in, study):
    found = drawn(page(logged_in, study, agreement="unanimous"))
    assert found.agreement is None
    assert found.by_agreement is None
    assert found.dots.people is None


@pytest.mark.slow
def test_of_items_chosen_by_what_is_right_no_group_says_anything(logged_in, study):
    found = drawn(page(logged_in, study, right="right"))
    assert [group.title for group in found.dots.groups] == ["Models", "Baselines"]
    assert found.by_agreement is None or found.by_agreement.sentence == ""


@pytest.mark.slow
def test_without_runs_and_labels_nothing_is_drawn(logged_in, bare_study):
    found = drawn(page(logged_in, bare_study))
    assert (found.dots, found.confusion, found.agreement, found.by_agreement) == (None, None, None, None)


@pytest.mark.slow
def test_each_figure_has_its_files_behind_one_menu(logged_in, study):
    html = page(logged_in, study).content.decode()
    menus = re.findall(r'aria-label="Download this figure".*?</details>', html, flags=re.DOTALL)
    assert len(menus) == 5
    for menu in menus:
        found = links(menu)
        assert found[-1].endswith(".csv")
        for one in found:
            assert logged_in.get(one).status_code == 200, one


@pytest.mark.slow
def test_shared_nothing_of_it_is_a_link_and_all_of_it_is_drawn(researcher, study):
    _, token = make_share(study, name="readers", gives_files=False, by=researcher)
    response = Client().get(reverse("shared", args=[token]))
    html = response.content.decode()
    assert len(re.findall(r'<table class="dots"', html)) == 2
    assert "Download this figure" not in html
    assert not [one for one in links(html) if "run=" in one or ("/export/" in one and one.endswith(".csv"))]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["study", "synthetic_study", "grouped_study", "cut_study", "single_study"])
def test_it_is_read_in_few_words(request, logged_in, name):
    count = unopened(page(logged_in, request.getfixturevalue(name)))
    assert count <= MOST_WORDS, count


@pytest.mark.slow
def test_synthetic_annotators_are_hatched(logged_in, synthetic_study):
    response = page(logged_in, synthetic_study)
    html = response.content.decode()
    assert html.count('fill="url(#hatch)"') >= 3, "the band, their bar of labels and their agreement"
    assert drawn(response).dots.people.small == "synthetic"
    assert drawn(response).distribution.bars[0].name == "Synthetic"
    assert "People" not in words(response).split("Label distribution")[1]


# --- Where nothing can be compared ---------------------------------------------------------------------


def actions(response, study):
    """Where its buttons lead that are there for what is missing."""
    html = response.content.decode().partition('class="ghosts gap"')[2].partition("</section>")[0]
    named = {"runs": "runs_new", "links": "links"}
    return [name for name, at in named.items() if f'class="button" href="{reverse(at, args=[study.slug])}"' in html]


@pytest.mark.slow
def test_without_labels_and_runs_there_is_one_step(logged_in, bare_study):
    response = page(logged_in, bare_study)
    assert "Nothing to compare yet. A verdict needs labels or references, and at least one model run." in words(
        response
    )
    assert "No model has answered these items yet." in words(response)
    assert actions(response, bare_study) == ["runs"]
    assert actions(page(logged_in, bare_study, "models"), bare_study) == ["runs"]
    assert "No labels yet. Agreement of people" in words(page(logged_in, bare_study, "people"))


@pytest.mark.slow
def test_with_labels_and_no_run_it_is_to_start_runs(logged_in, study):
    study.runs.all().delete()
    response = page(logged_in, study)
    assert actions(response, study) == ["runs"]
    assert "Label distribution" in words(response), "what is known of people stands below"
    assert actions(page(logged_in, study, "models"), study) == ["runs"]


@pytest.mark.slow
def test_with_runs_and_no_label_it_is_to_invite_annotators(logged_in, bare_study):
    scale = bare_study.task.scale.values
    give_run(
        bare_study,
        [(item.external_id, scale[0], None, "") for item in bare_study.items.filter(kind="target")],
        key="owl",
    )
    assert actions(page(logged_in, bare_study), bare_study) == ["links"]
    board = page(logged_in, bare_study, "models")
    assert "There are no valid labels and no references to compare runs with." in words(board)
    bare_study.state = "draft"
    bare_study.save(update_fields=["state"])
    assert "Open the study" in words(page(logged_in, bare_study))


@pytest.mark.slow
def test_where_runs_can_be_compared_nothing_of_it_stands(logged_in, study):
    assert 'class="ghosts' not in page(logged_in, study).content.decode()
