"""Labels that people gave elsewhere: the file checked whole, the labels counted like any other."""

import random

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.elsewhere import label_import, labelfile
from annotation.elsewhere.label_import import import_labels
from annotation.elsewhere.labelfile import LabelFileError, LabelRow, read_labels, write_labels
from annotation.lifecycle.status import open_study
from annotation.loading import load_study
from annotation.models import Annotator, Assignment, Exclusion, Item, Judgment, LabelSource, Sitting, Study
from annotation.paying.deciding import approve
from annotation.simulation import simulate
from annotation.tasktypes import task_type
from tests.studies import open_small_study, own_all, plausibility_rows, write_study

GOOD = (
    "item,annotator,label,seconds\ntarget-1,ann,impossible,2.5\ntarget-1,bob,less_likely,\ntarget-2,ann,more_likely,4\n"
)
TASK = task_type("plausibility").configured({})
ITEMS = ["target-1", "target-2"]


def written(folder, text, *, encoding="utf-8"):
    path = folder / "labels.csv"
    path.write_bytes(text.encode(encoding))
    return path


def replace_settings(study, settings):
    study.task_settings = settings
    return study


class TestFile:
    def test_columns_stand_in_any_order_and_lines_end_in_any_way(self, tmp_path):
        text = "\ufefflabel,item,annotator\r\nimpossible,target-1,ann\r\n\r\nmore_likely,target-2,ann"
        file = read_labels(written(tmp_path, text), TASK, ITEMS)
        assert file.rows == [LabelRow("target-1", "ann", "impossible"), LabelRow("target-2", "ann", "more_likely")]

    def test_written_again_it_is_the_same(self, tmp_path):
        file = read_labels(written(tmp_path, GOOD), TASK, ITEMS)
        write_labels(tmp_path / "again.csv", file.rows)
        assert (tmp_path / "again.csv").read_text() == GOOD

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("item,label\ntarget-1,impossible\n", "line 1, column “annotator”: is missing: there is no such column"),
            (GOOD.replace("seconds", "age"), "line 1, column “age”: is not a recognized column"),
            (GOOD.replace("less_likely", "perhaps"), "line 3, column “label”: 'perhaps' is not one of impossible"),
            (GOOD.replace("less_likely", ""), "line 3, column “label”: is empty"),
            (GOOD.replace("target-2", "target-9"), "line 4, column “item”: there is no item 'target-9'"),
            (
                GOOD.replace("bob", "ann"),
                "line 3, columns “item” and “annotator”: 'ann' already labeled 'target-1' on line 2",
            ),
            (GOOD.replace("bob", " "), "line 3, column “annotator”: must be a name"),
            (GOOD.replace("2.5", "soon"), "line 2, column “seconds”: 'soon' is not a number of seconds"),
            (GOOD.replace("2.5", "1e9"), "line 2, column “seconds”: '1e9' is not a number of seconds"),
            (GOOD[: GOOD.rindex(",more")], "line 4: has 2 cells; the header has 4"),
            (GOOD + 'target-2,"bo', "line 5: starts a quoted cell that is never closed"),
            ("item,annotator,label\n", "file: holds no labels"),
            ("", "file: is empty"),
        ],
    )
    def test_a_fault_is_named_by_line(self, tmp_path, text, message):
        with pytest.raises(LabelFileError) as caught:
            read_labels(written(tmp_path, text), TASK, ITEMS)
        assert message in str(caught.value)
        assert len(caught.value.faults) == 1

    @pytest.mark.parametrize(("encoding", "said"), [("cp1252", "Windows-1252"), ("utf-16", "UTF-16")])
    def test_another_encoding_is_read_and_told(self, tmp_path, encoding, said):
        file = read_labels(written(tmp_path, GOOD.replace("bob", "bób"), encoding=encoding), TASK, ITEMS)
        assert file.annotators == ("ann", "bób")
        assert said in str(file.remarks[0])

    def test_every_fault_is_listed(self, tmp_path):
        text = GOOD.replace("impossible", "maybe").replace("more_likely", "perhaps")
        with pytest.raises(LabelFileError) as caught:
            read_labels(written(tmp_path, text), TASK, ITEMS)
        assert [fault.field for fault in caught.value.faults] == ["line 2.label", "line 4.label"]


