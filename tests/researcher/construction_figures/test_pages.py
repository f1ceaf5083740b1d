"""The page of how a study was made: its figures as they were kept, drawn, and as files."""

import csv
import io
import json
from dataclasses import asdict, replace

import altair as alt
import pytest
from django.urls import reverse

from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.models import Act
from researcher.construction_figures import COLORS, figures_of_build, keep_figures, spec_of, write_figures
from researcher.making import put_in_place
from stimuli.making.contract import Cell, figure_of
from tests.researcher.construction_figures.cast import BIC, FIGURES, QUALITY, WORDS, made


def test_a_figure_is_the_same_after_its_way_through_json():
    assert [figure_of(json.loads(json.dumps(asdict(one)))) for one in FIGURES] == FIGURES


@pytest.mark.django_db
def test_a_made_study_has_them_in_its_rows_and_in_its_manifest(tmp_path):
    (placed,) = put_in_place([replace(made(), figures=FIGURES)], out=tmp_path / "out", load=True)
    assert placed.loaded is not None
    study = placed.loaded.study
    assert figures_of_build(study) == FIGURES
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())["figures"]
    assert [figure_of(one) for one in told] == FIGURES
    put_in_place([replace(made(), figures=[BIC])], out=tmp_path / "out", load=True)
    assert figures_of_build(study) == [BIC], "what was made anew has figures of its own"
    put_in_place([made()], out=tmp_path / "out", load=True)
    assert figures_of_build(study) == []
    assert "figures" not in json.loads((tmp_path / "out" / "manifest.json").read_text())


@pytest.mark.slow
def test_the_drawings_keep_to_the_schema_and_have_a_mark_for_each_row():
    assert spec_of(QUALITY) is None
    for figure in (WORDS, BIC):
        drawn = spec_of(figure)
        assert drawn is not None
        alt.LayerChart.from_dict(drawn)
    spec = spec_of(WORDS)
    assert spec is not None
    points = spec["layer"][0]
    assert [len(rows) for rows in rows_by_layer(WORDS)] == [60, 5, 5]
    assert points["encoding"]["color"]["scale"]["domain"] == ["taken out", "put in", "both"]
    _, dots, ring, _ = rows_by_layer(BIC)
    assert [one["x"] for one in ring] == [11]
    assert dots[1]["said"] == "number of clusters 11: BIC -7,600,000, chosen"


def rows_by_layer(figure):
    spec = spec_of(figure)
    assert spec is not None
    return [spec["datasets"][layer["data"]["name"]] for layer in spec["layer"]]


def test_more_kinds_than_can_be_told_apart_are_refused():
    rows: list[list[Cell]] = [[f"w{n}", f"kind {n}", n, n] for n in range(len(COLORS) + 1)]
    with pytest.raises(ValueError, match="words: 6 kinds of points are too many colors"):
        spec_of(replace(WORDS, rows=rows))


@pytest.mark.slow
def test_files_of_one_study_and_of_several(tmp_path):
    one, other = replace(made("one"), figures=[QUALITY, BIC]), made("other")
    said = list(write_figures(tmp_path / "one", [one, other]))
    assert {path.name for path in (tmp_path / "one").iterdir()} == {"quality.csv", "bic.csv", "bic.svg"}
    assert len(said) == 3
    list(write_figures(tmp_path / "both", [one, replace(other, figures=[BIC])]))
    assert {path.name for path in (tmp_path / "both").iterdir()} == {
        "one-quality.csv", "one-bic.csv", "one-bic.svg", "other-bic.csv", "other-bic.svg"
    }  # fmt: skip
    assert list(write_figures(tmp_path / "none", [other])) == ["no figures: this construction computes none"]


@pytest.mark.slow
@pytest.mark.django_db
def test_the_page_shows_them_drawn_and_as_numbers(client, study):
    keep_figures(study, FIGURES)
    page = client.get(reverse("made", args=[study.slug])).content.decode()
    for figure in FIGURES:
        assert figure.title in page and figure.said in page
    assert page.count('<svg class="wide"') == page.count('<svg class="narrow"') == 2
    assert "var(--accent)" in page, "colors are the page's own, in either theme"
    assert "<td>0.8222</td><td>0.7861</td><td>0.8533</td><td>500</td>" in page
    assert '<th scope="row">word39</th>' in page and '<th scope="row">word40</th>' not in page
    assert "First 40 rows. The file has 20 more." in page
    assert "<td>-7,600,000</td><td>yes</td>" in page
    assert reverse("made", args=[study.slug]) in client.get(reverse("setup", args=[study.slug])).content.decode()


@pytest.mark.django_db
def test_without_figures_it_says_what_would_be_there(client, study):
    assert "will appear here" in client.get(reverse("made", args=[study.slug])).content.decode()
    assert reverse("made", args=[study.slug]) not in client.get(reverse("setup", args=[study.slug])).content.decode()


@pytest.mark.slow
@pytest.mark.django_db
def test_the_files_have_every_row_and_the_picture_and_leave_an_act(client, study):
    keep_figures(study, FIGURES)
    for figure in FIGURES:
        answer = client.get(reverse("made_figure", args=[study.slug, figure.name, "csv"]))
        rows = list(csv.reader(io.StringIO(answer.content.decode())))
        assert rows[0] == figure.columns and len(rows) == len(figure.rows) + 1
    assert rows[2] == ["11", "-7600000.5", "true"]
    for kind, start in (("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        answer = client.get(reverse("made_figure", args=[study.slug, "words", kind]))
        assert answer.content.startswith(start)
        assert f'filename="{study.slug}-words.{kind}"' in answer.headers["Content-Disposition"]
    assert Act.objects.filter(slug=study.slug, deed="exported").count() == 6


@pytest.mark.slow
@pytest.mark.django_db
def test_what_there_is_not_is_not_found(client, study, colleague, carl):
    keep_figures(study, FIGURES)
    for name, kind in (("none", "csv"), ("quality", "svg"), ("words", "exe")):
        assert client.get(reverse("made_figure", args=[study.slug, name, kind])).status_code == 404
    assert colleague.get(reverse("made", args=[study.slug])).status_code == 404
    assert colleague.get(reverse("made_figure", args=[study.slug, "words", "csv"])).status_code == 404
    give(study, carl, Role.ANALYST)
    assert "Quality of the exchange" in colleague.get(reverse("made", args=[study.slug])).content.decode()
    assert colleague.get(reverse("made_figure", args=[study.slug, "words", "csv"])).status_code == 200
