"""Scores in the files of other tools become runs: options by their texts or by a map, answers in words, texts."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.itemfile import ItemRow
from scoring.models import Run
from tests.corpus.formats.writing import WRITTEN
from tests.scoring.imported.foreign_studies import CHOICE, PAIRS, QUALITY, YES_NO
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db
LM_EVAL = WRITTEN / "lm_eval"


@pytest.fixture
def yes_no(tmp_path):
    return open_small_study(tmp_path / "yes", YES_NO, slug="yes", task={"type": "yes_no"}, quality=QUALITY)


@pytest.fixture
def pairs(tmp_path):
    return open_small_study(tmp_path / "pairs", PAIRS, slug="pairs", task=CHOICE, quality=QUALITY)


def brought(study, path, *more):
    call_command("import_scores", study.slug, str(path), "--name", "SmolLM2", "--source", "a test", *more)
    return {score.item.external_id: score for score in Run.objects.get(study=study).scores.select_related("item")}


def test_options_whose_texts_are_the_labels_are_read_without_a_word(yes_no, capsys):
    scores = brought(yes_no, LM_EVAL / "samples_parallax_yes_no.jsonl")
    assert "read as lm-evaluation-harness’s" in capsys.readouterr().out
    assert scores["boat"].decision == "no"
    assert scores["boat"].strength == pytest.approx(-6.3498101234436035 + 3.031506061553955)
    assert scores["boat"].detail["options"]["yes"] == {"text": "Yes", "logprob": -6.3498101234436035}
    run = Run.objects.get()
    assert (run.total, run.scored) == (3, 3)
    assert run.source.reading["format"] == "lm-eval"


def test_options_whose_texts_are_the_item_s_own_are_read_so_too(pairs):
    scores = brought(pairs, LM_EVAL / "samples_parallax_pairs.jsonl")
    assert scores["keys"].decision == "good"
    assert scores["keys"].strength == pytest.approx(-55.796607971191406 + 56.12487030029297)


def test_a_map_says_it_where_texts_do_not(pairs):
    mapped = ("--format", "lm-eval", "--map", "item=doc.id", "logprob.good=logprobs.1", "logprob.bad=logprobs.0")
    scores = brought(pairs, LM_EVAL / "samples_parallax_pairs.jsonl", *mapped)
    assert scores["keys"].decision == "bad"


def test_sentences_are_found_by_their_text(pairs):
    scores = brought(pairs, LM_EVAL / "samples_parallax_pairs.jsonl", "--by", "text")
    assert scores["keys"].strength == pytest.approx(-55.796607971191406 + 56.12487030029297)
    assert Run.objects.get().source.reading["by"] == "text"


def test_where_the_options_are_others_it_is_said_how_to_map_them(pairs, tmp_path):
    with pytest.raises(CommandError) as refused:
        brought(pairs, made_samples(tmp_path, "keys", [" A", " B"]))
    assert "line 1: ' A', ' B': the options in" in str(refused.value)
    assert "--map logprob.ROLE=logprobs.0" in str(refused.value)
    assert not Run.objects.exists()


def test_answers_in_words_decide_and_what_is_no_label_is_a_state(yes_no, tmp_path):
    """SmolLM2 answered one of three with a word of the scale; the others are unscored, and say why."""
    path = tmp_path / "answers.jsonl"
    lines = (LM_EVAL / "samples_parallax_answers.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in lines if json.loads(line)["filter"] == "word"]
    told[1]["filtered_resps"], told[2]["filtered_resps"] = ["Yes"], ["NO"]
    path.write_text("\n".join(map(json.dumps, told)))
    scores = brought(yes_no, path)
    assert [scores[name].decision for name in ("boat", "bell", "mill")] == [None, "yes", "no"]
    assert scores["boat"].unscored == "the answer in answers.jsonl is none of the labels"
    assert scores["boat"].detail["where"] == "line 1: '[invalid]'"


def test_words_for_labels_can_be_said(yes_no):
    answers = LM_EVAL / "samples_parallax_answers.jsonl"
    scores = brought(yes_no, answers, "--only", "filter=word", "--labels", "[invalid]=no")
    assert {score.decision for score in scores.values()} == {"no"}


def test_a_file_none_of_whose_answers_is_a_label_is_refused(yes_no):
    with pytest.raises(CommandError, match=r"'\[invalid\]' is not one of yes, no; map the file's words"):
        brought(yes_no, LM_EVAL / "samples_parallax_answers.jsonl", "--only", "filter=word")


def test_two_filters_contradict_each_other_until_one_is_chosen(yes_no):
    with pytest.raises(CommandError, match="'boat' is also on line 1 with different values; --only reads some"):
        brought(yes_no, LM_EVAL / "samples_parallax_answers.jsonl")


@pytest.mark.parametrize("mapped", [False, True])
def test_five_degrees_have_a_log_probability_each(tmp_path, mapped):
    """As a model that was asked in words: the likeliest degree, and as strength the expected one."""
    study = open_small_study(tmp_path / "five", plausibility_rows(1), slug="five")
    words = ["Impossible", "Less likely", "Equally likely", "More likely", "Necessarily true"]
    path = made_samples(tmp_path, "target-1", [f" {word}" for word in words])
    values = ("impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true")
    maps = [f"logprob.{value}=logprobs.{place}" for place, value in enumerate(values)]
    scores = brought(study, path, *(["--format", "lm-eval", "--map", *maps] if mapped else []))
    (score,) = scores.values()
    assert score.decision == "impossible"
    assert 1 < score.strength < 2
    assert list(score.detail["options"]) == list(values)
    assert score.detail["options"]["more_likely"]["logprob"] == -4


@pytest.mark.parametrize("form", ["eval", "json"])
def test_a_log_of_inspect_says_its_model_and_what_the_scorer_took_for_the_answer(yes_no, form, capsys):
    log = str(WRITTEN / f"inspect/chosen.{form}")
    call_command("import_scores", "yes", log, "--source", "a test", "--metric-name", "asked")
    run = Run.objects.get()
    assert str(run.model.name) == "mockllm/model"
    scores = {score.item.external_id: score for score in run.scores.select_related("item")}
    assert [scores[name].decision for name in ("boat", "bell", "mill")] == ["yes", "yes", None]
    assert scores["boat"].detail == {"note": "ANSWER: A"}
    assert scores["mill"].unscored == f"no label in chosen.{form}"
    # The same file again changes nothing.
    call_command("import_scores", "yes", log, "--source", "a test", "--metric-name", "asked")
    assert "this file was imported before; nothing has changed" in capsys.readouterr().out


def test_a_sample_that_a_scorer_left_unscored_is_unscored(yes_no):
    scores = brought(yes_no, WRITTEN / "inspect/said.eval")
    assert [scores[name].decision for name in ("boat", "bell", "mill")] == ["yes", "no", None]
    assert scores["mill"].unscored == "no label in said.eval"


def test_a_failed_log_without_an_answer_is_refused(yes_no, tmp_path):
    """The evaluation broke off before a model answered: its samples are there, and nothing in them."""
    with pytest.raises(CommandError, match="no answer and no score in any of its 3 records; .* the status 'error'"):
        brought(yes_no, broken_off(tmp_path, answered=0))
    assert not Run.objects.exists()


def test_a_failed_log_with_answers_is_imported_and_said_to_have_failed(yes_no, tmp_path, capsys):
    scores = brought(yes_no, broken_off(tmp_path, answered=2))
    assert [scores[name].decision for name in ("boat", "bell", "mill")] == ["yes", "no", None]
    out = capsys.readouterr().out
    assert "2 of 3 items scored, 1 unscored. Note: the file says that its evaluation ended" in out
    assert "the status 'error'" in out


def test_a_log_that_ended_well_has_no_note(yes_no, capsys):
    brought(yes_no, WRITTEN / "inspect/said.json")
    assert "Note" not in capsys.readouterr().out


def inspected(folder, *scores):
    """A log of Inspect with these scorers' scores of the three items, in their order."""
    names = ("keys", "boats", "teacher")
    samples = [{"id": name, "scores": found} for name, found in zip(names, scores, strict=True)]
    path = folder / "log.json"
    path.write_text(json.dumps({"version": 2, "status": "success", "eval": {"model": "m"}, "samples": samples}))
    return path


