"""What is for readers: the page that stands alone, methods, and the datasheet."""

import re

import pytest

from annotation.models import Annotator, Exclusion, LabelSource
from comparison.bundle.page import html
from comparison.bundle.tables.order import tables
from comparison.bundle.words.datasheet import ANSWERS, UNKNOWN, datasheet
from comparison.bundle.words.facts import read_facts
from comparison.bundle.words.markdown import code, md, table
from comparison.bundle.words.methods import methods
from comparison.bundle.words.questions import QUESTIONS
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.page import Page


def read(study):
    page = Page(select(study, Selection()))
    return page, read_facts(study, attributes=page.outline.names)


def test_the_page_needs_nothing_else(study):
    page, facts = read(study)
    found = html(page, facts, tables(page), [])
    assert "<script" not in found
    assert not re.search(r"""(src|href)\s*=|url\(|@import""", found)
    assert "prefers-color-scheme: dark" in found
    assert "@media print" in found


def test_the_verdict_stands_first(study):
    page, facts = read(study)
    found = html(page, facts, tables(page), [])
    body = found[found.index("<h1>") :]
    first = re.findall(r"<p class=\"lead\">(.*?)</p>", body, re.DOTALL)
    assert first == [page.verdict.headline.replace("'", "&#x27;")]
    places = [body.index(one.text) for one in page.verdict.rest]
    assert places == sorted(places)
    assert max(places) < body.index("<table")


def test_undefined_figures_carry_their_reason_on_the_page(single_study):
    page, facts = read(single_study)
    found = html(page, facts, tables(page), [])
    assert re.search(r"undefined<sup>(\d+)</sup>", found)
    assert "<li>undefined: " in found


def test_a_study_with_nothing_in_it(bare_study):
    page, facts = read(bare_study)
    assert "No one has labeled these items yet" in html(page, facts, tables(page), [])
    assert "No model has answered these items." in methods(page, facts)
    assert UNKNOWN in datasheet(page, facts)


def test_methods_have_the_numbers(study):
    excluded = Annotator.objects.get(external_id="p3")
    Exclusion.objects.create(study=study, annotator=excluded, rule="attention", evidence={})
    found = methods(*read(study))
    assert "15 labels count, of 18 wanted; 5 of 6 targets have as many as they need." in found.replace("\n", " ")
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
    found = datasheet(*read(study))
    asked = [question for part in QUESTIONS.values() for question in part.values()]
    assert len(asked) == found.count("**") / 2
    for question in asked:
        answer = found.split(f"**{question}**")[1].split("\n\n")[1]
        assert answer
    keys = {key for part in QUESTIONS.values() for key in part}
    assert set(ANSWERS) <= keys
    assert found.count(UNKNOWN) >= len(keys) - len(ANSWERS)


def test_folders_of_the_machine_are_not_told_in_words_and_pointed_to_in_rows(study):
    run = study.runs.get(model__key="smol")
    run.provenance |= {"source": "/home/anna/models/smol"}
    run.save()
    assert "names folders of the machine" in datasheet(*read(study))
    found = methods(*read(study))
    assert "/home/anna" not in found
    assert "- source: smol" in found


def test_people_are_not_called_programs(study, synthetic_study):
    assert "program" not in datasheet(*read(study))
    assert "Nobody: the annotators are programs." in datasheet(*read(synthetic_study))


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


def test_methods_describe_what_the_bundle_has(study, bare_study):
    found = methods(*read(study))
    assert "**Response bias**" in found
    assert "**Other aggregations**" in found
    assert "items_sha256 below is another" in found
    assert "**Response bias**" not in methods(*read(bare_study))


def test_of_imported_labels_no_rules_of_sittings_are_told(study):
    assert "a sitting has" in methods(*read(study))
    study.sittings.update(source=LabelSource.objects.create(study=study, name="a.csv", sha256="0" * 64, labels=15))
    found = methods(*read(study))
    assert "a sitting has" not in found
    assert "Every label was imported" in found
