"""The first look at a file that was sent: enough to know its columns by, and no more than a page can take."""

import time

import pytest

from researcher.imports.head import MOST_LINES, read_head

INSIDE = "{" + ",".join(f'"c{number}":"x"' for number in range(60_000)) + "}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("short.csv", "a\n" + "1\n" * 1_000_000),
        ("wide.csv", ",".join(["1"] * 500_000) + "\n"),
        ("inside.jsonl", f'{{"a":{INSIDE}}}\n'),
        ("deep.jsonl", '{"a":' * 200_000 + "\n"),
        ("each.jsonl", "".join(f'{{"c{number}":1}}\n' for number in range(100_000))),
    ],
)
def test_a_look_takes_little_and_shows_no_more_columns_than_a_table_has(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    began = time.process_time()
    head = read_head(tmp_path / name)
    assert time.process_time() - began < 4
    assert len(head.lines) <= MOST_LINES
    assert len(head.columns) <= 1_000


@pytest.mark.slow
def test_a_file_of_fewer_lines_is_looked_at_whole(tmp_path):
    (tmp_path / "small.csv").write_text("item,label\ni1,yes\ni2,no\n")
    head = read_head(tmp_path / "small.csv")
    assert (head.is_whole, len(head.lines), head.values("label")) == (True, 2, ["no", "yes"])
    (tmp_path / "long.csv").write_text("item,label\n" + "i1,yes\n" * MOST_LINES)
    assert not read_head(tmp_path / "long.csv").is_whole
