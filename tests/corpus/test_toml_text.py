"""TOML as it is written: what is read again is the same, and a long text can be read by people."""

import time
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.toml_text import NotToml, read_toml, toml_text

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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[z]\n" + "a." * 200_000 + "b = 1", "the limit is 400,000"),
        ("[z]\n" + "a." * 20_000 + "b = 1", r"a key of more than 8 parts \(a.b.c\) on line 2"),
        ("[z]\n" + '"a" . ' * 20_000 + "b = 1", "a key of more than 8 parts"),
        ("[" + "a." * 20_000 + "b]", "a key of more than 8 parts"),
        ("x = {" + "a." * 20_000 + "b = 1}", "a key of more than 8 parts"),
        ("x = " + "[" * 100_000, "brackets nested more than 60 levels deep on line 1"),
        ("x = " + "[" * 900 + "]" * 900, "nested more than 60"),
        ("x = " + "{a = " * 900 + "1" + "}" * 900, "nested more than 60"),
        ("x = " + "1" * 10_000, "a number or a date is out of range"),
        ("x = [1", "is not TOML"),
        ('x = """' + '\n\\"""\n' * 50_000, "is not TOML"),
    ],
)
def test_no_more_is_read_than_any_study_has(text, said):
    began = time.process_time()
    with pytest.raises(NotToml, match=said):
        read_toml(text)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "text",
    [
        'x = "' + "[" * 500 + "a." * 500 + '"',
        "x = '" + "{" * 500 + "'",
        'x = """\n' + "[" * 500 + '\n""" # ' + "[" * 500,
        "x = '''\n" + "a.b.c" * 500 + "\n'''",
        "# " + "[" * 500,
        "x = [" + "1.5, " * 5_000 + "]",
        'x = "a \\" [[[[" # "',
        "[a.b.c.d]\ne.f = 1979-05-27T07:32:00.999Z",
        'x = """a""""',
    ],
)
def test_texts_and_comments_may_hold_what_they_like(text):
    assert read_toml(text) == tomllib.loads(text)