@pytest.mark.django_db
class TestImport:
    @pytest.fixture
    def study(self, tmp_path):
        return load_study(write_study(tmp_path / "study", plausibility_rows(2))).study

    def test_one_finished_sitting_an_annotator(self, study, tmp_path):
        done = import_labels(study, written(tmp_path, GOOD), note="from the archive")
        assert str(done) == "3 labels of 2 annotators imported, 0 unchanged"
        study.refresh_from_db()
        assert study.population == Study.Population.PEOPLE
        source = LabelSource.objects.get()
        assert (source.name, source.note, source.labels, len(source.sha256)) == (
            "labels.csv",
            "from the archive",
            3,
            64,
        )
        assert {sitting.source for sitting in Sitting.objects.all()} == {source}
        assert all(annotator.is_imported and not annotator.is_synthetic for annotator in Annotator.objects.all())
        assert set(Sitting.objects.values_list("state", flat=True)) == {"finished"}
        assert list(Judgment.objects.order_by("assignment__item", "pk").values_list("answer", "response_ms")) == [
            ("impossible", 2500),
            ("less_likely", None),
            ("more_likely", 4000),
        ]
        first, second = Item.objects.order_by("position")
        assert (first.counted, first.need, first.tally) == (2, 1, {"impossible": 1, "less_likely": 1})
        assert (second.counted, second.need, second.tally) == (1, 2, {"more_likely": 1})

    def test_the_same_file_again_changes_nothing(self, study, tmp_path):
        tables = (Annotator, Sitting, Assignment, Judgment, LabelSource, Item)
        import_labels(study, written(tmp_path, GOOD))
        before = [list(table.objects.order_by("pk").values()) for table in tables]
        assert str(import_labels(study, tmp_path / "labels.csv")) == "0 labels of 0 annotators imported, 3 unchanged"
        assert [list(table.objects.order_by("pk").values()) for table in tables] == before

    def test_a_longer_file_adds_what_is_new(self, study, tmp_path):
        import_labels(study, written(tmp_path, GOOD))
        done = import_labels(study, written(tmp_path, GOOD + "target-2,bob,impossible,1\n"))
        assert (done.labels, done.unchanged) == (1, 3)
        assert Item.objects.get(external_id="target-2").tally == {"more_likely": 1, "impossible": 1}
        assert Annotator.objects.count() == 2

    def test_a_label_that_was_given_does_not_change(self, study, tmp_path):
        import_labels(study, written(tmp_path, GOOD))
        with pytest.raises(CommandError, match="'impossible' by 'ann' on 'target-1' from an earlier file"):
            call_command("import_labels", study.slug, str(written(tmp_path, GOOD.replace("impossible", "more_likely"))))

    def test_more_labels_than_an_item_takes_are_refused_with_the_number(self, study, tmp_path):
        text = GOOD + "target-1,cy,impossible,1\ntarget-1,dan,impossible,1\n"
        with pytest.raises(CommandError, match="'target-1' would have 4. Set it to 4"):
            call_command("import_labels", study.slug, str(written(tmp_path, text)))
        assert not Annotator.objects.exists()
        assert not LabelSource.objects.exists()

    def test_labels_per_item_cannot_fall_below_what_an_item_holds(self, study, tmp_path):
        import_labels(study, written(tmp_path, GOOD))
        folder = write_study(tmp_path / "study", plausibility_rows(2), collection={"labels_per_item": 1})
        with pytest.raises(CommandError, match="target-1 has 2 labels, so labels_per_item cannot be 1"):
            call_command("load_study", str(folder))

    @pytest.mark.slow
    def test_synthetic_labels_stand_in_the_way(self, tmp_path):
        study = open_small_study(tmp_path / "study", plausibility_rows(2))
        simulate(study, counts={"careful": 1}, seed=1)
        with pytest.raises(CommandError, match="never mixed with labels from people. Remove them first"):
            call_command("import_labels", study.slug, str(written(tmp_path, GOOD)))
        assert not Annotator.objects.filter(platform="imported").exists()

    def test_the_policy_is_applied_to_checks(self, tmp_path):
        study = open_small_study(tmp_path / "study", plausibility_rows(2, attention=1))
        text = GOOD + "attention-1,ann,more_likely,1\nattention-1,bob,impossible,1\n"
        done = import_labels(study, written(tmp_path, text))
        assert done.excluded == 1
        assert Exclusion.objects.get().annotator.external_id == f"{study.pk}/ann"
        assert Item.objects.get(external_id="target-1").tally == {"less_likely": 1}
        assert Item.objects.get(external_id="target-2").counted == 0

    def test_later_labels_of_an_excluded_annotator_do_not_count(self, tmp_path):
        study = open_small_study(tmp_path / "study", plausibility_rows(3, attention=1))
        text = GOOD + "attention-1,ann,more_likely,1\n"
        import_labels(study, written(tmp_path, text))
        done = import_labels(study, written(tmp_path, text + "target-3,ann,impossible,1\ntarget-3,bob,impossible,1\n"))
        assert (done.labels, done.unchanged, done.excluded, done.not_counted) == (2, 4, 0, 1)
        assert "1 of them do not count because their annotators were already excluded" in str(done)
        item = Item.objects.get(external_id="target-3")
        assert (item.counted, item.tally) == (1, {"impossible": 1})
        assert sorted(item.assignments.values_list("state", flat=True)) == ["counted", "excluded"]

    def test_a_folder_with_labels_is_loaded_whole_or_not_at_all(self, tmp_path):
        folder = write_study(tmp_path / "study", plausibility_rows(2))
        written(folder, GOOD.replace("less_likely", "perhaps"))
        with pytest.raises(CommandError, match=r"line 3, column “label”: 'perhaps'"):
            call_command("load_study", str(folder))
        assert not Study.objects.exists()
        written(folder, GOOD)
        call_command("load_study", str(folder))
        call_command("load_study", str(folder))
        assert Judgment.objects.count() == 3

    @pytest.mark.slow
    def test_those_who_worked_elsewhere_are_not_paid_here(self, client, study, tmp_path):
        client.force_login(own_all(get_user_model().objects.create_user("researcher")))
        import_labels(study, written(tmp_path, GOOD))
        html = client.get(reverse("annotators", args=[study.slug])).content.decode()
        assert html.count("<small>imported") == 2
        study.refresh_from_db()
        assert approve(Sitting.objects.all(), by=None).count == 0

    def test_people_fill_up_what_is_left(self, study, tmp_path):
        import_labels(study, written(tmp_path, GOOD))
        open_study(study)
        assert Item.objects.aggregate(need=Sum("need"))["need"] == 3

    def test_an_unknown_study_is_named_with_those_there_are(self, study, tmp_path):
        with pytest.raises(CommandError, match="There is no study 'large'. Available: small"):
            call_command("import_labels", "large", str(written(tmp_path, GOOD)))

    def test_a_study_that_changes_while_the_file_is_read_takes_nothing(self, study, tmp_path, monkeypatch):
        def slow(*told, **how):
            Item.objects.filter(external_id="target-1").update(content_hash="another")
            return read_labels(*told, **how)

        monkeypatch.setattr(label_import, "read_labels", slow)
        with pytest.raises(label_import.ImportRefused, match=r"small changed during the import\. Nothing was"):
            import_labels(study, written(tmp_path, GOOD))
        assert not Judgment.objects.exists()

    def test_a_database_may_give_keys_back_in_an_order_of_its_own(self, study):
        """As PostgreSQL does, of a study that was just loaded with its labels."""
        before, after = (
            label_import._import_basis(replace_settings(study, settings)).digest
            for settings in ({"question": "?", "options": ["a"]}, {"options": ["a"], "question": "?"})
        )
        assert before == after

    @pytest.mark.slow
    def test_a_large_file_takes_seconds(self, tmp_path):
        study = load_study(
            write_study(tmp_path / "study", plausibility_rows(1500), collection={"labels_per_item": 24})
        ).study
        rng = random.Random("labels/1")
        rows = [
            LabelRow(f"target-{item}", f"w{who}", rng.choice(TASK.scale.values))
            for item in range(1, 1501)
            for who in rng.sample(range(600), 24)
        ]
        write_labels(tmp_path / "labels.csv", rows)
        assert import_labels(study, tmp_path / "labels.csv").labels == 36_000
        assert Item.objects.filter(need=0).count() == 1500
        assert Item.objects.aggregate(counted=Sum("counted"))["counted"] == 36_000


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_file_is_read_before_the_database_is_locked(tmp_path, monkeypatch):
    """Annotators' answers wait for a transaction, and reading a large file takes seconds."""
    locked = []

    def watched(*told, **how):
        locked.append(connection.in_atomic_block)
        return read_labels(*told, **how)

    monkeypatch.setattr(label_import, "read_labels", watched)
    monkeypatch.setattr(labelfile, "read_labels", watched)
    folder = write_study(tmp_path / "study", plausibility_rows(3))
    written(folder, GOOD)
    study = load_study(folder).study
    import_labels(study, written(tmp_path, GOOD + "target-3,bob,impossible,1\n"))
    assert locked == [False, False]
    assert Judgment.objects.count() == 4


@pytest.mark.django_db
def test_only_what_the_annotators_of_the_file_gave_is_read_again(tmp_path):
    study = open_small_study(tmp_path / "study", plausibility_rows(2))
    import_labels(study, written(tmp_path, GOOD))
    more = "item,annotator,label\ntarget-1,cid,impossible\ntarget-2,ann,more_likely\n"
    with CaptureQueriesContext(connection) as caught:
        done = import_labels(study, written(tmp_path, more))
    assert (done.labels, done.unchanged) == (1, 1)
    read = [one["sql"] for one in caught if one["sql"].startswith("SELECT") and '"answer"' in one["sql"]]
    assert [sql for sql in read if f"{study.pk}/bob" in sql or '"external_id" IN' not in sql] == []
    assert len(read) == 1
