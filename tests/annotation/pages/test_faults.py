"""What goes wrong on the way, in a real browser: in none of it a label is lost, and in none it counts twice."""

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Error, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.assignment import release_lapsed, start
from annotation.models import Assignment, Item, Judgment, Revision, Sitting, Study
from annotation.recording import record
from tests import forked
from tests.annotation.pages.conftest import answers, at, walk_in
from tests.browser import OpenPage, intercepted
from tests.migrated import migrated_file
from tests.parallax_client.serving import free_port
from tests.studies import open_small_study, person, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

TRYING = "Not saved yet: no connection. Trying again…"
SITTING = "**/sitting/**"
Begin = Callable[[Page], Page]


@pytest.fixture
def study(db: None, tmp_path: Path) -> Study:
    """Seven items to a sitting, and no checks, whose verdict would end it."""
    rows, page = plausibility_rows(20), {"cannot_judge": True}
    return open_small_study(tmp_path / "small", rows, collection={"sitting_length": 7}, page=page)


def assert_each_once(*given: str) -> None:
    """These answers, by place, each of them counted once."""
    assert answers() == list(given)
    assert not Revision.objects.exists()
    assert Assignment.objects.filter(state=Assignment.State.COUNTED).count() == len(given)
    assert sum(Item.objects.values_list("counted", flat=True)) == len(given)


def send(page: Page, key: str) -> None:
    page.keyboard.press(key)
    page.keyboard.press("Enter")


def is_unsaved(page: Page) -> None:
    # What was shown ahead has gone.
    expect(page.locator("[data-sheet]")).to_have_count(1)
    expect(page.locator("[data-saved]")).to_have_text("Not saved yet")
    expect(page.get_by_role("alert")).to_have_text(TRYING)


def test_a_line_that_is_cut_for_twenty_seconds(held: Page) -> None:
    sent: list[str] = []
    held.on("request", lambda request: sent.append(request.method))
    held.context.set_offline(True)
    send(held, "3")
    is_unsaved(held)
    # One, two, four and eight seconds later, and not before.
    for tries, seconds in enumerate((1, 2, 4, 8), start=1):
        held.clock.run_for(1_000 * seconds - 1)
        assert len(sent) == tries
        held.clock.run_for(1)
        is_unsaved(held)
        assert len(sent) == tries + 1
    held.clock.run_for(5_000)
    expect(held.get_by_label("Equally likely")).to_be_checked()
    assert answers() == []
    held.context.set_offline(False)
    at(held, 2)
    expect(held.get_by_role("alert")).to_have_count(0)
    assert_each_once("equally_likely")


@pytest.mark.parametrize(
    "lose",
    [lambda route: route.abort("timedout"), lambda route: route.fulfill(status=502, body="Bad Gateway")],
    ids=["a line that the browser does not notice", "a proxy whose server is away"],
)
def test_what_did_not_come_through_is_tried_again(routed: Page, lose: Callable[[Route], None]) -> None:
    routed.route(SITTING, lose, times=1)
    send(routed, "3")
    is_unsaved(routed)
    routed.clock.run_for(1_000)
    at(routed, 2)
    assert_each_once("equally_likely")


def test_what_would_fail_again_is_not_sent_again(routed: Page) -> None:
    routed.route(SITTING, lambda route: route.fulfill(status=500, body="Error"), times=1)
    send(routed, "3")
    expect(routed.get_by_role("alert")).to_contain_text("Press Continue to send it again")
    routed.clock.run_for(60_000)
    at(routed, 1)
    routed.get_by_role("button", name="Continue").click()
    at(routed, 2)
    assert_each_once("equally_likely")


def cut_on_the_way_back(route: Route) -> None:
    route.fetch()
    route.abort("connectionreset")


def test_an_answer_whose_reply_is_lost(routed: Page) -> None:
    routed.route(SITTING, cut_on_the_way_back, times=1)
    send(routed, "3")
    is_unsaved(routed)
    assert_each_once("equally_likely")
    routed.clock.run_for(1_000)
    at(routed, 2)
    assert_each_once("equally_likely")


def test_that_one_cannot_judge_is_sent_again_as_that(held: Page) -> None:
    held.context.set_offline(True)
    held.keyboard.press("3")
    held.get_by_role("button", name="I cannot judge this item").click()
    is_unsaved(held)
    held.clock.run_for(1_000)
    is_unsaved(held)
    held.context.set_offline(False)
    at(held, 2)
    assert answers() == [""]
    assert Assignment.objects.get(judgment__answer="").state == Assignment.State.DECLINED


