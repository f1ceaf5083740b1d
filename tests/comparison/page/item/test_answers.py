"""The page of one item: one table of raters by labels, surprisal by token, and steps through a list."""

import math

import pytest
from django.urls import reverse

from comparison.frame import reading, selected
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page import item_table
from comparison.page.item.answers import TOO_LARGE, Cell
from scoring.models import Score
from tests.comparison.cuts import SIZE
from tests.comparison.page.visiting import words

SMOL, PARROT = "smol", "parrot"


def show(client, study, item="target-3", **query):
    return client.get(reverse("comparison_item", args=[study.slug, item]), query)


def key(study, model):
    return str(study.runs.get(model__key=model).pk)


def lines(answer):
    return {line.name: line for line in answer.context["page"].answers.lines}


class TestTable:
    def test_people_first_then_the_reference_then_the_nearest_run(self, logged_in, study):
        assert list(lines(show(logged_in, study))) == [
            "People’s labels, n = 3", "Reference", "parrot · label", "majority · label", "smol · pll",
        ]  # fmt: skip

    def test_shares_of_labels_and_the_majority(self, logged_in, study):
        people = lines(show(logged_in, study))["People’s labels, n = 3"]
        assert people.labels == (
            Cell(),
            Cell("2 · .67", 100 * 2 / 3, True),
            Cell("1 · .33", 100 / 3),
            Cell(),
            Cell(),
        )  # fmt: skip
        assert lines(show(logged_in, study, "target-5"))["People’s labels, n = 3"].said == "no majority"

    def test_right_and_wrong(self, logged_in, study):
        found = lines(show(logged_in, study))
        assert [found[name].right for name in ("parrot · label", "majority · label", "smol · pll")] == [
            "right", "wrong", "",
        ]  # fmt: skip
        assert lines(show(logged_in, study, "target-5"))["parrot · label"].right == "nothing to compare with"
        # People say otherwise than the reference of the fourth.
        assert lines(show(logged_in, study, "target-4"))["parrot · label"].right == "wrong"
        assert lines(show(logged_in, study, "target-4", against="reference"))["parrot · label"].right == "right"

    def test_a_run_that_names_no_label_has_its_degree_by_the_cut_points_of_the_results(self, logged_in, cut_study):
        panel = select(cut_study, Selection()).panel
        smol = next(run for run in panel.runs if run.model == "smol")
        for place in (0, 10, 57, SIZE - 1):
            answer = show(logged_in, cut_study, panel.items[place], against="reference")
            line = lines(answer)["smol · pll"]
            degree = smol.decided[place]
            assert [at for at, cell in enumerate(line.labels) if cell.is_degree] == [degree]
            assert line.right == ("right" if smol.decided[place] == panel.truth[place] else "wrong")
            assert line.said == "names no label; degree by cut points"
            assert "† is the degree of a run that gives a strength" in words(answer)

    def test_of_a_large_study_it_is_said_where_the_degree_is(self, logged_in, cut_study, monkeypatch):
        monkeypatch.setattr(selected, "QUICK", 10)
        line = lines(show(logged_in, cut_study, "target-7"))["smol · pll"]
        assert line.said == f"names no label; {TOO_LARGE}"
        assert not any(cell.is_degree for cell in line.labels)

    def test_what_is_not_there_is_said(self, logged_in, study):
        few = "5 items have both a strength and a label; cut points need 20"
        assert lines(show(logged_in, study))["smol · pll"].said == f"names no label; no degree by cut points: {few}"
        assert lines(show(logged_in, study, "target-6"))["smol · pll"].said == "unscored: too long for the model"
        assert "People’s labels, n = 0 no labels yet" in words(show(logged_in, study, "target-6"))

    def test_texts_beside_labels(self, logged_in, study):
        table = show(logged_in, study).context["page"].answers
        assert (table.texts, table.number) == (("original", "modified"), "Log-probability")
        assert lines(show(logged_in, study))["smol · pll"].texts == ("−20.000", "−18.000")

    def test_probabilities_of_labels(self, logged_in, asked_study):
        found = lines(show(logged_in, asked_study, "target-1"))["instruct · prompted"]
        shares = [float(cell.words) for cell in found.labels]
        assert sum(shares) == pytest.approx(1, abs=0.03)
        assert [cell.is_decision for cell in found.labels] == [share == max(shares) for share in shares]
        assert found.labels[0].width == pytest.approx(100 * shares[0], abs=1)

    def test_of_synthetic_annotators(self, logged_in, synthetic_study):
        assert "The labels of synthetic annotators, n = 3" in lines(show(logged_in, synthetic_study))


