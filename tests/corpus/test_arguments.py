"""What commands take for a number, a slug or a title, and what they say to all else."""

from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from corpus.arguments import LONGEST, is_slug, number, slug, slug_of, title, whole


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (whole(1), "1", 1),
        (whole(0), "0", 0),
        (whole(3, 5), "5", 5),
        (number(least=0, below=1), "0", 0.0),
        (number(above=0, most=1), "1", 1.0),
        (number(above=0, below=1), "1e-3", 0.001),
        (number(), "-2.5", -2.5),
        (slug, "", ""),
        (slug, "a-1", "a-1"),
        (title, "Two words", "Two words"),
    ],
)
def test_what_is_read(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "wrong"),
    [
        (whole(1), "0", "'0' is not a whole number from 1$"),
        (whole(1), "٥", "'٥' is not a whole number from 1$"),
        (whole(1), "1.0", "is not a whole number from 1$"),
        (whole(1), "-1", "is not a whole number from 1$"),
        (whole(1), "", "'' is not a whole number from 1$"),
        (whole(3, 5), "6", "is not a whole number from 3 to 5$"),
        (number(least=0, below=1), "1", "'1' is not a number from 0 and below 1$"),
        (number(above=0, most=1), "0", "is not a number above 0 and up to 1$"),
        (number(above=0), "x", "'x' is not a number above 0$"),
        (number(), "nan", "'nan' is not a number$"),
        (number(least=0), "inf", "'inf' is not a number from 0$"),
        (slug, "Not a slug", "is not a valid slug"),
        (slug, "a--b", "is not a valid slug"),
        (slug, "a" * (LONGEST + 1), "at most 80"),
        (title, "two\nlines", "one line"),
        (title, "x" * 201, "at most 200"),
    ],
)
def test_what_is_refused_in_words(read, text, wrong):
    with pytest.raises(ArgumentTypeError, match=wrong):
        read(text)


@pytest.mark.parametrize(
    ("name", "prefix", "expected"),
    [
        ("dev.jsonl", "boolq", "boolq-dev"),
        ("Dev Set_2.jsonl", "", "dev-set-2"),
        ("--x--.csv", "", "x"),
        ("数据.json", "adept", "adept"),
        ("数据.json", "", ""),
        ("Schöne Sätze.csv", "", "schoene-saetze"),
        ("Scho\u0308ne Stra\u00dfe.csv", "", "schoene-strasse"),
        ("Élèves à Łódź.csv", "", "eleves-a-lodz"),
    ],
)
def test_a_files_name_becomes_a_slug(name, prefix, expected):
    assert slug_of(Path("folder", name), prefix=prefix) == expected


@pytest.mark.parametrize("length", range(70, 100))
def test_a_long_name_becomes_a_slug_too(length):
    assert is_slug(slug_of(Path("a-" * length + ".txt"), prefix="adept"))