def test_another_choice_while_the_line_is_cut(held: Page) -> None:
    sent: list[str] = []
    held.on("request", lambda request: sent.append(request.method))
    held.context.set_offline(True)
    send(held, "3")
    is_unsaved(held)
    held.clock.run_for(900)
    held.keyboard.press("5")
    # The first is not sent in the moment in which the second can be taken back.
    held.clock.run_for(799)
    held.context.set_offline(False)
    assert len(sent) == 1
    held.clock.run_for(1)
    at(held, 2)
    assert_each_once("necessarily_true")


@pytest.mark.parametrize("arrives", [True, False])
def test_a_tab_that_is_killed_in_a_submit(browser_page: Page, begin: Begin, arrives: bool) -> None:
    page = begin(intercepted(browser_page))
    send(page, "2")
    at(page, 2)
    caught: list[Route] = []

    def lose(route: Route) -> None:
        if arrives:
            route.fetch()
        else:
            # Held and not ended, it would be let go when the tab is closed.
            route.abort()
        caught.append(route)

    page.route(SITTING, lose)
    send(page, "4")
    while not caught:
        page.wait_for_timeout(20)
    address, context = page.url, page.context
    page.close()
    again = context.new_page()
    again.goto(address)
    if not arrives:
        at(again, 2)
        send(again, "4")
    for number in range(3, 8):
        at(again, number)
        send(again, "1")
    expect(again.get_by_role("heading", name="Thank you")).to_be_visible()
    assert_each_once("less_likely", "more_likely", *["impossible"] * 5)


def test_two_tabs_of_one_sitting(browser_page: Page, begin: Begin) -> None:
    first = begin(browser_page)
    second = first.context.new_page()
    second.goto(first.url)
    at(second, 1)
    for number in range(1, 7):
        # Both answer the same item, the second when the first is past it.
        at(first, number)
        send(first, "2")
        at(first, number + 1)
        at(second, number)
        send(second, "2")
        at(second, number + 1)
    assert_each_once(*["less_likely"] * 6)
    send(first, "4")
    expect(first.get_by_role("heading", name="Thank you")).to_be_visible()
    # Too late for another answer, which is said; the code is there all the same.
    send(second, "5")
    expect(second.get_by_role("alert")).to_contain_text("can no longer change")
    expect(second.locator("#code")).to_have_text(Sitting.objects.get().completion_code)
    assert_each_once(*["less_likely"] * 6, "more_likely")


def test_a_tab_that_is_two_items_behind(browser_page: Page, begin: Begin) -> None:
    first = begin(browser_page)
    second = first.context.new_page()
    second.goto(first.url)
    at(second, 1)
    for number in (1, 2):
        at(first, number)
        send(first, "2")
    at(first, 3)
    send(second, "5")
    at(second, 3)
    expect(second.get_by_role("alert")).to_contain_text("nothing was changed")
    assert_each_once("less_likely", "less_likely")


def test_going_back_after_the_end(browser_page: Page, begin: Begin, live_server: LiveServer, link: str) -> None:
    page = begin(browser_page)
    for number in range(1, 8):
        at(page, number)
        send(page, "2")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    address, code = page.url, Sitting.objects.get().completion_code
    for way in (page.go_back, page.go_forward, page.reload, lambda: page.goto(f"{address}back/")):
        way()
        expect(page.locator("[data-item]")).to_have_count(0)
    expect(page.locator("#code")).to_have_text(code)
    page.goto(f"{live_server.url}{link}")
    page.get_by_role("link", name="code").or_(page.get_by_role("button", name="Start")).first.click()
    assert_each_once(*["less_likely"] * 7)


def test_slots_that_are_gone_while_away(open_page: OpenPage, live_server: LiveServer, tmp_path: Path) -> None:
    """One has answered the first of three items and has the second on the screen; somebody else takes the other two."""
    study = open_small_study(
        tmp_path, plausibility_rows(3), collection={"labels_per_item": 1, "sitting_length": 3, "lease_minutes": 60}
    )
    page = walk_in(open_page(), live_server, study.links.get().get_absolute_url(), of=3)
    send(page, "2")
    at(page, 2, of=3)
    Sitting.objects.update(lease_expires_at=timezone.now())
    release_lapsed()
    other = start(study, person("other"))
    for place in (1, 2):
        record(other, place, "more_likely")
    send(page, "3")
    expect(page.get_by_text("The other items went to other people")).to_be_visible()
    expect(page.locator("#code")).to_have_text(Sitting.objects.earliest("pk").completion_code)
    mine = Judgment.objects.filter(assignment__sitting__pk=Sitting.objects.earliest("pk").pk)
    assert dict(mine.values_list("answer", "assignment__state")) == {
        "less_likely": Assignment.State.COUNTED,
        "equally_likely": Assignment.State.SURPLUS,
    }
    assert list(Item.objects.values_list("counted", "reserved")) == [(1, 0)] * 3