class TestSurprisal:
    def test_bars_are_on_one_scale(self, logged_in, study):
        found = show(logged_in, study).context["page"].picture
        assert (found.name, found.most) == ("smol · pll", f"{19 / math.log(2):.1f}")
        [text] = found.texts
        assert [(bar.token.text, bar.token.surprisal) for bar in text.bars] == [("A", "1.44"), ("lamp", "27.41")]
        assert [bar.height for bar in text.bars] == [pytest.approx(100 / 19, abs=0.1), 100]

    def test_values_are_words_too(self, logged_in, study):
        assert "1.44 A 27.41 lamp" in words(show(logged_in, study))

    def test_a_run_is_chosen(self, logged_in, study):
        detail = {"options": {"original": {"text": "x", "logprob": -1.0, "tokens": [["x", -1.0]]}}}
        Score.objects.filter(run__model__key=PARROT).update(detail=detail)
        nearest = show(logged_in, study)
        assert nearest.context["page"].picture.key == key(study, PARROT)
        chosen = show(logged_in, study, tokens=key(study, SMOL), agreement="majority")
        assert chosen.context["page"].picture.key == key(study, SMOL)
        assert f"?agreement=majority&amp;tokens={key(study, PARROT)}#surprisal" in chosen.content.decode().replace(
            f"?tokens={key(study, PARROT)}&amp;agreement=majority",
            f"?agreement=majority&amp;tokens={key(study, PARROT)}",
        )

    @pytest.mark.parametrize("tokens", ["", "nonsense", "\0", "9" * 5000])
    def test_what_is_no_run_is_the_nearest(self, logged_in, study, tokens):
        assert show(logged_in, study, tokens=tokens).context["page"].picture.key == key(study, SMOL)

    def test_without_tokens_there_is_none(self, logged_in, study, bare_study):
        assert "Surprisal by token" not in words(show(logged_in, bare_study, "target-1"))
        assert show(logged_in, study, "target-6").context["page"].picture is None

    def test_certain_tokens_and_scores_above_0_have_no_bar(self, logged_in, study):
        detail = {"options": {"original": {"text": "x", "logprob": 0.0, "tokens": [["x", 0.0], ["y", 2.5]]}}}
        Score.objects.filter(run__model__key=SMOL).update(detail=detail)
        [text] = show(logged_in, study).context["page"].picture.texts
        assert [bar.height for bar in text.bars] == [0, 0]

    def test_tokens_and_names_are_escaped(self, logged_in, study):
        evil = "<img src=x onerror=alert(1)>"
        detail = {"options": {evil: {"text": evil, "logprob": -1.0, "tokens": [[evil, -1.0]]}}, "no_decision": evil}
        Score.objects.filter(run__model__key=SMOL).update(detail=detail)
        assert evil not in show(logged_in, study).content.decode()


class TestSteps:
    def test_through_the_list_that_one_came_from(self, logged_in, study):
        query = {"entropy_min": "0.5", "sort": "entropy", "page": "1"}
        answer = show(logged_in, study, "target-3", **query)
        place = answer.context["page"].place
        assert (place.at, place.total, place.before.item, place.after.item) == (2, 3, "target-5", "target-4")
        after = reverse("comparison_item", args=[study.slug, "target-4"])
        assert f'href="{after}?entropy_min=0.5&amp;sort=entropy&amp;page=1"' in answer.content.decode()

    def test_over_the_edge_of_a_page(self, logged_in, study, monkeypatch):
        monkeypatch.setattr(item_table, "PAGE", 2)
        place = show(logged_in, study, "target-3", sort="position", page="2").context["page"].place
        assert (place.at, place.total) == (3, 6)
        assert ((place.before.item, place.before.page), (place.after.item, place.after.page)) == (
            ("target-2", 1), ("target-4", 2),
        )  # fmt: skip
        last = show(logged_in, study, "target-6", sort="position", page="3").context["page"].place
        assert (last.before.item, last.after) == ("target-5", None)

    def test_the_list_leads_here(self, logged_in, study):
        text = logged_in.get(reverse("results", args=[study.slug, "items"]), {"agreement": "majority"}).content.decode()
        assert reverse("comparison_item", args=[study.slug, "target-3"]) + "?agreement=majority&amp;page=1" in text

    def test_an_item_that_is_not_on_it_steps_through_the_file(self, logged_in, study):
        answer = show(logged_in, study, "target-1", agreement="majority", page="1")
        assert answer.context["page"].place is None
        assert "Next in the file" in words(answer)

    @pytest.mark.parametrize("query", ["agreement=x", "entropy_min=x", "page=0", "attribute=x&value=y", "run=%00"])
    def test_a_list_that_cannot_be_is_said(self, logged_in, study, query):
        answer = logged_in.get(reverse("comparison_item", args=[study.slug, "target-3"]) + f"?{query}")
        assert answer.status_code == 400
        assert "Show the item by itself" in words(answer)

    def test_of_a_large_study_nothing_is_computed(self, logged_in, study, monkeypatch):
        monkeypatch.setattr(selected, "QUICK", 0)
        monkeypatch.setattr(reading, "read_panel", lambda *given, **named: pytest.fail("the panel was read"))
        answer = show(logged_in, study, page="1")
        assert answer.status_code == 200
        assert list(lines(answer))[2:] == ["parrot · label", "smol · pll", "majority · label"]
