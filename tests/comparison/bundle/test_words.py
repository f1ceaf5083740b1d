"""What is for readers: the page that stands alone, methods, and the datasheet."""

import json
import re

import pytest
from django.utils.html import escape

from annotation.drafting.rows import row_of
from annotation.itemfile import write_items
from annotation.loading import place_of
from annotation.models import Annotator, Exclusion, Judgment, LabelSource, Study
from comparison.bundle.making import html
from comparison.bundle.words.datasheet import QUESTIONS, UNKNOWN, answers, datasheet
from comparison.bundle.words.facts import read_facts
from comparison.bundle.words.markdown import code, md, table
from comparison.bundle.words.methods import methods
from comparison.figures.registry import tables_of_report
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.page import Page
from scoring.models import LanguageModel


def read(study):
    page = Page(select(study, Selection()))
    return page, read_facts(study, attributes=page.outline.names)


@pytest.mark.slow
def test_the_page_needs_nothing_else(study):
    page, facts = read(study)
    found = html(page, facts, tables_of_report(page.chosen), [])
    assert "<script" not in found
    assert not re.search(r"""(src|href)\s*=|url\(|@import""", found)
    assert "prefers-color-scheme: dark" in found
    assert "@media print" in found


@pytest.mark.slow
def test_the_verdict_stands_first(study):
    page, facts = read(study)
    found = html(page, facts, tables_of_report(page.chosen), [])
    body = found[found.index("<h1>") :]
    first = re.findall(r"<p class=\"lead\">(.*?)</p>", body, re.DOTALL)
    assert first == [escape(page.verdict.headline)]
    places = [body.index(escape(one.statement)) for one in page.verdict.findings]
    assert places == sorted(places)
    assert max(places) < body.index("<table")


@pytest.mark.slow
def test_undefined_figures_carry_their_reason_on_the_page(single_study):
    page, facts = read(single_study)
    found = html(page, facts, tables_of_report(page.chosen), [])
    assert re.search(r"undefined<sup>(\d+)</sup>", found)
    assert "<li>undefined: " in found


def test_a_study_with_nothing_in_it(bare_study):
    page, facts = read(bare_study)
    assert "No one has labeled these items yet" in html(page, facts, tables_of_report(page.chosen), [])
    assert "No model has answered these items." in methods(page, facts)
    assert UNKNOWN in datasheet(page, facts)


@pytest.mark.slow
def test_methods_have_the_numbers(study):
    excluded = Annotator.objects.get(external_id="p3")
    Exclusion.objects.create(study=study, annotator=excluded, rule="attention", evidence={})
    found = methods(*read(study))
    assert "15 of 18 labels; 5 of 6 targets are complete." in found.replace("\n", " ")
    assert "| failed attention checks | 1 | 0 |" in found
    assert "| smol | causal language model | pll, version 1 | smol, float32 | 5 scored, 1 unscored |" in found
    assert "Answers were given on 2026-03-02 (UTC)." in found
    assert "> Read both sentences." in found


def test_questions_are_a_query_each_whatever_the_study_holds(study, bare_study, django_assert_num_queries):
    read_facts(study, attributes=())
    for one in (study, bare_study):
        with django_assert_num_queries(11):
            read_facts(one, attributes=())


def test_every_question_has_an_answer_or_says_that_none_is_known(study):
    found, known = datasheet(*read(study)), answers(*read(study))
    asked = [question for part in QUESTIONS.values() for question in part.values()]
    assert len(asked) == found.count("**") / 2
    for question in asked:
        answer = found.split(f"**{question}**")[1].split("\n\n")[1]
        assert answer
    keys = {key for part in QUESTIONS.values() for key in part}
    assert set(known) <= keys
    assert found.count(UNKNOWN) == len(keys) - sum(map(bool, known.values()))


@pytest.mark.slow
def test_folders_of_the_machine_are_not_told_in_words_and_pointed_to_in_rows(study):
    run = study.runs.get(model__key="smol")
    run.provenance |= {"source": "/home/anna/models/smol"}
    run.save()
    assert "names folders on the scoring machine" in datasheet(*read(study))
    found = methods(*read(study))
    assert "/home/anna" not in found
    assert "- source: smol" in found


@pytest.mark.slow
def test_people_are_not_called_programs(study, synthetic_study):
    assert "program" not in datasheet(*read(study))
    assert "No one: the annotators are programs." in datasheet(*read(synthetic_study))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("[a](b)", r"\[a\](b)"),
        ("<b>&lt;", r"\<b\>\&lt;"),
        ("a|b\nc", r"a\|b c"),
        ("# a", r"\# a"),
        ("12) a", r"12\) a"),
        ("`code`", r"\`code\`"),
    ],
)
def test_no_text_is_markdown(text, written):
    assert md(text) == written


