"""Numbers, names and filters in the words of the results."""

import re

import pytest
from django.urls import reverse

from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import PAGES, address, page, words
from tests.studies import open_small_study, plausibility_row

EQUAL = "equally_likely"
WRONG = re.compile(
    r".{0,40}(?<![\d,.])\b1 (?:labeled |valid )?(?:items|labels|runs|annotators|models|tests|groups)\b.{0,20}"
)
UGLY = re.compile(r".{0,40}\b[Tt]he 1 (?:item|model) ha(?:s|ve)\b.{0,20}")


@pytest.mark.slow
def test_a_name_is_written_as_it_is_given(logged_in, cut_study):
    answer = page(logged_in, cut_study)
    assert answer.context["page"].verdict.who.startswith("smol pll"), "the tile names it"
    assert "Smol pll" not in words(answer)


@pytest.mark.slow
def test_one_item_is_one_item(logged_in, bare_study):
    assert "1 of 1 item" in words(page(logged_in, bare_study))
    assert "1 of 1 item" in words(page(logged_in, bare_study, "items"))


@pytest.mark.slow
def test_the_alternative_test_is_told_in_english(logged_in, study):
    text = words(page(logged_in, study, "alternative"))
    assert "leaves out one of people" not in text


@pytest.mark.slow
@pytest.mark.parametrize("labels", [0, 1, 2])
@pytest.mark.parametrize("has_strengths", [False, True])
def test_what_is_there_once_is_counted_as_one(logged_in, tmp_path, labels, has_strengths):
    study = open_small_study(tmp_path / "one", [plausibility_row(1, reference=EQUAL)], slug="one")
    if labels:
        give_labels(study, [("target-1", f"p{place}", EQUAL) for place in range(labels)])
    run = give_run(study, [("target-1", EQUAL, None, "")], key="parrot", metric="label", family="classifier")
    if has_strengths:
        give_run(study, [("target-1", None, 1.0, "")], key="smol", family="causal")
    pages = [*(f"{address(study, part)}?open=all" for part in PAGES), reverse("studies")]
    pages += [reverse("study", args=[study.slug]), reverse("run", args=[study.slug, run.pk])]
    texts = [words(logged_in.get(one)) for one in pages]
    for name in ("report", "between-runs"):
        texts += [str(cell) for row in export(name)(study, Selection()) for cell in row]
    assert not [found.group() for text in texts for shape in (WRONG, UGLY) for found in shape.finditer(text)]
