"""Samples that lm-evaluation-harness logged, as records."""

import json

import pytest

from corpus.formats.reading import read_format
from corpus.formats.registry import recognize
from corpus.formats.source import FormatFault, of_bytes, of_path
from tests.corpus.formats.writing import WRITTEN, records, said

KINDS = ("yes_no", "pairs", "rolling", "last_word", "answers")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("use", ["scores", "texts", "items"])
def test_samples_are_seen_to_be_lm_eval_s(kind, use):
    assert recognize(of_path(WRITTEN / f"lm_eval/samples_parallax_{kind}.jsonl"), use) == "lm-eval"


def test_options_are_told_by_their_texts():
    found = records("lm-eval", "scores", "lm_eval/samples_parallax_yes_no.jsonl")
    assert said(found, "item", "target") == [("boat", "yes"), ("bell", "no"), ("mill", "yes")]
    first = found.rows[0].values
    assert first["texts"] == [" yes", " no"]
    assert first["logprobs"] == [-6.3498101234436035, -3.031506061553955]
    assert json.loads(first["options"]) == [[" yes", -6.3498101234436035], [" no", -3.031506061553955]]
    assert found.rows[2].where == "line 3"


def test_every_text_that_was_asked_about_has_its_number():
    found = records("lm-eval", "texts", "lm_eval/samples_parallax_pairs.jsonl")
    assert said(found, "text", "logprob")[:2] == [
        ("The keys near the door are heavy.", -55.796607971191406),
        ("The keys near the door is heavy.", -56.12487030029297),
    ]
    # The same sentence, asked about as a whole by the rolling task.
    rolling = records("lm-eval", "texts", "lm_eval/samples_parallax_rolling.jsonl")
    assert said(rolling, "text", "logprob")[0] == ("The keys near the door are heavy.", -55.796607971191406)


@pytest.mark.parametrize(("kind", "score"), [("rolling", -55.796607971191406), ("last_word", -22.666372299194336)])
def test_one_number_is_a_score(kind, score):
    assert said(records("lm-eval", "scores", f"lm_eval/samples_parallax_{kind}.jsonl"), "item", "score")[0] == (
        "keys",
        score,
    )


def test_answers_come_once_for_each_filter():
    assert len(records("lm-eval", "scores", "lm_eval/samples_parallax_answers.jsonl").rows) == 6
    found = records("lm-eval", "scores", "lm_eval/samples_parallax_answers.jsonl", filter="word")
    assert [item for item, _ in said(found, "item", "label")] == ["boat", "bell", "mill"]
    assert found.rows[0].values["label"] == "[invalid]"
    assert found.left_out == 3
    with pytest.raises(FormatFault, match="no record has filter=strict"):
        records("lm-eval", "scores", "lm_eval/samples_parallax_answers.jsonl", filter="strict")


def test_documents_are_items_once():
    found = records("lm-eval", "items", "lm_eval/samples_parallax_answers.jsonl")
    assert said(found, "item", "question", "answer") == [
        ("boat", "Does the ferry come back?", "yes"),
        ("bell", "Does the bell still ring?", "no"),
        ("mill", "Is corn ground at the mill?", "yes"),
    ]


def line(**changes):
    asked = [["Is it so?", " yes"], ["Is it so?", " no"]]
    whole = {
        "doc_id": 4,
        "doc": {"q": "Is it so?"},
        "arguments": asked,
        "filtered_resps": [[-1.5, True], [-2.5, False]],
    }
    return json.dumps(whole | changes).encode()


def test_older_versions_wrote_arguments_as_pairs():
    found = read_format("lm-eval", "scores", of_bytes("samples.jsonl", line()))
    assert (found.rows[0].values["item"], found.rows[0].values["logprobs"]) == (4, [-1.5, -2.5])


def test_what_mutual_information_asks_a_second_time_is_apart():
    asked = [["Is it so?", " yes"], ["Is it so?", " no"], ["", " yes"], ["", " no"]]
    data = line(arguments=asked, filtered_resps=[[-1.0, False], [-2.0, False], [-3.0, False], [-4.0, False]])
    values = read_format("lm-eval", "scores", of_bytes("samples.jsonl", data)).rows[0].values
    assert (values["logprobs"], values["unconditional"], values["texts"]) == ([-1, -2], [-3, -4], [" yes", " no"])


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (line(filtered_resps=[]), "line 1, column “filtered_resps”: must be one log-likelihood per option"),
        (line(filtered_resps=[[-1.5, True], ["x", False]]), "line 1, column “filtered_resps”: must be"),
        (line(filtered_resps=[[-1.5, True]] * 3), "line 1, column “arguments”: has 2 requests for 3 answers"),
        (b'{"doc": {}}', "line 1: has no doc_id, filtered_resps"),
        (b"[1]", "line 1: must be a JSON object"),
        (line() + b"\n{", "line 2: is not JSON: Expecting property name"),
        (b'{"a": ' + b"[" * 5_000 + b"]" * 5_000 + b"}", "line 1: is not readable JSON: it is nested too deeply"),
        (b'{"a": ' + b"[" * 70 + b"]" * 70 + b"}", "line 1: is nested more than 60 levels deep"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "line 1: is not readable JSON"),
        (b'{"a": "\\ud800"}', "line 1: contains half of a character"),
        (b"\xff", "line 1: is not UTF-8"),
    ],
)
def test_what_is_wrong_is_told_by_line_and_field(data, fault):
    with pytest.raises(FormatFault) as refused:
        read_format("lm-eval", "scores", of_bytes("samples.jsonl", data))
    assert fault in str(refused.value)


