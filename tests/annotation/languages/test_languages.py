"""Which languages a study may name, and what pages say of the language of its words."""

import re
from pathlib import Path

import pytest

from annotation.languages import direction, is_tag, of_pages
from annotation.studyfile import StudyFileError, read_study
from tests.annotation.languages.arabic import RATING, open_arabic
from tests.annotation.languages.german import STUDY, open_german, write_german
from tests.annotation.pages.bot import Bot


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("de", "ltr"), ("ar", "rtl"), ("ar-EG", "rtl"), ("he", "rtl"), ("ur", "rtl"), ("AR", "rtl"),
        ("ar-Latn", "ltr"), ("az-Arab-IR", "rtl"), ("pa", "ltr"), ("ru-1918", "ltr"),
    ],
)  # fmt: skip
def test_the_direction_is_that_of_the_script(tag: str, expected: str) -> None:
    assert direction(tag) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("de", True),
        ("zh-Hant-TW", True),
        ("", False),
        ("deutsch und mehr", False),
        ("d", False),
        ("de_DE", False),
        (1, False),
    ],
)
def test_a_tag_has_a_form(value: object, expected: bool) -> None:
    assert is_tag(value) == expected


def refused(folder: Path, old: str, new: str) -> str:
    write_german(folder, study=STUDY.replace(old, new))
    with pytest.raises(StudyFileError) as error:
        read_study(folder)
    return str(error.value)


def test_a_language_without_a_catalog_is_refused_by_its_field(tmp_path: Path) -> None:
    said = refused(tmp_path, 'language = "de"', 'language = "tlh"')
    assert "language" in said
    assert f"one of {', '.join(of_pages())}, not 'tlh'" in said


@pytest.mark.parametrize("field", ["stimulus_language", "text_language"])
def test_what_is_no_tag_is_refused_by_its_field(tmp_path: Path, field: str) -> None:
    assert f"page.{field}" in refused(tmp_path, "[debriefing]", f'[page]\n{field} = "on the right"\n[debriefing]')


def test_a_study_speaks_english_unless_it_says_otherwise(tmp_path: Path) -> None:
    write_german(tmp_path, study=STUDY.replace('language = "de"', ""))
    assert read_study(tmp_path).language == "en"


@pytest.mark.slow
@pytest.mark.django_db
def test_words_in_the_language_of_the_page_need_no_more(tmp_path: Path) -> None:
    page = Bot().begin(open_german(tmp_path).links.get().get_absolute_url())
    assert re.findall(r'lang="\w+"', page.html) == ['lang="de"']


@pytest.mark.slow
@pytest.mark.django_db
def test_words_in_another_language_say_so(tmp_path: Path) -> None:
    page = Bot().begin(open_arabic(tmp_path).links.get().get_absolute_url())
    arabic = 'lang="ar" dir="rtl"'
    assert '<html lang="en" dir="ltr">' in page.html
    for words in (
        f'<p class="sentence" {arabic} translate="no">',
        f"<legend {arabic}>",
        f'<span class="option-text" {arabic} translate="no">',
        f"<bdi {arabic}>",
    ):
        assert words in page.html
    assert '<span class="visually-hidden" lang="en" dir="ltr">(blank)</span>' in page.html
    assert page.html.count(arabic) == 10, "sentence, question, two options, with the next item's; title, instructions"


@pytest.mark.slow
@pytest.mark.django_db
def test_texts_can_be_in_another_language_than_stimuli(tmp_path: Path) -> None:
    study = open_arabic(tmp_path, task=RATING)
    study.text_language = "en"
    study.save()
    page = Bot().begin(study.links.get().get_absolute_url())
    assert re.findall(r'<(\w+)[^>]* lang="ar" dir="rtl"', page.html) == ["p", "p"], "the sentence alone, and the next"
