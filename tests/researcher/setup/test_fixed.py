"""What a setting says of when it is fixed holds in every table, by whatever way somebody tries to change it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from annotation.loading import LoadRefused, load_study
from annotation.models import Study
from annotation.setting import BEGUN, OPENED, Choice, Fixed, Number, Rows, Setting, Texts, Tick, Whole
from annotation.studyfile import SETTINGS, tables_of, values_of
from corpus.toml_text import toml_text
from researcher.setup.parts import PARTS
from tests.annotation.pages.bot import Bot
from tests.annotation.stages.whole import write_whole
from tests.api.asking import Api
from tests.studies import plausibility_rows

pytestmark = pytest.mark.slow

# One setting of every table, of those that are not fixed by themselves.
OTHERS = [
    "title", "collection.lease_minutes", "scoring.metrics", "prompt.system", "results.measure", "codes.completed",
    "return.home", "page.cannot_judge", "information.minutes", "consent.text", "comprehension.tries",
    "practice.feedback", "debriefing.text",
]  # fmt: skip
MADE_UP = Fixed(when=BEGUN, because="pauses were held to it")


def another(path: str, setting: Setting, value: Any) -> Any:
    """A value of the setting that the study does not have."""
    match setting:
        case Tick():
            return not value
        case Whole():
            return (value or 0) + 1
        case Number():
            return value / 2 or 0.5
        case Choice():
            return next(one for one in [*setting.choices][::-1] if one not in (value, ""))
        case Texts():
            return [*value, "another"]
    return "https://x.org" if path.startswith("return") else "another"


def said_by_form(study: Study, path: str) -> str:
    """Why its field is shut."""
    form = next(form for form in (part(study=study) for part in PARTS.values()) if path in form.paths.values())
    return " ".join(form.reasons) if form[form.field_of(path)].field.disabled else ""


def said_by_api(study: Study, path: str, value: Any, *, api: Api) -> str:
    address = f"studies/{study.slug}/setup"
    tag = api.get(address).headers["ETag"]
    answer = api.ask("patch", address, {"changes": {path: value}}, **{"if-match": tag})
    return str(answer.json()) if answer.status_code == 409 else ""


def said_by_file(study: Study, path: str, value: Any, *, folder: Path) -> str:
    tables, (table, _, name) = tables_of(study), path.rpartition(".")
    (tables.setdefault(table, {}) if table else tables)[name] = value
    (folder / "study.toml").write_text(toml_text(tables), encoding="utf-8")
    with pytest.raises(LoadRefused) as refused:
        load_study(folder)
    return str(refused.value)


@pytest.mark.django_db
def test_it_is_refused_by_file_by_form_and_by_the_api(
    tmp_path: Path, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in OTHERS:
        monkeypatch.setitem(SETTINGS, path, replace(SETTINGS[path], fixed=MADE_UP))
    # Its task has no settings: tests/researcher/setup/test_question.py.
    fixed = {path: one.fixed for path, one in SETTINGS.items() if one.fixed and not path.startswith("task.")}
    assert len(fixed) > len(OTHERS)
    folder = write_whole(tmp_path / "whole")
    with (folder / "items.jsonl").open("a", encoding="utf-8") as file:
        # So that a sitting could have one of each.
        file.writelines(row.as_json() + "\n" for row in plausibility_rows(0, gold=1, attention=1))
    study = load_study(folder, open_study=True).study
    Bot().begin(study.links.get().get_absolute_url())
    before, api = Study.objects.values().get(), Api(researcher)
    for path, why in fixed.items():
        value = another(path, SETTINGS[path], values_of(study).get(path))
        refusal = f"has opened, so {path.rpartition('.')[2]}" if why.when == OPENED else str(why)
        assert why.because in said_by_form(study, path), path
        assert refusal in said_by_api(study, path, value, api=api), path
        assert refusal in said_by_file(study, path, value, folder=folder), path
    assert Study.objects.values().get() == before


def test_a_list_of_tables_cannot_be_fixed_since_its_pages_cannot_be_shut() -> None:
    row = {"name": Tick(label="", fixed=Fixed(when=OPENED, because="it is"))}
    with pytest.raises(TypeError):
        Rows(label="", row=row, most=1)
    with pytest.raises(TypeError):
        Rows(label="", row={}, most=1, fixed=MADE_UP)
