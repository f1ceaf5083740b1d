"""Items by several attributes, by people against the reference, and by ranges of entropy, divergence and surprisal."""

import math
import re
from html import unescape

import numpy as np
import pytest
from django.core.cache import cache
from django.http import QueryDict
from django.urls import reverse

from comparison.frame import probabilities, selected
from comparison.frame.filters import ranges
from comparison.frame.filters.address import SelectionError, read_selection
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.statistics.divergence import distances, divergences, entropy, most
from scoring.models import Score
from tests.comparison.page.visiting import file_rows, page, words

HALF = {"less_likely": 2, "equally_likely": 1}


def selection(query: str) -> Selection:
    return read_selection(dict(QueryDict(query).lists()))


def items(study, query):
    chosen = select(study, selection(query))
    assert list(chosen.rows.items) == list(chosen.panel.items), "files of rows have the same"
    return list(chosen.panel.items)


def key(study, model):
    return str(study.runs.get(model__key=model).pk)


class TestAttributes:
    @pytest.fixture
    def described(self, study):
        for place, item in enumerate(study.items.order_by("position"), 1):
            item.attributes = {"class": "odd" if place % 2 else "even", "size": "" if place > 4 else f"={place // 2}"}
            item.save(update_fields=["attributes"])
        cache.clear()
        return study

    @pytest.mark.slow
    def test_several_at_once(self, described):
        assert items(described, "attribute=class&value=odd") == ["target-1", "target-3", "target-5"]
        both = "attribute=class&value=odd&attribute=size&value=%3D%3D1"
        assert items(described, both) == ["target-3"]
        assert select(described, selection(both)).words == "class is odd, size is =1"

    @pytest.mark.slow
    def test_an_empty_value_is_any_and_an_equals_sign_is_none(self, described):
        assert len(items(described, "attribute=class&value=&attribute=size&value=")) == 6
        assert items(described, "attribute=size&value=%3D") == ["target-5", "target-6"]

    def test_the_address_says_it_again(self, described):
        found = selection("attribute=size&value=%3D&attribute=class&value=odd&entropy_min=.5&surprisal_of=word")
        assert selection(found.query()) == found

    def test_what_is_said_twice_alike_or_left_empty_is_said_once(self, described):
        assert selection("right=right&right=right") == selection("right=right") == selection("right=right&right=")
        twice = "attribute=class&value=&attribute=class&value=odd"
        assert items(described, twice) == ["target-1", "target-3", "target-5"]

    def test_in_which_order_they_are_named_is_the_same_question(self):
        one, other = "attribute=a&value=1&attribute=b&value=2", "attribute=b&value=2&attribute=a&value=1"
        assert selection(one).of_items == selection(other).of_items
        assert selection(one).of_items != selection("attribute=a&value=2&attribute=b&value=1").of_items

    @pytest.mark.slow
    def test_values_are_to_choose_from(self, logged_in, described):
        text = page(logged_in, described, "items", attribute="class", value="odd").content.decode()
        assert '<option value="odd" selected>odd · 3</option>' in text
        assert '<option value="=">(none) · 2</option>' in text
        assert '<option value="==1">=1 · 2</option>' in text

    @pytest.mark.slow
    def test_many_values_are_typed(self, logged_in, described, monkeypatch):
        monkeypatch.setattr("comparison.frame.outline.MOST_VALUES", 1)
        text = page(logged_in, described, "items", attribute="class", value="odd").content.decode()
        assert 'name="value" value="odd" list="values-1"' in text
        assert items(described, "attribute=class&value=nothing-of-the-kind") == []

    @pytest.mark.slow
    def test_a_line_of_the_breakdown_narrows_further(self, logged_in, described):
        text = page(logged_in, described, "breakdown", by="size", attribute="class", value="odd").content.decode()
        addresses = [unescape(part.split('"')[0]) for part in text.split('href="')[1:] if "size" in part.split('"')[0]]
        found = [selection(one.partition("?")[2].partition("#")[0]).where for one in addresses if "attribute" in one]
        assert (("class", "odd"), ("size", "")) in found
        assert (("class", "odd"), ("size", "=1")) in found


class TestPeopleAgainstTheReference:
    @pytest.mark.slow
    def test_each(self, study):
        assert items(study, "people=agrees") == ["target-1", "target-2", "target-3"]
        assert items(study, "people=differs") == ["target-4"]
        assert items(study, "people=none") == ["target-5"], "nobody labeled the sixth"

    def test_without_a_reference_there_is_none(self, study):
        study.items.filter(external_id="target-4").update(reference=None)
        assert items(study, "people=differs") == []

    @pytest.mark.slow
    def test_it_is_said(self, logged_in, study):
        answer = page(logged_in, study, "items", people="differs")
        assert [one.words for one in answer.context["page"].chips] == ["Majority label differs from the reference"]
        assert re.search(r"Majority label differs from the reference .*\b1 of 6 items\b", words(answer))


