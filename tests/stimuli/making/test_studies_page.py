"""docs/studies.md: its example is a study, and its tables are made of the settings.

`WRITE_DOCS=1 .venv/bin/python -m pytest tests/stimuli/making/test_studies_page.py` writes the tables anew.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from annotation.behavior import PROFILES
from annotation.itemfile import FIELDS, KINDS
from annotation.setting import Choice, Setting, Several
from annotation.studyfile import FIELD, QUESTION, READ_BY_TABLE, STAGES, TOP, read_study
from annotation.tasktypes import TASK_TYPES, task_type

PATH = Path(__file__).parents[3] / "docs" / "studies.md"
PAGE = PATH.read_text(encoding="utf-8")
# Each table of settings, and what stands before it on the page.
PLACES: dict[str, Mapping[str, Setting]] = {
    "## study.toml": TOP,
    **{f"Settings of {key}:": one for key in TASK_TYPES if (one := task_type(key).settings)},
    **{f"### [{name}]": table for name, table in READ_BY_TABLE.items()},
    **{f"**[{name}]**": table for name, table in STAGES.items()},
    "Of a question:": QUESTION,
    "Of a field:": FIELD,
}


def default_of(setting: Setting) -> str:
    """What holds where the file says nothing."""
    match setting:
        case Setting(default=None):
            return "needed"
        case Choice(default="", choices=choices):
            return choices[""]
        case Setting(default="" | []):
            return setting.empty or "none"
        case Setting(default=bool() as said):
            return str(said).lower()
        case Setting(default=str() as said):
            return f"`{said}`"
        case Setting(default=list() as said):
            return ", ".join(f"`{one}`" for one in said)
    return str(setting.default)


def row_of(name: str, setting: Setting) -> str:
    choices = setting.choices if isinstance(setting, Choice | Several) else {}
    words = "; ".join(f"`{value}`: {said}" for value, said in choices.items() if value and said)
    said = f"{setting.explained} {words and f'{words}.'}".strip()
    return f"| `{name}` | {default_of(setting)} | {setting.must_be} | {said} |"


def with_tables(page: str) -> str:
    """The page with each table of settings as the settings have it now."""
    for place, table in PLACES.items():
        rows = [row_of(name, setting) for name, setting in table.items()]
        made = "\n".join(["| field | default | must be | what it is |", "|---|---|---|---|", *rows])
        before, found, after = page.partition(f"\n{place}")
        assert found, place
        said, _, rest = after.partition("\n| ")
        page = before + found + said + "\n" + made + re.sub(r"\A.*\n(\|.*\n)*", "\n", rest)
    return page


def block(language: str) -> str:
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def test_the_example_is_a_study(tmp_path):
    (tmp_path / "study.toml").write_text(block("toml"), encoding="utf-8")
    (tmp_path / "items.jsonl").write_text(block("json"), encoding="utf-8")
    study = read_study(tmp_path)
    assert study.slug == "soup"
    assert [row.kind for row in study.items] == ["target", "target", "gold", "attention"]


def test_its_tables_say_what_the_settings_say():
    made = with_tables(PAGE)
    if os.environ.get("WRITE_DOCS"):
        PATH.write_text(made, encoding="utf-8")
    assert made == PATH.read_text(encoding="utf-8")


def test_everything_else_is_explained():
    for name in FIELDS:
        assert f"| `{name}` |" in PAGE, name
    for name in [*KINDS, *TASK_TYPES]:
        assert f"**{name}**" in PAGE, name
    for profile in PROFILES:
        assert f"--{profile} N" in PAGE, profile