def test_an_answer_that_is_an_option_s_own_sentence_is_its_role(pairs, tmp_path):
    texts = ("The keys near the door are heavy.", "the boats behind the island was slow", "The teacher")
    scores = brought(pairs, inspected(tmp_path, *({"choice": {"value": "C", "answer": text}} for text in texts)))
    assert [scores[name].decision for name in ("keys", "boats", "teacher")] == ["good", "bad", None]


def test_a_choice_is_told_by_its_letter_however_it_is_written(pairs, tmp_path):
    path = inspected(tmp_path, *({"choice": {"value": "C", "answer": letter}} for letter in ("a", "(B)", "B.")))
    log = json.loads(path.read_text())
    log["samples"] = [one | {"choices": ["good", "bad"]} for one in log["samples"]]
    path.write_text(json.dumps(log))
    assert [score.decision for score in brought(pairs, path).values()] == ["good", "bad", "bad"]


def test_what_is_in_a_log_without_an_answer_is_named_with_the_way_to_it(pairs, tmp_path):
    for value, answer in ((4, None), (4, "a long text")):
        path = inspected(tmp_path, *[{"grade": {"value": value, "answer": answer}}] * 3)
        with pytest.raises(CommandError, match="--map label=value reads them as labels, --map score=number as scores"):
            brought(pairs, path)
    path = inspected(tmp_path, *[{"a": {"value": "C", "answer": "good"}, "b": {"value": "C", "answer": "bad"}}] * 3)
    scores = brought(pairs, path, "--map", "label=scores.b.label")
    assert {score.decision for score in scores.values()} == {"bad"}