class TestEntropy:
    def test_of_the_labels(self, study):
        third = -(1 / 3 * math.log2(1 / 3) + 2 / 3 * math.log2(2 / 3))
        assert entropy(select(study, Selection()).whole.counts) == pytest.approx(
            [0, 0, third, third, math.log2(3), np.nan], nan_ok=True
        )

    @pytest.mark.slow
    def test_a_range(self, study):
        assert items(study, "entropy_min=0.5") == ["target-3", "target-4", "target-5"]
        assert items(study, "entropy_min=0.5&entropy_max=1") == ["target-3", "target-4"]
        assert items(study, "entropy_max=0") == ["target-1", "target-2"], (
            "both ends belong to it; unlabeled items do not"
        )

    @pytest.mark.slow
    def test_the_highest_is_said(self, logged_in, study):
        assert most(5) == pytest.approx(math.log2(5))
        assert "Entropy of labels, 0 to 2.32 bits" in words(page(logged_in, study, "items"))
        assert "0 to 1.58 bits" in words(page(logged_in, study, "items", classes="coarse"))

    @pytest.mark.slow
    def test_the_table_is_sorted_by_it_and_has_it(self, logged_in, study):
        table = page(logged_in, study, "items", sort="entropy").context["page"].table
        assert [row.item for row in table.rows] == [
            "target-5",
            "target-3",
            "target-4",
            "target-1",
            "target-2",
            "target-6",
        ]
        assert [row.numbers for row in table.rows] == [("1.58",), (".92",), (".92",), (".00",), (".00",), ("",)]


class TestDivergence:
    def test_it_is_the_square_of_the_distance(self):
        rng = np.random.default_rng(3)
        one, other = rng.dirichlet(np.ones(4), 9), rng.dirichlet(np.ones(4), 9)
        assert divergences(one, other) == pytest.approx(distances(one, other) ** 2)

    @pytest.mark.slow
    def test_of_the_run_that_is_named(self, asked_study):
        run = key(asked_study, "instruct")
        chosen = select(asked_study, selection(f"sort=jensen_shannon&run={run}"))
        found = chosen.numbers()["jensen_shannon"]
        assert np.isfinite(found).tolist() == [True] * 5 + [False]
        middle = (sorted(found[:5])[1] + sorted(found[:5])[2]) / 2
        near = items(asked_study, f"jensen_shannon_max={middle:.6f}&run={run}")
        far = items(asked_study, f"jensen_shannon_min={middle:.6f}&run={run}")
        assert (len(near), len(far)) == (2, 3)
        assert sorted(near + far) == [f"target-{place}" for place in range(1, 6)]

    @pytest.mark.slow
    def test_the_table_has_it(self, logged_in, asked_study):
        run = key(asked_study, "instruct")
        answer = page(logged_in, asked_study, "items", sort="jensen_shannon", run=run, agreement="unanimous")
        assert [len(row.numbers) for row in answer.context["page"].table.rows] == [1, 1]
        assert "Jensen–Shannon, bits ? instruct chat" in words(answer)

    @pytest.mark.slow
    def test_a_run_without_probabilities_says_so(self, logged_in, asked_study):
        parrot = key(asked_study, "parrot")
        with pytest.raises(SelectionError, match="parrot · label does not give every label a probability.*: instruct"):
            items(asked_study, f"jensen_shannon_max=1&run={parrot}")
        assert "parrot · label does not give every label a probability" in words(
            page(logged_in, asked_study, "items", run=parrot)
        )

    def test_what_it_cannot_be_sorted_by_it_is_not(self, logged_in, study):
        answer = page(logged_in, study, "items", sort="jensen_shannon", run=key(study, "parrot"))
        assert answer.context["page"].selection.sort == "divergence"


