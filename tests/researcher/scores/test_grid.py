"""Models by metrics, as a grid to tick."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import Whitespace

from annotation.itemfile import ItemRow
from researcher.studies.grid import read_grid
from scoring.library.location import Location
from scoring.metrics import METRICS
from scoring.models import LanguageModel, Run
from scoring.runs.expected import Paces, read_paces
from scoring.runs.fitting import CannotRun
from scoring.runs.starting import start_run
from tests.comparison.cast import give_run
from tests.studies import open_small_study


def grid_of(study):
    return read_grid(study, among=LanguageModel.objects.all())


def cells(study):
    return {cell.value: cell for cell in grid_of(study).cells}


def ended(run, *, seconds, scored):
    now = timezone.now()
    Run.objects.filter(pk=run.pk).update(
        state="finished", started_at=now - timedelta(seconds=seconds), finished_at=now, scored=scored, unscored=0
    )


def test_only_what_fits_has_a_box(draft, baselines):
    found = cells(draft)
    assert "random label" in found
    assert "normative label" not in found


@pytest.mark.slow
def test_what_the_study_names_and_is_not_done_is_missing(study, baselines, queue):
    missing = [cell.value for cell in grid_of(study).missing]
    assert missing
    assert all(cell.named for cell in grid_of(study).missing)
    start_run(study, LanguageModel.objects.get(key="random"), "label")
    assert "random label" not in [cell.value for cell in grid_of(study).missing]
    assert cells(study)["random label"].says == "queued"


@pytest.mark.slow
def test_checks_are_not_scored_and_so_not_missing(checked, baselines, queue):
    """The study has gold and attention items beside its targets."""
    scores = [(f"target-{number}", None, 1.0, "") for number in range(1, 7)]
    ended(give_run(checked, scores, key="smol", metric="causal", family="causal"), seconds=5, scored=6)
    assert cells(checked)["smol causal"].is_done


@pytest.mark.slow
def test_all_that_the_study_names_is_started_in_one_go(client, study, baselines, queue):
    missing = [cell.value for cell in grid_of(study).missing]
    answer = client.post(reverse("run_start", args=[study.slug]), {"choice": missing}, follow=True)
    assert f"{len(missing)} runs started. You can close this page." in answer.content.decode()
    assert {f"{run.model.key} {run.metric}" for run in study.runs.filter(state="queued")} == set(missing)
    page = client.get(reverse("runs_new", args=[study.slug]))
    assert (page.context["picked"].value, page.context["picked"].cells) == ("defaults", ())


@pytest.mark.slow
def test_what_is_picked_is_ticked_and_counted_in_the_button(client, study, baselines):
    for pick, is_ticked in (("", "named"), ("?pick=missing", "is_missing"), ("?pick=none", None)):
        page = client.get(reverse("runs_new", args=[study.slug]) + pick).content.decode()
        wanted = {value for value, cell in cells(study).items() if is_ticked and getattr(cell, is_ticked)}
        assert set(re.findall(r'value="([^"]+)" checked', page)) == wanted, pick
        count = f"{len(wanted)} run{'' if len(wanted) == 1 else 's'}"
        assert f"<b data-runs>{count}</b>" in page
    assert not grid_of(study).picks("baselines")[1].is_on


@pytest.mark.slow
def test_everything_missing_is_what_fits_and_is_neither_done_nor_live(study, baselines, queue):
    def missing():
        return next(pick.ticked for pick in grid_of(study).picks("missing") if pick.is_on)

    assert "random label" in missing()
    start_run(study, LanguageModel.objects.get(key="random"), "label")
    assert "random label" not in missing()
    study.runs.filter(model__key="random").update(state="failed")
    assert cells(study)["random label"].has_failed
    assert "random label" in missing()


@pytest.mark.slow
def test_while_runs_go_on_the_table_follows(client, study, baselines, queue):
    address = reverse("runs", args=[study.slug])
    client.post(reverse("run_start", args=[study.slug]), {"choice": ["random label"]})
    assert "random label" not in grid_of(study).picks("missing")[3].ticked
    live = client.get(address, {"ended": 1}, headers={"HX-Request": "true"}).content.decode()
    assert (">Stop all<" in live, "hx-preserve" in live) == (True, True)
    study.runs.filter(state="queued").update(state="finished", scored=F("total"))
    live = client.get(address, {"ended": 1}, headers={"HX-Request": "true"}).content.decode()
    assert [one in live for one in (">Stop all<", "hx-preserve", "every 2s")] == [False, False, False]
    assert live.count("</svg>Finished</span>") == study.runs.count()


@pytest.mark.slow
def test_an_unknown_one_among_them_starts_none(client, study, baselines, queue):
    before = study.runs.count()
    answer = client.post(
        reverse("run_start", args=[study.slug]), {"choice": ["random label", "nobody label"]}, follow=True
    )
    assert "There is no model &#x27;nobody&#x27;." in answer.content.decode()
    assert study.runs.count() == before


@pytest.mark.slow
def test_all_that_are_under_way_are_stopped(client, study, baselines, queue):
    address = reverse("runs_stop", args=[study.slug])
    assert "No run was in progress." in client.post(address, follow=True).content.decode()
    client.post(reverse("run_start", args=[study.slug]), {"choice": ["random label", "majority label"]})
    assert "2 runs are stopped." in client.post(address, follow=True).content.decode()
    assert not study.runs.filter(state__in=["queued", "running"]).exists()
    assert cells(study)["random label"].value in [cell.value for cell in grid_of(study).missing]


@pytest.mark.slow
def test_a_reader_without_the_right_sees_no_boxes(client, study, baselines):
    study.memberships.update(role="analyst")
    page = client.get(reverse("runs", args=[study.slug])).content.decode()
    assert 'name="choice"' not in page
    assert "parrot" in page
    assert client.get(reverse("runs_new", args=[study.slug])).status_code == 403
    assert client.post(reverse("runs_stop", args=[study.slug])).status_code == 403


@pytest.mark.slow
def test_time_is_told_from_runs_that_have_ended(study):
    own = give_run(study, [("target-1", None, 1.0, "")], key="slow", family="causal", metric="pll")
    ended(own, seconds=20, scored=4)
    own_pace = read_paces().of(own.model, METRICS["pll"])
    assert own_pace is not None
    assert own_pace.seconds == pytest.approx(5, rel=0.01)
    other = LanguageModel.objects.create(
        key="new", name="New", family="causal", method="causal", location="path", source="x"
    )
    pace = read_paces().of(other, METRICS["pll"])
    assert pace is not None
    assert pace.alike
    assert pace.seconds == pytest.approx(5, rel=0.01)
    assert read_paces().of(other, METRICS["causal"]) is None


@pytest.mark.slow
def test_time_is_told_of_what_a_run_did_since_it_went_on(study):
    run = give_run(study, [("target-1", None, 1.0, "")], key="slow", family="causal", metric="pll")
    ended(run, seconds=20, scored=40)
    Run.objects.filter(pk=run.pk).update(done_before=36)
    pace = read_paces().of(run.model, METRICS["pll"])
    assert pace is not None and pace.seconds == pytest.approx(5, rel=0.01)


@pytest.mark.slow
def test_where_runs_were_over_at_once_it_is_not_said_that_there_were_none(study, baselines):
    """What has run for less than a second tells no time; it has run all the same."""
    ended(study.runs.earliest("pk"), seconds=0.2, scored=4)
    assert grid_of(study).picks("missing")[3].takes == "time not known yet"


@pytest.mark.slow
def test_runs_that_were_over_at_once_tell_nothing(study):
    run = give_run(study, [("target-1", None, 1.0, "")], key="fast", family="causal", metric="pll")
    ended(run, seconds=0.2, scored=4)
    assert read_paces().of(run.model, METRICS["pll"]) is None


def test_the_median_is_told():
    model = LanguageModel(pk=1, family="causal")
    paces = Paces([(1, "causal", "pll", 1.0), (1, "causal", "pll", 2.0), (1, "causal", "pll", 90.0)])
    pace = paces.of(model, METRICS["pll"])
    assert pace is not None
    assert pace.seconds == 2.0


@pytest.fixture
def masked(db):
    return LanguageModel.objects.create(
        key="splade-tiny", name="SPLADE tiny", family="masked", method="masked", location="path", source="nowhere"
    )


def test_a_metric_that_no_item_can_be_scored_by_has_no_box(draft, masked):
    assert "splade-tiny pll" in cells(draft) and "splade-tiny verb" not in cells(draft)
    with pytest.raises(CannotRun, match="says which word is its verb"):
        start_run(draft, masked, "verb")
    first = draft.items.first()
    first.content["verb_at"] = {"original": 1, "modified": 1}
    first.save()
    assert "splade-tiny verb" in cells(type(draft).objects.get(pk=draft.pk))


def test_models_of_another_language_than_the_items_are_named(draft, masked, baselines):
    for tag, said in (("de-AT", "Austrian German"), ("de", "German"), ("en-GB", "")):
        draft.stimulus_language = tag
        found = grid_of(draft).foreign
        assert bool(found) == bool(said), tag
    draft.stimulus_language = "de"
    assert grid_of(draft).foreign == (
        "The items are in German. SPLADE tiny was trained on English, so their scores may say little."
    )


def test_a_folder_says_its_languages_in_its_card(draft, tmp_path):
    (tmp_path / "README.md").write_text("---\nlanguage:\n- de\n- fr\n---\n# A model\n")
    LanguageModel.objects.create(
        key="own", name="Own", family="masked", method="masked", location="path", source=str(tmp_path)
    )
    draft.stimulus_language = "fr"
    assert grid_of(draft).foreign == ""
    draft.stimulus_language = "en"
    assert "Own was trained on French and German" in grid_of(draft).foreign


def test_each_model_is_named_with_its_own_languages(draft, masked, tmp_path):
    (tmp_path / "README.md").write_text("---\nlanguage: fr\n---\n# A model\n")
    LanguageModel.objects.create(
        key="own", name="Own", family="masked", method="masked", location="path", source=str(tmp_path)
    )
    draft.stimulus_language = "de"
    assert grid_of(draft).foreign == (
        "The items are in German. Own was trained on French; SPLADE tiny was trained on English, "
        "so their scores may say little."
    )


WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "soup", "was", "cold", "very", "not", ".", "to", "##tally"]
CHOICE = {"type": "forced_choice", "question": "Which fits?", "options": ["one", "other"]}


def write_tokenizer(folder: Path) -> Path:
    """With which “totally” is two tokens."""
    tokenizer = Tokenizer(WordPiece({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.add_special_tokens(["[MASK]"])
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    names = json.dumps({"mask_token": "[MASK]", "unk_token": {"content": "[UNK]"}})
    (folder / "tokenizer_config.json").write_text(names, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_run_that_fits_some_items_says_so_and_is_not_ticked_with_everything(db, client, tmp_path):
    """Of ten items, “totally” in four has no one token; of the causal model all are whole sentences."""
    options = [{"one": "totally" if n < 4 else "very", "other": "not"} for n in range(10)]
    rows = [ItemRow(f"i{n}", {"sentence": "soup was ____ cold .", "options": one}) for n, one in enumerate(options)]
    study = open_small_study(tmp_path / "soup", rows, slug="soup", task=CHOICE, quality={"gold_distance": 1})
    source = str(write_tokenizer(tmp_path / "model"))
    known = {"location": Location.PATH, "source": source}
    masked = LanguageModel.objects.create(key="bert", name="bert", family="masked", method="masked", **known)
    LanguageModel.objects.create(key="smol", name="smol", family="causal", method="causal", **known)
    found = cells(study)
    assert (found["bert cloze"].says, found["bert cloze"].is_partial) == ("fits 6 of 10 items", True)
    assert found["bert pll"].fit.share == found["smol causal"].fit.share == 1
    ticked = {pick.value: pick.ticked for pick in grid_of(study).picks("missing")}
    assert "bert cloze" not in ticked["missing"] | ticked["models"]
    assert "bert pll" in ticked["missing"]
    page = client.get(reverse("runs_new", args=[study.slug]), {"pick": "missing"}).content.decode()
    box = re.search(r'<input type="checkbox" name="choice" value="bert cloze"[^>]*>', page)
    assert box is not None and " checked" not in box[0] and "fits 6 of 10 items" in box[0]
    # A tokenizer that is not here says nothing of words: only whole items are looked at.
    LanguageModel.objects.filter(pk=masked.pk).update(source=str(tmp_path / "gone"))
    assert cells(study)["bert cloze"].fit_words == ""
