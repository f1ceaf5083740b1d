"""A page of the results as a shared link shows it: nothing to send, and no way out of what is shared."""

from collections.abc import Callable
from html import escape
from html.parser import HTMLParser

# The classes of what asks for other figures, and of what leads to files.
CHOICES, FILES = {"choice", "merging", "run-choice", "sorts"}, "downloads"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

Attributes = list[tuple[str, str | None]]


def within(page: str, leads: Callable[[str], str]) -> str:
    """`leads` gives the shared address for the address of a link, or nothing where that is not shared.

    Links that lead nowhere become words, and those of files vanish. So does every form, every field of one, and what
    asks for another choice.
    """
    reading = _Within(leads)
    reading.feed(page)
    reading.close()
    return "".join(reading.kept)


class _Within(HTMLParser):
    def __init__(self, leads: Callable[[str], str]) -> None:
        super().__init__(convert_charrefs=False)
        self.leads = leads
        self.kept: list[str] = []
        # What is left out: the element, and how many of its name are open in it.
        self.leaving_out, self.depth = "", 0
        # How each open link ends.
        self.ends: list[str] = []
        # Where a line of files begins, while there is one; it stays for what it gives.
        self.files_at: int | None = None
        self.gives = 0

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if self.leaving_out:
            self.depth += tag == self.leaving_out
            return
        given = dict(attrs)
        if _asks(tag, given):
            if tag not in VOID:
                self.leaving_out, self.depth = tag, 1
            return
        if tag == "p" and given.get("class") == FILES:
            self.files_at, self.gives = len(self.kept), 0
        if tag == "a":
            self._link(given)
        else:
            self.kept.append(self.get_starttag_text() or "")

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        if not self.leaving_out and not _asks(tag, dict(attrs)):
            self.kept.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if self.leaving_out:
            self.depth -= tag == self.leaving_out
            if not self.depth:
                self.leaving_out = ""
            return
        self.kept.append(self.ends.pop() if tag == "a" and self.ends else f"</{tag}>")
        if tag == "p" and self.files_at is not None:
            if not self.gives:
                del self.kept[self.files_at :]
            self.files_at = None

    def _link(self, given: dict[str, str | None]) -> None:
        """With what it looks like, and without what it does."""
        address = self.leads(given.get("href") or "")
        if self.files_at is not None:
            self.gives += bool(address)
            if not address:
                self.leaving_out, self.depth = "a", 1
                return
        looks = {name: given[name] for name in ("class", "id", "aria-current", "aria-label", "rel") if given.get(name)}
        if not address:
            looks.pop("rel", None)
            # A label belongs to what can be acted on.
            looks.pop("aria-label", None)
        named = "".join(f' {name}="{escape(value or "")}"' for name, value in looks.items())
        self.kept.append(f'<a href="{escape(address)}"{named}>' if address else f"<span{named}>")
        self.ends.append("</a>" if address else "</span>")

    def handle_data(self, data: str) -> None:
        self._keep(data)

    def handle_entityref(self, name: str) -> None:
        self._keep(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._keep(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self._keep(f"<!{decl}>")

    def _keep(self, text: str) -> None:
        if not self.leaving_out:
            self.kept.append(text)


def _asks(tag: str, given: dict[str, str | None]) -> bool:
    """Whether the element asks for something to be sent, or for another choice."""
    classes = (given.get("class") or "").split()
    sends = any(name.startswith("hx-") for name in given)
    return tag == "form" or "form" in given or not CHOICES.isdisjoint(classes) or sends
