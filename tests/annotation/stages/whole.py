"""A small study with every stage, as a researcher writes it."""

import json
from pathlib import Path
from typing import Any

from annotation.loading import load_study
from annotation.models import Study
from tests.studies import plausibility_row, plausibility_rows, write_study

STAGES = """
[information]
minutes = 6
pay = "1.20 pounds"
researcher = "Department of Linguistics"
contact = "ethics@example.org"
text = "We ask how plausible *sentences* are."

[consent]
text = "I am **18 or older** and agree to take part. [The data](https://example.org/data) are kept."

[comprehension]
[[comprehension.questions]]
question = "What do you judge?"
options = ["The second sentence", "The first sentence"]
answer = "The second sentence"
explanation = "It is the **second** sentence that is judged."
[[comprehension.questions]]
question = "May you guess?"
options = ["Yes", "No"]
answer = "No"

[questionnaire]
[[questionnaire.fields]]
name = "age"
question = "How old are you?"
kind = "age_band"
[[questionnaire.fields]]
name = "first_language"
question = "Which language did you learn first?"
kind = "language"
required = true
[[questionnaire.fields]]
name = "comment"
question = "Is there anything that you would like to say?"
kind = "long_text"
[[questionnaire.fields]]
name = "device_sound"
question = "Was it quiet around you?"
kind = "choice"
options = ["Yes", "No"]

[debriefing]
text = "We compare people with language models."
"""
RIGHT = {"question_1": "The second sentence", "question_2": "No"}
WRONG = {"question_1": "The first sentence", "question_2": "No"}


def practice_rows() -> list[Any]:
    first = plausibility_row(1, kind="practice", reference="less_likely", explanation="Broken lamps seldom *light*.")
    return [first, plausibility_row(2, kind="practice", reference="impossible")]


def write_whole(folder: Path, *, stages: str = STAGES, targets: int = 3, **tables: Any) -> Path:
    """Two practice items and three targets, with the stages; `tables` are those of write_study."""
    tables["collection"] = {"sitting_length": 3, **tables.get("collection", {})}
    page = tables.pop("page", {})
    write_study(folder, [*practice_rows(), *plausibility_rows(targets)], slug="whole", **tables)
    path = folder / "study.toml"
    lines = [f"{name} = {json.dumps(value)}" for name, value in page.items()]
    path.write_text("\n".join([path.read_text(encoding="utf-8"), "[page]", *lines, stages]), encoding="utf-8")
    return folder


def open_whole(folder: Path, **options: Any) -> Study:
    return load_study(write_whole(folder, **options), open_study=True).study
