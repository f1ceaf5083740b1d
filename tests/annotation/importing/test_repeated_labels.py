"""Label files as others have them: columns of other names, several labels of one annotator, quotas that fit."""

import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from annotation.elsewhere.label_import import ImportRefused, import_labels
from annotation.elsewhere.labelfile import LabelFileError, LabelRow, read_labels, write_labels
from annotation.elsewhere.lines import ReadOptions
from annotation.loading import load_study
from annotation.models import Assignment, Exclusion, Item, RepeatedLabel, Study
from annotation.paying.queue import checks_given
from annotation.quality.rerun import rejudge
from annotation.tasktypes import task_type
from tests.studies import open_small_study, plausibility_rows, write_study

TASK = task_type("plausibility").configured({})
ITEMS = ["target-1", "target-2"]
HEAD = "item,annotator,label,repeat\n"
# The second label stands before the first, and one annotator has no first at all.
AGAIN = (
    "target-1,ann,less_likely,2\ntarget-1,ann,impossible,1\ntarget-1,ann,impossible,3\n"
    "target-2,ann,more_likely,\ntarget-2,bob,more_likely,2\n"
)
CHECKED = (
    "target-1,ann,less_likely,\ntarget-1,bob,impossible,\nattention-1,ann,impossible,\nattention-1,ann,impossible,2\n"
    "attention-2,bob,impossible,\n"
)


def written(folder, text, name="labels.csv"):
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture
def study(tmp_path) -> Study:
    return load_study(write_study(tmp_path / "study", plausibility_rows(3))).study


@pytest.fixture
def checked(tmp_path) -> Study:
    """Of two people who passed their checks, one answered one twice."""
    return load_study(write_study(tmp_path / "checked", plausibility_rows(2, attention=2))).study


class TestFile:
    def test_the_first_is_the_label_and_the_others_repeat_it(self, tmp_path):
        file = read_labels(written(tmp_path, HEAD + AGAIN), TASK, ITEMS)
        assert len(file) == 3
        assert [(row.item, row.annotator, row.label) for row in file.rows[:3]] == [
            ("target-1", "ann", "impossible"),
            ("target-2", "ann", "more_likely"),
            ("target-2", "bob", "more_likely"),
        ]
        assert file.repeats == (
            LabelRow("target-1", "ann", "less_likely", None, 2),
            LabelRow("target-1", "ann", "impossible", None, 3),
        )

    def test_written_again_it_says_the_same(self, tmp_path):
        file = read_labels(written(tmp_path, HEAD + AGAIN), TASK, ITEMS)
        write_labels(tmp_path / "again.csv", file.rows)
        again = read_labels(tmp_path / "again.csv", TASK, ITEMS)
        assert (again.rows, again.repeats) == (file.rows, file.repeats)

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            (
                "target-1,ann,impossible,1",
                "line 7, columns “item” and “annotator”: 'ann' already labeled 'target-1' on line 2",
            ),
            (
                "target-2,ann,impossible,1",
                "line 7, columns “item” and “annotator”: 'ann' already labeled 'target-2' on line 5",
            ),
            ("target-2,ann,impossible,two", "line 7, column “repeat”: 'two' is not a whole number from 1 to 1,000"),
            ("target-2,ann,impossible,0", "line 7, column “repeat”: '0' is not"),
        ],
    )
    def test_a_turn_is_one_labels_own(self, tmp_path, line, message):
        with pytest.raises(LabelFileError) as caught:
            read_labels(written(tmp_path, HEAD + AGAIN + line + "\n"), TASK, ITEMS)
        assert message in str(caught.value)

    def test_columns_of_other_names_and_nested_records(self, tmp_path):
        record = {"n": 1, "by": {"name": "ann"}, "answers": ["impossible"], "ms": 3}
        path = written(tmp_path, json.dumps(record) + "\n", "labels.jsonl")
        columns = {"item": "target-{n}", "annotator": "by.name", "label": "answers.0"}
        assert read_labels(path, TASK, ITEMS, ReadOptions(columns=columns)).rows == [
            LabelRow("target-1", "ann", "impossible")
        ]

    def test_semicolons_are_seen_and_other_columns_passed_over_where_there_is_a_map(self, tmp_path):
        path = written(tmp_path, "item;age;who;label\ntarget-1;40;ann;impossible\n")
        assert len(read_labels(path, TASK, ITEMS, ReadOptions(columns={"annotator": "who"}))) == 1
        with pytest.raises(LabelFileError, match="column “age”: is not a recognized column"):
            read_labels(path, TASK, ITEMS)

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ({"worker": "who"}, "line 1, column “worker”: cannot be mapped; use one of: item"),
            ({"annotator": "whom"}, r"line 1, column “whom”: is not a column \(requested as annotator\)"),
        ],
    )
    def test_a_map_that_does_not_fit(self, tmp_path, columns, message):
        with pytest.raises(LabelFileError, match=message):
            read_labels(written(tmp_path, "item,who,label\na,b,c\n"), TASK, ITEMS, ReadOptions(columns=columns))

    def test_incomplete_lines_may_be_left_out_and_are_named(self, tmp_path):
        text = "item,annotator,label\ntarget-1,ann,impossible\ntarget-1,bob,\n,cid,impossible\n"
        with pytest.raises(LabelFileError) as refused:
            read_labels(written(tmp_path, text), TASK, ITEMS)
        assert refused.value.incomplete == 2
        assert refused.value.remedy("--skip") == (
            "2 entries lack a required value: --skip leaves such entries out and lists them."
        )
        file = read_labels(written(tmp_path, text), TASK, ITEMS, ReadOptions(skip_incomplete=True))
        assert (len(file), file.incomplete) == (1, ("3", "4"))
        with pytest.raises(LabelFileError, match="line 3, column “label”: is empty"):
            read_labels(written(tmp_path, text), TASK, ITEMS)


