"""Every figure and every metric is explained in two sentences, and the page of docs/ that has more is there."""

import re

import pytest

from comparison.figures.models import run_figures
from comparison.figures.table import Statistic
from comparison.frame.aggregation_methods import WAYS
from comparison.glossary.entries import GLOSSARY, MEASURES, STATISTICS, term_of
from comparison.statistics.verdict import measure
from researcher.docs.reading import docs_address, document
from scoring.metrics import METRICS
from tests.house.sources import templates

MOST_WORDS = 45
ASKED = re.compile(r'{% about "(\w+)" %}')


def test_no_key_is_given_twice():
    assert len({term.key for term in STATISTICS}) == len(STATISTICS)


def test_two_sentences_say_it():
    sentences = [sentence for term in GLOSSARY.values() for sentence in (term.what, term.trust)]
    assert [one for one in sentences if not one.endswith(".") or re.search(r"[.?!] [A-Z]", one)] == []
    assert [term.words for term in GLOSSARY.values() if len(term.words.split()) > MOST_WORDS] == []


def test_its_anchor_is_on_the_page_it_names():
    """Or in the part of a long page that has it."""
    held = {
        key: document(docs_address(term.page, term.anchor).removeprefix("/docs/").partition("/#")[0])
        for key, term in GLOSSARY.items()
    }
    assert [key for key, term in GLOSSARY.items() if f'id="{term.anchor}"' not in held[key].html] == []


def test_every_metric_has_an_entry():
    assert {f"metric_{key}" for key in METRICS} <= set(GLOSSARY)


def test_everything_with_a_name_of_its_own_has_an_entry():
    columns = [one for one in vars(run_figures).values() if isinstance(one, Statistic)]
    keys = [*(column.term for column in columns), *(way.key for way in WAYS), *measure.KEYS]
    assert len(columns) == 9
    assert [key for key in keys if MEASURES.get(key, key) not in GLOSSARY] == []


def test_what_templates_ask_for_is_there():
    asked = {key for path in templates() for key in ASKED.findall(path.read_text())}
    assert asked
    assert asked <= set(GLOSSARY)


def test_what_is_not_there_is_said():
    with pytest.raises(LookupError, match="no entry 'luck'"):
        term_of("luck")
