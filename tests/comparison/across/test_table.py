"""One table over several studies: what is counted, what stands beside it, and where there is no share, why."""

import csv
import html
import io
from math import sqrt

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from annotation.itemfile import ItemRow
from comparison.across.table import HERE, IMPORTED, PEOPLE, Answers, Studied, accuracy_table, cell
from comparison.statistics.counts import MISSING
from scoring.models import LanguageModel
from tests.comparison.cast import give_run
from tests.studies import open_small_study
from training.models import Training

pytestmark = pytest.mark.slow

YES, NO = 0, 1
#        right wrong right tie  unscored no-answer no-reference right
TRUTH = [YES, NO, NO, YES, YES, NO, MISSING, YES]
DECIDED = [YES, YES, NO, MISSING, MISSING, MISSING, NO, YES]


def answers(decided=DECIDED, *, rater="m · pll", origin=HERE, unscored=(4,), unanswered=(5,), **more) -> Answers:
    places = np.arange(len(decided))
    return Answers(
        rater=rater,
        origin=origin,
        decided=np.array(decided, dtype=np.int64),
        unscored=np.isin(places, unscored),
        answered=~np.isin(places, unanswered),
        **more,
    )


def truth(codes=TRUTH):
    return np.array(codes, dtype=np.int64)


def wilson(right: int, n: int) -> tuple[float, float]:
    """Wilson 1927, written out."""
    z, p = 1.959963984540054, right / n
    middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def test_right_wrong_tied_unscored_and_unanswered_are_told_apart():
    found = cell(answers(), truth())
    assert (found.right, found.n, found.ties, found.unscored, found.unanswered) == (3, 4, 1, 1, 1)
    assert found.share.value == 0.75
    assert (found.share.low, found.share.high) == pytest.approx(wilson(3, 4))
    assert str(found) == "3 of 4, .750 [.301, .954], 1 tie, 1 unscored, 1 without an answer"


def test_ties_can_count_as_wrong_and_the_unscored_never_do():
    found = cell(answers(), truth(), ties_are_wrong=True)
    assert (found.right, found.n, found.ties) == (3, 5, 1)
    assert (found.share.low, found.share.high) == pytest.approx(wilson(3, 5))


def test_an_item_without_a_reference_is_in_no_count():
    found = cell(answers([YES, MISSING, NO], unscored=(), unanswered=()), truth([YES, MISSING, MISSING]))
    assert (found.right, found.n, found.ties, found.unscored, found.unanswered) == (1, 1, 0, 0, 0)


@pytest.mark.parametrize(
    ("decided", "codes", "more", "words"),
    [
        ([], [], {}, "no items are selected"),
        ([YES, NO], [MISSING, MISSING], {}, "no item has a label to compare with"),
        ([MISSING] * 2, [YES, NO], {"unscored": (0, 1)}, "no item is scored, 2 unscored"),
        ([MISSING] * 2, [YES, NO], {"unanswered": (0, 1)}, "no item is scored, 2 without an answer"),
        ([MISSING] * 2, [YES, NO], {"only_rates": "names no label"}, "names no label"),
    ],
)
def test_where_there_is_no_share_the_words_say_why(decided, codes, more, words):
    found = cell(answers(decided, **{"unscored": (), "unanswered": (), **more}), truth(codes))
    assert (found.share.value, found.n) == (None, 0)
    assert str(found) == words


def test_only_ties_are_no_share_unless_they_are_wrong():
    tied = answers([MISSING] * 2, unscored=(), unanswered=())
    assert cell(tied, truth([YES, NO])).share.value is None
    assert cell(tied, truth([YES, NO]), ties_are_wrong=True).share.value == 0


def test_lines_are_people_then_models_by_name_and_a_rater_may_be_in_one_study_only():
    one = Studied("one", "people", truth(), (answers(rater="b"), answers(rater="a", origin=IMPORTED)))
    two = Studied("two", "people", truth(), (answers(rater="p", origin=PEOPLE), answers(rater="b")))
    table = accuracy_table([one, two])
    assert [(line.rater, line.origin) for line in table] == [("p", PEOPLE), ("b", HERE), ("a", IMPORTED)]
    assert [[str(cell.share.undefined) for cell in line.cells] for line in table] == [
        ["not in this study", ""], ["", ""], ["", "not in this study"]
    ]  # fmt: skip


