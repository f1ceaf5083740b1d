"""A random part of a study, and a study without context: which items, what stays of them, and what is said of it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.elsewhere.labelfile import LabelRow
from annotation.itemfile import ItemRow, read_items
from annotation.models import Study
from annotation.tasktypes import TASK_TYPES, task_type
from corpus.errors import BuildError
from stimuli.making.contract import BuiltStudy
from stimuli.making.from_options import INSTRUCTIONS, sampled, without_context
from stimuli.making.settings import study_settings
from tests.shared_data import shared
from tests.studies import open_small_study, own_all, plausibility_row

VAL = "adept/val.json"
SLOT = "____"
# By `printf "0 target-1" | sha256sum` and so on: of thirty the five lowest.
EXPECTED = {
    0: ["target-3", "target-6", "target-9", "target-11", "target-24"],
    1: ["target-6", "target-10", "target-21", "target-22", "target-30"],
}


def made(
    rows: list[ItemRow], task: Mapping[str, object] | None = None, *, labels: Iterable[LabelRow] = ()
) -> BuiltStudy:
    settings = study_settings(
        slug="made", title="Made", instructions="Read.", task=task or {"type": "plausibility"}, metrics=["pll"], gold=2
    )
    return BuiltStudy(settings, rows, {"made_by": "a test"}, labels=[*labels])


ROWS = [
    *(plausibility_row(n, reference="less_likely", attributes={"odd": str(n % 2)}) for n in range(1, 31)),
    plausibility_row(1, kind="gold", reference="less_likely"),
    plausibility_row(1, kind="attention", reference="impossible"),
    plausibility_row(1, kind="practice", reference="impossible", explanation="It cannot."),
]


def targets(study: BuiltStudy) -> list[str]:
    return [row.id for row in study.rows if row.kind == "target"]


class TestSample:
    def test_it_is_of_all_items_and_the_same_on_every_machine(self):
        assert targets(sampled(made(ROWS), 5, seed=0)) == EXPECTED[0]
        assert targets(sampled(made(ROWS), 5, seed=1)) == EXPECTED[1]

    def test_a_smaller_sample_lies_in_a_larger_one_and_other_studies_give_the_same(self):
        ten, five = (set(targets(sampled(made(ROWS), size, seed=4))) for size in (10, 5))
        assert five < ten
        turned = made([replace(row, content=row.content | {"noun": "thing"}) for row in reversed(ROWS)])
        assert set(targets(sampled(turned, 10, seed=4))) == ten

    def test_order_checks_and_the_labels_of_what_is_left_stay(self):
        labels = [LabelRow(row.id, "ann", "less_likely") for row in ROWS if row.kind != "practice"]
        found = sampled(made(ROWS, labels=labels), 7, seed=2)
        places = [[row.id for row in ROWS].index(row.id) for row in found.rows]
        assert places == sorted(places)
        assert [row.kind for row in found.rows[7:]] == ["gold", "attention", "practice"]
        assert {label.item for label in found.labels} == {row.id for row in found.rows if row.kind != "practice"}
        about = {"size": 7, "of": 30, "seed": 2, "drawn_by": "the lowest sha256 of seed, space and item id"}
        assert found.manifest["sample"] == about
        assert found.summary == ["a random sample of 7 of 30 items, seed 2"]
        assert (found.slug, found.settings["title"]) == ("made-sample-7", "Made, 7 items at random")

    def test_of_fewer_items_than_are_asked_for_all_are_taken(self):
        assert len(targets(sampled(made(ROWS), 99, seed=0))) == 30

    def test_every_item_is_drawn_alike_often(self):
        times = dict.fromkeys(targets(made(ROWS)), 0)
        for seed in range(400):
            for name in targets(sampled(made(ROWS), 10, seed=seed)):
                times[name] += 1
        # 400 draws with a chance of a third: mean 133.3, standard deviation 9.4.
        assert all(90 < count < 177 for count in times.values())


class TestWithoutContext:
    def test_a_noun_and_its_adjective_keep_id_reference_and_attributes(self):
        found = without_context(made(ROWS))
        first = found.rows[0]
        assert first.content == {"original": "lamp", "modified": "broken lamp", "modifier": "broken", "noun": "lamp"}
        assert replace(first, content={}) == replace(ROWS[0], content={})
        assert [row.kind for row in found.rows[30:]] == ["attention"]
        assert found.settings["collection"]["gold_per_sitting"] == 0
        assert found.settings["instructions"] == INSTRUCTIONS["plausibility"]
        assert found.manifest["without_context"] == {"items": 30, "left_out": [], "alike": 30}

    def test_a_question_stands_without_its_passage(self):
        rows = [
            ItemRow("q1", {"question": "is it so", "passage": "It is so."}, reference="yes"),
            ItemRow("q2", {"question": "is it alone"}, reference="no"),
        ]
        found = without_context(made(rows, {"type": "yes_no"}))
        assert [(row.id, row.content, row.reference) for row in found.rows] == [("q1", {"question": "is it so"}, "yes")]
        assert found.manifest["without_context"]["left_out"] == ["q2"]

    def test_a_slot_stands_in_its_neutral_sentence_or_without_what_comes_before(self):
        task = {"type": "forced_choice", "question": "Which?", "options": ["intensifier", "negation"]}
        options = {"intensifier": "very", "negation": "not"}
        full = {"context": "We ate.", "sentence": f"The soup was {SLOT} cold.", "options": options}
        rows = [ItemRow("s1", full | {"neutral": f"It is {SLOT} cold."}), ItemRow("s2", full)]
        found = without_context(made(rows, task))
        assert [row.content["sentence"] for row in found.rows] == [f"It is {SLOT} cold.", f"The soup was {SLOT} cold."]
        assert not any("context" in row.content or "neutral" in row.content for row in found.rows)

    def test_items_without_any_are_refused(self):
        rows = [ItemRow("r1", {"sentence": "The chef ate."})]
        with pytest.raises(BuildError, match="no context to leave out"):
            without_context(made(rows, {"type": "rating", **task_type("rating").example_settings}))

    @pytest.mark.parametrize("key", TASK_TYPES)
    def test_what_is_left_is_an_item_of_the_same_task(self, key):
        task = task_type(key).configured(task_type(key).example_settings)
        left = task.without_context(task.example)
        assert left is None or (task.validate(left) == [] and len(task.text(left)) < len(task.text(task.example)))


@pytest.fixture
def source(tmp_path):
    entries = [
        {"sentence1": f"A kettle holds water {n}.", "sentence2": f"A fake kettle holds water {n}.", "modifier": "fake",
         "noun": "kettle", "label": n % 5, "idx": n}
        for n in range(40)
    ]  # fmt: skip
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


@pytest.mark.django_db
class TestCommands:
    def imported(self, source, out, *more):
        call_command("import_study", "adept", str(source), "--out", str(out), *more, verbosity=0)
        return read_items(out / "items.jsonl", task_type("plausibility").configured({}))

    @pytest.mark.slow
    def test_an_import_takes_a_sample_and_leaves_the_context_out(self, source, tmp_path):
        full = self.imported(source, tmp_path / "full")
        part = self.imported(source, tmp_path / "part", "--sample", "10", "--seed", "3", "--without-context")
        names = {row.id: row for row in full}
        assert len(part) == 10
        assert all(replace(row, content={}) == replace(names[row.id], content={}) for row in part)
        assert {row.content["modified"] for row in part} == {"fake kettle"}
        found = Study.objects.get(slug="adept-tiny-sample-10-without-context")
        assert found.title == "ADEPT, tiny, 10 items at random, without context"

    @pytest.mark.slow
    def test_a_sample_of_more_than_the_limit_leaves_is_refused(self, source, tmp_path):
        said = "--sample 2 with --limit 1: the limit leaves 1 to draw from in adept-"
        with pytest.raises(CommandError, match=said) as refused:
            self.imported(source, tmp_path / "part", "--sample", "2", "--limit", "1")
        assert refused.value.returncode == 2
        assert not (tmp_path / "part").exists()
        assert not Study.objects.exists()
        assert len(self.imported(source, tmp_path / "part", "--sample", "2", "--limit", "2")) == 2
        assert len(self.imported(source, tmp_path / "all", "--sample", "99", "--slug", "all")) == 40

    @pytest.mark.slow
    def test_a_study_that_is_loaded_gives_the_same_items(self, source, tmp_path, client, django_user_model):
        sample = ("--sample", "10", "--seed", "3")
        part = self.imported(source, tmp_path / "part", *sample, "--slug", "part")
        self.imported(source, tmp_path / "full", "--slug", "full")
        call_command("study_from", "full", *sample, "--out", str(tmp_path / "taken"), verbosity=0)
        taken = Study.objects.get(slug="full-sample-10")
        assert {item.external_id for item in taken.items.all()} == {row.id for row in part}
        assert taken.instructions == Study.objects.get(slug="full").instructions
        call_command("study_from", "full", "--without-context", "--slug", "bare", "--out", str(tmp_path / "bare"))
        bare = Study.objects.get(slug="bare")
        before = dict(Study.objects.get(slug="full").items.values_list("external_id", "reference"))
        assert dict(bare.items.values_list("external_id", "reference")) == before
        client.force_login(own_all(django_user_model.objects.create_user("researcher")))
        assert client.get(reverse("study", args=["bare"])).status_code == 200

    def test_practice_and_gold_of_a_loaded_study_are_left_out_with_the_context(self, tmp_path):
        tables = {"collection": {"gold_per_sitting": 1}, "quality": {"gold_least": 1}}
        open_small_study(tmp_path / "small", ROWS, practice={"feedback": True}, **tables)
        call_command("study_from", "small", "--without-context", "--out", str(tmp_path / "bare"), verbosity=0)
        bare = Study.objects.get(slug="small-without-context")
        assert sorted(set(bare.items.values_list("kind", flat=True))) == ["attention", "target"]
        assert "practice" not in bare.stages

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["nothing", "--sample", "3"], "There is no study 'nothing'"),
            (["small"], "Give --sample N"),
            (["small", "--sample", "3", "--slug", "small"], "choose another --slug"),
        ],
    )
    def test_what_cannot_be_is_refused(self, tmp_path, arguments, words):
        open_small_study(tmp_path / "small", ROWS[:3])
        with pytest.raises(CommandError, match=words) as refused:
            call_command("study_from", *arguments)
        assert refused.value.returncode == 2


@pytest.mark.slow
@pytest.mark.django_db
def test_a_hundred_of_adept_are_the_same_hundred_with_and_without_context(tmp_path):
    val = shared(VAL)
    for name, more in (("full", []), ("bare", ["--without-context"])):
        out = ["--out", str(tmp_path / name), "--slug", name, "--sample", "100", "--seed", "1"]
        call_command("import_study", "adept", str(val), *out, *more, verbosity=0)
    full, bare = (
        dict(Study.objects.get(slug=name).items.values_list("external_id", "reference")) for name in ("full", "bare")
    )
    assert full == bare
    assert len(full) == 100
