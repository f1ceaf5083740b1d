"""The page of one item: one table of raters by labels, surprisal by token, and steps through a list."""

import math
import re

import pytest
from django.core.cache import cache
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
    return {line.title or line.name: line for line in answer.context["page"].answers.lines}


class TestTable:
    @pytest.mark.slow
    def test_people_first_then_the_reference_then_the_nearest_run(self, logged_in, study):
        assert list(lines(show(logged_in, study))) == [
            "People", "Reference", "parrot · label", "majority · label", "smol · pll",
        ]  # fmt: skip

    @pytest.mark.slow
    def test_shares_of_labels_and_the_majority(self, logged_in, study):
        people = lines(show(logged_in, study))["People"]
        assert people.labels == (
            Cell(),
            Cell("2", 100 * 2 / 3, True),
            Cell("1", 100 / 3),
            Cell(),
            Cell(),
        )  # fmt: skip
        assert lines(show(logged_in, study, "target-5"))["People"].said == "no majority"

    @pytest.mark.slow
    def test_right_and_wrong(self, logged_in, study):
        found = lines(show(logged_in, study))
        assert [found[name].right for name in ("parrot · label", "majority · label", "smol · pll")] == [
            "right", "wrong", "",
        ]  # fmt: skip
        assert lines(show(logged_in, study, "target-5"))["parrot · label"].right == "nothing to compare with"
        # People say otherwise than the reference of the fourth.
        assert lines(show(logged_in, study, "target-4"))["parrot · label"].right == "wrong"
        assert lines(show(logged_in, study, "target-4", against="reference"))["parrot · label"].right == "right"

    @pytest.mark.slow
    def test_a_run_that_names_no_label_has_its_degree_by_the_cut_points_of_the_results(self, logged_in, cut_study):
        panel = select(cut_study, Selection()).panel
        smol = next(run for run in panel.runs if run.model == "smol")
        for place in (0, 10, 57, SIZE - 1):
            answer = show(logged_in, cut_study, panel.items[place], against="reference")
            line = lines(answer)["smol · pll"]
            degree = smol.decided[place]
            assert [at for at, cell in enumerate(line.labels) if cell.is_degree] == [degree]
            assert line.right == ("right" if smol.decided[place] == panel.truth[place] else "wrong")
            assert line.said == ""
            assert line.small == "pll †" and "† label by cut points on the score" in words(answer)

    @pytest.mark.slow
    def test_of_a_large_study_it_is_said_where_the_degree_is(self, logged_in, cut_study, monkeypatch):
        monkeypatch.setattr(selected, "QUICK", 10)
        line = lines(show(logged_in, cut_study, "target-7"))["smol · pll"]
        assert line.said == TOO_LARGE
        assert not any(cell.is_degree for cell in line.labels)

    @pytest.mark.slow
    def test_what_is_not_there_is_said(self, logged_in, study):
        few = "5 items have both a score and a label; cut points need 20"
        assert lines(show(logged_in, study))["smol · pll"].said == f"no label by cut points: {few}"
        assert lines(show(logged_in, study, "target-6"))["smol · pll"].said == "unscored: too long for the model"
        assert "People: no labels yet" in words(show(logged_in, study, "target-6"))

    @pytest.mark.slow
    def test_how_many_models_are_right(self, logged_in, study):
        assert show(logged_in, study).context["page"].answers.right == "1 of 1 model right"
        assert show(logged_in, study, "target-5").context["page"].answers.right == ""

    @pytest.mark.slow
    def test_probabilities_of_labels(self, logged_in, asked_study):
        found = lines(show(logged_in, asked_study, "target-1"))["instruct · prompted"]
        shares = [float(cell.words) for cell in found.labels]
        assert sum(shares) == pytest.approx(1, abs=0.03)
        assert [cell.is_decision for cell in found.labels] == [share == max(shares) for share in shares]
        assert found.labels[0].width == pytest.approx(100 * shares[0], abs=1)

    @pytest.mark.slow
    def test_of_synthetic_annotators(self, logged_in, synthetic_study):
        assert lines(show(logged_in, synthetic_study))["Synthetic annotators"].small == "3 labels"


