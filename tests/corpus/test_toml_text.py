"""TOML as it is written: what is read again is the same, and a long text can be read by people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.toml_text import toml_text

NAMES = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
PLAIN = st.text() | st.booleans() | st.integers(-(2**40), 2**40) | st.lists(st.text(), max_size=3)
ROWS = st.lists(st.dictionaries(NAMES, PLAIN, min_size=1, max_size=3), min_size=1, max_size=3)


@pytest.mark.slow
@given(st.dictionaries(NAMES, PLAIN | st.dictionaries(NAMES, PLAIN | ROWS, max_size=3), max_size=3))
def test_any_settings_read_back_as_they_were(settings):
    # The function itself reads what it has written, and fails where that is another thing.
    assert toml_text(settings)
    assert toml_text(settings, by_lines=True)


def test_lists_of_tables_stand_behind_their_table():
    text = toml_text({"stage": {"tries": 2, "questions": [{"question": "What?"}, {"question": "Why?"}]}})
    assert (
        text
        == '[stage]\ntries = 2\n\n[[stage.questions]]\nquestion = "What?"\n\n[[stage.questions]]\nquestion = "Why?"\n'
    )


def test_an_empty_table_is_written():
    assert toml_text({"practice": {}}) == "[practice]\n"


def test_a_text_of_several_lines():
    settings = {"text": 'One "two"\n\n\\ three\n'}
    assert toml_text(settings) == 'text = "One \\"two\\"\\n\\n\\\\ three\\n"\n'
    assert toml_text(settings, by_lines=True) == 'text = """\nOne \\"two\\"\n\n\\\\ three\n"""\n'


def test_what_toml_has_no_word_for_is_refused():
    with pytest.raises(TypeError, match="cannot contain NoneType"):
        toml_text({"text": None})
