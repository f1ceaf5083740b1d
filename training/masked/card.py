"""The model card of a finished run: what it learned from, how, how good the composed model is, and its text.

Everything is measured here, on the model as it is composed of encoder and artefact, beside the same composition of
which nothing was trained: the encoder with its head as drawn.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.studyfile import StudyFile
from corpus.texts import corpus_files
from scoring.library.artefact import compose
from training.masked.judging import (
    CONTEXTS,
    OWN,
    judge,
    judge_pairs,
    judge_slots,
    read_marvin_linzen,
    read_pairs,
    require_slots,
)
from training.masked.learner import write_artefact
from training.masked.network import trained, with_new_head
from training.masked.reading import FREE, SOURCE, Vocabulary, plain_tokenizer, read_corpus, read_origin, require_free
from training.masked.settings import BITS, CannotTrain, Settings, Wanted, identity, require_same
from training.masked.training import ARTEFACT, RECORD, read_composed, read_record

# Of a study of words for a slot: the figure, what it is, and its digits.
FIGURES = (
    ("mrr", "mean reciprocal rank of it", ".3f"),
    ("mean_rank_difference", "its rank minus the other's, mean", "+.1f"),
)
NONE = "none"
LIMITS = (
    "English only, in lower case: capitals and accents are not seen.",
    "Small: {layers} layers of {width}. What needs facts of the world, long texts or fine shades it does not know.",
    "It has learned from {corpora}, with their views and gaps; nothing was done against them.",
    "Rows had at most {rows} tokens; positions beyond are those of the encoder.",
    "Held-out text is other lines of the same corpora, so other kinds of text come out lower.",
    "The pairs of its own are {pairs}: one more or less is {points:.1f} points.",
)

LICENSE = "Apache-2.0"


def card_text(card: dict[str, Any]) -> str:
    """Markdown; the same card gives the same text."""
    return "\n".join(_lines(card)) + "\n"


def _lines(card: dict[str, Any]) -> Iterator[str]:
    training = card["training"]
    settings, counts, position = training["run"]["settings"], training["counts"], training["position"]
    yield f"# {card['name']}\n"
    yield (
        f"The encoder of `{card['encoder']}` with a masked-language-model head whose output words are the encoder's "
        f"own embeddings, adapted on plain text. License: {card['license']}, as the encoder's.\n"
    )
    yield "## How good\n"
    yield "All of it measured on the model as it is composed of encoder and artefact. *Before* is the same composition"
    yield "with nothing trained: the encoder with the new head as drawn, whose bias knows how frequent each token is."
    yield "In brackets 95 % intervals: Wilson's for shares, the percentile bootstrap over items for means. Tokens of a"
    yield "line are not independent of one another, so those of the held-out tokens are a little too narrow.\n"
    yield from _figures(card["measured"])
    yield "\n## Learnt from\n"
    yield "| corpus | origin | license | so weights are free |\n|---|---|---|---|"
    for source in card["sources"]:
        yield f"| {source['corpus']} | {_cell(source['origin'])} | {_cell(source['license'])} | {source['reason']} |"
    yield (
        f"\n{counts['lines']:,} lines, of which {counts['lines_held_out']:,} are held out by the hash of their words "
        f"({settings['held_out']:.1%}) and {counts['lines_left_out']:,} left out for a token that the vocabulary "
        f"lacks; {counts['tokens']:,} tokens to train on, {counts['tokens_held_out']:,} held out.\n"
    )
    yield "## How\n"
    yield (
        f"{position['step']:,} steps of at least {settings['step']:,} tokens, pass {position['epoch'] + 1} of the text "
        f"begun, {position['seconds'] / 60:.0f} minutes on {training['made_with']['device']}. Masks as BERT's "
        f"({settings['masked']:.0%} of a row; 80/10/10), anew in every step. All settings, "
        "hashes and curves are in card.json.\n"
    )
    yield f"Artefact: {card['artefact_bytes']:,} bytes, sha256 `{card['artefact_sha256']}`.\n"
    yield "## Limits\n"
    pair_count = card["measured"]["after"]["pairs"]["own pairs"]["asked"]
    facts = {"rows": settings["rows"], "pairs": pair_count, "points": 100 / max(pair_count, 1), **card["shape"]}
    corpora = ", ".join(source["corpus"] for source in card["sources"])
    for limit in LIMITS:
        yield "- " + limit.format(corpora=corpora, **facts)


def _figures(measured: dict[str, Any]) -> Iterator[str]:
    before, after = measured["before"], measured["after"]
    yield "| measure | before | after |\n|---|---|---|"
    places = after["held_out"]["places"]
    for name, what in (("top_1", "found first"), ("top_5", "among the first five")):
        shares = [_share(round(one["held_out"][name] * places), places) for one in (before, after)]
        yield f"| held-out tokens {what}, of {places:,} | {shares[0]} | {shares[1]} |"
    yield f"| mean loss there, nats | {before['held_out']['loss']:.3f} | {after['held_out']['loss']:.3f} |"
    for name, judged in after["pairs"].items():
        first = before["pairs"][name]
        left_out = f" ({len(judged['left_out'])} left out)" if judged["left_out"] else ""
        shares = [f"{one['right']} of {one['asked']}: {_share(one['right'], one['asked'])}" for one in (first, judged)]
        yield f"| {name}{left_out} | {shares[0]} | {shares[1]} |"
    if "slots" in after:
        yield from _slots(before["slots"], after["slots"])


def _slots(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Three figures in each context, of as many items as have an answer."""
    left_out = f" ({len(after['left_out'])} left out)" if after["left_out"] else ""
    for context in CONTEXTS:
        both = before[context], after[context]
        name = f"{after['study']}{left_out}, {context}"
        above = [f"{one['above']} of {one['items']}: {_share(one['above'], one['items'])}" for one in both]
        yield f"| {name}: {after['roles'][0]} ranks higher | {above[0]} | {above[1]} |"
        for figure, what, form in FIGURES:
            cells = [_mean(one[figure], one["intervals"][figure], form) for one in both]
            yield f"| {name}: {what} | {cells[0]} | {cells[1]} |"


