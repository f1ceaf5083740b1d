"""One annotator as a rater: held to sklearn's figures, on the page, in the tables and in the exports, by whose name."""

import csv
import io

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from sklearn.metrics import accuracy_score, cohen_kappa_score

from annotation.models import Annotator
from comparison.exports.registry import export
from comparison.figures.people.assessors import ASSESSORS, on_classes
from comparison.frame.assessors import FEW
from comparison.frame.filters.address import SelectionError
from comparison.frame.filters.selection import Selection
from comparison.frame.names import read_assessors
from comparison.frame.selected import select
from comparison.statistics.aggregation import majority
from tests.comparison.cast import give_labels
from tests.comparison.figures.people.crowd import ANNA, DEGREES, ITEMS, NAMES, SAID
from tests.comparison.page.visiting import page, words
from tests.studies import open_small_study, plausibility_row


def counted(who: list[int]) -> np.ndarray:
    """Their labels as (items, values), written out."""
    counts = np.zeros((ITEMS, 5), dtype=int)
    for person in who:
        for item in range(ANNA if person == 0 else ITEMS):
            counts[item, SAID[person, item]] += 1
    return counts


def of_sklearn(said, truth):
    both = (said >= 0) & (truth >= 0)
    return int(both.sum()), accuracy_score(truth[both], said[both]), cohen_kappa_score(truth[both], said[both])


def column(person: int) -> np.ndarray:
    return np.where(np.arange(ITEMS) < (ANNA if person == 0 else ITEMS), SAID[person], -1)


@pytest.mark.slow
def test_each_is_held_against_the_others_and_the_reference_as_sklearn_counts(crowd):
    study, references = crowd
    found = ASSESSORS.read(select(study, Selection())).found
    assert [one.assessor.name for one in found] == list(NAMES)
    for person, one in enumerate(found):
        others = majority(counted([other for other in range(5) if other != person]))
        for held, truth in ((one.others, others), (one.reference, references)):
            n, share, kappa = of_sklearn(column(person), truth)
            assert held.hits.compared == held.kappa.n == n
            assert held.hits.accuracy.value == pytest.approx(share)
            assert held.kappa.value == pytest.approx(kappa)
            assert held.kappa.low < kappa < held.kappa.high
    assert found[0].labels == ANNA


@pytest.mark.slow
def test_two_are_held_against_one_another_and_what_they_agree_on_against_the_rest(crowd):
    study, references = crowd
    shown = Selection(assessors=("Anna", "Bo"))
    (two,) = ASSESSORS.read(select(study, shown)).pairs
    n, share, kappa = of_sklearn(column(0), column(1))
    assert (two.together.hits.compared, two.together.kappa.n) == (n, n) == (ANNA, ANNA)
    assert two.together.hits.accuracy.value == pytest.approx(share)
    assert two.together.kappa.value == pytest.approx(kappa)
    agreed = np.where(column(0) == column(1), column(0), -1)
    for held, truth in ((two.others, majority(counted([2, 3, 4]))), (two.reference, references)):
        n, share, kappa = of_sklearn(agreed, truth)
        assert held.hits.compared == n
        assert held.hits.accuracy.value == pytest.approx(share)
        assert held.kappa.value == pytest.approx(kappa)


@pytest.mark.slow
def test_fewer_classes_leave_the_doubtful_out_and_merge_the_others_before_their_majority(crowd):
    study, references = crowd
    chosen = select(study, Selection(assessors=("Bo",)))
    found = {
        (one.classes, one.target): one.hits for one in on_classes(chosen.panel, study.task.scale, chosen.assessors)
    }
    rest = counted([0, 2, 3, 4])
    merged = np.column_stack([rest[:, :2].sum(axis=1), rest[:, 2], rest[:, 3:].sum(axis=1)])
    of_three = np.array([0, 0, 1, 2, 2])
    expected = {
        (5, "majority"): (column(1), majority(rest)),
        (5, "reference"): (column(1), references),
        (4, "majority"): (column(1), np.where(majority(rest) == 0, -1, majority(rest))),
        (4, "reference"): (column(1), np.where(references == 0, -1, references)),
        (3, "majority"): (of_three[column(1)], majority(merged)),
        (3, "reference"): (of_three[column(1)], of_three[references]),
    }
    assert set(found) == set(expected)
    for way, (said, truth) in expected.items():
        n, share, _ = of_sklearn(said, truth)
        assert found[way].compared == n
        assert found[way].accuracy.value == pytest.approx(share)


@pytest.mark.slow
def test_they_stand_on_the_page_under_the_names_of_the_file(logged_in, crowd):
    study, _ = crowd
    people = words(page(logged_in, study, "people"))
    assert "Single annotators" in people
    assert "Anna and Bo" in people
    assert "one person · Anna" in words(page(logged_in, study, "classes"))


