"""What one participant does at the pages, from the platform's link to the code: by what the pages show, and only that.

Nobody waits: how long an answer took is posted as the page's script would have measured it, and the time at which the
server showed the item is set back as far, since the quality policy asks the server's clock too.
"""

import logging
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from http.client import HTTPConnection, HTTPException
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.utils import timezone

from annotation.behavior import Question, answer, response_ms
from annotation.models import Assignment
from bench.crowd.personas import Person
from bench.crowd.study import CODES, COMPREHENSION, GOLD_DISTANCE, SCALE, World
from bench.patience import patiently
from tests.annotation.pages.bot import Bot, Page, read_html

FORM = "application/x-www-form-urlencoded"
PATIENCE, PAUSE = 120.0, 1.0
# The database is away, and the page says that it sends the answer again.
AWAY = 503
HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
CODE = re.compile(r"data-code>([^<]*)<")
# The answers to items, practice apart, after which a leaver closes the page.
FEWEST, MOST = 3, 15
# Before the copied id is tried.
HALF_WAY = 5
# How often an answer is sent twice, and how often the questions need the second try.
SENT_TWICE, SECOND_TRY = 0.05, 0.2
LONGEST_WALK = 300
# Who is told that too many are beginning comes again, every few seconds, for some minutes.
IN_A_CROWD, WAIT, LONGEST_WAIT = 429, 3.0, 120

log = logging.getLogger(__name__)


