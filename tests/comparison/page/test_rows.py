"""Rows of tables that are written without a template: what they escape, where cells lead, what stands once below."""

import re
from types import SimpleNamespace

import pytest
from django.template import Context, Template
from django.test import RequestFactory

from comparison.figures.table import Counted, Linked, Statistic, Table
from comparison.frame.names import Shortened
from comparison.statistics.alternative import Rival
from comparison.statistics.estimate import Estimate

SHARE = Estimate(0.5, 0.4, 0.6, n=80, note="of <all>")


def written(name, given):
    """What a tag gives."""
    return Template(f"{{% load tables %}}{{% {name} given %}}").render(Context({"given": given}))


def body(*rows, address="/", **context):
    """The rows of a table in its template."""
    made = Table(name="made", title="Made", columns=("Who", "Value"), rows=rows, rests_on="", method="")
    context |= {"table": made, "request": RequestFactory().get(address), "items_address": "/items/"}
    context |= {"page": SimpleNamespace(shortened=Shortened.of([]))}
    html = Template('{% include "comparison/_table.html" %}').render(Context(context))
    return re.sub(r"\s*\n\s*", "", html.partition("<tbody>")[2])


@pytest.mark.parametrize(
    ("cell", "inside"),
    [
        ("<b> & more", '<td data-value="&lt;b&gt; &amp; more">&lt;b&gt; &amp; more</td>'),
        ("more than twelve", '<td data-value="more than twelve" class="wraps">more than twelve</td>'),
        (1234, '<td data-value="1234">1,234</td>'),
        (
            Estimate.none("<none>"),
            '<td data-value=""><small class="quiet wraps">undefined: &lt;none&gt;</small></td>',
        ),
        (
            SHARE,
            '<td data-value="0.5"><span class="unbroken">.5 [.4, .6]</span> '
            '<small class="quiet wraps">of &lt;all&gt;</small></td>',
        ),
        (
            Counted(40, SHARE),
            '<td data-value="0.5">40<br><small class="quiet"><span class="unbroken">.5 [.4, .6]</span></small> '
            '<small class="quiet wraps">of &lt;all&gt;</small></td>',
        ),
    ],
)
def test_a_cell_is_escaped_and_has_what_it_is_sorted_by(cell, inside):
    assert inside.replace(".5 [.4, .6]", SHARE.short) in body(("<i>", cell))


def test_a_row_is_named_by_its_first_cell_with_what_explains_it():
    html = body((Statistic("A <name>", "ac1"), "a"), ("<i>", "b"))
    assert html.count("<tr>") == html.count("</tr>") == 2
    assert '<th scope="row">A &lt;name&gt; <button type="button" class="about"' in html
    assert '<th scope="row">&lt;i&gt;</th>' in html


def test_what_is_said_of_all_figures_stands_in_none():
    html = body(("a", SHARE), ("b", SHARE), ("c", SHARE))
    assert "of &lt;all&gt;" not in html


def test_a_cell_leads_to_its_items_among_those_of_the_address():
    linked = ("a", Linked(cell="see", query={"value": "a&b", "run": "2"}))
    html = body(linked, address="/?run=1&by=x&by=y&page=3&open=all")
    assert '<a href="/items/?run=2&amp;by=x&amp;by=y&amp;value=a%26b">see</a>' in html
    assert "<a " not in body(linked, shared=True)


def test_names_of_people_are_escaped():
    rival = Rival(rater="<i>", n=1234, model=0.5, person=0.25, p=0.001, adjusted=0.04, test="t")
    assert written("rivals", [rival]) == (
        '<tr><th scope="row">&lt;i&gt;</th><td class="number" data-value="1234">1,234</td><td class="number">.50</td>'
        '<td class="number">.25</td><td>the model wins, p = .040 (t)</td></tr>'
    )
    html = written("held_against_others", [("<i>", Estimate(0.75, 0.5, 0.9, n=4))])
    assert html.startswith('<tr><th scope="row">&lt;i&gt;</th><td data-value="0.75"><span class="unbroken">')