class TestSurprisal:
    def test_bars_are_on_one_scale(self, logged_in, study):
        found = show(logged_in, study).context["page"].picture
        assert (found.name, found.most) == ("smol · pll", f"{19 / math.log(2):.1f}")
        [text] = found.texts
        assert [(bar.token.text, bar.token.surprisal) for bar in text.bars] == [("A", "1.44"), ("lamp", "27.41")]
        assert [bar.height for bar in text.bars] == [pytest.approx(100 / 19, abs=0.1), 100]

    def test_values_are_words_too(self, logged_in, study):
        assert "1.4 A 27.4 lamp" in words(show(logged_in, study))

    @pytest.mark.slow
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

    @pytest.mark.slow
    def test_without_tokens_there_is_none(self, logged_in, study, bare_study):
        assert "Surprisal by token" not in words(show(logged_in, bare_study, "target-1"))
        assert show(logged_in, study, "target-6").context["page"].picture is None

    @pytest.mark.slow
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

    @pytest.mark.slow
    def test_over_the_edge_of_a_page(self, logged_in, study, monkeypatch):
        monkeypatch.setattr(item_table, "PAGE", 2)
        place = show(logged_in, study, "target-3", sort="position", page="2").context["page"].place
        assert (place.at, place.total) == (3, 6)
        assert ((place.before.item, place.before.page), (place.after.item, place.after.page)) == (
            ("target-2", 1), ("target-4", 2),
        )  # fmt: skip
        last = show(logged_in, study, "target-6", sort="position", page="3").context["page"].place
        assert (last.before.item, last.after) == ("target-5", None)

    @pytest.mark.slow
    def test_the_list_leads_here(self, logged_in, study):
        text = logged_in.get(reverse("results", args=[study.slug, "items"]), {"agreement": "majority"}).content.decode()
        assert reverse("comparison_item", args=[study.slug, "target-3"]) + "?agreement=majority&amp;page=1" in text

    def test_an_item_that_is_not_on_it_steps_through_the_file(self, logged_in, study):
        answer = show(logged_in, study, "target-1", agreement="majority", page="1")
        assert answer.context["page"].place is None
        (link,) = re.findall(r'<a[^>]*rel="next"[^>]*>', answer.content.decode())
        assert "page=" not in link

    @pytest.mark.slow
    @pytest.mark.parametrize("query", ["agreement=x", "entropy_min=x", "page=0", "attribute=x&value=y", "run=%00"])
    def test_a_list_that_cannot_be_is_said(self, logged_in, study, query):
        answer = logged_in.get(reverse("comparison_item", args=[study.slug, "target-3"]) + f"?{query}")
        assert answer.status_code == 400
        assert "Remove all filters" in words(answer)

    def test_of_a_large_study_nothing_is_computed(self, logged_in, study, monkeypatch):
        monkeypatch.setattr(selected, "QUICK", 0)
        monkeypatch.setattr(reading, "read_panel", lambda *given, **named: pytest.fail("the panel was read"))
        cache.clear()
        answer = show(logged_in, study, page="1")
        assert answer.status_code == 200
        assert list(lines(answer))[2:] == ["parrot · label", "smol · pll", "majority · label"]


class TestPairs:
    """Of two texts, tokens that both have stand together."""

    def give(self, study, original, modified):
        texts = {"original": original, "modified": modified}
        options = {
            name: {"text": name, "logprob": -1.0, "tokens": [[word, -bits * math.log(2)] for word, bits in tokens]}
            for name, tokens in texts.items()
        }
        Score.objects.filter(run__model__key=SMOL).update(detail={"options": options})

    def drawn(self, client, study):
        found = show(client, study).context["page"].picture
        return found.sentence, [
            (column.text, column.before and column.before.bits, column.after and column.after.bits)
            for column in found.columns
        ]

    @pytest.mark.slow
    def test_a_word_that_is_new_stands_alone(self, logged_in, study):
        self.give(study, [("a", 1), ("pond", 3.5)], [("a", 1), ("fro", 6), ("##zen", 3.6), ("pond", 4.2)])
        sentence, columns = self.drawn(logged_in, study)
        assert columns == [("a", "1.0", "1.0"), ("fro", None, "6.0"), ("zen", None, "3.6"), ("pond", "3.5", "4.2")]
        assert sentence == "“frozen” costs 9.6 bits, and “pond” is 0.7 bits less expected after it."

    @pytest.mark.slow
    def test_what_only_the_first_has_is_drawn_and_nothing_is_said(self, logged_in, study):
        self.give(study, [("a", 1), ("old", 3)], [("a", 1)])
        assert self.drawn(logged_in, study) == ("", [("a", "1.0", "1.0"), ("old", "3.0", None)])

    @pytest.mark.slow
    def test_words_in_the_place_of_others_stand_one_by_one(self, logged_in, study):
        self.give(study, [("the", 1), ("cat", 3)], [("the", 1), ("dog", 2)])
        assert self.drawn(logged_in, study) == ("", [("the", "1.0", "1.0"), ("dog", "3.0", "2.0")])