def broken_off(folder, *, answered):
    """The log that Inspect wrote, as it is where the evaluation fails: the first `answered` samples have scores."""
    log = json.loads((WRITTEN / "inspect/said.json").read_text())
    order = ["boat", "bell", "mill"]
    for sample in log["samples"]:
        if order.index(sample["id"]) >= answered:
            del sample["scores"]
    path = folder / "failed.json"
    path.write_text(json.dumps(log | {"status": "error"}))
    return path


def test_a_table_of_minicons_is_read_by_text(pairs):
    scores = brought(pairs, WRITTEN / "minicons/sentences.csv", "--format", "minicons", "--by", "text")
    assert {score.decision for score in scores.values()} == {"good"}
    assert scores["keys"].strength == pytest.approx(51.2288932800293 - 46.40445327758789)


def test_what_minicons_printed_is_seen_and_read_by_text(pairs):
    scores = brought(pairs, WRITTEN / "minicons/printed.txt", "--by", "text")
    assert scores["keys"].strength == pytest.approx(51.2288932800293 - 46.40445327758789, abs=0.1)


def test_a_folder_of_logs_becomes_a_run_each(yes_no, pairs, capsys):
    """Logs of other studies are refused by name, and nothing of them is kept."""
    with pytest.raises(CommandError, match="5 files: 1 imported, 0 already there, 4 refused"):
        call_command("import_scores", "yes", str(LM_EVAL), "--source", "a test")
    assert Run.objects.get().model.name == "samples_parallax_yes_no"


def test_scores_in_a_data_set_s_folder_are_one_run(yes_no, tmp_path):
    folder = tmp_path / "scores"
    folder.mkdir()
    (folder / "train.jsonl").write_text('{"item": "boat", "label": "yes"}\n{"item": "bell", "label": "no"}\n')
    (folder / "test.jsonl").write_text('{"item": "mill", "label": "yes"}\n')
    scores = brought(yes_no, folder, "--format", "hf-dataset")
    assert [scores[name].decision for name in ("boat", "bell", "mill")] == ["yes", "no", "yes"]


def made_samples(folder, item, texts):
    """One line as lm-eval writes it, with log-probabilities that fall by 1."""
    path = folder / "samples_made.jsonl"
    asked = {f"gen_args_{n}": {"arg_0": "Q:", "arg_1": text} for n, text in enumerate(texts)}
    resps = [[str(-1.0 - n), "False"] for n, _ in enumerate(texts)]
    line = {"doc_id": 0, "doc": {"id": item}, "arguments": asked, "filtered_resps": resps, "filter": "none"}
    path.write_text(json.dumps(line))
    return path


RATING = {"type": "rating", "question": "How good?", "points": 10, "low": "bad", "high": "good"}


@pytest.fixture
def rated(tmp_path):
    rows = [ItemRow(f"s{n}", {"sentence": f"Sentence {n} is here."}, reference="1") for n in range(1, 6)]
    return open_small_study(tmp_path / "rated", rows, task=RATING, quality={"gold_distance": 1})


def answered(folder, *answers):
    """A log of Inspect whose samples have these answers."""
    told = [
        {"id": f"s{n}", "epoch": 1, "input": "x", "target": "1", "scores": {"match": {"value": "C", "answer": one}}}
        for n, one in enumerate(answers, start=1)
    ]
    path = folder / "log.json"
    log = {"version": 2, "status": "success", "eval": {"model": "m"}, "samples": told}
    path.write_text(json.dumps(log))
    return path


def test_a_minus_sign_counts_and_a_decimal_is_its_number(rated, tmp_path):
    found = brought(rated, answered(tmp_path, "-2", "1.0", "1,0", "3", "10.0"))
    assert [found[f"s{n}"].decision for n in range(1, 6)] == [None, "1", "1", "3", "10"]
    assert found["s1"].unscored == "the answer in log.json is none of the labels"


