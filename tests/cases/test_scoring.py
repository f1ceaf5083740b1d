"""Models, replies and scores of other people: cases/scoring, by number."""

import io
import json
import runpy
import socket
import subprocess
import sys
import time
from contextlib import redirect_stdout
from decimal import Decimal

import pytest
from django.core.management import CommandError

from annotation.loading import load_study
from annotation.models import Judgment, Study
from comparison.frame.reading import read_panel
from scoring.library.installation import install_endpoint
from scoring.models import LanguageModel, Run, Score
from scoring.runs import starting, working
from tests.cases.commands import case, command
from tests.parallax_client.serving import free_port
from work import queue

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_is_sent(monkeypatch):
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)


def loaded(name: str) -> Study:
    return load_study(case("scoring", name)).study


@pytest.fixture
def replies(settings, request):
    """The case's own server, with the replies that the test's parameter names."""
    port = free_port()
    words = [
        sys.executable,
        str(case("scoring", "01-sampled-odd-asks/server.py")),
        str(port),
        *map(str, request.param()),
    ]
    with subprocess.Popen(words) as server:
        settings.PROMPT_ENDPOINT = f"http://127.0.0.1:{port}/v1"
        settings.PROMPT_ENDPOINT_MODELS, settings.PROMPT_ENDPOINT_KEY = ["m"], ""
        settings.PROMPT_ENDPOINT_PRICE, settings.PROMPT_ENDPOINT_CEILING = Decimal("0"), Decimal("1")
        for _ in range(200):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield
        server.terminate()


def run_through(study, model, metric) -> dict[str, Score]:
    """The scores of a run worked off here, by item."""
    run = starting.start_run(study, model, metric)
    for chunk in list(run.chunks.all()):
        working.CHUNKS.work(chunk.pk, worker="cases")
    run.refresh_from_db()
    assert (run.state, run.error) == ("finished", "")
    return {score.item.external_id: score for score in run.scores.select_related("item")}


def printed_by(script, *words) -> str:
    """What a script of the cases prints; run here, as each process of its own would read torch anew."""
    printed = io.StringIO()
    path = str(case("scoring", script))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed):
        patch.setattr(sys, "argv", [path, *words])
        runpy.run_path(path, run_name="__main__")
    return printed.getvalue()


def made(tmp_path, name, *words):
    """The model that the case's make.py writes."""
    folder = tmp_path / "model"
    ordered = [str(folder), *words] if name.startswith(("09", "11", "12")) else [*words, str(folder)]
    folder.mkdir()
    printed_by(f"{name}/make.py", *ordered)
    return folder


def registered(folder, family, *more) -> LanguageModel:
    command("add_model", "case", "--source", folder, "--family", family, *more)
    return LanguageModel.objects.get(key="case")


def scores_of(study, name, *more):
    command("import_scores", study.slug, case("scoring", name), "--name", "judge", "--source", "made", *more)
    return {score.item.external_id: score for score in Run.objects.get(study=study).scores.select_related("item")}


def decisions(scores):
    return {key: score.decision for key, score in scores.items()}


@pytest.mark.slow
@pytest.mark.parametrize("replies", [list], indirect=True, ids=["always A"])
def test_01_a_model_that_knows_only_the_place_decides_nothing(replies):
    [model] = install_endpoint()
    scores = run_through(loaded("01-sampled-odd-asks"), model, "sampled")
    assert set(decisions(scores).values()) == {None}


@pytest.mark.slow
@pytest.mark.parametrize(
    "replies", [lambda: [case("scoring", "07-sampled-replies/replies.json")]], indirect=True, ids=[""]
)
def test_07_replies_are_read_as_they_are_meant(replies):
    study = loaded("07-sampled-replies")
    [model] = install_endpoint()
    scores = run_through(study, model, "sampled")
    asks = {key: score.detail.get("asks", []) for key, score in scores.items()}
    for key in ("think", "article", "boxed", "german"):
        # B is the second of the two as they were shown.
        assert [ask["answer"] for ask in asks[key]] == [ask["order"][1] for ask in asks[key]], key
        assert len(asks[key]) == 2
    assert [ask["answer"] for ask in asks["either"] if ask["answer"]] == []


def right_sums(folder, kind, special, *sentences):
    printed = printed_by("02-tokenizer-json/right.py", str(folder), kind, special, *sentences)
    return [float(line.split()[0]) for line in printed.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made_as", "family", "special", "metric", "more"),
    [
        ("gpt2", "causal", "<|endoftext|>", "causal", ("--start-token", "<|endoftext|>")),
        ("bert", "masked", "[MASK]", "pll", ()),
    ],
)
def test_02_the_model_reads_what_its_tokenizer_json_says(tmp_path, made_as, family, special, metric, more):
    folder = made(tmp_path, "02-tokenizer-json", made_as)
    study = loaded("02-tokenizer-json")
    scores = run_through(study, registered(folder, family, *more), metric)
    for item in study.items.all():
        right = right_sums(folder, family, special, *item.content["options"].values())
        assert scores[item.external_id].strength == pytest.approx(right[0] - right[1], abs=1e-3)


def test_03_equal_strengths_have_no_degrees():
    study = loaded("03-cut-points")
    scores_of(study, "03-cut-points/equal.csv")
    [run] = read_panel(study, coarse=False).runs
    assert (run.decided == -1).all()
    assert run.cuts is not None
    assert "same score" in run.cuts.undefined


