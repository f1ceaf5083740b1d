"""Texts of a study as people read them: Markdown, by a library that lets nothing else through."""

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

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
            _lead_outside(child)
    # Made by markdown-it without raw HTML.
    html: str = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return mark_safe(html)  # noqa: S308


def _lead_outside(child: Token) -> None:
    """In a tab of its own: nobody loses their place by reading on."""
    if child.type == "link_open":
        child.attrSet("target", "_blank")
        child.attrSet("rel", "noopener noreferrer")