def rating_samples(folder, *answers, **changes):
    asked = {"gen_args_0": {"arg_0": "Rate it.", "arg_1": {"until": ["\n"]}}}
    path = folder / "samples_rating.jsonl"
    told = [
        {"doc_id": n, "doc": {"id": f"s{n}"}, "arguments": asked, "filtered_resps": [one], **changes}
        for n, one in enumerate(answers, start=1)
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in told))
    return path


def test_generated_numbers_are_labels_and_labels_that_were_not_needed_are_said(rated, tmp_path, capsys):
    path = rating_samples(tmp_path, "1", "2", "3", "4", "4")
    found = brought(rated, path, "--labels", "1=10", "seven=7")
    assert [found[f"s{n}"].decision for n in range(1, 6)] == ["10", "2", "3", "4", "4"]
    assert {one.strength for one in found.values()} == {None}
    assert "Note: --labels maps 'seven', but no label in the file has this value." in capsys.readouterr().out


@pytest.mark.parametrize("form", [" {}.0", "{}", " {},0", "{}."])
def test_numbers_that_options_are_told_by_are_labels_in_any_spelling(rated, tmp_path, form):
    found = brought(rated, made_samples(tmp_path, "s1", [form.format(point) for point in range(1, 11)]))
    assert found["s1"].decision == "1"


def lengths(folder, *, number=-2.0):
    """Two options of which one is longer, and less probable as a whole alone."""
    asked = {
        f"gen_args_{n}": {"arg_0": "", "arg_1": text} for n, text in enumerate(["A dog bit a man.", "A hat bit it."])
    }
    told = {"doc_id": 2, "doc": {"id": "p2"}, "arguments": asked, "filtered_resps": [[number, False], [-1.9, True]]}
    path = folder / "samples_pairs.jsonl"
    path.write_text(json.dumps(told) + "\n")
    return path


@pytest.mark.parametrize(
    ("more", "decision", "said"),
    [([], "bad", "the sum of log-probabilities"), (["--length-normalized"], "good", "per character")],
)
def test_the_decision_by_length_is_an_option_and_said(tmp_path, capsys, more, decision, said):
    rows = [ItemRow("p2", {"options": {"good": "A dog bit a man.", "bad": "A hat bit it."}})]
    study = open_small_study(tmp_path / "s", rows, task=CHOICE, quality={"gold_distance": 1})
    found = brought(study, lengths(tmp_path), *more)
    assert found["p2"].decision == decision
    assert f"Note: decided by {'log-probability ' if more else ''}{said}" in capsys.readouterr().out


def test_an_infinite_log_likelihood_leaves_its_item_unscored_with_the_reason(pairs, tmp_path):
    path = tmp_path / "samples_pairs.jsonl"
    lines = (WRITTEN / "lm_eval/samples_parallax_pairs.jsonl").read_text().splitlines()
    first = json.loads(lines[0])
    first["filtered_resps"][0][0] = float("-inf")
    path.write_text("\n".join([json.dumps(first), *lines[1:]]))
    found = brought(pairs, path)
    assert sum(one.decision is None for one in found.values()) == 1
    found = found[str(first["doc"]["id"])]
    assert found.unscored == "no number in samples_pairs.jsonl"
    assert found.detail["where"].startswith("line 1: ")


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        ("sentence,surprisal\nA,3\n", ["--map", "text=sentence", "score=surprisal"], "the column 'surprisal'"),
        ("text,value\nA,3\n", ["--map", "score=value"], "all scores are above 0"),
        ("sentence,surprisal\nA,3\n", ["--map", "text=sentence", "score=surprisal", "--lower-is-better"], ""),
        ("text,value\nA,-3\n", ["--map", "score=value"], ""),
        *(
            (f"text,{name}\nA,-3\n", ["--map", f"score={name}"], f"the column {name!r}")
            for name in ("mean_loss", "perplexität", "Perplexité", "nll_sum", "cross-entropie", "word_cost")
        ),
        ("text,glossary\nA,-3\n", ["--map", "score=glossary"], ""),
    ],
)
def test_a_surprisal_that_is_taken_for_a_score_is_told(tmp_path, capsys, text, more, said):
    study = open_small_study(tmp_path / "s", [ItemRow("a", {"sentence": "A"})], task=RATING)
    path = tmp_path / "scores.csv"
    path.write_text(text)
    brought(study, path, "--by", "text", *more)
    told = capsys.readouterr().out
    assert (f"Note: {said}" in told) if said else ("Note:" not in told)