def test_04_points_below_nothing_are_no_points():
    study = loaded("04-marks-dropped")
    with pytest.raises(CommandError, match="-2|−2"):
        file = case("scoring", "04-marks-dropped/label-studio.csv")
        tool = ("--format", "label-studio", "--map", "label=rating")
        command("import_labels", study.slug, file, *tool, "--as-imported")
    assert not Judgment.objects.exists()


def test_04_answers_below_nothing_are_none_of_the_labels():
    scores = scores_of(loaded("04-marks-dropped"), "04-marks-dropped/inspect-minus.json")
    assert decisions(scores) == {"s1": None, "s2": None, "s3": "1", "s4": "2", "s5": None}


def test_04_one_with_a_fraction_of_nothing_is_not_ten(tmp_path):
    folder = tmp_path / "ten"
    folder.mkdir()
    source = case("scoring", "04-marks-dropped")
    (folder / "items.jsonl").write_text((source / "items.jsonl").read_text())
    (folder / "study.toml").write_text((source / "study.toml").read_text().replace("points = 5", "points = 10"))
    scores = scores_of(load_study(folder).study, "04-marks-dropped/inspect-ten.json")
    assert decisions(scores)["s1"] == "1"
    assert decisions(scores)["s2"] in (None, "1")
    assert decisions(scores)["s3"] == "3"


def test_05_numbers_that_a_judge_generated_are_labels():
    scores = scores_of(loaded("05-lm-eval-numbers"), "05-lm-eval-numbers/samples_rating.jsonl")
    assert list(decisions(scores).values()) == ["1", "2", "3", "4", "4"]


def test_13_an_answer_in_a_list_of_one_is_the_answer():
    scores = scores_of(loaded("13-lm-eval-nested"), "13-lm-eval-nested/samples_nested.jsonl")
    assert decisions(scores) == {"1": "yes", "2": "no", "3": "yes", "4": "no"}


def test_13_of_repeated_answers_the_most_frequent_is_taken():
    scores = scores_of(loaded("13-lm-eval-nested"), "13-lm-eval-nested/samples_repeats.jsonl")
    assert decisions(scores) == {"1": "yes", "2": "no", "3": "yes", "4": "no"}


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("wide.csv", {("s1", "1"): 2, ("s1", "2"): 1, ("s2", "3"): 3, ("s3", "4"): 1, ("s3", "5"): 1, ("s4", "2"): 3}),
        ("floats.csv", {("s1", "1"): 1, ("s2", "2"): 1, ("s3", "5"): 1}),
        ("sosci-utf16.csv", {("s1", "1"): 1, ("s2", "2"): 1}),
        ("names.csv", {("s1", "1"): 1, ("s2", "2"): 1, ("s3", "3"): 1}),
    ],
)
def test_16_labels_in_spreadsheets_are_read(name, right):
    study = loaded("16-spreadsheets")
    said = command("import_labels", study.slug, case("scoring", f"16-spreadsheets/{name}"), "--as-imported")
    counts: dict[tuple[str, str], int] = {}
    for key in Judgment.objects.values_list("assignment__item__external_id", "answer"):
        counts[key] = counts.get(key, 0) + 1
    assert counts == right
    if name == "names.csv":
        assert "Anna" in said and "ANNA" in said


def items_file(tmp_path, *rows, **task):
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in task.items())
    (folder / "study.toml").write_text(
        f'slug = "made"\ntitle = "Made"\ninstructions = "Judge."\n[task]\n{lines}\n'
        "[collection]\nlabels_per_item = 3\nsitting_length = 1\nmax_items_per_annotator = 10\n"
    )
    return load_study(folder).study


@pytest.mark.slow
def test_09_ranks_are_among_the_words_that_there_are(tmp_path):
    study = items_file(
        tmp_path,
        {"id": "soup", "content": {"sentence": "The soup is ____ cold.", "options": {"very": "very", "not": "not"}}},
        type="forced_choice",
        question="Which?",
        options=["very", "not"],
    )
    model = registered(made(tmp_path, "09-padded-vocabulary"), "masked")
    options = run_through(study, model, "cloze")["soup"].detail["options"]
    assert all(1 <= one["rank"] <= 30 for one in options.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "family", "more"), [("greek", "masked", ()), ("phonemes", "causal", ("--start-token", "UTT"))]
)
def test_11_a_model_of_another_script_is_registered(tmp_path, kind, family, more):
    assert registered(made(tmp_path, "11-other-scripts", kind), family, *more).family == family


@pytest.mark.slow
def test_12_of_several_chat_templates_the_default_is_used(tmp_path):
    model = registered(made(tmp_path, "12-several-templates", "several"), "causal", "--start-token", "<s>")
    assert len(run_through(loaded("01-sampled-odd-asks"), model, "prompted")) == 12
    assert "default" in json.dumps(Run.objects.get().provenance)


@pytest.mark.slow
def test_12_a_chat_template_with_a_clock_is_rendered_alike_each_day(tmp_path):
    model = registered(made(tmp_path, "12-several-templates", "dated"), "causal", "--start-token", "<s>")
    scores = run_through(loaded("01-sampled-odd-asks"), model, "prompted")
    assert None not in {score.strength for score in scores.values()}
    dates = Run.objects.get().provenance["dates_in_prompt"]
    assert dates
    assert all("2025" in date for date in dates)
