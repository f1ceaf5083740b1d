"""How an item is put to a model in words: the message, the labels of the options, their orders. Without torch.

The rules are numbered in docs/metrics.md (`prompted`), and the tests quote them.
"""

from string import ascii_uppercase

from annotation.tasktypes.asking import TEMPLATE, filled
from annotation.tasktypes.contract import Prompted, Shot

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


def message(put: Prompted | Shot, order: Options, *, template: str = "") -> str:
    """The item as the page shows it, lettered options one a line, and how to answer; or in the study's `template`."""
    letters = labels(len(order))
    lines = [f"{letter}. {words}" for letter, (_, words) in zip(letters, order, strict=True)]
    values = {
        "item": put.text,
        "question": put.question,
        "options": "\n".join(lines),
        "letters": f"{', '.join(letters[:-1])} or {letters[-1]}",
    }
    return filled(template or TEMPLATE, values).strip("\n")


def messages(request: Prompted, place: int, *, in_system: bool = True) -> list[dict[str, str]]:
    """The chat that asks a request in the order at `place`: instructions, each shot with its letter, the item.

    Shots are shown in the order at the same place. Instructions begin the first message of the user where the model
    takes none of a system.
    """
    chat = []
    for one in request.shots:
        order = _order(one.options, place, ordered=request.ordered)
        letter = labels(len(order))[[value for value, _ in order].index(one.answer)]
        chat += [("user", message(one, order, template=request.template)), ("assistant", letter)]
    order = _order(request.options, place, ordered=request.ordered)
    chat.append(("user", message(request, order, template=request.template)))
    if request.instructions and in_system:
        chat.insert(0, ("system", request.instructions))
    elif request.instructions:
        chat[0] = ("user", f"{request.instructions}\n\n{chat[0][1]}")
    return [{"role": role, "content": content} for role, content in chat]


def _order(options: Options, place: int, *, ordered: bool) -> Options:
    """Items of one study may differ in how many options they have, and so in how many orders."""
    all_orders = orders(options, ordered=ordered)
    return all_orders[place % len(all_orders)]


def texts(request: Prompted) -> list[str]:
    """Everything in the chat that people wrote."""
    put: list[Prompted | Shot] = [request, *request.shots]
    questions = [(one.text, one.question, one.options) for one in put]
    parts = [
        part for text, question, options in questions for part in (text, question, *(words for _, words in options))
    ]
    return [request.instructions, request.template, *parts]