PREPARE = """
import sys
from pathlib import Path
import django
django.setup()
from django.core.management import call_command
from tests.studies import open_small_study, plausibility_rows
call_command("collectstatic", verbosity=0, interactive=False)
study = open_small_study(Path(sys.argv[1]), plausibility_rows(7), collection={"sitting_length": 7})
print(study.links.get().get_absolute_url())
"""


# A web server as ours, that dies in the request of the second answer: at once, or once the answer is committed.
DYING = """
import os, signal
from config.local.web import application as whole
from annotation import recording
from annotation.models import Judgment
from annotation.views import item

def die(*args, **options):
    if Judgment.objects.count() == 1:
        if {committed}:
            recording.record(*args, **options)
        os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    return recording.record(*args, **options)

item.record = die
application = whole
"""


@contextmanager
def gunicorn(port: int, env: dict[str, str], app: str = "config.local.web") -> Iterator[None]:
    """A web server that is not asked before it is stopped."""
    command = ["-m", "gunicorn", app, "--preload", "--bind", f"127.0.0.1:{port}", "--log-level", "error"]
    log = Path(env["PARALLAX_VAR"]) / "gunicorn.log"
    server = forked.begin(*command, env=env, log=log, new_session=True)
    try:
        yield
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


@dataclass(frozen=True)
class Apart:
    """A study in a database that servers of their own serve, at one address."""

    env: dict[str, str]
    database: Path
    link: str
    port: int

    def holds(self, *given: str) -> None:
        """These answers, each of them counted once."""
        with sqlite3.connect(self.database) as connection:
            rows = connection.execute("SELECT answer FROM annotation_judgment ORDER BY id").fetchall()
            assert [answer for (answer,) in rows] == list(given)
            assert connection.execute("SELECT count(*) FROM annotation_revision").fetchone() == (0,)
            assert connection.execute("SELECT sum(counted) FROM annotation_item").fetchone() == (len(given),)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Apart:
    """Nobody has come yet; static files are collected."""
    folder = tmp_path_factory.mktemp("apart")
    database = Path(shutil.copyfile(migrated_file(), folder / "apart.sqlite3"))
    env = os.environ | {
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PARALLAX_VAR": str(folder / "var"),
    }
    made = forked.run("-c", PREPARE, str(folder / "study"), env=env)
    assert made.returncode == 0, made.stderr
    return Apart(env, database, made.stdout.strip(), free_port())


@pytest.fixture
def apart(prepared: Apart, tmp_path: Path) -> Apart:
    database = tmp_path / "apart.sqlite3"
    # Some of it may still stand in a second file, so that one is not copied as it lies there.
    with closing(sqlite3.connect(prepared.database)) as whole, closing(sqlite3.connect(database)) as copy:
        whole.backup(copy)
    env = prepared.env | {
        "DATABASE_URL": f"sqlite:///{database}",
        "PYTHONPATH": os.pathsep.join([str(settings.BASE_DIR), str(tmp_path)]),
    }
    return replace(prepared, env=env, database=database)


def answer_the_first(page: Page, apart: Apart) -> None:
    """As soon as the server answers."""
    for _ in range(1_000):
        with suppress(Error):
            page.goto(f"http://127.0.0.1:{apart.port}{apart.link}")
            break
        page.wait_for_timeout(200)
    page.get_by_role("button", name="Start").click()
    at(page, 1)
    send(page, "2")
    at(page, 2)


@pytest.mark.parametrize("committed", [True, False])
def test_a_server_that_is_killed_while_it_answers(
    browser_page: Page, apart: Apart, tmp_path: Path, committed: bool
) -> None:
    """Between the commit and the reply, or before the commit: sent again to the next server, it stands once."""
    (tmp_path / "dying.py").write_text(DYING.format(committed=committed))
    page = browser_page
    with gunicorn(apart.port, apart.env, "dying"):
        answer_the_first(page, apart)
        send(page, "4")
        is_unsaved(page)
    apart.holds("less_likely", *["more_likely"] * committed)
    with gunicorn(apart.port, apart.env):
        at(page, 3)
        apart.holds("less_likely", "more_likely")
        send(page, "1")
        at(page, 4)
    apart.holds("less_likely", "more_likely", "impossible")


def test_a_server_that_is_killed_between_two_answers(browser_page: Page, apart: Apart) -> None:
    with gunicorn(apart.port, apart.env):
        answer_the_first(browser_page, apart)
    send(browser_page, "4")
    is_unsaved(browser_page)
    with gunicorn(apart.port, apart.env):
        at(browser_page, 3)
        send(browser_page, "1")
        at(browser_page, 4)
    apart.holds("less_likely", "more_likely", "impossible")