class TestSurprisal:
    def test_of_the_text_that_is_named(self, study):
        run = key(study, "smol")
        # The modified sentence has ln p = −20 + 0 … 4; the original always −20.
        bits = 20 / math.log(2)
        assert items(study, f"surprisal_min={bits - 2:.3f}&run={run}") == ["target-1", "target-2"]
        assert len(items(study, f"surprisal_min={bits - 2:.3f}&surprisal_of=original&run={run}")) == 5
        said = select(study, selection(f"surprisal_max=1&run={run}")).words
        assert said == "the run’s surprisal is at most 1 bits, surprisal is of “modified”"

    def test_one_run_and_text_is_not_another(self, study):
        run = key(study, "smol")
        texts = [
            select(study, selection(f"surprisal_min=1&run={run}{of}")).selection.of_items
            for of in ("", "&surprisal_of=original")
        ]
        assert texts[0] != texts[1]

    def test_a_text_or_a_run_that_has_none(self, study):
        with pytest.raises(SelectionError, match="surprisal_of cannot be 'word'; choices: original, modified"):
            items(study, f"surprisal_min=1&surprisal_of=word&run={key(study, 'smol')}")
        with pytest.raises(SelectionError, match="gives no log-probabilities.*Runs that have it: smol"):
            items(study, f"surprisal_min=1&run={key(study, 'parrot')}")

    def test_numbers_as_names(self, study):
        """To a database, a key of digits is a place in a list."""
        smol = study.runs.get(model__key="smol")
        for place, score in enumerate(Score.objects.filter(run=smol).order_by("item__position")):
            Score.objects.filter(pk=score.pk).update(detail={"options": {"1": {"text": "a", "logprob": -float(place)}}})
        cache.clear()
        assert items(study, f"surprisal_min=5&run={smol.pk}") == ["target-5"], "the sixth is not scored"

    def test_sorted_by_it(self, logged_in, study):
        table = page(logged_in, study, "items", sort="surprisal", run=key(study, "smol")).context["page"].table
        assert [row.numbers for row in table.rows][:2] == [("28.85",), ("27.41",)]
        assert [row.item for row in table.rows][-1] == "target-6"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("entropy_min=much", "entropy_min must be a number such as 0.5, not 'much'"),
        ("entropy_max=nan", "entropy_max must be a number"),
        ("jensen_shannon_min=1e9", "jensen_shannon_min must be a number"),
        ("surprisal_max=0,5", "surprisal_max must be a number"),
        ("surprisal_max=%D9%A1", "surprisal_max must be a number"),
        ("entropy_min=" + "9" * 5000, "entropy_min must be a number"),
        ("entropy_min=2&entropy_max=1", "must not be higher than entropy_max"),
        ("people=perhaps", "people cannot be 'perhaps'; choices: agrees, differs, none"),
        ("agreement=unanimous&agreement=majority", "agreement takes one value, not 'unanimous' and 'majo"),
        (
            "attribute=class&value=odd&attribute=class&value=even",
            "class takes one value, not 'odd'",
        ),
        ("entropy_min=1&entropy_min=0.5", "entropy_min takes one value"),
        ("page=1&page=2", "page takes one value"),
        ("run=-1", r"run cannot be '-1', which is not a run of this study; runs: .*\d \(smol · pll"),
        ("beside=-1", r"beside cannot be '-1', which is not a run of this study; runs: .*\d \(smol · pll"),
        ("runs=-1", r"runs cannot be '-1', which is not a run of this study; runs: .*\d \(smol · pll"),
        ("attribute=class", "Each attribute needs one value: got 1 of attribute and 0 of value"),
        ("value=odd", "got 0 of attribute and 1 of value"),
        ("attribute=nope&value=x", "attribute cannot be 'nope'; choices: class"),
        ("attribute=class&value=%00", "The value of class cannot be '.x00'; choices: odd, even"),
        ("page=" + "9" * 5000, "page must be a number, 1 or more"),
    ],
)
def test_what_cannot_be_is_refused_in_words(logged_in, study, query, said):
    with pytest.raises(SelectionError, match=said):
        items(study, query)
    assert logged_in.get(reverse("results", args=[study.slug, "items"]) + f"?{query}").status_code == 400
    assert logged_in.get(reverse("export", args=[study.slug, "items"]) + f"?{query}").status_code == 404


def test_a_name_of_ours_in_the_address_is_no_filter(study):
    assert len(items(study, "where=x&ranges=y&numbers=z")) == 6


def test_hostile_text_is_escaped(logged_in, study):
    evil = "<script>alert(1)</script>"
    study.items.update(attributes={evil: f"{evil}'\""})
    text = page(logged_in, study, "items", attribute=evil, value=f"{evil}'\"").content.decode()
    assert evil not in text
    assert "6 of 6 items" in " ".join(text.split())


@pytest.mark.slow
def test_every_part_and_the_download_show_the_same_items(logged_in, study):
    query = {"entropy_min": "0.5", "people": "agrees", "attribute": "class", "value": "odd"}
    for part in ("overview", "people", "models", "items", "breakdown", "export"):
        assert page(logged_in, study, part, **query).context["page"].items == 1
    assert [row["item"] for row in file_rows(logged_in, study.slug, "items", **query)] == ["target-3"]


@pytest.mark.slow
def test_what_is_not_asked_for_is_not_read(logged_in, study, monkeypatch):
    monkeypatch.setattr(selected, "read_number", lambda *given: pytest.fail("a number was read"))
    for part in ("overview", "items", "breakdown"):
        assert page(logged_in, study, part, agreement="unanimous").status_code == 200


@pytest.mark.slow
def test_a_number_is_read_once(logged_in, study, monkeypatch):
    read = []

    def noted(name, *given):
        read.append(name)
        return probabilities.read_number(name, *given)

    monkeypatch.setattr(selected, "read_number", noted)
    run = key(study, "smol")
    assert page(logged_in, study, "items", sort="surprisal", surprisal_min="1", run=run).status_code == 200
    assert read == [ranges.SURPRISAL]
