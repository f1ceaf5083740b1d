"""lm-evaluation-harness: `samples_TASK_DATE.jsonl`, which `--log_samples` writes, a line for each document and filter.

A line has `doc` (the task's own row), `arguments` (what was asked), and `filtered_resps`: for each option a
log-likelihood with whether it is the greedy answer, of rolling ones a number, of generated answers a text or several.
"""

import ast
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.decimals import plain_number
from corpus.errors import Fault
from corpus.formats.contract import ITEM, LABEL, LOGPROB, OPTIONS, SCORE, TEXT, Found, Record, listed, named, own_id
from corpus.formats.json_text import first_object, lines
from corpus.formats.source import Source

KNOWN_BY = {"doc_id", "doc", "filtered_resps"}
# One of these is in what every generation is asked with.
SETTINGS = {"until", "max_gen_toks", "max_new_tokens", "max_tokens", "max_length", "do_sample", "temperature", "top_p"}
# Quotation marks and emphasis, where they stand on both sides: on one, `*` and `?*` judge.
AROUND = "*`\"'“”„‘’‚«»"


@dataclass(frozen=True, slots=True)
class _Sample:
    """One line. `asked` are context and continuation of each request; `numbers` one for each (None where it is no
    finite number), or `responses` the texts that were generated.
    """

    where: str
    line: dict[str, Any]
    asked: list[tuple[str, str]]
    numbers: list[float | None]
    responses: list[str]

    @property
    def about(self) -> dict[str, Any]:
        doc = named(self.line["doc"])
        fields = {name: self.line.get(name) for name in ("doc", "doc_id", "target", "filter")}
        return {ITEM: own_id(doc, self.line["doc_id"]), **fields}


def recognized(source: Source) -> bool:
    if source.is_packed or source.suffix not in (".jsonl", ".json"):
        return False
    return first_object(source.only.split(b"\n", 1)[0]).keys() >= KNOWN_BY


def scores(source: Source) -> Found:
    """A record a line: `options` (each text with its log-probability), or one `score`, or an answer as `label`."""
    for sample in _samples(source):
        if isinstance(sample, Fault):
            yield sample
            continue
        values = sample.about
        if sample.responses:
            values |= _of_responses(sample.responses)
        elif len(sample.numbers) == 1:
            values[SCORE] = sample.numbers[0]
        else:
            values |= _of_options(sample)
        yield Record(sample.where, values)


def texts(source: Source) -> Found:
    """A record for each text that was asked about, the context and what goes on from it, with its log-probability."""
    for sample in _samples(source):
        if isinstance(sample, Fault):
            yield sample
            continue
        if sample.responses:
            yield Fault(sample.where, "has a generated answer but no log-probability of a text")
            continue
        for (context, continuation), number in zip(sample.asked, sample.numbers, strict=True):
            yield Record(sample.where, sample.about | {TEXT: context + continuation, LOGPROB: number})


def items(source: Source) -> Found:
    """A record for each document: its own fields, and `target`. A document comes once for each filter."""
    seen = set()
    for sample in _samples(source):
        if isinstance(sample, Fault):
            yield sample
        elif (number := repr(sample.line["doc_id"])) not in seen:
            seen.add(number)
            yield Record(sample.where, named(sample.line["doc"]) | sample.about)


def remarks(rows: Sequence[Record]) -> list[str]:
    """What was made of documents that were answered several times."""
    several = [row.values for row in rows if "responses" in row.values]
    if not several:
        return []
    ties = sum(values[LABEL] is None for values in several)
    tie = f"; {ties} of them have no single most frequent response and therefore no answer" if ties else ""
    return [f"the most frequent of several responses counts as the answer ({len(several)} documents){tie}"]


def _samples(source: Source) -> Iterator[_Sample | Fault]:
    for where, line in lines(source.only):
        yield line if isinstance(line, Fault) else _sample(where, line)


def _sample(where: str, line: dict[str, Any]) -> _Sample | Fault:
    missing = sorted(KNOWN_BY - line.keys())
    if missing:
        return Fault(where, f"has no {', '.join(missing)}; is it a samples_*.jsonl file from lm-eval?")
    requests, filtered = _requests(line.get("arguments")), line["filtered_resps"]
    # A task's own filter may leave an answer outside a list.
    answers = filtered if isinstance(filtered, list) else [filtered]
    pairs = [_context_and_continuation(one) for one in requests]
    match _kind(requests, answers):
        case "generated":
            # A document without an answer has an empty one, which leaves it unscored.
            responses = [text for answer in answers for text in _texts(answer)] or [""] * _is_null(filtered)
            if not responses:
                return Fault(f"{where}.filtered_resps", "must be one or more generated answers")
            return _Sample(where, line, pairs, [], responses)
        case "scored":
            return _scored(where, line, pairs, answers)
    return Fault(
        f"{where}.arguments", "does not include the request, so answers and log-likelihoods cannot be distinguished"
    )


def _kind(requests: list[list[Any]], answers: list[Any]) -> str:
    """By what was asked: a generation is asked with settings, a log-likelihood of a text alone. A number can be either.

    A file without requests says it by its answers, where these can be nothing else.
    """
    if requests:
        if any(_is_settings(part) for one in requests for part in one):
            return "generated"
        # Of a text and what goes on from it, a log-likelihood comes with whether it is the greedy one.
        is_bare = any(isinstance(_unwrapped(answer), str) for answer in answers)
        return "" if is_bare and any(len(one) > 1 for one in requests) else "scored"
    if answers and all(_is_pair(_unwrapped(answer)) for answer in answers):
        return "scored"
    texts = [text for answer in answers for text in _texts(answer)]
    is_said = bool(texts) or _is_null(answers)
    return "generated" if is_said and all(_number(text) is None for text in texts) else ""


