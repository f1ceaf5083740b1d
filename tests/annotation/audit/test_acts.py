"""Acts: whose they are, that they are stored with the deed or not at all, and what they say of it."""

import getpass
import os
import pwd
import shutil
from dataclasses import replace

import pytest
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.audit.acting import ITSELF, ActingReader, acting, by_command, current
from annotation.audit.acts import changes, record
from annotation.audit.deeds import Deed, Via
from annotation.audit.history import PER_PAGE, acts_of, facts_of, names_in, read_page, rows
from annotation.drafting.gold import take_gold
from annotation.drafting.items import add_items, change_item, remove_items
from annotation.drafting.items import state_of as state_of_item
from annotation.drafting.rows import read_rows
from annotation.editing import edit, state_of
from annotation.lifecycle.deleting import put_out_of_sight
from annotation.lifecycle.folder import duplicate
from annotation.lifecycle.status import archive, back_to_draft, close_study, open_study, restore, tag
from annotation.loading import load_study
from annotation.models import Act, Annotator, Study
from annotation.simulation import remove_synthetic, simulate
from annotation.webhooks.outbox import Event
from tests import forked
from tests.comparison.cast import give_labels
from tests.migrated import migrated_file
from tests.studies import plausibility_row, plausibility_rows, write_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna")


@pytest.fixture
def study(tmp_path, anna) -> Study:
    return load_study(write_study(tmp_path / "small", plausibility_rows(2)), owner=anna).study


def deeds(study: Study) -> list[str]:
    return list(Act.objects.filter(study_pk=study.pk).order_by("pk").values_list("deed", flat=True))


def latest(study: Study) -> Act:
    return Act.objects.filter(study_pk=study.pk).latest("pk")


def test_every_deed_has_words_and_fits_its_column():
    assert all(deed.words for deed in Deed) and len({deed.words for deed in Deed}) == len(Deed)
    assert all(event.words for event in Event)
    assert max(map(len, Deed)) <= (Act._meta.get_field("deed").max_length or 0)


class TestWhoActs:
    def test_what_nobody_asked_for_is_done_by_itself(self, study):
        assert (latest(study).who, latest(study).via) == ("", "itself")

    def test_a_pages_reader(self, study, anna):
        request = RequestFactory().get("/")
        request.user = anna

        def opens(asked: HttpRequest) -> HttpResponse:
            open_study(study)
            return HttpResponse()

        ActingReader(opens)(request)
        act = latest(study)
        assert (act.deed, act.who, act.user_pk, act.via) == ("opened", "anna", anna.pk, "page")
        assert current() == ITSELF

    def test_a_command_says_who_ran_it_whatever_the_environment_says(self, study, monkeypatch):
        monkeypatch.setenv("LOGNAME", "somebody-else")
        assert getpass.getuser() == "somebody-else"
        name = pwd.getpwuid(os.getuid()).pw_name
        with acting(by_command):
            open_study(study)
        act = latest(study)
        assert (act.who, act.system_user, act.via) == (f"{name} (command)", name, "command")

    def test_one_who_is_named_by_a_command_is_named_in_its_act(self, study, anna):
        with acting(by_command), transaction.atomic():
            act = record(study, Deed.TAGGED, by=anna)
        assert (act.who, act.user_pk, act.via) == ("anna", anna.pk, "command")
        assert act.system_user

    @pytest.mark.slow
    def test_the_command_line_acts_so(self, tmp_path):
        """In a process of its own, with a database of its own."""
        folder = write_study(tmp_path / "small", plausibility_rows(1))
        database = shutil.copyfile(migrated_file(), tmp_path / "own.sqlite3")
        env = os.environ | {"DATABASE_URL": f"sqlite:///{database}", "PARALLAX_VAR": str(tmp_path)}
        told = ""
        for words in (["load_study", str(folder)], ["history", "small"]):
            done = forked.run("manage.py", *words, "--skip-checks", env=env)
            assert done.returncode == 0, done.stderr
            told = done.stdout
        name = pwd.getpwuid(os.getuid()).pw_name
        assert f"{name} (command) (by command, as {name} on the server) created the study; items: 1\n" in told


