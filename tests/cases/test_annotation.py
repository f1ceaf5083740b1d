"""Items and labels of other people's files: cases/annotation, by number."""

import re
from collections import Counter, defaultdict

import pytest
from django.core.management import CommandError

from annotation.models import Judgment, Study
from tests.annotation.pages.bot import Bot
from tests.cases.commands import case, command, rated, study_of

pytestmark = pytest.mark.django_db
SENTENCES = ("id=id", "sentence=sentence")


@pytest.fixture(autouse=True)
def var(tmp_path, settings):
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()


@pytest.fixture
def natural(db):
    return study_of("annotation", "study-for-labels")


def sentences(items):
    return {key: item.content["sentence"] for key, item in items.items()}


def labels(study):
    answers = Judgment.objects.filter(assignment__item__study=study)
    return sorted(answers.values_list("assignment__item__external_id", "answer"))


def brought(study, name, *more):
    return command("import_labels", study.slug, case("annotation", name), "--as-imported", *more)


def first_item(study):
    visitor = Bot()
    visitor.begin(study.links.get().get_absolute_url())
    return visitor.page.html


def test_01_line_breaks_of_a_passage_are_as_models_read_them():
    page = first_item(study_of("annotation", "01-linebreaks", is_open=True))
    assert "Did you take it?\n\nMs. Roy" in page


def test_02_lists_hold_as_many_of_each_version_whatever_the_order_of_rows():
    study = study_of("annotation", "02-latin-order")
    lists: dict[int | None, Counter[str]] = defaultdict(Counter)
    for item in study.items.all():
        lists[item.list_number][item.attributes["cond"]] += 1
    assert {number: dict(held) for number, held in lists.items()} == {0: {"a": 4, "b": 4}, 1: {"a": 4, "b": 4}}


def test_04_quotation_marks_join_no_rows():
    _, items = rated(case("annotation", "04-quotes-swallow-rows.tsv"), *SENTENCES)
    assert sentences(items) == {
        "1": '"Stop now” is what she said.',
        "2": "The dog barks.",
        "3": 'He shouted “Go away!"',
        "4": "The cat sleeps.",
    }


def test_04_quotation_marks_at_the_start_of_a_cell_are_kept():
    _, items = rated(case("annotation", "04-quotes-refused.tsv"), *SENTENCES)
    assert sentences(items) == {"1": '"Stop!"', "2": '"Stop!" he said.'}


def test_05_a_line_break_of_windows_is_a_line_break():
    _, items = rated(case("annotation", "05-crlf.xlsx"), *SENTENCES)
    assert all("_x000D_" not in text for text in sentences(items).values())
    assert any("Where is the cat?\nB: On the mat." in text for text in sentences(items).values())


def test_06_a_column_of_formulas_without_values_is_named():
    said, _ = rated(case("annotation", "06-formula-attribute.xlsx"), *SENTENCES)
    assert "cond" in said and "formula" in said


def test_06_sentences_that_are_formulas_without_values_are_refused_as_such():
    with pytest.raises(CommandError, match="formula") as refused:
        rated(case("annotation", "06-formula-text.xlsx"), *SENTENCES)
    assert "sentence" in str(refused.value)


def test_09_an_export_comes_back_as_it_was(tmp_path):
    study = study_of("annotation", "09-own-export")
    file = tmp_path / "x.csv"
    command("export", study.slug, "items", "--out", file)
    mapped = ("id=item", "sentence=text", "attribute.human=attribute:human", "attribute.finite=attribute:finite")
    _, items = rated(file, *mapped)
    for before in study.items.all():
        after = items[before.external_id]
        assert after.content["sentence"] == before.content["sentence"]
        assert after.attributes == {name: before.attributes[name] for name in ("human", "finite")}


def test_09_exported_labels_come_back(tmp_path):
    study = study_of("annotation", "09-own-export")
    brought(study, "09-own-export/labels-to-import.csv")
    before, file = labels(study), tmp_path / "labels.csv"
    command("export", study.slug, "judgments", "--out", file)
    Study.objects.filter(pk=study.pk).update(slug="first")
    again = study_of("annotation", "09-own-export")
    command("import_labels", again.slug, file, "--as-imported")
    assert labels(again) == before


@pytest.mark.parametrize(("name", "word"), [("10-hidden-row.xlsx", "hidden"), ("10-struck-out.xlsx", "struck")])
def test_10_hidden_rows_and_struck_out_words_are_told(name, word):
    said, _ = rated(case("annotation", name), *SENTENCES)
    assert word in said.replace(name, "")