@pytest.mark.django_db
class TestStored:
    def test_only_the_first_counts(self, study, tmp_path):
        done = import_labels(study, written(tmp_path, HEAD + AGAIN))
        assert (done.labels, done.repeats) == (3, 2)
        assert "2 repeated labels" in str(done)
        item = Item.objects.get(external_id="target-1")
        assert (item.counted, item.tally) == (1, {"impossible": 1})
        assert list(RepeatedLabel.objects.values_list("turn", "answer")) == [(2, "less_likely"), (3, "impossible")]

    def test_the_same_file_again_changes_nothing_and_a_longer_one_adds(self, study, tmp_path):
        import_labels(study, written(tmp_path, HEAD + AGAIN))
        assert import_labels(study, written(tmp_path, HEAD + AGAIN)).repeats == 0
        more = import_labels(study, written(tmp_path, HEAD + AGAIN + "target-2,ann,impossible,2\n"))
        assert (more.labels, more.repeats) == (0, 1)

    def test_a_repeat_that_was_given_does_not_change(self, study, tmp_path):
        import_labels(study, written(tmp_path, HEAD + AGAIN))
        with pytest.raises(ImportRefused, match="has 'impossible' as label 3 by 'ann' on 'target-1'"):
            import_labels(study, written(tmp_path, HEAD + AGAIN.replace("ann,impossible,3", "ann,more_likely,3")))

    def test_the_database_keeps_one_a_turn_and_no_first(self, study, tmp_path):
        import_labels(study, written(tmp_path, HEAD + AGAIN))
        assignment = Assignment.objects.get(item__external_id="target-1")
        for turn in (1, 2):
            with pytest.raises(IntegrityError), transaction.atomic():
                RepeatedLabel.objects.create(assignment=assignment, turn=turn, answer="impossible")

    @pytest.mark.slow
    def test_people_agree_with_themselves_on_the_page_and_in_the_report(self, study, tmp_path, capsys, admin_client):
        import_labels(study, written(tmp_path, HEAD + AGAIN))
        call_command("export", study.slug, "report")
        lines = [line for line in capsys.readouterr().out.splitlines() if "oneself_percent" in line]
        assert any(
            ",oneself_percent,0,0,0.6576" in line and ",2,repeats," in line and "1 annotator" in line for line in lines
        )
        page = admin_client.get(f"/studies/{study.slug}/results/people/").content.decode()
        assert "Intra-annotator, percent" in page

    def test_a_check_that_is_failed_again_is_one_more_failed_check(self, checked, tmp_path):
        """In whichever file it comes; what is stored of it is counted, and found by other rules, as any check is."""
        import_labels(checked, written(tmp_path, HEAD + CHECKED))
        assert not checked.exclusions.exists()
        done = import_labels(checked, written(tmp_path, HEAD + CHECKED + "attention-1,ann,more_likely,3\n"))
        assert (done.labels, done.repeats, done.excluded) == (0, 1, 1)
        verdict = checked.exclusions.get()
        assert (verdict.rule, verdict.evidence["attention_failures"]) == (Exclusion.Rule.ATTENTION, 1)
        assert [one["answered"] for one in verdict.evidence["attention"]] == ["impossible", "impossible", "more_likely"]
        assert Item.objects.get(external_id="target-1").tally == {"impossible": 1}
        given = checks_given(checked.task.scale, Assignment.objects.held_against())
        assert sorted((one.passed, one.failed) for one in given.values()) == [(1, 0), (2, 1)]
        lenient = replace(checked.policy, max_attention_failures=1)
        assert list(rejudge(checked, checked.policy)) == [verdict.annotator_id]
        assert rejudge(checked, lenient) == {}

    def test_a_target_that_is_labeled_again_is_no_check(self, checked, tmp_path):
        import_labels(checked, written(tmp_path, HEAD + CHECKED + "target-1,ann,more_likely,2\n"))
        assert not checked.exclusions.exists()
        given = checks_given(checked.task.scale, Assignment.objects.held_against())
        assert sorted((one.passed, one.failed) for one in given.values()) == [(1, 0), (2, 0)]

    @pytest.mark.slow
    def test_the_page_of_collecting_says_where_labels_are_from(self, study, tmp_path, admin_client):
        import_labels(study, written(tmp_path, HEAD + AGAIN), note="A <paper> of ours")
        page = admin_client.get(f"/studies/{study.slug}/").content.decode()
        assert "labels.csv, 3 labels, imported" in page
        assert "A &lt;paper&gt; of ours" in page

    @pytest.mark.slow
    def test_an_imported_study_is_complete(self, study, tmp_path):
        text = "item,annotator,label\n" + "".join(f"target-1,a{n},impossible\n" for n in range(5))
        path = written(tmp_path, text + "target-2,a1,impossible\n")
        with pytest.raises(ImportRefused, match="--as-imported on the command line"):
            import_labels(study, path)
        import_labels(study, path, as_imported=True)
        assert [(one.target, one.counted, one.need) for one in study.items.all()] == [(5, 5, 0), (1, 1, 0), (0, 0, 0)]
        import_labels(study, written(tmp_path, "item,annotator,label\ntarget-3,new,impossible\n"))
        assert list(study.items.values_list("need", flat=True)) == [0, 0, 0]

    def test_the_study_file_can_say_so(self, tmp_path):
        folder = write_study(tmp_path / "said", plausibility_rows(2), collection={"as_imported": True})
        (folder / "labels.csv").write_text("item,annotator,label\ntarget-1,a,impossible\n")
        for _ in range(2):
            study = load_study(folder).study
            assert list(study.items.values_list("target", "need")) == [(1, 0), (0, 0)]

    def test_what_people_were_promised_stays(self, tmp_path):
        study = open_small_study(tmp_path / "open", plausibility_rows(2))
        with pytest.raises(ImportRefused, match="has opened, so its number of labels is locked"):
            import_labels(study, written(tmp_path, HEAD + AGAIN), as_imported=True)

    def test_the_command(self, study, tmp_path, capsys):
        path = written(tmp_path, "i;w;l\ntarget-1;ann;impossible\ntarget-2;ann;\n")
        told = "1 entry lacks a required value: --skip-incomplete leaves such entries out and lists them."
        with pytest.raises(CommandError, match=told):
            call_command("import_labels", study.slug, str(path), "--map", "item=i", "annotator=2", "label=l")
        call_command(
            "import_labels", study.slug, str(path), "--map", "item=i", "annotator=2", "--map", "label=l",
            "--skip-incomplete", "--as-imported",
        )  # fmt: skip
        said = capsys.readouterr().out
        assert "1 label of 1 annotator imported, 0 unchanged; 1 incomplete line left out: 3" in said
        with pytest.raises(CommandError, match="item is mapped twice"):
            call_command("import_labels", study.slug, str(path), "--map", "item=i", "item=2")
