"""docs/studies.md: its example is a study, and its tables name the settings that there are."""

import re

from django.conf import settings

from annotation import studyfile
from annotation.behavior import PROFILES
from annotation.itemfile import FIELDS, KINDS
from annotation.studyfile import read_study
from annotation.tasktypes import TASK_TYPES

PAGE = (settings.BASE_DIR / "docs" / "studies.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def test_the_example_is_a_study(tmp_path):
    (tmp_path / "study.toml").write_text(block("toml"), encoding="utf-8")
    (tmp_path / "items.jsonl").write_text(block("json"), encoding="utf-8")
    study = read_study(tmp_path)
    assert study.slug == "soup"
    assert [row.kind for row in study.items] == ["target", "target", "gold", "attention"]


def test_every_setting_is_explained():
    tables = [studyfile.TOP, studyfile.COLLECTION, studyfile.QUALITY, studyfile.SCORING, studyfile.PAGE]
    tables += [*studyfile.STAGES.values(), studyfile.QUESTION, studyfile.FIELD]
    for name in [*FIELDS, *(name for table in tables for name in table), *studyfile.CODES]:
        assert f"| `{name}` |" in PAGE, name
    for name in studyfile.RETURN:
        assert f"`{name}`" in PAGE.partition("### [return]")[2].partition("###")[0], name
    for name in [*KINDS, *TASK_TYPES]:
        assert f"**{name}**" in PAGE, name
    for profile in PROFILES:
        assert f"--{profile} N" in PAGE, profile
