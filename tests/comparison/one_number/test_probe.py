"""Five made studies, page by page: what stands on several pages is one number on all of them."""

import re
from collections import defaultdict

import pytest
from django.urls import reverse

from tests.comparison.one_number.five import FIVE
from tests.comparison.page.visiting import address, plain
from tests.worlds import world

RESULTS = ("overview", "people", "models")
COLLECT = ("study", "annotators", "runs")
NUMBER = r"(−?[\d.]+ \[[^\]]*\])"
# What is compared, and how pages print it; a name in it is one quantity for each.
PRINTED = {
    "one annotator": (
        rf"One annotator: {NUMBER}",
        rf"One annotator vs\. the others \? {NUMBER}",
        rf"One annotator vs\. the majority of the others \? {NUMBER}",
        rf"The dotted mark is the average, {NUMBER}",
        rf"one annotator {NUMBER}",
    ),
    "split halves": (
        rf"[Ss]plit halves: {NUMBER}",
        rf"People, split halves \? {NUMBER}",
        rf"people, split halves {NUMBER}",
        rf"against {NUMBER} · split halves",
    ),
    "α": (
        rf"α = {NUMBER}, (?P<name>nominal|ordinal)",
        rf"Krippendorff’s α, (?P<name>nominal|ordinal):? {NUMBER}",
        rf"Agreement α {NUMBER} Krippendorff’s α, (?P<name>nominal|ordinal)",
    ),
    "κ": (rf"Brennan–Prediger κ:? {NUMBER}",),
    "agreement in words": (r"(Annotators (?:agree|are not shown)[^.]*)\.",),
    "items": (
        r"on ([\d,]+) items, with 95 %",
        r"([\d,]+) items that all compared runs answered",
        r"on the ([\d,]+) items? that",
    ),
    "labels": (r"People ([\d,]+) labels", r"Counted ([\d,]+) of", r"([\d,]+) valid labels?"),
    "an annotator": (
        rf"(?P<name>a\d+), \d+ labels: {NUMBER}",
        rf"(?P<name>a\d+) with the others: {NUMBER}",
        rf"(?P<name>a\d+) {NUMBER}, n",
    ),
    "a run": (rf"(?P<name>[a-z]+) · \w+: {NUMBER}",),
}


@pytest.fixture
def pages(logged_in, tmp_path, request):
    """Of a study the texts of its pages, and those of its runs."""
    study = world(request.param.__name__, lambda: request.param(tmp_path / "made"))
    found = {part: address(study, part) for part in RESULTS}
    found |= {name: reverse(name, args=[study.slug]) for name in COLLECT}
    texts = {name: plain(logged_in.get(at, follow=True).content.decode()) for name, at in found.items()}
    for run in study.runs.select_related("model"):
        text = plain(logged_in.get(reverse("run", args=[study.slug, run.pk])).content.decode())
        figure = re.search(rf"against [^\[]* {NUMBER}", text.partition(" Result ")[2])
        named = f"{run.model.key} · {run.metric}: {figure[1]} " if figure else ""
        texts[f"run {run.model.key}"] = named + text.partition("How this was computed")[0].partition(" Result ")[2]
    return texts


def printed(texts: dict[str, str]) -> dict[str, dict[str, set[str]]]:
    """By quantity and page what is printed of it."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for page, text in texts.items():
        for what, patterns in PRINTED.items():
            for one in (match for pattern in patterns for match in re.finditer(pattern, text)):
                name = one.groupdict().get("name", "")
                number = next(group for group in one.groups() if group != name)
                found[f"{what} {name}".strip()][page].add(number)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("pages", FIVE, indirect=True)
def test_a_quantity_is_one_number_on_every_page(pages):
    found = printed(pages)
    apart = {what: dict(on) for what, on in found.items() if len(set().union(*on.values())) > 1}
    assert not apart
    everywhere = {what for what in found if what in ("items", "labels", "agreement in words") or what.startswith("a")}
    assert len(everywhere) >= 3 + 3 + 8, "three facts, three runs and eight annotators are printed"
    assert not {what for what in everywhere if len(found[what]) < 2}