def _share(count: int, total: int) -> str:
    """`41.3% [40.5, 42.2]`"""
    # Here and not above: statsmodels needs pandas, which is not where a model is trained.
    from statsmodels.stats.proportion import proportion_confint

    if not total:
        return NONE
    low, high = proportion_confint(count, total, method="wilson")
    return f"{count / total:.1%} [{max(0.0, 100 * low):.1f}, {min(100.0, 100 * high):.1f}]"


def _mean(value: float | None, interval: list[float] | None, form: str) -> str:
    if value is None:
        return NONE
    bounds = f" [{', '.join(format(bound, form) for bound in interval)}]" if interval else ""
    return format(value, form) + bounds


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSources:
    """What the card is made from: the finished run, its text and encoder once more, the pairs and the study to ask."""

    run: Path
    sources: tuple[Path, ...]
    encoder: Path
    encoder_key: str
    name: str
    field: str = ""
    marvin_linzen: Path | None = None
    study: StudyFile | None = None


def make_card(inputs: CardSources, *, say: Callable[[str], None]) -> dict[str, Any]:
    """The card as JSON.

    CannotTrain if the run is not finished or had other text, SourceUnclear for a license, ArtefactError if the artefact
    is not the run's, NoSlots for a study without slots.
    """
    record = _record(inputs)
    origins = _origins(inputs)
    sets = {"own pairs": read_pairs(OWN)}
    if inputs.marvin_linzen is not None:
        sets["Marvin and Linzen, simple agreement"] = read_marvin_linzen(inputs.marvin_linzen)
    if inputs.study is not None:
        require_slots(inputs.study)
    settings = Settings(**record["run"]["settings"])
    tokenizer = plain_tokenizer(inputs.encoder)
    vocabulary = Vocabulary.of(tokenizer)
    corpus = read_corpus(inputs.sources, tokenizer, share=settings.held_out, longest=settings.rows, field=inputs.field)
    counts = np.bincount(corpus.ids, minlength=tokenizer.get_vocab_size())
    measured = {}
    with tempfile.TemporaryDirectory() as scratch:
        for when, folder in _laid_out(inputs, record, counts, Path(scratch)).items():
            model = read_composed(folder)
            held_out = judge(model, corpus.held_out, vocabulary)
            say(f"{when}: held out {held_out}")
            pairs = {name: judge_pairs(model, own, tokenizer, vocabulary).as_json() for name, own in sets.items()}
            measured[when] = {"held_out": asdict(held_out), "pairs": pairs}
            if inputs.study is not None:
                measured[when]["slots"] = judge_slots(folder, inputs.study)
        shape = {"layers": model.config.num_hidden_layers, "width": model.config.hidden_size}
    return {
        "name": inputs.name,
        "encoder": inputs.encoder_key,
        "artefact_sha256": record["artefact_sha256"],
        "artefact_bytes": record["artefact_bytes"],
        "digest": record["composed_digest"],
        "license": LICENSE,
        "shape": shape,
        "sources": origins,
        "training": {
            name: record[name] for name in ("run", "counts", "schedule", "position", "made_with", "judgments", "curve")
        },
        "measured": measured,
    }


def _record(inputs: CardSources) -> dict[str, Any]:
    path = inputs.run / RECORD
    if not path.is_file() or not (inputs.run / ARTEFACT).is_file():
        raise CannotTrain(f"{inputs.run} contains no finished run")
    record = read_record(path)
    params = Wanted(
        sources=inputs.sources, encoder=inputs.encoder, out=inputs.run, field=inputs.field,
        settings=Settings(**record["run"]["settings"]),
    )  # fmt: skip
    require_same(record["run"], identity(params), inputs.run)
    return record


def _laid_out(
    inputs: CardSources, record: Mapping[str, Any], counts: NDArray[np.int64], scratch: Path
) -> dict[str, Path]:
    """Folders of both models, composed in the same way."""
    settings = Settings(**record["run"]["settings"])
    fresh = trained(with_new_head(inputs.encoder, seed=settings.seed, counts=counts), settings.train)
    untrained = scratch / ARTEFACT
    write_artefact(
        untrained, fresh, fresh, bits=BITS[settings.train], encoder_sha256=record["run"]["encoder_sha256"]
    )  # fmt: skip
    folders = {name: scratch / name for name in ("before", "after")}
    for folder in folders.values():
        folder.mkdir()
    compose(inputs.encoder, untrained, folders["before"])
    compose(inputs.encoder, inputs.run / ARTEFACT, folders["after"], expected=record["composed_digest"])
    return folders


def _origins(inputs: CardSources) -> list[dict[str, Any]]:
    # Of each file, wherever it lies below a folder that was named.
    folders = dict.fromkeys(path.parent for path, _ in corpus_files(inputs.sources, form=None))
    origins = [read_origin(folder / SOURCE) for folder in folders]
    for origin in origins:
        require_free(origin)
    return [asdict(origin) | {"reason": FREE[origin.corpus]} for origin in origins]