class HttpBrowser(Bot):
    """Without JavaScript. Where the line is lost, or the database away, it asks again, as people do who reload."""

    # By the heading of the page that said so, how often an answer or a page was refused for a moment.
    refused: ClassVar[Counter[str]] = Counter()

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port
        self.cookies: dict[str, str] = {}

    def fetch(self, address: str, data: Mapping[str, Any] | None = None) -> Page:
        status, address, html = self._ask_again(address, data)
        while status in (302, 303):
            status, address, html = self._ask_again(address, None)
        return read_html(status, address, html)

    def _ask_again(self, address: str, data: Mapping[str, Any] | None) -> tuple[int, str, str]:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                found = self._ask(address, data)
            except (OSError, HTTPException) as error:
                log.warning("The line to %s was lost (%s); sent again", address, error)
            else:
                if found[0] != AWAY:
                    return found
                heading = HEADING.search(found[2])
                self.refused[" ".join(heading[1].split()) if heading else "without a heading"] += 1
            time.sleep(PAUSE)
        return self._ask(address, data)

    def _ask(self, address: str, data: Mapping[str, Any] | None) -> tuple[int, str, str]:
        """The status, the address (or where it leads to) and the page; a line of its own each time."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if data is not None:
            headers["Content-Type"] = FORM
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as line:
            line.request("GET" if data is None else "POST", address, urlencode(data) if data else None, headers)
            answer = line.getresponse()
            html = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, answer.headers.get("Location") or address, html


@dataclass(slots=True)
class Visit:
    """What a participant has seen: `answers` are those that the server acknowledged, `code` that of the last page.

    `strangers`: of each try with their id in another browser, whether it was told nothing. `troubles`: pages that
    nobody should have met.
    """

    person: Person
    answers: dict[str, str] = field(default_factory=dict)
    sent_twice: int = 0
    waited: int = 0
    left: bool = False
    code: str = ""
    code_again: str | None = None
    leads_back: bool = False
    strangers: list[bool] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


class Participant:
    """`new_browser` makes one without cookies, for them or for a stranger."""

    def __init__(self, person: Person, *, world: World, link: str, new_browser: Callable[[], Bot]) -> None:
        self.person, self.world, self.link, self.new_browser = person, world, link, new_browser
        self.bot, self.visit, self.rng = new_browser(), Visit(person), random.Random(f"{person.seed}/{person.id}/walk")
        self.leaves_after = self.rng.randint(FEWEST, MOST) if person.persona.leaves else LONGEST_WALK
        self.met = Counter[str]()

    def takes_part(self, *, most_targets: int) -> Visit:
        """`most_targets` is how many one person may answer: who has done so comes for nothing a second time."""
        self.bot.open(self._address("first"))
        self._walk()
        while self.bot.page.status == IN_A_CROWD and self.visit.waited < LONGEST_WAIT:
            self.visit.waited += 1
            time.sleep(WAIT)
            self.bot.open(self._address("first"))
            self._walk()
        last = self.bot.page
        self.visit.code = _code(last)
        self.visit.leads_back = any(self.visit.code and f"cc={self.visit.code}" in link for link in last.links)
        if self.person.persona.is_copied and self.visit.answers:
            self._is_copied()
        if self.person.persona.comes_again and self.met["target"] == most_targets:
            self.bot.open(self._address("second"))
            self.visit.code_again = _code(self.bot.post() if self.bot.page.has_form else self.bot.page)
        return self.visit

    def _walk(self) -> None:
        for _ in range(LONGEST_WALK):
            if not self.bot.page.has_form:
                return
            if self.met.total() - self.met["practice"] >= self.leaves_after:
                self.visit.left = True
                return
            self._step(self.bot.page)
            if self.bot.page.status >= 500 or (self.bot.page.status >= 400 and self.bot.page.has_form):
                self.visit.troubles.append(f"{self.bot.page.status} at {self.bot.page.address}")
        self.visit.troubles.append("the path does not end")

    def _step(self, page: Page) -> None:
        match page.fields.get("stage", "item" if page.has_item else "welcome"):
            case "item":
                self._answer(page)
            case "consent":
                self.bot.post(decision="agree" if self.person.persona.consents else "decline")
            case "comprehension" if "question_1" not in page.html:
                # Passed before, and sent to wait.
                self.bot.post()
            case "comprehension":
                right = self.person.persona.understands and (
                    page.fields["number"] == "2" or self.rng.random() >= SECOND_TRY
                )
                self.bot.post(**{name: answers[0 if right else 1] for name, answers in COMPREHENSION.items()})
            case "questionnaire":
                self.bot.post(first_language="Finnish")
            case _:
                self.bot.post()

    def _answer(self, page: Page) -> None:
        row = self.world.read(page.text)
        asked = Question(
            item=row.id,
            kind=row.kind,
            reference=row.reference,
            text=" ".join(row.content.values()),
            nth_check=self.met[row.kind],
            shown=tuple(page.choices),
            position=int(page.fields["position"]),
        )
        who = self.person.respondent
        value = answer(who, asked, scale=SCALE, gold_distance=GOLD_DISTANCE)
        given = {"answer": value, "response_ms": str(response_ms(who, asked))}
        self._have_waited(row.id, int(given["response_ms"]))
        self.met[row.kind] += 1
        if self.bot.post(**given).status == 200:
            self.visit.answers[row.id] = value
        if self.rng.random() < SENT_TWICE:
            self.visit.sent_twice += 1
            self.bot.page = page
            self.bot.post(**given)
        if self.person.persona.is_copied and self.met.total() == HALF_WAY:
            self._is_copied()

    def _have_waited(self, item: str, milliseconds: int) -> None:
        shown = Assignment.objects.filter(
            annotator__platform_ids__value=self.person.id, item__external_id=item, state=Assignment.State.RESERVED
        )
        patiently(lambda: shown.update(shown_at=timezone.now() - timedelta(milliseconds=milliseconds)))

    def _is_copied(self) -> None:
        page = self.new_browser().open(self._address("elsewhere"))
        says = page.has_form or any(code in page.html for code in CODES.values())
        self.visit.strangers.append(page.status == 403 and not says)

    def _address(self, session: str) -> str:
        return f"{self.link}?PROLIFIC_PID={self.person.id}&STUDY_ID=crowd&SESSION_ID={self.person.id}-{session}"


def _code(page: Page) -> str:
    found = CODE.search(page.html)
    return found[1] if found else ""