def test_a_rater_cannot_answer_twice_in_a_study():
    twice = Studied("one", "people", truth(), (answers(), answers()))
    with pytest.raises(ValueError, match="answers twice"):
        accuracy_table([twice])


# The command.


def written(*arguments: str, **options) -> str:
    out = io.StringIO()
    call_command("accuracy_table", *arguments, stdout=out, **options)
    return out.getvalue()


def records(*arguments: str, **options) -> dict[tuple[str, str], dict[str, str]]:
    rows = csv.DictReader(io.StringIO(written(*arguments, format="csv", **options)))
    return {(row["study"], row["rater"]): row for row in rows}


@pytest.fixture
def pairs(db, tmp_path):
    """Four choices between two sentences with published differences; a run with a tie, and an imported file."""
    rows = [
        ItemRow(
            f"p{number}",
            {"options": {"good": f"Lamp {number} lights.", "bad": f"Lamp {number} sings."}},
            reference="good" if number < 5 else None,
            strength=difference,
            attributes={"class": "odd" if number % 2 else "even", "voice": "active"},
        )
        for number, difference in enumerate([2.5, -0.5, 0.0, 1.0, 1.0], 1)
    ]
    task = {"type": "forced_choice", "question": "Which?", "options": ["good", "bad"]}
    study = open_small_study(tmp_path / "pairs", rows, slug="pairs", task=task, quality={"gold_distance": 1})
    scores = [("p1", "good", 1.0, ""), ("p2", "good", 2.0, ""), ("p3", None, 0.0, ""), ("p4", None, None, "too long")]
    give_run(study, [*scores, ("p5", "bad", -1.0, "")], key="tiny")
    file = tmp_path / "scores.csv"
    file.write_text("item,label\np1,good\np2,bad\np3,bad\np4,bad\np5,good\n")
    options = ["--map", "item=item", "--map", "label=label", "--name", "Big", "--metric-name", "LL", "--source", "us"]
    call_command("import_scores", "pairs", str(file), *options, stdout=io.StringIO())
    return study


def test_two_studies_in_one_table(study, pairs):
    found = records("small", "pairs")
    count = {key: (row["count"], row["n"], row["ties"], row["unscored"]) for key, row in found.items()}
    # Unanimous or by majority in four, three of them as the references; one tie, one without labels.
    assert count["small", "people · majority"] == ("3", "4", "1", "0")
    assert found["small", "people · majority"]["unanswered"] == "1"
    assert count["small", "parrot · label"] == ("6", "6", "0", "0")
    assert count["small", "majority · label"] == ("3", "6", "0", "0")
    assert found["small", "smol · pll"]["undefined"]
    # 2.5 and 1.0 are for the good one, -0.5 against it, 0 for neither; the fifth pair has no reference.
    assert count["pairs", "people · sign of the published rating"] == ("2", "3", "1", "0")
    assert count["pairs", "tiny · pll"] == ("2", "2", "1", "1")
    assert count["pairs", "Big · LL (imported)"] == ("1", "4", "0", "0")
    assert found["pairs", "Big · LL (imported)"]["origin"] == "imported"
    assert float(found["pairs", "Big · LL (imported)"]["low"]) == pytest.approx(wilson(1, 4)[0])
    assert found["pairs", "parrot · label"]["undefined"] == "not in this study"
    assert {row["items_without_reference"] for (name, _), row in found.items() if name == "pairs"} == {"1"}


def test_ties_as_wrong_on_request(pairs):
    assert records("pairs", ties="wrong")["pairs", "tiny · pll"]["n"] == "3"


