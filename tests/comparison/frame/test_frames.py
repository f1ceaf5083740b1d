"""The contract of the frame: `item, rater, rater_kind, label`, countable labels of targets only."""

from dataclasses import replace

import pytest

from comparison.frame.judging import panel_verdict
from comparison.frame.reading import (
    COLUMNS,
    item_frame,
    merged,
    model_frame,
    people_frame,
    read_panel,
    reference_frame,
)
from tests.comparison.cast import give_labels
from tests.studies import open_small_study, plausibility_row


def test_all_raters_share_the_columns(study):
    for frame in (people_frame(study), reference_frame(study), model_frame(study)[COLUMNS]):
        assert list(frame.columns) == COLUMNS
    assert set(people_frame(study)["rater_kind"]) == {"people"}
    assert set(model_frame(study)["rater_kind"]) == {"baseline", "classifier", "causal"}


def test_only_countable_labels_count(study):
    before = len(people_frame(study))
    assignments = study.items.get(external_id="target-1").assignments
    for state in ("excluded", "surplus"):
        assignments.update(state=state)
        assert len(people_frame(study)) == before - 3


def test_checks_are_not_in_the_frame(db, tmp_path):
    rows = [plausibility_row(1), plausibility_row(1, kind="gold", reference="less_likely")]
    study = open_small_study(tmp_path, rows)
    give_labels(study, [("target-1", "p", "less_likely"), ("gold-1", "p", "less_likely")])
    assert list(people_frame(study)["item"]) == ["target-1"]
    assert list(item_frame(study)["item"]) == ["target-1"]


def test_synthetic_raters_are_of_their_own_kind(synthetic_study):
    assert set(people_frame(synthetic_study)["rater_kind"]) == {"synthetic"}


def test_attributes_stand_beside_the_labels_of_their_items(study):
    joined = people_frame(study).merge(item_frame(study), on="item", how="left", validate="many_to_one")
    assert len(joined) == 15
    assert set(joined["attr:class"]) == {"odd", "even"}
    assert set(read_panel(study, coarse=False).attributes["class"]) == {"odd", "even"}


def test_merging_keeps_what_is_absent_absent(study):
    frame = merged(model_frame(study), {"equally_likely": "less_likely"})
    assert "equally_likely" not in set(frame["label"].dropna())
    assert frame["label"].isna().sum() == 6


def test_an_empty_study_makes_an_empty_panel(bare_study):
    panel = read_panel(bare_study, coarse=False)
    assert panel.counts.shape == (1, 5)
    assert not panel.has_labels
    assert panel.runs == ()


@pytest.mark.parametrize(("groups", "repeated"), [(("", "", "", ""), 2), (("a", "a", "", ""), 0)])
def test_items_of_the_same_text_are_counted_where_no_group_is_named(tmp_path, db, groups, repeated):
    rows = [
        replace(plausibility_row(number), group=group, content=plausibility_row(max(number, 2)).content)
        for number, group in enumerate(groups, start=1)
    ]
    study = open_small_study(tmp_path, rows)
    panel = read_panel(study, coarse=False)
    assert panel.repeated == repeated
    found = panel_verdict(panel, against="majority", measure="accuracy", people=study.people)
    told = "2 items repeat the text of another." in found.on("labels")
    assert told == bool(repeated)
