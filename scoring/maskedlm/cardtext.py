"""The card in words, from what it holds as JSON."""

from collections.abc import Iterator
from typing import Any

LIMITS = (
    "English only, in lower case: capitals and accents are not seen.",
    "Small: 6 layers of 384. What needs facts of the world, long texts or fine shades it does not know.",
    "It has learnt from novels before 1930, film and product reviews, speeches and chats of crowd workers, with their "
    "views and gaps; nothing was done against them.",
    "Rows had at most {rows} tokens; positions beyond are those of the encoder.",
    "Held-out text is other lines of the same corpora, so other kinds of text come out lower.",
    "The pairs of its own are 40: one more or less is 2.5 points.",
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
        f"own embeddings, adapted on plain text. Licence: {card['licence']}, as the encoder's.\n"
    )
    yield "## How good\n"
    yield "All of it measured on the model as it is composed of encoder and artefact. *Before* is the encoder with the"
    yield "new head as it was drawn, whose bias knows how frequent each token is.\n"
    yield from _figures(card["measured"])
    yield "\n## Learnt from\n"
    yield "| corpus | origin | licence | so weights are free |\n|---|---|---|---|"
    for source in card["sources"]:
        yield f"| {source['corpus']} | {_cell(source['origin'])} | {_cell(source['licence'])} | {source['reason']} |"
    yield (
        f"\n{counts['lines']:,} lines, of which {counts['lines_held_out']:,} are held out by the hash of their words "
        f"({settings['held_out']:.1%}) and {counts['lines_left_out']:,} left out for a token that the vocabulary "
        f"lacks; {counts['tokens']:,} tokens to train on, {counts['tokens_held_out']:,} held out.\n"
    )
    yield "## How\n"
    yield (
        f"{position['step']:,} steps of about {settings['step']:,} tokens, {position['epoch'] + 1} passes begun, "
        f"{position['seconds'] / 60:.0f} minutes on {training['made_with']['device']}. Masks as BERT's (15 %; "
        "80/10/10), anew in every pass. All settings, hashes and curves are in card.json.\n"
    )
    yield f"Artefact: {card['artefact_bytes']:,} bytes, sha256 `{card['artefact_sha256']}`.\n"
    yield "## Limits\n"
    for limit in LIMITS:
        yield "- " + limit.format(rows=settings["rows"])


def _figures(measured: dict[str, Any]) -> Iterator[str]:
    before, after = measured["before"], measured["after"]
    yield "| measure | before | after |\n|---|---|---|"
    places = after["held_out"]["places"]
    for name, what in (("top_1", "found first"), ("top_5", "among the first five")):
        shares = f"{before['held_out'][name]:.1%} | {after['held_out'][name]:.1%}"
        yield f"| held-out tokens {what}, of {places:,} | {shares} |"
    yield f"| mean loss there, nats | {before['held_out']['loss']:.3f} | {after['held_out']['loss']:.3f} |"
    for name, found in after["pairs"].items():
        first = before["pairs"][name]
        left_out = f" ({len(found['left_out'])} left out)" if found["left_out"] else ""
        yield f"| {name}{left_out} | {first['right']} of {first['asked']} | {found['right']} of {found['asked']} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
