"""Accuracy in each of two studies and in both together: the same figures as the command's, and nobody else's names."""

import csv
import io

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.urls import reverse

from researcher.library import same_items
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import words
from tests.researcher.library.passages import ITEMS, MODEL, REFERENCE, SHARED, VALUES
from tests.training.classifier.cast import give_training


@pytest.fixture(autouse=True)
def nothing_remembered():
    cache.clear()
    yield
    cache.clear()


def show(client, **query):
    return client.get(reverse("two_studies"), {"a": "with", "b": "without"} | query)


def file(client):
    answer = client.get(reverse("two_studies_file", args=["accuracy"]), {"a": "with", "b": "without"})
    return b"".join(answer.streaming_content).decode()


@pytest.mark.slow
def test_the_pooled_column_is_of_the_items_of_both(client, both):
    found = show(client).context["together"]
    assert [column.name for column in found.columns] == ["with", "without", "with+without"]
    one, other, pooled = found.columns
    assert (one.items, other.items, pooled.items, pooled.ids) == (ITEMS, ITEMS - 4, 2 * ITEMS - 4, ITEMS)
    owl = next(line for line in found.lines if line.rater == "owl · label")
    right = [int((MODEL["with"] == REFERENCE).sum()), int((MODEL["without"] == REFERENCE)[SHARED].sum())]
    assert [cell.n for cell in owl.cells] == [ITEMS, ITEMS - 4, 2 * ITEMS - 4]
    assert [cell.right for cell in owl.cells] == [*right, sum(right)]
    said = words(show(client))
    assert f"Both together {pooled.items} items of {pooled.ids} ids" in said
    assert f"{owl.cells[2].right} right" in said


@pytest.mark.slow
def test_the_file_is_what_the_command_on_the_page_writes(client, both, capsys):
    found = show(client).context["together"]
    call_command(*found.command.split()[1:], "--format", "csv", "--assessor", "none")
    printed = capsys.readouterr().out
    assert file(client).splitlines() == printed.splitlines()
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert {row["pooled_from"] for row in rows if row["study"] == "with+without"} == {"with + without"}


@pytest.mark.slow
def test_studies_of_others_are_not_named(client, both):
    """A model may have learned from a study that the reader cannot see."""
    run = give_run(both[0], [("q0", VALUES[0], 1.0, "")], key="taught", family="classifier")
    more = {"accuracy": 0.6, "epoch": 1, "step": 12}
    give_training("a", state="finished", model=run.model, studies=["with", "secret-study"], **more)
    found = show(client).context["together"]
    (line,) = (one for one in found.lines if one.rater.startswith("taught"))
    assert line.trained_on == ("studies in which you have no role",)
    assert "secret-study" not in show(client).content.decode()
    assert "secret-study" not in file(client)
    assert "studies in which you have no role" in file(client)


@pytest.mark.slow
def test_large_studies_are_not_computed_while_somebody_waits(client, both, monkeypatch, capsys):
    monkeypatch.setattr(same_items, "QUICK", 1)
    assert show(client).context["together"] is None
    assert "Of studies this large it is computed by manage.py two_studies with without" in words(show(client))
    address = reverse("two_studies_file", args=["accuracy"])
    assert client.get(address, {"a": "with", "b": "without"}).status_code == 404
    call_command("two_studies", "with", "without")
    capsys.readouterr()
    assert show(client).context["together"] is not None


@pytest.mark.slow
def test_other_labels_are_not_pooled(client, both, study):
    assert "The studies have different labels, so their items cannot be pooled." in words(show(client, b=study.slug))
