"""Labels as other programs and people write them: nothing in many words, one column a person, batches, addresses."""

import csv
import io
import json
import re

import openpyxl
import pytest
from django.core.management import CommandError, call_command

from annotation.elsewhere.labelfile import LabelFileError, read_labels
from annotation.elsewhere.lines import ReadOptions
from annotation.elsewhere.names import ADDRESS
from annotation.itemfile import ItemRow
from annotation.loading import load_study
from annotation.models import Annotator, Judgment, Study
from annotation.tasktypes import task_type
from comparison.exports import cells
from comparison.exports.stored.judgments import judgments
from comparison.frame.filters.selection import Selection
from tests.studies import write_study

pytestmark = pytest.mark.django_db
RATING = {"type": "rating", "question": "How natural?", "points": 7, "low": "bad", "high": "good"}
TASK = task_type("rating").configured({name: value for name, value in RATING.items() if name != "type"})
ITEMS = ("1", "2", "caf\u00e9", "+d3")
HEAD = "item,annotator,label\n"


def read(folder, text, *, name="labels.csv", **how):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_labels(path, TASK, ITEMS, ReadOptions(**how))


def rows(file):
    return [(row.item, row.annotator, row.label) for row in file.rows]


def told(file):
    return [str(remark) for remark in file.remarks]


@pytest.fixture
def study(tmp_path):
    rows = [ItemRow(name, {"sentence": f"Sentence {name}."}) for name in ITEMS]
    return load_study(write_study(tmp_path / "study", rows, task=RATING)).study


