"""How a page speaks of the options of a construction or a data set, whose help is written once and for the command.

A help text of the command is shown as it is, with other options by what their fields are called and without the value
that the field holds already. Words of the page's own stand here, where a shell's would say nothing to its reader.
"""

import re
from collections.abc import Iterable

from annotation.tasktypes import TASK_TYPES, task_type
from corpus.formats.registry import FORMATS, TABLE
from stimuli.making.options import Kind, Option, values_of

# By the option's name; a name with a point is one construction's or data set's alone.
LABELS = {
    "source": "File",
    "slug": "Name in addresses",
    "limit": "First entries only",
    "sample": "Random sample",
    "without_context": "Without context",
    "map": "Columns",
    "set": "Other settings of the task",
    "events.set": "Which set",
    "events.as": "Task",
    "task": "Task type",
    "labels": "Words for labels",
    "format": "Written by",
    "slot": "Mark of the slot",
    "skip_incomplete": "Leave out incomplete rows",
    "join": "Tables",
    "on": "Attribute that joins",
    "columns": "Names of columns",
    "join_skip_incomplete": "Leave out incomplete rows of the tables",
    "numbers": "Numbers",
    "boolq": "BoolQ",
    "conceptnet": "ConceptNet",
    "nonsubsective": "Non-subsective adjectives",
    "nonsubsective_where": "Lines of that file",
    "nonsubsective_share": "Share with a non-subsective adjective",
    "minimum_nonsubsective": "Least count with a non-subsective adjective",
    "minimum_count": "Least count",
    "minimum_weight": "Least weight",
    "gold": "Gold items",
    "attention": "Attention items",
    "vectors": "Word vectors",
    "max_doc_freq": "Largest share of documents",
    "tfidf_cutoff": "Least tf-idf",
    "min_term_count": "Least count of a word",
    "freq_cutoff": "Share of words to choose",
    "components": "Clusters",
    "most_components": "Most clusters",
    "n_init": "Starts",
    "pieces": "Whole words only",
    "center": "Center vectors",
    "alike": "Words of any kind",
    "per_cell": "Sets a cell",
    "no_checks": "No gold and attention items",
    "by_adverb": "A study for each adverb",
    "bigrams": "Frequencies",
}
HELP = {
    "map": "What each column is, one a line: what it is, an equals sign, and the column's name or its number from 1. "
    "There are id, kind, reference (the right answer), strength, group, attribute.NAME for whatever else is known, and "
    "the item's own texts: original, modified, modifier and noun for plausibility; passage and question for yes/no; "
    "options.NAME for each option of a forced choice, or sentence. {a}-{b} puts two columns together, and answer.text "
    "is a field inside another.",
    "labels": "What words in the column of right answers mean, one a line: the word, an equals sign, and the label.",
    "set": "One a line: the name, an equals sign, and the value.",
    "events.set": "Which of the three sets the file is.",
    "events.as": "What annotators do.",
    "format": "The tool that wrote the file, where that is not seen in it.",
    "join": "CSV or TSV files of further attributes, with a row for each value of an attribute that the items have.",
    "on": "For each table, on a line of its own: the attribute that it has a row for each value of; after an equals "
    "sign, the column where it stands, if that is called otherwise.",
    "columns": "Only where a table's first line does not name its columns: their names with commas between, a line for "
    "each table, and '' for one that names them.",
    "numbers": "Attributes that results take as numbers, with commas between.",
    "slug": "Lower-case letters, digits and hyphens.",
    "title": "Annotators see it.",
    "delimiter": "The character between cells, where it is not seen in the file.",
    "adverbs": "These and no others, each of one word, one a line.",
    "adjectives": "These and no others, one a line. Empty: all.",
    "vectors": "fastText .vec or GloVe .txt, also packed as .gz. Without a file: the encoder that comes with Parallax.",
    "nonsubsective_where": "A column of that file, an equals sign, and the value that a line must have there to count.",
}
# What a field shows as long as it is empty.
EXAMPLES = {
    "map": "id=No.\noriginal=Plain sentence\nmodified=With adjective\nmodifier=Adjective\nattribute.class=Class",
    "labels": "true=yes\nfalse=no",
    "set": "points=7\nlow=Not at all\nhigh=Completely",
    "on": "noun=lemma",
    "columns": "lemma,frequency,concreteness",
    "numbers": "frequency,concreteness",
    "nonsubsective_where": "class=privative",
}
CHOICES = {
    **{f"task.{key}": task_type(key).name for key in TASK_TYPES},
    **{f"format.{key}": one.tool for key, one in FORMATS.items()},
    f"format.{TABLE}": "none of them: it is a table",
    "format.plain": "plain text",
    "format.tsv": "TSV",
    "format.jsonl": "JSON lines",
    "format.conllu": "CoNLL-U",
    "set.dtfit": "DTFit",
    "set.eventsadapt": "EventsAdapt",
    "set.eventsrev": "EventsRev",
    "as.pairs": "Choose the plausible one of two sentences",
    "as.ratings": "Rate each sentence",
}
FLAG = re.compile(r"--[a-z][a-z-]*")
# What only a command line does.
SHELL = re.compile(r"; may be repeated|, each with its --\w+| \(docs/[a-z_]+\.md\)")


def label_of(option: Option, key: str) -> str:
    """What the field is called on the page of that construction or data set."""
    if option.name == "format" and option.choices and option.choices[0] == "plain":
        return "Form of the files"
    flag = (option.flag or option.name).strip("-").replace("-", " ").capitalize()
    return _own(LABELS, option, key) or flag


def help_of(option: Option, key: str, options: Iterable[Option]) -> str:
    """The page's own words; else those of the command, as a page says them."""
    if option.name == "format" and option.choices and option.choices[0] == "plain":
        return "What the files are, where their names do not tell."
    return _own(HELP, option, key) or _as_page(option, key, options)


def example_of(option: Option) -> str:
    return EXAMPLES.get(option.name, "")


def choice_of(option: Option, value: str) -> str:
    """What one of an option's choices is called."""
    return CHOICES.get(f"{option.name}.{value}") or value.replace("_", " ").replace("-", " ")


def in_words(text: str, key: str, options: Iterable[Option]) -> str:
    """A text of the command line, with options by what their fields are called; a flag that has no field stays."""
    labels = {one.flag: label_of(one, key) for one in options if one.flag}
    if text in labels:
        return labels[text]
    return FLAG.sub(lambda found: f"“{labels[found[0]]}”" if found[0] in labels else found[0], text)


def _own(words: dict[str, str], option: Option, key: str) -> str:
    return words.get(f"{key}.{option.name}") or words.get(option.name, "")


def _as_page(option: Option, key: str, options: Iterable[Option]) -> str:
    said = in_words(SHELL.sub("", option.help), key, options)
    for value in values_of(option.default):
        # The field holds it.
        said = said.replace(f" ({value})", "")
    first = said.split()[0]
    # The name of a file, and fastText, are written as they are.
    said = said[:1].upper() + said[1:] if first.islower() and "." not in first else said
    said = said if said.endswith(".") else f"{said}."
    return f"{said} One a line." if option.several and option.kind is Kind.TEXT else said