def generated(*answers, **changes):
    asked = {"gen_args_0": {"arg_0": "Rate it. Rating:", "arg_1": {"until": ["\n"], "max_gen_toks": 2}}}
    return line(arguments=asked, filtered_resps=list(answers), **changes)


def read(*given, use="scores"):
    return read_format("lm-eval", use, of_bytes("samples.jsonl", b"\n".join(given)))


@pytest.mark.parametrize("answer", ["18", ["18"], [["18"]], 18])
def test_a_number_that_was_generated_is_an_answer_and_no_log_likelihood(answer):
    values = read(generated(answer)).rows[0].values
    assert (values["label"], "score" in values) == ("18", False)


@pytest.mark.parametrize("answer", ["-55.5", ["-55.5"], [[-55.5]], -55.5])
def test_a_rolling_log_likelihood_is_a_number_however_it_is_wrapped(answer):
    values = read(line(arguments={"gen_args_0": {"arg_0": "A text."}}, filtered_resps=[answer])).rows[0].values
    assert (values["score"], "label" in values) == (-55.5, False)


def test_log_likelihoods_in_lists_of_one_are_unwrapped():
    values = read(line(filtered_resps=[[["-1.5", "True"]], [[-2.5, False]]])).rows[0].values
    assert values["logprobs"] == [-1.5, -2.5]


def test_of_repeated_responses_the_most_frequent_is_the_answer_and_a_tie_is_none():
    found = read(generated(["yes", "no", " Yes"]), generated(["yes", "no"], doc_id=5), generated("no", doc_id=6))
    assert [row.values["label"] for row in found.rows] == ["yes", None, "no"]
    assert found.remarks == (
        "the most frequent of several responses counts as the answer (2 documents); 1 of them have no single most "
        "frequent response and therefore no answer",
    )


def test_marks_of_judgment_and_apostrophes_are_part_of_an_answer():
    """Emphasis and quotation marks stand on both sides."""
    told = (["?", "?*", "??"], ["?*", "?", "?*"], ["*The cat sleep", "The cat sleep", "the cat sleep."], ["***", "*"])
    found = read(*(generated(one, doc_id=number) for number, one in enumerate([*told, ["**„Yes.“**", "yes", "yes'"]])))
    assert [row.values["label"] for row in found.rows] == [None, "?*", "The cat sleep", None, "yes"]


def test_without_requests_a_number_is_refused_and_not_guessed_at():
    assert read(line(arguments=None, filtered_resps=["so it is"])).rows[0].values["label"] == "so it is"
    assert read(line(arguments=None, filtered_resps=[["-1.5", "True"]])).rows[0].values["score"] == -1.5
    with pytest.raises(FormatFault, match="does not include the request"):
        read(line(arguments=None, filtered_resps=["18"]))


@pytest.mark.parametrize("unsound", ["-inf", float("-inf"), float("nan"), "NaN"])
def test_an_unsound_log_likelihood_is_none_and_the_file_is_read(unsound):
    found = read(line(filtered_resps=[[unsound, True], [-2.5, False]]), line(doc_id=5))
    assert [row.values["logprobs"] for row in found.rows] == [[None, -2.5], [-1.5, -2.5]]


@pytest.mark.parametrize(
    ("answers", "label"),
    [
        ([None], ""),
        ([[None, None]], ""),
        (None, ""),
        ("yes", "yes"),
        (18, "18"),
        ([True], "True"),
        ([None, "no"], "no"),
    ],
)
def test_an_answer_that_is_none_or_in_no_list_does_not_refuse_the_file(answers, label):
    whole = json.loads(generated()) | {"filtered_resps": answers}
    found = read(generated("yes"), json.dumps(whole | {"doc_id": 5}).encode())
    assert [row.values["label"] for row in found.rows] == ["yes", label]


@pytest.mark.parametrize(
    "settings",
    ["{'until': ['\\n'], 'do_sample': False}", '{"until": ["\\n"], "do_sample": false}', "{'max_gen_toks': 2}"],
)
def test_settings_written_as_a_text_make_a_number_an_answer(settings):
    asked = {"gen_args_0": {"arg_0": "Rate it.", "arg_1": settings}}
    values = read(line(arguments=asked, filtered_resps=["3"])).rows[0].values
    assert (values["label"], "score" in values) == ("3", False)


def test_a_number_as_text_without_its_greedy_mark_is_refused_where_settings_are_not_seen():
    asked = {"gen_args_0": {"arg_0": "Rate it.", "arg_1": "until a line ends"}}
    with pytest.raises(FormatFault, match="cannot be distinguished"):
        read(line(arguments=asked, filtered_resps=["3"]))


def test_an_option_in_braces_is_no_setting():
    asked = [["Which is a set?", " {1, 2}"], ["Which is a set?", "{'a': 1}"]]
    assert read(line(arguments=asked)).rows[0].values["texts"] == [" {1, 2}", "{'a': 1}"]
