"""The tables of study.toml about the stages around the items: [information] to [debriefing]."""

import re
from collections.abc import Mapping
from typing import Any

from annotation.stages.declared import FIELD_KINDS
from annotation.studyfile.settings import Setting, read_table, text, text_within, texts, whole, yes_or_no
from corpus.errors import Fault
from corpus.provenance import digest

MOST_QUESTIONS = 20
LONGEST_LINE = 300


def _tables(value: Any) -> bool:
    """A list of tables, at least one of them."""
    return isinstance(value, list) and 0 < len(value) <= MOST_QUESTIONS and all(isinstance(one, dict) for one in value)


def _line(value: Any) -> bool:
    return value == "" or text_within(LONGEST_LINE)(value)


def _any_text(value: Any) -> bool:
    return value == "" or text(value)


def _choices(value: Any) -> bool:
    return texts(value) and len(set(value)) == len(value) and all(len(one) <= LONGEST_LINE for one in value)


def _name(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[a-z][a-z0-9_]{0,39}", value))


LINE = f"one line of {LONGEST_LINE} characters at most"
INFORMATION = {
    "minutes": Setting("a whole number of minutes from 1 to 600", whole(0, 600), 0),
    "pay": Setting(LINE, _line, ""),
    "researcher": Setting(LINE, _line, ""),
    "contact": Setting(LINE, _line, ""),
    "text": Setting("text", _any_text, ""),
}
CONSENT = {
    "text": Setting("the text that people agree to", text),
    "version": Setting("text of 40 characters at most", lambda value: value == "" or text_within(40)(value), ""),
}
COMPREHENSION = {
    "tries": Setting("a whole number from 1 to 5", whole(1, 5), 2),
    "questions": Setting(f"a list of tables, {MOST_QUESTIONS} at most", _tables),
}
QUESTION = {
    "question": Setting("text", text),
    "options": Setting("a list of two or more different texts", lambda value: _choices(value) and len(value) > 1),
    "answer": Setting("one of the options", text),
    "explanation": Setting("text", _any_text, ""),
}
PRACTICE = {"feedback": Setting("true or false", yes_or_no, True)}
QUESTIONNAIRE = {"fields": Setting(f"a list of tables, {MOST_QUESTIONS} at most", _tables)}
FIELD = {
    "name": Setting("lower-case letters, digits and underscores, beginning with a letter, 40 at most", _name),
    "question": Setting("text", text),
    "kind": Setting(f"one of {', '.join(FIELD_KINDS)}", lambda value: value in FIELD_KINDS),
    "options": Setting("a list of different texts", _choices, []),
    "required": Setting("true or false", yes_or_no, False),
}
DEBRIEFING = {"text": Setting("the text that people read at the end", text)}
STAGES: dict[str, dict[str, Setting]] = {
    "information": INFORMATION,
    "consent": CONSENT,
    "comprehension": COMPREHENSION,
    "practice": PRACTICE,
    "questionnaire": QUESTIONNAIRE,
    "debriefing": DEBRIEFING,
}
# What stands in a table as a list of tables: what each of these must be.
LISTED = {"questions": QUESTION, "fields": FIELD}


def read_stages(tables: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, dict[str, Any]], list[Fault]]:
    """The tables that there are, with defaults filled in, and what is wrong with them."""
    stages, faults = {}, []
    for name, settings in STAGES.items():
        if name not in tables:
            continue
        values, found = read_table(tables[name], settings)
        for listed in LISTED.keys() & (settings.keys() if not found else set()):
            values[listed], found = _rows(listed, values[listed])
        stages[name] = values
        faults += [fault.under(name) for fault in found]
    if not faults and "consent" in stages:
        # Every other text is another version, without anybody's having to say so.
        stages["consent"]["version"] = stages["consent"]["version"] or version_of(stages["consent"]["text"])
    return stages, faults


def version_of(text: str) -> str:
    """The version of a text that people agree to, where the study gives it none."""
    return digest(text)[:12]


def _rows(listed: str, rows: list[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[Fault]]:
    found: list[dict[str, Any]] = []
    faults: list[Fault] = []
    for number, row in enumerate(rows, start=1):
        values, wrong = read_table(row, LISTED[listed])
        wrong = wrong or _faults_across(listed, values, found)
        faults += [fault.under(f"{listed} {number}") for fault in wrong]
        found.append(values)
    return found, faults


def _faults_across(listed: str, row: Mapping[str, Any], before: list[dict[str, Any]]) -> list[Fault]:
    """What no single value of a question, or of a field, can tell."""
    if listed == "questions":
        return [] if row["answer"] in row["options"] else [Fault("answer", f"{row['answer']!r} is none of the options")]
    if row["name"] in [one.get("name") for one in before]:
        return [Fault("name", f"{row['name']!r} was already used")]
    if (row["kind"] == "choice") != bool(row["options"]):
        return [Fault("options", "are for fields of kind choice, and only for these")]
    return []
