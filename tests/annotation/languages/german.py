"""A German study with every stage: its researcher's words, and those of its items, are German too."""

from pathlib import Path

from annotation.itemfile import ItemRow, write_items
from annotation.loading import load_study
from annotation.models import Study

STUDY = """
slug = "deutsch"
title = "Schlüssel und Türen"
instructions = "Lesen Sie beide Sätze."
language = "de"

[task]
type = "plausibility"

[collection]
labels_per_item = 3
sitting_length = 2
max_items_per_annotator = 100

[information]
minutes = 6
pay = "1,20 Euro"
researcher = "Institut für Sprachwissenschaft"
contact = "ethik@example.org"
text = "Wir fragen, wie plausibel Sätze sind."

[consent]
text = "Ich bin volljährig und nehme freiwillig teil."

[comprehension]
[[comprehension.questions]]
question = "Was beurteilen Sie?"
options = ["Den zweiten Satz", "Den ersten Satz"]
answer = "Den zweiten Satz"

[questionnaire]
[[questionnaire.fields]]
name = "age"
question = "Wie alt sind Sie?"
kind = "age_band"
[[questionnaire.fields]]
name = "first_language"
question = "Welche Sprache haben Sie zuerst gelernt?"
kind = "language"
required = true

[debriefing]
text = "Wir vergleichen Menschen mit Sprachmodellen."
"""


def _row(number: int, *, kind: str = "target", reference: str | None = None, explanation: str = "") -> ItemRow:
    content = {
        "original": f"Schlüssel {number} öffnet Türen.",
        "modified": f"Falscher Schlüssel {number} öffnet Türen.",
        "modifier": "Falscher",
    }
    return ItemRow(f"{kind}-{number}", content, kind, reference, explanation=explanation)


def write_german(folder: Path, *, study: str = STUDY) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(study, encoding="utf-8")
    practice = [
        _row(1, kind="practice", reference="less_likely", explanation="Falsche Schlüssel öffnen selten."),
        _row(2, kind="practice", reference="impossible"),
    ]
    write_items(folder / "items.jsonl", [*practice, *(_row(number) for number in (3, 4))])
    return folder


def open_german(folder: Path) -> Study:
    return load_study(write_german(folder), open_study=True).study


def open_plain_german(folder: Path) -> Study:
    """Without stages and without practice."""
    folder = write_german(folder, study=STUDY.partition("[information]")[0])
    write_items(folder / "items.jsonl", [_row(number) for number in (3, 4)])
    return load_study(folder, open_study=True).study
