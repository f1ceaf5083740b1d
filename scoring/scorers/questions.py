"""How an item is put to a model in words: the message, the labels of the options, their orders. Without torch.

The rules are numbered in docs/metrics.md (`prompted`), and the tests quote them.
"""

from string import ascii_uppercase

from annotation.tasktypes.contract import Prompted

# Raised, with the metric's version, when a word of the message changes.
WORDING = "1"

# (canonical value, words), in the order shown.
Options = tuple[tuple[str, str], ...]


def labels(count: int) -> list[str]:
    """A letter for each place."""
    return list(ascii_uppercase[:count])


def orders(options: Options, *, ordered: bool) -> list[Options]:
    """Orders in which every option stands in every place equally often.

    A scale is shown as it is and turned round: shuffled degrees are another task. Otherwise as many orders as there
    are options, a Latin square by Williams's construction (1949), which for an even number has every option follow
    every other one once.
    """
    count = len(options)
    if ordered:
        return [options, options[::-1]]
    first = [place // 2 + 1 if place % 2 else (count - place // 2) % count for place in range(count)]
    return [tuple(options[(place + row) % count] for place in first) for row in range(count)]


def message(request: Prompted, order: Options) -> str:
    """The item as the page shows it, its options one a line under their letters, and how to answer."""
    letters = labels(len(order))
    lines = [f"{letter}. {words}" for letter, (_, words) in zip(letters, order, strict=True)]
    choice = f"{', '.join(letters[:-1])} or {letters[-1]}"
    parts = [request.text, "\n".join([request.question, *lines]), f"Answer with one letter: {choice}."]
    return "\n\n".join(part for part in parts if part)


def texts(request: Prompted) -> list[str]:
    """Everything in the question that people wrote."""
    return [request.instructions, request.text, request.question, *(words for _, words in request.options)]