def _scored(where: str, line: dict[str, Any], pairs: list[tuple[str, str]], answers: list[Any]) -> _Sample | Fault:
    loglikelihoods = [_unwrapped(answer) for answer in answers]
    if not loglikelihoods or not all(
        _is_pair(one) or one is None or _number(one) is not None for one in loglikelihoods
    ):
        return Fault(f"{where}.filtered_resps", "must be one log-likelihood per option, or one generated answer")
    if pairs and len(pairs) != len(loglikelihoods):
        return Fault(f"{where}.arguments", f"has {len(pairs)} requests for {len(loglikelihoods)} answers")
    numbers = [_number(one[0] if isinstance(one, list) else one) for one in loglikelihoods]
    finite = [number if number is not None and math.isfinite(number) else None for number in numbers]
    return _Sample(where, line, pairs, finite, [])


def _requests(arguments: Any) -> list[list[Any]]:
    """What each request was asked with: `{gen_args_0: {arg_0, arg_1}}`, or lists (before 0.4.4)."""
    if isinstance(arguments, dict):
        return [list(named(one).values()) for one in arguments.values()]
    return [listed(one) for one in listed(arguments)]


def _is_settings(part: Any) -> bool:
    """Whether this is what a generation was asked with, also where it was written as a text."""
    if not isinstance(part, str):
        return isinstance(part, dict)
    for written_by in (json.loads, ast.literal_eval):
        try:
            settings = written_by(part.strip())
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue
        return isinstance(settings, dict) and bool(SETTINGS & settings.keys())
    return False


def _context_and_continuation(request: list[Any]) -> tuple[str, str]:
    """Context and continuation; of a rolling log-likelihood the one text is the continuation."""
    parts = [part for part in request if isinstance(part, str)]
    return (parts[0] if len(parts) > 1 else "", parts[-1] if parts else "")


def _unwrapped(answer: Any) -> Any:
    """What stands in lists of one."""
    while isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    return answer


def _is_null(answer: Any) -> bool:
    """Nothing but null, in whatever lists."""
    return answer is None or (isinstance(answer, list) and bool(answer) and all(map(_is_null, answer)))


def _texts(answer: Any) -> list[str]:
    """The texts in it, however deep in lists; a number stands for its digits, true and false for their words."""
    if isinstance(answer, list):
        return [text for one in answer for text in _texts(one)]
    if isinstance(answer, int | float):
        return [str(answer)]
    return [answer] if isinstance(answer, str) else []


def _is_pair(answer: Any) -> bool:
    """`[number, is_greedy]`, also as texts; a number that is none is null here."""
    return (
        isinstance(answer, list)
        and len(answer) == 2
        and (answer[0] is None or _number(answer[0]) is not None)
        and str(answer[1]) in ("True", "False", "0", "1")
    )


def _number(answer: Any) -> float | None:
    """A number, in digits or as a text; infinite ones as well."""
    if isinstance(answer, bool) or not isinstance(answer, int | float | str):
        return None
    try:
        return float(answer)
    except (ValueError, OverflowError):
        return None


def _of_responses(responses: list[str]) -> dict[str, Any]:
    """The one answer, or of several the most frequent, however it is written; none where two are as frequent.

    >>> _of_responses(["„Yes“", "**yes.**", "no", "no", "yes"])
    {'label': 'yes', 'responses': {'yes': 3, 'no': 2}}
    >>> _of_responses(["2.0", "2", "3"])["label"], _of_responses(["2", "-2"])["label"]
    ('2', None)
    """
    if len(responses) == 1:
        return {LABEL: responses[0]}
    counts = Counter(map(_as_counted, responses))
    (first, most), *others = counts.most_common(2)
    is_tie = bool(others) and others[0][1] == most
    # Of its spellings the barest.
    label = None if is_tie else min((text for text in responses if _as_counted(text) == first), key=len)
    return {LABEL: label, "responses": dict(counts)}


def _as_counted(text: str) -> str:
    """An answer whatever its case, the marks around it and the spelling of its number."""
    bare = text.strip().rstrip(".!")
    while len(bare) > 1 and bare[0] in AROUND and bare[-1] in AROUND and bare.strip(AROUND):
        bare = bare[1:-1].strip().rstrip(".!")
    return plain_number(bare.casefold()) or text


def _of_options(sample: _Sample) -> dict[str, Any]:
    """The options' texts and numbers. With mutual information each is asked a second time, without its context."""
    requests, numbers = sample.asked, sample.numbers
    half = len(requests) // 2
    without = [continuation for _, continuation in requests[half:]]
    values: dict[str, Any] = {}
    is_twice = half * 2 == len(requests) and half > 1 and without == [one for _, one in requests[:half]]
    if is_twice and any(context for context, _ in requests[:half]):
        values["unconditional"] = numbers[half:]
        requests, numbers = requests[:half], numbers[:half]
    continuations = [continuation for _, continuation in requests]
    pairs = [[text, number] for text, number in zip(continuations, numbers, strict=True)]
    return values | {
        OPTIONS: json.dumps(pairs, ensure_ascii=False),
        "texts": continuations,
        "contexts": [context for context, _ in requests],
        "logprobs": numbers,
    }