def test_11_the_other_sheets_are_told():
    said, _ = rated(case("annotation", "11-two-sheets.xlsx"), *SENTENCES)
    assert "old draft" in said
    assert "sheet" in said.replace("11-two-sheets.xlsx", "").lower()


def test_12_hebrew_has_its_own_direction():
    page = first_item(study_of("annotation", "12-right-to-left", is_open=True))
    assert re.search(r'<[^>]*(dir="auto"|dir="rtl")[^>]*>[^<]*הרופא', page)


def test_14_equal_texts_are_told():
    said, items = rated(case("annotation", "14-same-text-thrice.csv"), *SENTENCES)
    assert len(items) == 4
    assert re.search(r"same (text|sentence)|equal text", said)


def test_15_markup_is_told():
    said, _ = rated(case("annotation", "15-markup.csv"), *SENTENCES)
    assert re.search("markup|HTML|tags", said.replace("15-markup.csv", ""))


def test_16_an_address_becomes_a_number(natural):
    brought(natural, "16-label-studio-email.json", "--map", "item=data.item")
    names = set(Judgment.objects.values_list("assignment__annotator__external_id", flat=True))
    assert len(names) == 2
    assert not any("@" in name or "bob" in name for name in names)


def test_17_an_empty_result_is_left_out_and_listed(natural):
    said = brought(natural, "17-label-studio-empty.json", "--map", "item=data.item", "--skip-incomplete")
    assert labels(natural) == [("1", "3"), ("2", "5")]
    assert "left out" in said


def test_18_na_is_no_label(natural):
    brought(natural, "18-na.csv", "--skip-incomplete")
    assert labels(natural) == [("2", "4")]


def test_18_na_is_no_strength():
    _, items = rated(case("annotation", "18-na-strength.csv"), *SENTENCES, "strength=mean", more=("--skip-incomplete",))
    assert len(items) in (1, 2)


def test_20_filler_is_a_target():
    _, items = rated(case("annotation", "20-filler.tsv"), *SENTENCES, "kind=type")
    assert {item.kind for item in items.values()} == {"target"}


def test_21_labels_of_a_spreadsheet_are_read(natural):
    brought(natural, "21-labels.xlsx")
    assert labels(natural)


def test_21_parquet_named_as_argilla_s_is_read_or_told_what_it_is(natural):
    try:
        brought(natural, "21-argilla-hub.parquet", "--format", "argilla")
    except CommandError as error:
        assert "UTF-8" not in str(error)
        assert "Parquet" in str(error)
    else:
        assert labels(natural)


def test_22_comment_lines_stand_above_a_table(natural):
    brought(natural, "22-comment-lines.csv")
    assert labels(natural) == [("1", "3")]


@pytest.mark.parametrize(
    ("name", "mapped"),
    [
        ("22-trailing-columns.csv", SENTENCES),
        ("22-pandas-index.xlsx", ("sentence=sentence",)),
        ("23-pandas-index.csv", ("sentence=sentence",)),
    ],
)
def test_22_columns_without_a_name_are_no_columns(name, mapped):
    _, items = rated(case("annotation", name), *mapped)
    assert sorted(sentences(items).values()) == ["The cat sleeps.", "The dog barks."]
    assert not any("" in item.attributes for item in items.values())


def test_25_a_list_of_records_is_read():
    _, items = rated(case("annotation", "25-records.json"), *SENTENCES)
    assert sentences(items) == {"1": "The dog barks.", "2": "The cat sleeps."}


def test_26_rejected_work_is_left_out(natural):
    mapped = ("--map", "item=Input.id", "annotator=WorkerId", "label=Answer.rating")
    brought(natural, "26-mturk-rejected.csv", *mapped, "--only", "AssignmentStatus=Approved", "--skip-incomplete")
    assert labels(natural) == [("1", "3"), ("2", "5")]


def test_26_json_in_a_cell_is_looked_into(natural):
    mapped = ("--map", "item=Input.id", "annotator=WorkerId", "label=Answer.taskAnswers.0.rating.label")
    brought(natural, "26-mturk-json.csv", *mapped)
    assert labels(natural) == [("1", "3"), ("2", "5")]


def test_27_a_column_a_person_is_read(natural):
    brought(natural, "27-wide.csv")
    assert labels(natural) == [("1", "3"), ("1", "4"), ("1", "5"), ("2", "6"), ("2", "7"), ("2", "7")]


def test_29_an_id_is_found_in_either_form_of_unicode(natural):
    brought(natural, "29-decomposed-id.csv")
    assert [item for item, _ in labels(natural)] == ["1", "café"]