class TestOneTransaction:
    def test_a_deed_that_is_undone_leaves_no_act(self, study):
        before = deeds(study)
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            open_study(study)
            raise ZeroDivisionError
        assert deeds(study) == before

    def test_without_its_act_nothing_is_done(self, study, monkeypatch):
        def fails(*args: object, **values: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(Act.objects, "create", fails)
        with pytest.raises(ZeroDivisionError):
            open_study(study)
        study.refresh_from_db()
        assert study.state == Study.State.DRAFT


@pytest.mark.django_db(transaction=True)
def test_no_act_is_written_outside_of_a_transaction(study):
    with pytest.raises(RuntimeError, match="record it in the deed's transaction"):
        record(study, Deed.OPENED)


class TestWhatIsKept:
    def test_what_changes_nothing_leaves_nothing(self, study):
        open_study(study)
        before = deeds(study)
        open_study(study)
        restore(study)
        tag(study, [])
        assert deeds(study) == before
        close_study(study)
        close_study(study)
        archive(study)
        archive(study)
        assert deeds(study) == [*before, "closed", "archived"]

    def test_a_study_that_is_a_draft_again_was_opened_once(self, study):
        open_study(study)
        back_to_draft(study)
        back_to_draft(study)
        assert deeds(study)[-2:] == ["opened", "draft again"]

    def test_settings_with_what_they_were_and_long_texts_by_their_hash(self, study):
        changed = {"title": "Lamps", "instructions": "Read. " * 40, "collection.excludes": []}
        edit(study, changed, seen=state_of(study, changed))
        facts = latest(study).facts
        assert facts["title"] == ["The small study", "Lamps"]
        assert facts["instructions"][1].startswith("text of 239 characters, sha256 ")
        assert set(facts) == {"title", "instructions"}

    def test_codes_addresses_and_other_studies_are_not_named(self):
        before = {"codes": {"completed": "C0DE"}, "collection": {"pay": "1.00", "excludes": []}}
        after = {
            "codes": {"completed": "0THER"},
            "collection": {"excludes": ["theirs"]},
            "return": {"home": "https://x"},
        }
        assert changes(before, after) == {
            "codes.completed": "changed",
            "collection.excludes": "changed",
            "collection.pay": ["1.00", "not set"],
            "return.home": "changed",
        }

    def test_a_copy_names_the_other_study_to_editors_alone(self, study, anna):
        copy = duplicate(study, slug="copy", title="A copy", owner=anna)
        assert (latest(study).deed, latest(copy).deed) == ("copied", "made from a copy")
        assert facts_of(latest(study), edits=True) == ["to: copy"]
        assert facts_of(latest(study), edits=False) == []

    def test_gold_of_a_pilot(self, study, tmp_path):
        pilot = load_study(write_study(tmp_path / "pilot", plausibility_rows(4), slug="pilot"), open_study=True).study
        give_labels(pilot, [("target-4", who, "less_likely") for who in ("a", "b", "c")])
        changed = {"quality.gold_distance": 1}
        edit(study, changed, seen=state_of(study, changed))
        take_gold(study, pilot, least=3)
        assert facts_of(latest(study), edits=True) == ["gold items: 1", "labels at least: 3", "pilot: pilot"]

    def test_items_of_a_draft_come_change_and_go(self, study, anna):
        add_items(study, [plausibility_row(number) for number in (3, 4)])
        row = read_rows(study)[0]
        change_item(study, replace(row, revise="Is it?"), seen=state_of_item(row), editor=anna)
        remove_items(study, ["target-3"])
        last = list(Act.objects.filter(study_pk=study.pk).order_by("pk"))[-3:]
        assert [(act.deed, act.subject, act.facts) for act in last] == [
            ("items added", "", {"items": 2}),
            ("item changed", "target-1", {}),
            ("items taken out", "", {"items": 1}),
        ]

    def test_a_deleted_study_is_named_as_it_was(self, study):
        put_out_of_sight(study)
        assert (latest(study).deed, latest(study).slug) == ("deleted", "small")

    @pytest.mark.slow
    def test_synthetic_annotators_come_and_go(self, study):
        open_study(study)
        simulate(study, counts={"careful": 1, "noisy": 0}, seed=3)
        assert latest(study).facts == {"careful": 1, "seed": 3}
        remove_synthetic(study)
        assert latest(study).deed == "synthetic removed"
        assert latest(study).facts["annotators"] == 1
        assert not Annotator.objects.exists()

    def test_roles_with_what_they_were(self, study, anna):
        ben = User.objects.create_user("ben")
        give(study, ben, Role.ANALYST)
        give(study, ben, Role.ANALYST)
        give(study, ben, Role.EDITOR)
        assert [act.facts["role"] for act in acts_of(study, deed="role given")] == [
            ["analyst", "editor"],
            ["none", "analyst"],
        ]


class TestTheHistory:
    def fill(self, study: Study, count: int) -> None:
        Act.objects.bulk_create(
            Act(study_pk=study.pk, slug=study.slug, title=study.title, deed="tagged", via=Via.PAGE, who=f"u{n % 3}")
            for n in range(count)
        )

    def test_pages_are_read_by_cursor_and_hold_each_act_once(self, study):
        self.fill(study, 2 * PER_PAGE + 5)
        found, cursor, pages = [], None, 0
        while pages == 0 or cursor is not None:
            page = read_page(acts_of(study), before=cursor)
            found += [act.pk for act in page.acts]
            cursor, pages = page.older, pages + 1
        assert pages == 3
        assert found == sorted(Act.objects.filter(study_pk=study.pk).values_list("pk", flat=True), reverse=True)

    def test_filters_are_those_that_there_are(self, study):
        self.fill(study, 7)
        assert names_in(study, "who") == ["u0", "u1", "u2"]
        assert names_in(study, "deed") == ["made", "tagged"]
        assert [act.who for act in acts_of(study, who="u2", deed="tagged")] == ["u2", "u2"]

    def test_a_page_of_many_takes_few_queries(self, study, django_assert_num_queries):
        self.fill(study, 3 * PER_PAGE)
        with django_assert_num_queries(1):
            read_page(acts_of(study), before=10**9)
        # One for each name, and one to see that there is no other.
        with django_assert_num_queries(5):
            names_in(study, "who")

    def test_as_a_file_it_has_one_line_for_each(self, study):
        open_study(study)
        header, last, first = rows(acts_of(study), edits=False)
        assert header == ("at", "who", "via", "system user", "deed", "subject", "facts")
        assert last[1:] == ("system", "itself", "", "opened", "", "")
        assert first[4:] == ("made", "", "items: 2")
