"""What people are asked about the rows of a table: a guess of the task type, for a researcher to look at and change."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from annotation.tasktypes import task_type
from annotation.tasktypes.words import bare_name
from stimuli.datasets.table.guessing import choices_of, guess, guess_labels
from stimuli.datasets.table.rows import Table, texts_of

# From which share of rows on a column is taken for what it looks like.
MOST_ROWS = 0.8
# How much of two texts is the same, of a sentence with and without a word.
ALIKE = 0.5
QUESTION_MARKS = ("?", "？", "؟", ";")


def guess_task(table: Table) -> str:
    """Questions are asked yes or no, a sentence with a word added is compared with the one without it, columns of
    which one is to be chosen are a choice; anything else is rated.
    """
    texts = {column: texts_of(table, column) for column in choices_of(table)}
    mapping = guess(table, task_type("yes_no"))
    if _are_questions(texts, mapping) or _are_answered(texts, mapping):
        return "yes_no"
    if _have_a_word_added(texts, guess(table, task_type("plausibility"))):
        return "plausibility"
    if sum(field.startswith("options.") for field in guess(table, task_type("forced_choice"))) > 1:
        return "forced_choice"
    return "rating"


def _are_questions(texts: Mapping[str, Sequence[str]], fields: Mapping[str, str]) -> bool:
    return _are_most(text.endswith(QUESTION_MARKS) for text in texts.get(fields.get("question", ""), ()) if text)


def _are_answered(texts: Mapping[str, Sequence[str]], fields: Mapping[str, str]) -> bool:
    """Whether a column is called a question and another says yes and no: those of BoolQ have no mark at their end."""
    task = task_type("yes_no")
    filled = [text for text in texts.get(fields.get("reference", ""), ()) if text]
    meant = guess_labels([*set(filled)], task.configured(task.example_settings).scale)
    is_called_so = bare_name(fields.get("question", "")) == "question"
    return is_called_so and {"yes", "no"} <= {*meant.values()} and _are_most(bool(meant[text]) for text in filled)


def _have_a_word_added(texts: Mapping[str, Sequence[str]], fields: Mapping[str, str]) -> bool:
    if not {"original", "modified", "modifier"} <= fields.keys():
        return False
    columns = [texts[fields[name]] for name in ("original", "modified", "modifier")]
    rows = [row for row in zip(*columns, strict=True) if all(row)]
    return _are_most(
        word.casefold() in after.casefold()
        and len(before) < len(after)
        and SequenceMatcher(None, before, after, autojunk=False).ratio() >= ALIKE
        for before, after, word in rows
    )


def _are_most(flags: Iterable[bool]) -> bool:
    """Whether it is so in most rows."""
    rows = [*flags]
    return bool(rows) and sum(rows) >= MOST_ROWS * len(rows)
