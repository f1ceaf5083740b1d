"""A label file's own words for labels: what they mean is said once, and all else is held to the scale."""

import pytest
from django.core.management import CommandError, call_command

from annotation.elsewhere.label_import import import_labels
from annotation.elsewhere.lines import ReadOptions
from annotation.models import Judgment
from annotation.tasktypes.contract import Label, Scale
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db
NUMBERS = "item,annotator,label\ntarget-1,ann,1\ntarget-2,ann,4\n"
SAID = ["--labels", "1=impossible", "4=more_likely"]


@pytest.fixture
def study(tmp_path):
    return open_small_study(tmp_path / "study", plausibility_rows(2))


def written(folder, text):
    path = folder / "labels.csv"
    path.write_text(text)
    return path


def scale(*labels):
    return Scale(tuple(Label(value, text, "") for value, text in labels))


POINTS = scale(*((str(n), f"{n}") for n in range(1, 11)))
DEGREES = scale(("less_likely", "Less likely"), ("more_likely", "More likely"))
MARKS = scale(("?", "?"), ("-", "-"), ("??", "??"), ("*bad", "*bad"), ("bad", "bad"))


@pytest.mark.parametrize(
    ("labels", "words", "found"),
    [
        (POINTS, "-2", ()),
        (POINTS, "\u22122", ()),
        (POINTS, "1.0", ("1",)),
        (POINTS, "1,0", ("1",)),
        (POINTS, "10.0", ("10",)),
        (POINTS, "1-0", ()),
        (POINTS, "1,000", ()),
        (POINTS, "(2)", ()),
        (POINTS, "2.5", ()),
        (POINTS, "1 0", ()),
        (scale(("-2", "-2"), ("2", "2")), "\u22122", ("-2",)),
        (scale(("-2", "-2"), ("2", "2")), "+2", ("2",)),
        (MARKS, "?", ("?",)),
        (MARKS, "!", ()),
        (MARKS, "*bad", ("*bad",)),
        (MARKS, "Bad.", ("bad",)),
        (MARKS, "#bad", ()),
        (scale(("its", "its"), ("it's", "it's")), "Its", ("its",)),
        (scale(("its", "its"), ("it's", "it's")), "It\u2019s", ("it's",)),
        (scale(("it's", "it's"), ("is", "is")), "its", ()),
        (DEGREES, "Less likely", ("less_likely",)),
        (DEGREES, "LessLikely", ("less_likely",)),
        (DEGREES, "“more-likely.”", ("more_likely",)),
        (scale(("a-b", "a-b"), ("a_b", "a_b")), "A b", ("a-b", "a_b")),
    ],
)
def test_marks_count_where_they_are_part_of_a_number_or_a_label(labels, words, found):
    assert labels.meanings(words) == found
    assert labels.meant(words) == (found[0] if len(found) == 1 else None)


def test_words_are_labels_where_it_is_said_which(study, tmp_path):
    call_command("import_labels", study.slug, str(written(tmp_path, NUMBERS)), *SAID, verbosity=0)
    given = Judgment.objects.values_list("assignment__item__external_id", "answer")
    assert sorted(given) == [("target-1", "impossible"), ("target-2", "more_likely")]
    again = import_labels(
        study, written(tmp_path, NUMBERS), ReadOptions(meanings={"1": "impossible", "4": "more_likely"})
    )
    assert (again.labels, again.unchanged) == (0, 2)


def test_other_words_are_faults_by_line(study, tmp_path):
    text = NUMBERS + "target-1,bob,5\n"
    with pytest.raises(CommandError, match=r"line 4, column “label”: '5' is not one of"):
        call_command("import_labels", study.slug, str(written(tmp_path, text)), *SAID)
    assert not Judgment.objects.exists()


def test_how_far_it_is_is_told(study, tmp_path, monkeypatch):
    monkeypatch.setattr("corpus.workplace.TELLING", 2)
    told = []
    text = "item,annotator,label\n" + "".join(f"target-{n},{who},impossible\n" for n in (1, 2) for who in "ab")
    import_labels(study, written(tmp_path, text), told=lambda *one: told.append(one))
    assert told == [
        ("reading the labels", 2, 5, "lines"),
        ("reading the labels", 4, 5, "lines"),
        ("storing 4 labels", 0, 0, ""),
    ]