def test_a_run_of_ties_alone_is_counted_and_is_not_one_that_only_rates(pairs):
    """As of a baseline from little text, which has 0 for both sentences of every pair."""
    scores = [("p1", None, 0.0, ""), ("p2", None, 0.0, ""), ("p3", None, None, "too long"), ("p4", None, 0.0, "")]
    give_run(pairs, scores, key="tied")
    give_run(pairs, [("p1", None, 1.5, ""), ("p2", None, 0.0, "")], key="rating")
    found = records("pairs", ties="wrong")
    tied = found["pairs", "tied · pll"]
    assert (tied["count"], tied["n"], tied["ties"], tied["unscored"]) == ("0", "3", "3", "1")
    assert found["pairs", "rating · pll"]["undefined"] == "gives scores and no labels"


def test_against_the_majority_people_are_no_rater(study):
    found = records("small", against="majority")
    assert ("small", "people · majority") not in found
    # The four with a majority: less, equal, less, equal.
    assert found["small", "majority · label"]["count"] == "2"
    assert found["small", "majority · label"]["n"] == "4"


def test_one_label_is_no_majority_and_no_tie(single_study):
    people = records("single")["single", "people · majority"]
    assert people["undefined"] == "no majority: one label"
    assert (people["n"], people["ties"], people["one_label"], people["unanswered"]) == ("0", "0", "5", "1")
    assert records("single", ties="wrong")["single", "people · majority"]["n"] == "0"
    line = next(line for line in written("single").splitlines() if line.startswith("people"))
    assert line.split("  ")[-1].strip() == "no majority: one label, 1 without an answer"
    against = records("single", against="majority")["single", "parrot · label"]
    assert against["undefined"] == "no majority: one label per item"


def test_one_label_stands_beside_majorities_and_ties(study):
    study.items.get(external_id="target-1").assignments.exclude(annotator__external_id="p1").update(state="surplus")
    people = records("small", shared=True)["small", "people · majority"]
    assert (people["count"], people["n"], people["ties"], people["one_label"]) == ("2", "3", "1", "1")
    assert "2 of 3, .667 [.208, .939], 1 tie, 1 with no majority: one label, 1 without an answer" in written("small")
    assert "2 of 3, .67 [.21, .94], 1 tie, 1 with" in written("small", digits=2)