@pytest.mark.slow
def test_many_are_shown_only_to_whom_asks(logged_in, db, tmp_path):
    rows = [plausibility_row(1), plausibility_row(2)]
    study = open_small_study(tmp_path / "many", rows, slug="many", collection={"labels_per_item": FEW + 1})
    give_labels(study, [(row.id, f"secret-{n}", DEGREES[n % 2]) for row in rows for n in range(FEW + 1)])
    told = words(page(logged_in, study, "people"))
    assert f"None of {FEW + 1} annotators is shown" in told
    shown = page(logged_in, study, "people", assessors="a2")
    assert [found.assessor.name for found in shown.context["page"].figures["assessors"].found] == ["a2"]
    assert "secret" not in shown.content.decode()
    # Only an imported file gives names: what a platform calls somebody finds nobody.
    refused = page(logged_in, study, "people", assessors="secret-1")
    assert refused.status_code == 400
    assert "no annotator with that name or number" in refused.content.decode()


@pytest.mark.parametrize("asked", ["Nobody", "a999999", "a", "", "a\x00", "Anna "])
def test_nobody_of_that_name_is_refused(crowd, asked):
    with pytest.raises(SelectionError, match="no annotator with that name or number"):
        read_assessors(crowd[0], [asked])


def test_more_than_ten_are_refused(crowd):
    with pytest.raises(SelectionError, match="at most 10 annotators, not 11"):
        read_assessors(crowd[0], ["Anna"] * 11)


def rows_of(study, what, **asked):
    header, *rows = export(what)(study, Selection(**asked))
    return [dict(zip(header, row, strict=True)) for row in rows]


@pytest.mark.slow
def test_the_export_has_every_figure_of_the_page_and_fewer_classes(crowd):
    study, _ = crowd
    rows = rows_of(study, "assessors", assessors=("Anna", "Bo"))
    figures = ASSESSORS.read(select(study, Selection(assessors=("Anna", "Bo"))))
    kappa = figures.found[0].others.kappa
    by = {(row["classes"], row["rater"], row["against"], row["statistic"]): row for row in rows}
    found = by[5, "one person · Anna", "majority of the others", "cohen_kappa"]
    assert (found["value"], found["low"], found["n"]) == (kappa.value, kappa.low, kappa.n)
    found = by[5, "one person · Anna", "one person · Bo", "cohen_kappa"]
    assert found["value"] == figures.pairs[0].together.kappa.value
    assert {row["classes"] for row in rows} == {5, 4, 3}
    assert by[3, "one person · Bo", "reference", "accuracy"]["n"] == ITEMS


@pytest.mark.slow
def test_the_report_that_is_handed_on_knows_them_by_number(crowd):
    study, _ = crowd
    rows = rows_of(study, "report")
    anna = study.annotator_numbers.name_of(Annotator.objects.get(external_id=f"{study.pk}/Anna").pk)
    own = {(row["classes"], row["against"], row["statistic"]) for row in rows if row["rater"] == anna}
    assert {(5, "majority of the others", "accuracy"), (5, "reference", "cohen_kappa")} <= own
    assert (4, "reference", "accuracy") in own
    assert not any("Anna" in str(cell) for row in rows for cell in row.values())
    # No figure stands there twice.
    keys = [tuple(row[name] for name in ("items_selected", "classes", "section", "rater", "against", "statistic"))
            for row in rows if row["section"] == "annotators"]  # fmt: skip
    assert len(keys) == len(set(keys))


def table(capsys, *arguments):
    call_command("accuracy_table", *arguments, "--format", "csv")
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


@pytest.mark.slow
def test_the_accuracy_table_has_a_row_for_each(crowd, capsys):
    study, references = crowd
    rows = {row["rater"]: row for row in table(capsys, study.slug)}
    anna = rows["one person · Anna"]
    n, share, _ = of_sklearn(column(0), references)
    assert (int(anna["n"]), anna["unanswered"]) == (n, "0")
    assert float(anna["estimate"]) == pytest.approx(share)
    others = majority(counted([1, 2, 3, 4]))
    n, share, _ = of_sklearn(column(0), others)
    anna = {row["rater"]: row for row in table(capsys, study.slug, "--against", "majority")}["one person · Anna"]
    assert int(anna["n"]) == n
    assert float(anna["estimate"]) == pytest.approx(share)


def test_the_accuracy_table_counts_in_fewer_classes(crowd, capsys):
    study, references = crowd
    rows = {row["rater"]: row for row in table(capsys, study.slug, "--classes", "4", "--assessor", "Bo")}
    n, share, _ = of_sklearn(column(1), np.where(references == 0, -1, references))
    assert int(rows["one person · Bo"]["n"]) == n
    assert float(rows["one person · Bo"]["estimate"]) == pytest.approx(share)
    assert int(rows["parrot · label"]["n"]) == n
    assert "one person · Anna" not in rows
    with pytest.raises(CommandError, match="crowd cannot be counted in 2 classes; choices: 5, 4, 3"):
        call_command("accuracy_table", study.slug, "--classes", "2")


def test_commands_refuse_whom_they_do_not_know(crowd):
    for command in (["accuracy_table", crowd[0].slug], ["export", crowd[0].slug, "assessors"]):
        with pytest.raises(CommandError, match="no annotator with that name or number") as refused:
            call_command(*command, "--assessor", "Nobody")
        assert refused.value.returncode == 2
