"""The card in words, from what it holds as JSON."""

from collections.abc import Iterator
from typing import Any

from statsmodels.stats.proportion import proportion_confint

from training.masked.slots import CONTEXTS

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
    asked = card["measured"]["after"]["pairs"]["own pairs"]["asked"]
    facts = {"rows": settings["rows"], "pairs": asked, "points": 100 / max(asked, 1), **card["shape"]}
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
    for name, found in after["pairs"].items():
        first = before["pairs"][name]
        left_out = f" ({len(found['left_out'])} left out)" if found["left_out"] else ""
        shares = [f"{one['right']} of {one['asked']}: {_share(one['right'], one['asked'])}" for one in (first, found)]
        yield f"| {name}{left_out} | {shares[0]} | {shares[1]} |"
    if "slots" in after:
        yield from _slots(before["slots"], after["slots"])


def _slots(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Three figures in each context, of as many items as have an answer."""
    left_out = f" ({len(after['left_out'])} left out)" if after["left_out"] else ""
    for context in CONTEXTS:
        shown = before[context], after[context]
        name = f"{after['study']}{left_out}, {context}"
        above = [f"{one['above']} of {one['items']}: {_share(one['above'], one['items'])}" for one in shown]
        yield f"| {name}: {after['roles'][0]} ranks higher | {above[0]} | {above[1]} |"
        for figure, what, form in FIGURES:
            cells = [_mean(one[figure], one["intervals"][figure], form) for one in shown]
            yield f"| {name}: {what} | {cells[0]} | {cells[1]} |"


def _share(count: int, total: int) -> str:
    """`41.3% [40.5, 42.2]`"""
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
