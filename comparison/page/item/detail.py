"""Everything known about one item, for its page: labels, scores, tokens, and the chat in which a run was asked.

Tokens as a person reads them: a space is shown as one, and bytes as the letters that they spell.

Byte-level tokenizers (Radford et al. 2019) write every byte as one printable letter, so that " café" reads `ĠcafÃ©`;
SentencePiece writes a space as `▁`. BERT's word pieces (`##ing`) are left as linguists know them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.models import CANNOT_JUDGE, Assignment, Item, ItemReport, Study
from comparison.statistics.divergence import bits
from comparison.statistics.estimate import signed
from scoring.models import Score
from scoring.runs.prompts import chat_of, prompt_of
from scoring.short_names import short_names

ROLES = {"system": "System", "user": "User", "assistant": "Model"}

SPACE = "␣"
SENTENCEPIECE_SPACE = "▁"
# How a byte-level tokenizer writes a space.
BYTE_SPACE = "Ġ"


@dataclass(frozen=True, slots=True)
class Ask:
    """One of several asks: the order shown, the answer that was read, the reply; where none was read, why."""

    order: str
    answer: str
    reply: str
    unread: str


@dataclass(frozen=True, slots=True)
class PromptDetail:
    """`chat` in the first order: who says what. `asks` are those of a run that reads replies."""

    version: str
    chat: tuple[tuple[str, str], ...]
    asks: tuple[Ask, ...]


def prompt_detail(score: Score, item: Item, words: Mapping[str, str]) -> PromptDetail | None:
    """None of a run that asks nothing in words. Options are said in the `words` of the study's labels."""
    settings = score.run.settings
    if "instructions" not in settings:
        return None
    chat = chat_of(item.study, item.content, settings)
    return PromptDetail(
        version=prompt_of(settings).version,
        chat=tuple((ROLES[one["role"]], one["content"]) for one in chat),
        asks=tuple(
            Ask(
                order=" · ".join(words[value] for value in one["order"]),
                answer=words.get(one["answer"], ""),
                reply=one["reply"],
                unread=one.get("unread", ""),
            )
            for one in score.detail.get("asks", [])
        ),
    )


def _alphabet() -> dict[str, int]:
    """Letter to byte, as in GPT-2's published encoder: printable bytes stand for themselves, others follow U+0100."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    return {chr(byte): byte for byte in printable} | {chr(256 + place): byte for place, byte in enumerate(others)}


BYTES = _alphabet()


def readable(tokens: Sequence[str]) -> tuple[str, ...]:
    """One text's tokens; a token that is part of a letter only stays as the tokenizer writes it."""
    if any(token.startswith(BYTE_SPACE) for token in tokens) and all(set(token) <= BYTES.keys() for token in tokens):
        return tuple(_spelled(token) for token in tokens)
    return tuple(token.replace(SENTENCEPIECE_SPACE, SPACE) for token in tokens)


def _spelled(token: str) -> str:
    try:
        text = bytes(BYTES[letter] for letter in token).decode()
    except UnicodeDecodeError:
        return token
    return text.replace("\n", "↵").replace(" ", SPACE)


@dataclass(frozen=True, slots=True)
class AnswerDetail:
    """One annotator's answer: what was shown, when, what was said and changed; of a file neither place nor time."""

    annotator: str
    profile: str
    answer: str
    state: str
    counts: bool
    seconds: str
    position: int | None
    order: str
    shown_at: datetime | None
    answered_at: datetime | None
    earlier: tuple[tuple[str, datetime], ...]


@dataclass(frozen=True, slots=True)
class Reported:
    """What one annotator says is wrong with the item."""

    annotator: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Token:
    """One scored token: natural log-probability, and the same as surprisal in bits."""

    text: str
    logprob: str
    surprisal: str
    bits: float


@dataclass(frozen=True, slots=True)
class Option:
    """One text that a model was asked about. `parts` are what a score that is no log-probability is made of."""

    name: str
    text: str
    logprob: str
    surprisal: str
    rank: str
    score: str
    tokens: tuple[Token, ...]
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """One run's score with its detail. `orders`: for each order asked in, the options in it with their letters'
    log-probabilities. `asked`: the chat, of a run that asks in words.
    """

    run: Any
    short: str
    decision: str
    strength: str
    unscored: str
    where: str
    note: str
    options: tuple[Option, ...]
    top: tuple[tuple[str, str], ...]
    probabilities: tuple[tuple[str, str], ...]
    orders: tuple[tuple[tuple[str, str], ...], ...]
    asked: PromptDetail | None

    @property
    def measures_probability(self) -> bool:
        """What was computed elsewhere may be scores of any kind, which have no surprisal."""
        return any(option.logprob for option in self.options)

    @property
    def has_ranks(self) -> bool:
        return any(option.rank for option in self.options)


@dataclass(frozen=True, slots=True)
class ItemDetail:
    content: tuple[tuple[str, str], ...]
    attributes: tuple[tuple[str, str], ...]
    reference: str
    given: tuple[AnswerDetail, ...]
    reports: tuple[Reported, ...]
    answers: tuple[RunAnswer, ...]
    before: str | None
    after: str | None


