"""Every word of participants' pages is said in every language that there is, and nothing is said past the catalogs."""

import re
from gettext import GNUTranslations
from html.parser import HTMLParser
from pathlib import Path

import pytest

from annotation.languages import CATALOGS, of_pages
from annotation.tasktypes import TASK_TYPES, task_type
from tests.annotation.languages.messages import Entry, asked_for, participants_templates, read_catalog

# What no translation may change: places for values, and elements.
KEPT = re.compile(r"%\(\w+\)s|<[^>]+>")
SPOKEN = ("aria-label", "alt", "title", "placeholder")
# Names of keys, as they stand on them.
KEYS = {"Esc", "Enter", "Z"}


def catalog(language: str) -> Path:
    return CATALOGS / language.replace("-", "_") / "LC_MESSAGES" / "django.po"


def faults(entry: Entry) -> list[str]:
    if entry.is_fuzzy:
        return [f"{entry.english[0]}: fuzzy"]
    last = entry.english[-1]
    pairs = zip([entry.english[0], *[last] * (len(entry.said) - 1)], entry.said, strict=True)
    return [
        f"{english}: {said or 'nothing'}"
        for english, said in pairs
        if not said.strip() or sorted(KEPT.findall(english)) != sorted(KEPT.findall(said))
    ]


def test_there_are_english_and_german() -> None:
    assert {"de", "en"} <= set(of_pages())


@pytest.mark.slow
@pytest.mark.parametrize("language", of_pages())
def test_a_catalog_says_all_that_pages_ask_for_and_no_more(language: str) -> None:
    entries = read_catalog(catalog(language))
    assert {entry.english for entry in entries} == asked_for(), "make messages, then translate what is new"
    assert not [fault for entry in entries for fault in faults(entry)]


def test_english_says_what_the_pages_say() -> None:
    assert all(entry.said == entry.english for entry in read_catalog(catalog("en")))


@pytest.mark.parametrize("language", of_pages())
def test_what_is_read_at_run_time_is_what_the_catalog_says(language: str) -> None:
    with catalog(language).with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    for entry in read_catalog(catalog(language)):
        match entry.english:
            case (text,):
                assert compiled.gettext(text) == entry.said[0], "make messages"
            case (one, many):
                said = {compiled.ngettext(one, many, count) for count in range(200)}
                assert said == set(entry.said), "make messages"


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found += re.findall(r"[^\W\d_]+", data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in SPOKEN:
                self.handle_data(value or "")


def said_past_the_catalog(source: str) -> set[str]:
    """The words that are left of a template without its tags, but for names of keys."""
    source = re.sub(r"{% blocktranslate.*?{% endblocktranslate %}", "", source, flags=re.DOTALL)
    words = _Words()
    words.feed(re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", source, flags=re.DOTALL))
    return set(words.found) - KEYS


def test_a_template_says_nothing_past_the_catalog() -> None:
    past = {name: said_past_the_catalog(path.read_text(encoding="utf-8")) for path, name in participants_templates()}
    assert not {name: words for name, words in past.items() if words}


def test_the_search_finds_what_is_said_past_it() -> None:
    assert said_past_the_catalog('<p>Well {% if x %}done{% endif %}</p>{% translate "Yes" %}') == {"Well", "done"}
    assert said_past_the_catalog('<b aria-label="Item {{ x }}">{% blocktranslate %}No{% endblocktranslate %}</b>') == {
        "Item"
    }


@pytest.mark.parametrize(
    ("entry", "is_fault"),
    [
        (Entry(("Yes",), ("Ja",), is_fuzzy=False), False),
        (Entry(("Yes",), ("",), is_fuzzy=False), True),
        (Entry(("Yes",), ("Ja",), is_fuzzy=True), True),
        (Entry(("%(n)s more",), ("mehr",), is_fuzzy=False), True),
        (Entry(("one", "%(n)s items"), ("eine", "%(n)s Aufgaben"), is_fuzzy=False), False),
        (Entry(("one", "%(n)s items"), ("eine", "Aufgaben"), is_fuzzy=False), True),
        (Entry(("<b>on</b>",), ("<b>an",), is_fuzzy=False), True),
    ],
)
def test_a_fault_is_seen(entry: Entry, is_fault: bool) -> None:
    assert bool(faults(entry)) == is_fault


@pytest.mark.slow
@pytest.mark.parametrize("key", TASK_TYPES)
def test_a_task_type_s_own_words_are_in_the_catalogs(key: str) -> None:
    kind = task_type(key)
    task = kind.configured(kind.example_settings)
    own = [task.question, *(label.text for label in task.scale.labels)]
    assert task.options_from != "task" or {(words,) for words in own} <= asked_for()
