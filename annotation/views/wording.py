"""Words of a study as they stand on the page: its texts as Markdown, an item's question and options.

Markdown is drawn by a library that lets nothing else through. Options are translated where they are our words.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from markdown_it import MarkdownIt

from annotation.languages import direction
from annotation.models import Study
from annotation.templatetags.spoken import AS_WRITTEN, spoken, texts_lang

SCHEMES = ("https://", "http://", "mailto:")


class _Markdown(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802  (the library's name)
        """Only addresses that lead somewhere: no script, and no address of our own pages."""
        return url.lower().startswith(SCHEMES)


# No HTML of the text's own, and no image: one from elsewhere would tell others who reads the page.
_MARKDOWN = _Markdown("commonmark", {"html": False, "typographer": False}).enable("table").disable("image")


@lru_cache(maxsize=256)
def rendered(text: str) -> SafeString:
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        # The page has its own heading, and the policy refuses inline styles.
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
        token.attrs.pop("style", None)
        for child in token.children or []:
            # In a tab of its own: nobody loses their place by reading on.
            if child.type == "link_open":
                child.attrSet("target", "_blank")
                child.attrSet("rel", "noopener noreferrer")
    # Made by markdown-it without raw HTML.
    html: str = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return mark_safe(html)  # noqa: S308


def worded(study: Study, shown: Mapping[str, Any]) -> dict[str, Any]:
    """For the template: both, and their languages where they are not the page's. `shown` is TaskType.page_context()."""
    task, options = study.task, shown["options"]
    if task.options_from == "task":
        return {
            "question": gettext(task.question),
            "question_lang": "",
            "options": [replace(option, text=gettext(option.text)) for option in options],
            "options_lang": AS_WRITTEN,
        }
    return {
        "question": task.question,
        "question_lang": texts_lang(study),
        "options": options,
        "options_lang": (spoken(study.stimulus_language) if task.options_from == "item" else texts_lang(study))
        + AS_WRITTEN,
    }


def stimulus(study: Study, shown: Mapping[str, Any]) -> SafeString:
    """Rendered apart, so that a task type's template sees what is shown and nothing else of the item.

    `lang` goes to the elements that hold the item's own texts, `page_lang` to our words inside of these: with a
    direction of their own, they say nothing of that of the texts around them.
    """
    lang, page = spoken(study.stimulus_language), get_language() or ""
    page_lang = format_html(' lang="{}" dir="{}"', page, direction(page)) if lang else ""
    return render_to_string(study.task.template, {**shown, "lang": lang + AS_WRITTEN, "page_lang": page_lang})
