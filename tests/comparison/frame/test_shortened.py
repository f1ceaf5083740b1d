"""Short names of runs on pages; whole ones in titles and in files."""

import pytest
from django.utils.html import escape

from comparison.frame.names import Shortened
from comparison.frame.panel import NamedRun
from comparison.statistics.strengths.cut_points import Cuts
from scoring.short_names import rename
from tests.comparison.page.visiting import page


def run(key, short, model, metric, cuts=None):
    return NamedRun(
        key=key, short=short, model=model, metric=metric, family="", is_baseline=False, state="finished", cuts=cuts
    )


def test_a_name_in_another_is_not_taken_for_it():
    found = Shortened.of([run("1", "GPT pll", "GPT", "pll"), run("2", "XL", "GPT", "pll (imported)")])
    assert found("GPT · pll (imported) and GPT · pll, GPT · pll_whole") == "XL and GPT pll, GPT · pll_whole"


def test_a_picture_has_them_throughout():
    found = Shortened.of([run("1", "GPT pll", "GPT", "pll")])
    spec = {"title": "GPT · pll", "layer": [{"data": [{"row": "GPT · pll", "value": 0.5}]}]}
    assert found.spec(spec) == {"title": "GPT pll", "layer": [{"data": [{"row": "GPT pll", "value": 0.5}]}]}
    assert spec["title"] == "GPT · pll", "the file has the whole name"


def test_a_quote_in_a_name_breaks_no_picture():
    found = Shortened.of([run("1", 'a "b" \\', 'GPT "2"', "pll")])
    assert found.spec({"title": ['GPT "2" · pll', 3, None]}) == {"title": ['a "b" \\', 3, None]}


def test_labels_by_cut_points_are_marked():
    found = Shortened.of([run("1", "GPT pll", "GPT", "pll", Cuts(9, (0.5,)))])
    assert found("GPT · pll (labels by cut points)") == "GPT pll\N{NO-BREAK SPACE}†"


@pytest.mark.slow
def test_a_check_says_the_short_name_with_the_whole_one_in_its_title(logged_in, study):
    one = study.runs.select_related("model").get(model__key="parrot")
    rename(one, "Brief")
    for check in ("run-figures", "between-runs"):
        html = page(logged_in, study, part=check).content.decode().partition('class="card check"')[2]
        assert "Brief" in html
        assert f'title="{escape(str(one))}' in html, check
        assert f">{escape(str(one))}" not in html, check
    rows = logged_in.get(f"/studies/{study.slug}/export/run-figures.csv").getvalue().decode()
    assert str(one) in rows and "Brief" not in rows