def brought(study, folder, text, *more, name="labels.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    call_command("import_labels", study.slug, str(path), "--as-imported", *more)
    found = Judgment.objects.order_by("pk").values_list("assignment__item__external_id", "answer")
    return sorted(found)


class TestNothing:
    @pytest.mark.parametrize("word", ["NA", "NaN", "null", "None", "N/A", "", "#N/A", ".", "–", "k.A.", "#NV"])
    def test_one_word_for_nothing_is_no_label_and_can_be_left_out(self, tmp_path, word):
        text = f"item,annotator,label,seconds\n1,ann,{word},\n2,ann,4,{word}\n{word},ann,4,\n"
        with pytest.raises(LabelFileError, match=r"line 2, column “label”: is empty"):
            read(tmp_path, text)
        file = read(tmp_path, text, skip_incomplete=True)
        assert rows(file) == [("2", "ann", "4")]
        assert file.rows[0].seconds is None
        assert list(file.incomplete) == ["2", "4"]

    def test_a_word_that_was_said_to_mean_no_label_is_none(self, tmp_path, study):
        text = HEAD + "1,ann,unsure\n2,ann,4\n"
        file = read(tmp_path, text, meanings={"unsure": ""}, skip_incomplete=True)
        assert rows(file) == [("2", "ann", "4")]
        assert brought(study, tmp_path, text, "--labels", "unsure=", "--skip-incomplete") == [("2", "4")]

    @pytest.mark.parametrize("point", ["3.0", "3,0", "3", " 3 "])
    def test_a_point_may_be_written_as_a_decimal(self, tmp_path, point):
        assert rows(read(tmp_path, f"item;annotator;label\n1;ann;{point}\n2;ann;5\n")) == [
            ("1", "ann", "3"),
            ("2", "ann", "5"),
        ]

    def test_seconds_may_have_a_decimal_comma(self, tmp_path):
        [row] = read(tmp_path, "item;annotator;label;seconds\n1;ann;3;2,5\n").rows
        assert row.seconds == 2.5

    def test_what_is_no_point_is_refused(self, tmp_path):
        with pytest.raises(LabelFileError, match=r"line 2, column “label”: '-2' is not one of 1, 2"):
            read(tmp_path, HEAD + "1,ann,-2\n2,ann,4\n")


class TestNames:
    def test_an_id_in_another_form_of_unicode_is_the_item_s_and_told(self, tmp_path):
        file = read(tmp_path, HEAD + "cafe\u0301,ann,3\n1,ann,4\n")
        assert rows(file) == [("caf\u00e9", "ann", "3"), ("1", "ann", "4")]
        assert told(file) == ["IDs in a different form were matched to items: cafe\u0301"]

    def test_an_id_is_found_as_spreadsheets_and_people_write_it_and_told(self, tmp_path):
        text = HEAD + "1.0,ann,3\n02,ann,4\nCAFÉ,ann,5\n2\u200b,bo,6\n１,bo,7\n"
        file = read(tmp_path, text)
        assert [item for item, *_ in rows(file)] == ["1", "2", "café", "2", "1"]
        assert "1.0 for 1, 02 for 2, CAFÉ for café" in told(file)[0]

    def test_an_id_in_another_form_of_two_items_is_that_of_none(self, tmp_path):
        path = tmp_path / "labels.csv"
        path.write_text(HEAD + "s01,ann,3\n")
        with pytest.raises(LabelFileError, match="there is no item 's01'"):
            read_labels(path, TASK, ("S1", "s001"))

    def test_an_id_of_two_numbers_is_no_decimal(self, tmp_path):
        path = tmp_path / "labels.csv"
        path.write_text(HEAD + "1.1,ben,3\n1.10,ben,4\n")
        with pytest.raises(LabelFileError, match="there is no item '1.10'"):
            read_labels(path, TASK, ("1.1", "1.2"))

    @pytest.mark.parametrize("text", [HEAD + "1,K.A.,3\n1,N.A.,4\n", "item,K.A.,N.A.\n1,3,4\n"])
    def test_initials_are_names(self, tmp_path, text):
        assert rows(read(tmp_path, text)) == [("1", "K.A.", "3"), ("1", "N.A.", "4")]

    def test_an_at_sign_alone_makes_no_address(self):
        assert [bool(ADDRESS.search(one)) for one in ("P01@listA", "ann@localhost", "a@b.org")] == [False, True, True]

    def test_an_apostrophe_that_an_export_put_before_an_id_is_taken_off(self, tmp_path):
        assert rows(read(tmp_path, HEAD + "'+d3,ann,3\n1,ann,4\n"))[0] == ("+d3", "ann", "3")

    def test_one_name_in_several_forms_is_told(self, tmp_path):
        file = read(tmp_path, HEAD + "1,Anna,1\n2,anna,2\n1,ANNA,3\n1,Bo,3\n")
        assert told(file) == ["Anna, anna and ANNA are read as 3 annotators; each spelling is a separate annotator"]

    def test_a_name_in_another_form_than_in_an_earlier_file_is_told(self, study, tmp_path, capsys):
        brought(study, tmp_path, HEAD + "1,Anna,1\n1,7,2\n1,Bo,3\n", name="first.csv")
        capsys.readouterr()
        brought(study, tmp_path, HEAD + "2,anna,1\n2,7.0,2\n2,Bo,3\n", name="second.csv")
        said = capsys.readouterr().out
        assert "Anna and anna are read as 2 annotators" in said and "7 and 7.0 are read as 2 annotators" in said
        assert said.count("each spelling") == 2

    def test_an_e_mail_address_becomes_a_number_that_stays_the_same(self, study, tmp_path, capsys):
        brought(study, tmp_path, HEAD + "1,ann@example.org,3\n1,Bo <bo@example.org>,4\n")
        assert "2 annotators have an email address as a name; a number replaces it" in capsys.readouterr().out
        brought(study, tmp_path, HEAD + "2,ann@example.org,3\n", name="more.csv")
        names = sorted(Annotator.objects.values_list("external_id", flat=True))
        assert len(names) == 2
        assert all(name.removeprefix(f"{study.pk}/").isdecimal() for name in names)

    def test_label_studio_s_addresses_are_numbers_and_what_was_handed_in_empty_is_no_label(self, study, tmp_path):
        def annotation(who, *points):
            chosen = [{"from_name": "r", "type": "rating", "value": {"rating": point}} for point in points]
            return {"completed_by": who, "result": chosen, "was_cancelled": False}

        tasks = [
            {"id": 11, "data": {"item": "1"}, "annotations": [annotation({"email": "ann@localhost"}, 3)]},
            {"id": 12, "data": {"item": "2"}, "annotations": [annotation("bo@example.org", 5), annotation("cy", [])]},
        ]
        text = json.dumps(tasks)
        for field, more in (("label", []), ("result.r", ["--map", "label=result.r"])):
            with pytest.raises(CommandError, match=f"task 2, annotation 2, field “{field}”: is empty"):
                brought(study, tmp_path, text, *more, name="project.json")
            found = brought(study, tmp_path, text, "--skip-incomplete", *more, name="project.json")
            assert found == [("1", "3"), ("2", "5")]
        assert not Annotator.objects.filter(external_id__contains="@").exists()

    def test_a_second_annotation_of_the_same_person_repeats_the_first(self, study, tmp_path, capsys):
        one = {"from_name": "r", "type": "rating", "value": {"rating": 3}}
        given = [{"completed_by": 1, "result": [one | {"value": {"rating": point}}]} for point in (3, 5)]
        text = json.dumps([{"id": 11, "data": {"item": "1"}, "annotations": given}])
        assert brought(study, tmp_path, text, name="project.json") == [("1", "3")]
        out = capsys.readouterr().out
        assert "1 repeated label kept for self-agreement" in out
        assert "1 label repeats an earlier one of the same annotator on the item; the first of each counts" in out


class TestShapes:
    def test_a_column_may_be_a_person(self, tmp_path):
        file = read(tmp_path, "item,sentence,Anna,Ben,Cleo,mean\n1,A.,1,2,1,3\n2,B.,3.0,NA,,3\n")
        assert rows(file) == [("1", "Anna", "1"), ("1", "Ben", "2"), ("1", "Cleo", "1"), ("2", "Anna", "3")]
        assert told(file) == ["Read as one column per annotator: Anna, Ben, Cleo; ignored: sentence, mean"]

    @pytest.mark.parametrize(
        "name", ["mean_rating", "n_ratings", "nRatings", "Word Count", "age", "rating (SD)", "Alter"]
    )
    def test_a_column_whose_name_says_that_it_is_on_the_item_is_no_person(self, tmp_path, name):
        file = read(tmp_path, f"item,ann,Max M.,rater 3,{name}\n1,3,4,5,4\n2,7,6,5,6\n")
        assert file.annotators == ("ann", "Max M.", "rater 3")

    def test_one_wrong_cell_is_a_fault_of_its_line_and_can_be_left_out(self, study, tmp_path):
        text = "item,ann,bob,Max M.\n1,3,4,5\n2,7,6,55\ncaf\u00e9,1,2,3\n"
        with pytest.raises(
            LabelFileError, match=r"line 3, column “Max M.”: '55' is not one of 1, .* \(annotator Max M\.; .*55="
        ):
            read(tmp_path, text)
        file = read(tmp_path, text, meanings={"55": ""})
        assert len(file) == 8
        assert file.annotators == ("ann", "bob", "Max M.")

    def test_the_items_column_may_be_called_otherwise_and_people_first_met_below_count(self, tmp_path):
        wide = [("1", "ann", "3"), ("1", "bob", "4"), ("2", "ann", "5"), ("2", "bob", "6")]
        assert rows(read(tmp_path, "ID,cond,ann,bob\n1,1,3,4\n2,2,5,6\n")) == wide
        assert rows(read(tmp_path, '{"item": 1, "ann": 3}\n{"item": 2, "bob": 4}\n', name="l.jsonl")) == [
            ("1", "ann", "3"),
            ("2", "bob", "4"),
        ]

    def test_addresses_over_columns_are_not_told(self, study, tmp_path, capsys):
        brought(study, tmp_path, "item,ann@example.org,bo@example.org\n1,3,4\n2,4,5\n")
        assert "example" not in capsys.readouterr().out

    def test_a_column_without_a_name_is_left_alone_and_others_are_refused_with_a_way_on(self, tmp_path):
        assert rows(read(tmp_path, ",item,annotator,label\n0,1,ann,3\n")) == [("1", "ann", "3")]
        with pytest.raises(LabelFileError, match="or ignore others: --map item=item annotator=annotator label=label"):
            read(tmp_path, "item,annotator,label,note\n1,ann,3,x\n")

    def test_a_value_that_one_record_lacks_is_missing_and_only_it_can_be_left_out(self, study, tmp_path):
        lines = ({"item": 1, "annotator": "ann", "label": 3}, {"item": 2, "annotator": "ann"})
        text = "\n".join(map(json.dumps, lines))
        with pytest.raises(LabelFileError, match="line 2, field “label”: is empty"):
            read(tmp_path, text, name="l.jsonl")
        assert rows(read(tmp_path, text, name="l.jsonl", skip_incomplete=True)) == [("1", "ann", "3")]

    def test_a_column_of_which_most_cells_are_no_labels_is_no_person(self, tmp_path):
        file = read(tmp_path, "item,ann,bob,zipf\n1,3,4,5\n2,7,6,5.5\ncaf\u00e9,1,2,\n")
        assert file.annotators == ("ann", "bob")

    def test_which_columns_are_people_can_be_said(self, study, tmp_path):
        text = "id,r1,r2,r3\n1,1,2,9\n2,3,,9\n"
        found = brought(study, tmp_path, text, "--map", "item=id", "--people", "r1", "r2")
        assert found == [("1", "1"), ("1", "2"), ("2", "3")]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("ID,Anna,Ben\n1,1,2\n2,3,\n", [("1", "Anna", "1"), ("1", "Ben", "2"), ("2", "Anna", "3")]),
            ("Item;Rater;Rating\n1;4;2\n2;4;3\n", [("1", "4", "2"), ("2", "4", "3")]),
        ],
    )
    def test_columns_that_are_called_otherwise_are_read_and_named(self, tmp_path, text, expected):
        file = read(tmp_path, text)
        assert sorted(rows(file)) == expected
        assert told(file)[0].startswith(("Read as one column per annotator of items by ID", "No columns were mapped"))

    @pytest.mark.parametrize(
        ("more", "cells"), [("subject,verb", "the dog,barks"), ("sentence,answer", "A.,3"), ("sentence,rating", "A.,3")]
    )
    def test_other_columns_beside_people_may_be_called_as_in_a_long_table(self, tmp_path, more, cells):
        file = read(tmp_path, f"item,{more},anna,ben\n1,{cells},3,4\n2,{cells},5,6\n")
        assert file.annotators == ("anna", "ben")

    def test_a_subject_is_an_annotator_where_it_looks_like_one(self, tmp_path):
        assert len(read(tmp_path, "id,subject,rating\n1,S1,3\n2,S1,4\n1,S2,3\n")) == 3
        with pytest.raises(LabelFileError, match="column “annotator”: is missing"):
            read(tmp_path, "id,subject,rating\n1,the dog,3\n2,the dog,4\n")

    def test_a_table_without_people_is_not_taken_for_one(self, tmp_path):
        with pytest.raises(LabelFileError, match="column “annotator”: is missing: there is no such column"):
            read(tmp_path, "item,sentence,mean,n\n1,A.,3,4\n2,B.,4,5\n")

    def test_excel_and_json_are_read(self, tmp_path):
        book = openpyxl.Workbook()
        for row in (("item", "annotator", "label"), (1, "ann", 3.0), (2, "ann", 5)):
            book.active.append(row)
        file = io.BytesIO()
        book.save(file)
        expected = [("1", "ann", "3"), ("2", "ann", "5")]
        assert rows(read(tmp_path, file.getvalue(), name="labels.xlsx")) == expected
        text = json.dumps(
            [{"item": 1, "annotator": "ann", "label": 3.0}, {"item": "2", "annotator": "ann", "label": 5}]
        )
        assert rows(read(tmp_path, text, name="labels.json")) == expected

    def test_a_batch_of_mechanical_turk_loses_its_rejected_assignments(self, study, tmp_path, capsys):
        text = (
            "HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.id,Answer.rating\n"
            "h1,W1,Approved,12,1,3\nh1,W2,Rejected,3,1,7\nh2,W1,Submitted,9,2,5\n"
        )
        file = read(tmp_path, text)
        assert rows(file) == [("1", "W1", "3"), ("2", "W1", "5")]
        assert told(file) == ["1 rejected assignment is left out"]
        mapped = ["--map", "item=Input.id", "annotator=WorkerId", "label=Answer.rating"]
        found = brought(study, tmp_path, text, *mapped, "--only", "AssignmentStatus=Approved")
        assert found == [("1", "3")]
        assert "2 rows are left out, which --only asks for" in capsys.readouterr().out
        judged = (
            text.replace("rating\n", "rating,Reject\n").replace("1,3\n", "1,3,\n").replace("2,5\n", "2,5,too fast\n")
        )
        for no in ("", "no", "0", "FALSE"):
            assert rows(read(tmp_path, judged.replace("1,7\n", "1,7,\n").replace("1,3,", f"1,3,{no}"))) == [
                ("1", "W1", "3")
            ]
        assert rows(read(tmp_path, text, only={"AssignmentStatus": "Approved"})) == [("1", "W1", "3")]

    def test_json_in_a_cell_is_read_as_columns_in_it(self, tmp_path):
        answers = json.dumps([{"rating": {"label": "3"}}])
        out = io.StringIO()
        csv.writer(out).writerows(
            [["WorkerId", "Input.id", "Answer.taskAnswers"], ["W1", "1", answers], ["W1", "2", "[]"], ["W2", "2", "x"]]
        )
        columns = {"item": "Input.id", "annotator": "WorkerId", "label": "Answer.taskAnswers.0.rating.label"}
        file = read(tmp_path, out.getvalue(), columns=columns, skip_incomplete=True)
        assert (rows(file), list(file.incomplete)) == ([("1", "W1", "3")], ["3", "4"])

    @pytest.mark.parametrize(
        ("cell", "path"),
        [
            ('[{"q": {"1": false, "3": true}}]', ".0.q"),
            ('[{"r.label": "3"}]', ".0.r.label"),
            ('{"rating": 3.0}', ".rating"),
        ],
    )
    def test_answers_of_forms_in_a_cell_are_read(self, tmp_path, cell, path):
        text = json.dumps([{"item": "1", "annotator": "ann", "Answer.a": cell}])
        columns = {"item": "item", "annotator": "annotator", "label": f"Answer.a{path}"}
        assert rows(read(tmp_path, text, name="l.json", columns=columns)) == [("1", "ann", "3")]
        with pytest.raises(LabelFileError, match=re.escape(f"COLUMN{path}")):
            read(tmp_path, text, name="l.json", columns=columns | {"label": "Answer.a"})

    def test_truth_values_that_are_no_radio_buttons_are_no_label(self, tmp_path):
        text = json.dumps([{"item": "1", "annotator": "ann", "a": {"3": True, "checked": False}}])
        columns = {"item": "item", "annotator": "annotator", "label": "a"}
        with pytest.raises(LabelFileError, match=re.escape("use a part of it, such as a.3")):
            read(tmp_path, text, name="l.json", columns=columns)

    def test_a_cell_that_holds_no_json_is_not_taken_for_empty(self, tmp_path):
        columns = {"item": "item", "annotator": "annotator", "label": "a.rating"}
        with pytest.raises(LabelFileError, match="line 2, column “a.rating”: contains no JSON, and so no rating"):
            read(tmp_path, "item;annotator;a\n1;ann;{'rating': 3}\n", columns=columns, skip_incomplete=True)

    def test_an_own_export_of_judgments_comes_back(self, study, tmp_path):
        given = brought(study, tmp_path, "item,annotator,label,seconds\n+d3,ann,3,2.5\n1,ann,4,\n1,bo,5,\n")
        text = "".join(cells.lines(judgments(study, Selection())))
        assert "'+d3" in text
        rows_again = [ItemRow(name, {"sentence": f"Sentence {name}."}) for name in ITEMS]
        again = load_study(write_study(tmp_path / "again", rows_again, task=RATING, slug="again")).study
        Judgment.objects.all().delete()
        assert brought(again, tmp_path, text, name="judgments.csv") == given
        assert Judgment.objects.get(assignment__item__external_id="+d3").response_ms == 2500

    @pytest.mark.slow
    @pytest.mark.parametrize("word", ["TRUE", "WAHR"])
    def test_an_own_export_comes_back_with_true_as_spreadsheets_write_it(self, study, tmp_path, word):
        given = brought(study, tmp_path, "item,annotator,label\n1,ann,4\n1,bo,5\n")
        text = "".join(cells.lines(judgments(study, Selection()))).replace(study.slug, "elsewhere")
        with pytest.raises(CommandError, match=r"line 2, column “counts”: 'ja' must be true or false"):
            brought(study, tmp_path, text.replace("true", "ja"), name="ja.csv")
        Judgment.objects.all().delete()
        assert brought(study, tmp_path, text.replace("true", word), name="again.csv") == given

    @pytest.mark.slow
    def test_an_own_export_into_the_study_it_is_of_is_refused_and_adds_nothing(self, study, tmp_path):
        given = brought(study, tmp_path, "item,annotator,label\n+d3,ann,3\n1,ann,4\n1,bo,5\n")
        out = tmp_path / "judgments.csv"
        call_command("export", study.slug, "judgments", "--out", str(out))
        said = f"judgments.csv is an export of {study.slug}, and {study.slug} already has these labels"
        with pytest.raises(CommandError, match=said):
            brought(study, tmp_path, out.read_bytes(), name="judgments.csv")
        assert sorted(Judgment.objects.values_list("assignment__item__external_id", "answer")) == given
        # A study of that name without these labels, such as on another machine, takes them, and once only.
        Study.objects.filter(pk=study.pk).update(slug="before")
        rows_again = [ItemRow(name, {"sentence": f"Sentence {name}."}) for name in ITEMS]
        again = load_study(write_study(tmp_path / "again", rows_again, task=RATING, slug=study.slug)).study
        for _ in range(2):
            call_command("import_labels", again.slug, str(out), "--as-imported")
            assert Judgment.objects.filter(assignment__sitting__study=again).count() == len(given)