def test_where_narrows_every_study(study, pairs):
    found = records("small", "pairs", where=["class=odd"])
    assert {row["items_selected"] for row in found.values()} == {"class is odd"}
    assert (found["small", "parrot · label"]["n"], found["pairs", "Big · LL (imported)"]["n"]) == ("3", "2")
    both = records("small", where=["class=odd", "class=even"])
    assert both["small", "parrot · label"]["n"] == "6"
    # The lamps have no voice; the pairs do.
    assert records("small", "pairs", where=["voice=active"])["small", "parrot · label"]["undefined"] == (
        "no items are selected"
    )


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (["nowhere"], {}, "There is no study 'nowhere'. Available: pairs, small."),
        (["small"], {"where": ["voice=active"]}, "No item has an attribute 'voice'. Attributes: class."),
        (["small"], {"where": ["class=blue"]}, "No item has class='blue'. Values: even, odd."),
        (["small"], {"where": ["class"]}, "write ATTRIBUTE=VALUE"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(study, pairs, arguments, options, words):
    with pytest.raises(CommandError) as refused:
        written(*arguments, **options)
    assert words in str(refused.value)
    assert refused.value.returncode == 2


def test_text_and_markdown_hold_the_same_cells(study, pairs):
    text, pipes = written("pairs"), written("pairs", format="markdown")
    for line in (
        "tiny · pll", "2 of 2, 1.000 [.342, 1.000], 1 tie, 1 unscored", "Big · LL (imported)",
        "1 of 4, .250 [.046, .699]",
        "pairs (4 items, 1 more without a reference)", "ties are left out of n",
    ):  # fmt: skip
        assert line in text
        assert line in pipes
    assert pipes.splitlines()[1] == "| --- | --- |"
    assert "| majority · label (baseline) |" in written("small", format="markdown")


def test_synthetic_annotators_are_marked(synthetic_study):
    assert "synthetic annotators · majority" in written("synthetic")
    assert "synthetic (6 items, synthetic annotators)" in written("synthetic")
    assert {row["population"] for row in records("synthetic").values()} == {"synthetic"}
    assert records("synthetic")["synthetic", "synthetic annotators · majority"]["origin"] == "synthetic annotators"


def test_it_is_written_to_a_file_and_says_if_it_cannot(pairs, tmp_path):
    file = tmp_path / "table.csv"
    call_command("accuracy_table", "pairs", format="csv", out=file, stderr=io.StringIO())
    assert file.read_bytes().decode() == written("pairs", format="csv")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("accuracy_table", "pairs", out=tmp_path)


def named_alike(study, *, key):
    """A run of another model that is called tiny too."""
    run = give_run(study, [("p1", "bad", -1.0, "")], key=key)
    LanguageModel.objects.filter(pk=run.model_id).update(name="tiny")


def test_shared_compares_runs_on_the_items_that_all_have_scored(study, pairs):
    """tiny left p4 unscored; of the others, it ties on p3. What scored nothing takes nothing away."""
    give_run(pairs, [(f"p{number}", None, None, "no such word") for number in range(1, 6)], key="mute")
    every, shared = records("small", "pairs"), records("small", "pairs", shared=True)
    assert every["pairs", "Big · LL (imported)"]["n"] == "4"
    count = {key: (row["count"], row["n"], row["ties"], row["unscored"]) for key, row in shared.items()}
    assert count["pairs", "tiny · pll"] == ("2", "2", "1", "0")
    assert count["pairs", "Big · LL (imported)"] == ("1", "3", "0", "0")
    assert count["pairs", "people · sign of the published rating"] == ("1", "2", "1", "0")
    assert shared["pairs", "mute · pll"]["undefined"] == "no item is scored"
    assert shared["pairs", "mute · pll"]["unscored"] == "3"
    # In the small study a run names no labels; every other one has scored everything.
    assert {key: row for key, row in shared.items() if key[0] == "small"} == {
        key: row | {"items_selected": "all items that every run has scored"}
        for key, row in every.items()
        if key[0] == "small"
    }
    assert "(3 items, 1 more without a reference)" in written("pairs", shared=True)
    assert "voice is active, of these all items that every run has scored;" in written(
        "pairs", where=["voice=active"], shared=True
    )


def test_two_models_of_one_name_stay_apart(pairs):
    named_alike(pairs, key="tiny-2")
    found = records("pairs")
    assert (found["pairs", "tiny (tiny) · pll"]["count"], found["pairs", "tiny (tiny) · pll"]["n"]) == ("2", "2")
    assert (found["pairs", "tiny (tiny-2) · pll"]["count"], found["pairs", "tiny (tiny-2) · pll"]["n"]) == ("0", "1")


def test_nor_do_two_models_of_one_name_share_a_line_over_two_studies(pairs, tmp_path):
    row = ItemRow("p1", {"options": {"good": "It lights.", "bad": "It sings."}}, reference="good")
    task = {"type": "forced_choice", "question": "Which?", "options": ["good", "bad"]}
    named_alike(
        open_small_study(tmp_path / "other", [row], slug="other", task=task, quality={"gold_distance": 1}),
        key="tiny-2",
    )
    found = records("pairs", "other")
    assert found["other", "tiny (tiny) · pll"]["undefined"] == "not in this study"
    assert found["pairs", "tiny (tiny-2) · pll"]["undefined"] == "not in this study"


def test_an_imported_baseline_is_an_imported_run(pairs):
    LanguageModel.objects.filter(name="Big").update(family="baseline")
    assert records("pairs")["pairs", "Big · LL (imported)"]["origin"] == "imported"


def test_a_name_cannot_break_the_markdown_table_or_put_markup_in_it(pairs):
    name = r"Big | <img src=x> [a](b) `c` *d* __e__ \| pll_x &amp;"
    LanguageModel.objects.filter(name="Big").update(name=name)
    line = next(line for line in written("pairs", format="markdown").splitlines() if "Big" in line)
    assert line.count("|") == 3
    shown = line.split("|")[1].strip()
    assert not set(r"<>[]`*\ ".strip()) & set(shown)
    assert html.unescape(shown) == f"{name} · LL (imported)"
    assert "pll_x" in shown
    assert "_e_" not in shown


def classifier(study, *learned: str, key: str, scored: list[str]) -> None:
    """A run of a classifier that was trained here on those studies, with these answers to the small pairs."""
    run = give_run(study, [(f"p{number}", label, 1.0, "") for number, label in enumerate(scored, 1)], key=key)
    Training.objects.get_or_create(
        fingerprint=key, contest="c", recipe="adept", base={"key": "b"}, studies=list(learned), settings={}, labels=[],
        train_items=1, train_sha256="", held_out_items=1, held_out_sha256="", steps=1, model=run.model,
    )  # fmt: skip


@pytest.mark.parametrize("said_by", ["learned", "tested", "both"])
def test_who_learned_a_variant_of_an_item_is_marked(pairs, tmp_path, said_by):
    """The same question with other words in it, under the same id, as in AltBoolQ's four studies."""
    learned = open_small_study(
        tmp_path / "exchanged",
        [
            ItemRow(
                f"p{number}",
                {"options": {"good": f"Another lamp {number} lights.", "bad": f"Another lamp {number} sings."}},
                reference="good",
                attributes={"variant": "exchanged"} if said_by != "tested" else {},
            )
            for number in (1, 2, 99)
        ],
        slug="exchanged",
        task={"type": "forced_choice", "question": "Which?", "options": ["good", "bad"]},
        quality={"gold_distance": 1},
    )
    if said_by != "learned":
        for item in pairs.items.all():
            item.attributes |= {"variant": "plain"}
            item.save()
    classifier(pairs, learned.slug, key="one", scored=["good", "good", "bad", "bad"])
    notes = [row["note"] for row in records("pairs").values() if row["trained_on"]]
    assert notes == ["learned from variants of 2 of these items"]


def test_train_sets_by_test_sets(pairs, tmp_path):
    """Two classifiers alike but for what they learned from, and one that learned from both, on two test sets."""
    twin = open_small_study(
        tmp_path / "twin",
        [ItemRow("p1", {"options": {"good": "A lamp lights.", "bad": "A lamp sings."}}, reference="good")],
        slug="twin",
        task={"type": "forced_choice", "question": "Which?", "options": ["good", "bad"]},
        quality={"gold_distance": 1},
    )
    for key, learned, labels in (
        ("one", ["plain"], ["good", "good", "bad", "bad"]),
        ("other", ["twin"], ["good", "good", "good", "bad"]),
        ("both", ["plain", "twin"], ["bad", "bad", "bad", "bad"]),
    ):
        classifier(pairs, *learned, key=key, scored=labels)
        classifier(twin, *learned, key=key, scored=labels[:1])
    found = records("pairs", "twin")
    assert found["pairs", "tiny · pll"]["trained_on"] == ""
    table = {(row["trained_on"], row["study"]): (row["count"], row["n"]) for row in found.values() if row["trained_on"]}
    assert table == {
        ("plain", "pairs"): ("2", "4"), ("plain", "twin"): ("1", "1"),
        ("plain + twin", "pairs"): ("0", "4"), ("plain + twin", "twin"): ("0", "1"),
        ("twin", "pairs"): ("3", "4"), ("twin", "twin"): ("1", "1"),
    }  # fmt: skip
    # A figure on what it learned from is no test.
    marked = {(row["trained_on"], row["study"]) for row in found.values() if row["note"] == "learned from these items"}
    assert marked == {("plain + twin", "twin"), ("twin", "twin")}
    pipes = written("pairs", "twin", format="markdown").splitlines()
    assert pipes[0].startswith("| rater | trained on | pairs (4 items")
    assert pipes[1] == "| --- | --- | --- | --- |"
    assert "| both · pll | plain + twin | 0 of 4," in written("pairs", "twin", format="markdown")
    (other,) = (line for line in written("pairs").splitlines() if line.startswith("other"))
    assert "3 of 4, .750 [.301, .954]" in other
