"""The tables of study.toml about the stages around the items: [information] to [debriefing]."""

from collections.abc import Mapping
from typing import Any

from annotation.setting import Choice, Rows, Setting, Text, Texts, Tick, Whole, matching, read_table
from annotation.stages.declared import AGE_BANDS
from corpus.errors import Fault
from corpus.provenance import digest

MOST_QUESTIONS = 20
LONGEST_LINE = 300
LINE = f"one line of at most {LONGEST_LINE} characters"


def _is_short(value: str) -> bool:
    return len(value) <= LONGEST_LINE


INFORMATION: dict[str, Setting] = {
    "minutes": Whole(
        label="Minutes per batch",
        help="Your estimate.",
        most=600,
        unit="minutes",
        empty="not shown",
        default=0,
    ),
    "pay": Text(
        label="Payment in words",
        help="Such as £1.20 and a £0.30 bonus.",
        empty="the pay per submission",
        most=LONGEST_LINE,
        like=LINE,
        default="",
    ),
    "researcher": Text(
        label="Researcher", help="For example your department.", most=LONGEST_LINE, like=LINE, default=""
    ),
    "contact": Text(label="Contact", help="Name or email address.", most=LONGEST_LINE, like=LINE, default=""),
    "text": Text(
        label="About the study", more="Include how the answers will be used.", rows=10, markdown=True, default=""
    ),
}
CONSENT: dict[str, Setting] = {
    "text": Text(label="Consent text", like="text that people agree to", rows=14, markdown=True),
    "version": Text(
        label="Version",
        help="Shown in exports.",
        empty="each new text gets its own version",
        more="Each text is stored word for word. A new text needs a new version, or none.",
        most=40,
        default="",
    ),
}
QUESTION: dict[str, Setting] = {
    "question": Text(label="Question"),
    "options": Texts(
        label="Answers",
        help="Shown in this order.",
        like="two or more different texts",
        test=_is_short,
        least=2,
    ),
    "answer": Text(label="Correct answer", like="one of the options"),
    "explanation": Text(
        label="Explanation after a wrong answer",
        help="Shown before the next try. Do not give the answer away.",
        rows=4,
        markdown=True,
        default="",
    ),
}
COMPREHENSION: dict[str, Setting] = {
    "tries": Whole(label="Tries", help="From 1 to 5.", least=1, most=5, default=2),
    "questions": Rows(label="One table a question: [[comprehension.questions]]", row=QUESTION, most=MOST_QUESTIONS),
}
PRACTICE: dict[str, Setting] = {
    "feedback": Tick(
        label="Show feedback after each practice item",
        help="Explanations come from the item file.",
        default=True,
    )
}
FIELD: dict[str, Setting] = {
    "question": Text(label="Question"),
    "name": Text(
        label="Column",
        help="Column name in exports: lower-case letters, digits and underscores.",
        like="lower-case letters, digits and underscores, starting with a letter, at most 40",
        test=matching(r"[a-z][a-z0-9_]{0,39}"),
    ),
    "kind": Choice(
        label="Answer type",
        choices={
            "choice": "one of your answer options",
            "text": "one line of text",
            "long_text": "several lines of text",
            "age_band": f"an age band ({AGE_BANDS[0]}, … {AGE_BANDS[-1]})",
            "language": "a language",
        },
        more="An age band that must be answered also offers *Prefer not to say*.",
    ),
    "options": Texts(
        label="Answer options",
        help="Only for answer options.",
        like="different texts",
        test=_is_short,
        default=[],
    ),
    "required": Tick(label="Required"),
}
QUESTIONNAIRE: dict[str, Setting] = {
    "fields": Rows(label="One table a question: [[questionnaire.fields]]", row=FIELD, most=MOST_QUESTIONS)
}
DEBRIEFING: dict[str, Setting] = {
    "text": Text(label="Debriefing text", like="the text that people read at the end", rows=14, markdown=True)
}
STAGES = {
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