def test_code_holds_no_backquote():
    assert code("a`b``c\nd") == "`a b c d`"


def test_a_cell_cannot_leave_its_column():
    assert table(("a",), [("x | y",)]).splitlines()[-1] == r"| x \| y |"
    assert table(("a",), []) == ""


@pytest.mark.slow
def test_an_imported_label_has_the_time_of_its_import(study):
    assert "Each answer given here has its time" in datasheet(*read(study))
    assert "import" not in answer(datasheet(*read(study)), "identifiable")
    study.sittings.update(source=LabelSource.objects.create(study=study, name="a.csv", sha256="0" * 64, labels=18))
    Judgment.objects.filter(assignment__position__lt=3).update(response_ms=None)
    found = datasheet(*read(study))
    told = answer(found, "identifiable")
    assert "given here" not in told
    assert re.search(r"Each of 15 imported labels has the time of its import.* known for 9\.", told)
    assert "Labels were observed: 1 label file that was imported." in found


def answer(found: str, key: str) -> str:
    question = next(asked[key] for asked in QUESTIONS.values() if key in asked)
    return found.split(f"**{question}**")[1].split("\n\n")[1]


def write_origin(study, **said):
    """A made study's folder with the items that the study has."""
    folder = place_of(study.slug)
    folder.mkdir(parents=True)
    write_items(folder / "items.jsonl", [row_of(item) for item in study.items.order_by("position")])
    (folder / "manifest.json").write_text(json.dumps(said))


@pytest.fixture
def var(settings, tmp_path):
    settings.VAR_DIR = tmp_path


@pytest.mark.slow
def test_paper_and_license_are_those_of_the_manifest(study, var):
    assert answer(datasheet(*read(study)), "license") == UNKNOWN
    write_origin(study, paper="Emami et al. 2021", license="CC BY 4.0")
    found = datasheet(*read(study))
    assert "items’ sources: CC BY 4.0." in answer(found, "license")
    assert "Emami et al. 2021" in answer(found, "creator")
    assert "Emami et al. 2021" in answer(found, "repository")
    said = methods(*read(study))
    assert "- Source of the items: Emami et al. 2021." in said
    assert "- License of the items’ sources: CC BY 4.0." in said


@pytest.mark.slow
def test_a_folder_with_other_items_says_nothing_of_this_study(study, var):
    write_origin(study, paper="Emami et al. 2021", license="CC BY 4.0")
    Study.objects.filter(pk=study.pk).update(content_sum="7")
    study.refresh_from_db()
    assert "Emami" not in datasheet(*read(study))
    (place_of(study.slug) / "manifest.json").write_text("[]")
    assert "Emami" not in methods(*read(study))


@pytest.mark.slow
def test_methods_say_what_a_trained_model_learned_from(study, tmp_path):
    card = {
        "base": {"key": "tiny", "source": "/home/anna/tiny"},
        "items": {"studies": ["adept-train"], "train": 900, "held_out": 100},
        "settings": {"learning_rate": 5e-05, "epochs": 3, "seed": 1},
        "kept": {"epoch": 2, "held_out_accuracy": 0.68},
        "curves": {"loss": [[1, 0.5]]},
    }
    (tmp_path / "card.json").write_text(json.dumps(card))
    LanguageModel.objects.filter(key="smol").update(source=str(tmp_path))
    found = methods(*read(study))
    learned = found.split("which was trained here (from its card):")[1].split("\n\n")[1].splitlines()
    assert learned == [
        r"- base: key: tiny", r"- base: source: tiny", r'- items: studies: \["adept-train"\]', "- items: train: 900",
        "- items: held out: 100", "- settings: learning rate: 5e-05", "- settings: epochs: 3", "- settings: seed: 1",
        "- kept: epoch: 2", "- kept: held out accuracy: 0\\.68",
    ]  # fmt: skip
    assert found.count("which was trained here") == 1


@pytest.mark.slow
def test_methods_describe_what_the_bundle_has(study, bare_study):
    found = methods(*read(study))
    assert "**Response bias**" in found
    assert "**Other aggregations**" in found
    assert "items_sha256 below is different" in found
    assert "**Response bias**" not in methods(*read(bare_study))


@pytest.mark.slow
def test_of_imported_labels_no_rules_of_sittings_are_told(study):
    assert "A batch has" in methods(*read(study))
    study.sittings.update(source=LabelSource.objects.create(study=study, name="a.csv", sha256="0" * 64, labels=15))
    found = methods(*read(study))
    assert "A batch has" not in found
    assert "All labels were imported" in found
