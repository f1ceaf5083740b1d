"""A page as a shared link shows it."""

from researcher.views.sharing.within import within


def shown(page: str, **leads: str) -> str:
    return within(page, lambda address: leads.get(address, ""))


def test_a_link_that_leads_nowhere_becomes_words_with_what_is_in_it():
    assert shown('<p>See <a class="models" href="/runs/1/">the <b>run</b></a>.</p>') == (
        '<p>See <span class="models">the <b>run</b></span>.</p>'
    )


def test_a_link_within_is_led_there_and_does_nothing_else():
    page = '<a href="in" hx-get="x" onclick="y" aria-current="page">Models</a><a href="out"> out</a>'
    assert shown(page.replace(' hx-get="x"', ""), **{"in": "/shared/a/?page=2&open=b"}) == (
        '<a href="/shared/a/?page=2&amp;open=b" aria-current="page">Models</a><span> out</span>'
    )


def test_forms_and_fields_and_choices_vanish_with_all_that_is_in_them():
    page = (
        '<form><p>a</p><form>b</form></form><p class="choice"><label>c <select form="filters"><option>d</select></p>'
        '<input name="e" form="filters"><div hx-get="/x/"><div>f</div></div><nav class="sorts">g</nav><p>left</p>'
    )
    assert shown(page) == "<p>left</p>"


def test_links_to_files_vanish_and_those_that_are_given_stay():
    page = '<p class="downloads">Download: <a href="svg">SVG</a> <a href="csv">CSV</a></p><p><a href="svg">x</a></p>'
    assert shown(page, csv="/s/f.csv") == (
        '<p class="downloads">Download:  <a href="/s/f.csv">CSV</a></p><p><span>x</span></p>'
    )
    assert shown(page) == "<p><span>x</span></p>"


def test_all_else_is_as_it_was():
    page = (
        '<!DOCTYPE html>\n<svg viewBox="0 0 1 1"><linearGradient id="a"/><path d="M0"/></svg>&amp; &#39; κ <br> '
        "<script src=\"x\" defer></script><table><tr><td data-value='1'>1</td></tr></table>"
    )
    assert shown(page) == page
