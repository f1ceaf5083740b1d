"""What Inspect and minicons wrote, as records of scores."""

import json

import pytest

from corpus.formats.reading import read_format
from corpus.formats.registry import recognize
from corpus.formats.source import FormatFault, of_bytes, of_path
from tests.corpus.formats.writing import WRITTEN, records, said

FORMS = ("eval", "json")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("use", ["scores", "items"])
def test_logs_are_seen_to_be_inspect_s(form, use):
    assert recognize(of_path(WRITTEN / f"inspect/chosen.{form}"), use) == "inspect"


@pytest.mark.parametrize("form", FORMS)
def test_the_letter_of_a_choice_is_its_words_and_no_answer_is_none(form):
    found = records("inspect", "scores", f"inspect/chosen.{form}")
    assert sorted(said(found, "item", "label", "value", "number", "note", "target"), key=str) == [
        ("bell", "Yes", "I", 0.0, "ANSWER: A", "B"),
        ("boat", "Yes", "C", 1.0, "ANSWER: A", "A"),
        ("mill", None, "I", 0.0, "I cannot tell.", "A"),
    ]
    assert found.says == {"model": "mockllm/model"}


@pytest.mark.parametrize("form", FORMS)
def test_a_scorer_s_answer_is_the_label_and_unscored_is_no_number(form):
    found = records("inspect", "scores", f"inspect/said.{form}")
    assert sorted(said(found, "item", "label", "value", "note"), key=str) == [
        ("bell", "no", "C", "No."),
        ("boat", "yes", "C", "Yes, it does."),
        ("mill", None, None, "no answer was found"),
    ]


def test_samples_are_items():
    found = records("inspect", "items", "inspect/chosen.eval")
    assert ("boat", ["Yes", "No"], "A") in said(found, "item", "choices", "target")


def log(*samples):
    return json.dumps({"version": 2, "status": "success", "eval": {"model": "m"}, "samples": list(samples)}).encode()


def test_an_answer_that_is_itself_a_choice_is_no_letter_unless_a_bare_capital():
    told = [
        ("a", ["the", "a"]),
        ("b", ["c", "a", "b"]),
        ("(B)", ["(B)", "(A)"]),
        ("(b)", ["the", "a"]),
        ("A", ["B", "A"]),
    ]
    samples = [
        {"id": number, "choices": choices, "scores": {"choice": {"value": "C", "answer": answer}}}
        for number, (answer, choices) in enumerate(told)
    ]
    found = read_format("inspect", "scores", of_bytes("log.json", log(*samples)))
    assert [row.values["label"] for row in found.rows] == ["a", "b", "(B)", "a", "B"]


def test_of_several_scorers_none_is_the_label():
    sample = {"id": 1, "epoch": 2, "scores": {"a": {"value": 0.5, "answer": "yes"}, "b": {"value": {"x": 1}}}}
    (row,) = read_format("inspect", "scores", of_bytes("log.json", log(sample))).rows
    assert "label" not in row.values
    assert (row.values["epoch"], row.values["scores"]["a"]["score"], row.values["scores"]["b"]["score"]) == (
        2,
        0.5,
        None,
    )


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"[]", "file: has no samples"),
        (b'{"version": 2, "status": "started", "eval": {}}', "file: has no samples"),
        (log("x"), "sample 1: must be a sample with an id"),
        (log({"id": 1}, {}), "sample 2: must be a sample with an id"),
    ],
)
def test_what_is_wrong_with_a_log_is_told_by_sample(data, fault):
    with pytest.raises(FormatFault) as refused:
        read_format("inspect", "scores", of_bytes("log.json", data))
    assert fault in str(refused.value)


def test_what_minicons_printed_is_summed_by_sentence():
    source = of_path(WRITTEN / "minicons/printed.txt")
    assert recognize(source, "texts") == recognize(source, "scores") == "minicons"
    found = records("minicons", "texts", "minicons/printed.txt")
    first = found.rows[0].values
    assert (first["item"], first["text"]) == ("1", "The keys near the door are heavy .")
    # The table of the same sentences, which pandas wrote with all digits.
    table = records("minicons", "texts", "minicons/sentences.csv")
    assert [row.values["logprob"] for row in found.rows] == pytest.approx(
        [row.values["logprob"] for row in table.rows], abs=0.05
    )
    assert table.rows[0].values["logprob"] == -46.40445327758789
    assert table.rows[0].values["text"] == "The keys near the door are heavy."


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b" sentence_id  token_id  token  logprob\n 1 1 a x\n", "line 2, column “logprob”: 'x' is not a number"),
        (b" sentence_id  token_id  token  logprob\n nothing\n", "line 2: does not have the columns"),
        (b"a,b\n1,2\n", "line 1: has no column for text, sentence"),
        (b"sentence,score\nA,x\n", "line 2, column “score”: 'x' is not a number"),
    ],
)
def test_what_is_wrong_with_a_table_of_minicons_is_told_by_line(data, fault):
    with pytest.raises(FormatFault) as refused:
        read_format("minicons", "texts", of_bytes("a.txt", data))
    assert fault in str(refused.value)
