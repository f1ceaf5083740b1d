"""The “?” beside a figure's name: `{% about "ac1" %}`, and `{% abouts %}` once after the last of them.

A button and what it opens are two elements, so that no table cuts or moves what is shown, and a term that stands at
several heads of a page is written once. Both are the browser's own popover: no script, Escape closes, and the keyboard
goes on from the button into it.
"""

from django import template
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from comparison.glossary.entries import term_of
from comparison.glossary.term import Term
from scoring.metrics import METRICS

register = template.Library()

BUTTON = '<button type="button" class="about" popovertarget="about-{}" aria-label="What is {}?">?</button>'
WORDS = (
    '<div popover class="about-words" id="about-{0}" role="dialog" aria-labelledby="about-{0}-name">'
    '<p class="about-name" id="about-{0}-name">{1}</p><p>{2}</p>{3}</div>'
)
MORE = '<p><a href="{}">More on {}</a> · <a href="{}">All terms</a></p>'


@register.simple_tag(takes_context=True)
def about(context: Context, key: str) -> SafeString:
    term = term_of(key)
    _terms_on_page(context["request"]).setdefault(term.key, term)
    return format_html(BUTTON, term.key, term.name)


@register.simple_tag(takes_context=True)
def about_metric(context: Context, metric: str) -> SafeString:
    """Of a metric that is computed here; what was imported is as its file says."""
    return about(context, f"metric_{metric}") if metric in METRICS else SafeString()


@register.simple_tag(takes_context=True)
def abouts(context: Context) -> SafeString:
    """What all buttons so far open; a part that htmx puts in anew has its own at its end."""
    on_page = _terms_on_page(context["request"])
    terms = [term for term in on_page.values() if term is not None]
    on_page.update(dict.fromkeys(on_page))
    # A page that is shared by a link leads nowhere else.
    more = [SafeString() if context.get("shared") else _more(term) for term in terms]
    names = [f"{term.name[0].upper()}{term.name[1:]}" for term in terms]
    written = zip(terms, names, more, strict=True)
    return format_html_join("\n", WORDS, ((term.key, name, term.words, leads) for term, name, leads in written))


def _more(term: Term) -> SafeString:
    # A long page is shown in parts, and knows which one has the anchor.
    address = f"{reverse('docs', args=[term.page])}?at={term.anchor}"
    return format_html(MORE, address, term.name, f"{reverse('glossary')}#{term.key}")


def _terms_on_page(request: HttpRequest) -> dict[str, Term | None]:
    """What this page's buttons are about; None once it is written."""
    terms: dict[str, Term | None] = vars(request).setdefault("_abouts", {})
    return terms