def read_item(study: Study, item: Item, *, nearest: Sequence[str] = ()) -> ItemDetail:
    """The item with every answer, counted or not, and every score; `nearest` are keys of runs, the nearest first."""
    words = {label.value: label.text for label in study.task.scale.labels}
    return ItemDetail(
        content=_flat(item.content),
        attributes=_flat(item.attributes),
        reference=words.get(item.reference, "") if item.reference is not None else "",
        given=_answers_to(item, words),
        reports=_reports(item),
        answers=_answers(item, words, nearest),
        before=_neighbor(item, position__lt=item.position, order="-position"),
        after=_neighbor(item, position__gt=item.position, order="position"),
    )


def _neighbor(item: Item, *, order: str, **place: int) -> str | None:
    neighbors = Item.objects.filter(study=item.study_id, kind=item.kind, **place).order_by(order)
    return neighbors.values_list("external_id", flat=True).first()


def _flat(values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Content for reading: objects one level down become lines of their own."""
    rows: list[tuple[str, str]] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            rows += [(f"{name}: {inner}", str(text)) for inner, text in value.items()]
        else:
            rows.append((name, str(value)))
    return tuple(rows)


def _answers_to(item: Item, labels: Mapping[str, str]) -> tuple[AnswerDetail, ...]:
    words = {**labels, CANNOT_JUDGE: "cannot judge"}
    answered = (
        item.assignments.filter(state__in=Assignment.BEHIND)
        .select_related("annotator", "judgment", "sitting")
        .prefetch_related("judgment__revisions")
        .order_by("judgment__answered_at", "pk")
    )
    names = item.study.annotator_numbers.names(one.annotator_id for one in answered)
    return tuple(
        AnswerDetail(
            annotator=names[assignment.annotator_id],
            profile=assignment.annotator.profile,
            answer=words[assignment.judgment.answer],
            state=assignment.get_state_display(),
            counts=assignment.state == Assignment.State.COUNTED,
            seconds=_seconds(assignment.judgment.response_ms),
            position=assignment.position if _is_here(assignment) else None,
            order=" · ".join(words[value] for value in assignment.presentation["order"]),
            shown_at=assignment.shown_at,
            answered_at=assignment.judgment.answered_at if _is_here(assignment) else None,
            earlier=tuple((words[old.answer], old.answered_at) for old in assignment.judgment.revisions.all()),
        )
        for assignment in answered
    )


def _reports(item: Item) -> tuple[Reported, ...]:
    reports = ItemReport.objects.filter(item=item).select_related("sitting")
    names = item.study.annotator_numbers.names(one.sitting.annotator_id for one in reports)
    return tuple(Reported(names[one.sitting.annotator_id], one.text, one.at) for one in reports)


def _is_here(assignment: Assignment) -> bool:
    """Of an imported label nobody knows when it was given, nor in which place."""
    return assignment.sitting.source_id is None


def _seconds(milliseconds: int | None) -> str:
    return "" if milliseconds is None else f"{milliseconds / 1000:.1f}"


def _answers(item: Item, words: Mapping[str, str], nearest: Sequence[str]) -> tuple[RunAnswer, ...]:
    """The nearest first; those that are not known to be near, models before baselines, by name."""
    scores = Score.objects.filter(item=item).select_related("run__model")
    place = {key: at for at, key in enumerate(nearest)}
    ordered = sorted(
        scores,
        key=lambda score: (place.get(str(score.run_id), len(place)), score.run.model.is_baseline, str(score.run)),
    )
    shorts = short_names(item.study.runs.select_related("model"))
    return tuple(_score(score, words, item, shorts[score.run_id]) for score in ordered)


def _score(score: Score, words: Mapping[str, str], item: Item, short: str) -> RunAnswer:
    detail: dict[str, Any] = score.detail
    return RunAnswer(
        run=score.run,
        short=short,
        decision=words[score.decision] if score.decision is not None else "",
        strength="" if score.strength is None else signed(score.strength, decimals=2),
        unscored=score.unscored,
        where=str(detail.get("where", "")),
        note=str(detail.get("no_decision", "")),
        options=tuple(_option(words.get(name, name), option) for name, option in detail.get("options", {}).items()),
        top=tuple((str(word), signed(logprob, decimals=3)) for word, logprob in detail.get("top", [])[:10]),
        probabilities=tuple(
            (words.get(value, value), f"{share:.3f}") for value, share in (detail.get("probabilities") or {}).items()
        ),
        orders=tuple(_order(one, words) for one in detail.get("orders", [])),
        asked=prompt_detail(score, item, words),
    )


def _order(one: Mapping[str, Any], words: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    pairs = zip(one["order"], one["logprobs"], strict=True)
    return tuple((words.get(value, value), signed(logprob, decimals=3)) for value, logprob in pairs)


def _option(name: str, option: Mapping[str, Any]) -> Option:
    rank, logprob, tokens = option.get("rank"), option.get("logprob"), option.get("tokens", [])
    texts = readable([str(token) for token, _ in tokens])
    return Option(
        name=name,
        text=str(option.get("text", "")),
        logprob=signed(logprob, decimals=3) if logprob is not None else "",
        surprisal=_bits(logprob, decimals=3) if logprob is not None else "",
        rank=f"{rank:,}" if rank is not None else "",
        score=signed(option["score"], decimals=3) if option.get("score") is not None else "",
        tokens=tuple(
            Token(text, signed(one, decimals=2), _bits(one, decimals=2), bits(float(one)))
            for text, (_, one) in zip(texts, tokens, strict=True)
        ),
        parts=tuple((str(what), signed(value, decimals=3)) for what, value in option.get("parts", [])),
    )


def _bits(logprob: float, *, decimals: int) -> str:
    return f"{bits(logprob):.{decimals}f}".replace("-", "−")
