"""Roles: who is given one, who sees which study by it, and that a study keeps an owner."""

import io

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotation.access.matrix import RIGHTS, Right, Role, rights_of, roles_with
from annotation.access.members import MembershipRefused, find_user, give, read_role, take
from annotation.access.visible import owners_of, rights_in, studies_for
from annotation.loading import LoadRefused, load_study, read_folder, store_folder
from annotation.models import Membership, Study
from tests.house.sources import ROOT
from tests.studies import plausibility_rows, write_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna")


@pytest.fixture
def ben() -> User:
    return User.objects.create_user("ben")


@pytest.fixture
def folder(tmp_path):
    return write_study(tmp_path / "small", plausibility_rows(2))


@pytest.fixture
def study(folder, anna) -> Study:
    return load_study(folder, owner=anna).study


class TestTheMatrix:
    def test_every_right_has_words_and_is_an_owners(self):
        assert list(RIGHTS) == list(Right)
        assert all(granted.words and Role.OWNER in granted.roles for granted in RIGHTS.values())

    def test_an_analyst_sees_and_exports_and_an_editor_does_all_but_own(self):
        assert rights_of(Role.ANALYST) == {Right.SEE, Right.EXPORT}
        assert rights_of(Role.EDITOR) == set(Right) - {Right.OWN}
        assert roles_with(Right.OWN) == {Role.OWNER}


class TestSeeing:
    @pytest.mark.parametrize("right", Right)
    @pytest.mark.parametrize("role", Role)
    def test_by_role(self, study, ben, role, right):
        give(study, ben, role)
        assert (study in studies_for(ben, right)) == (role in roles_with(right))
        assert rights_in(study, ben) == rights_of(role)

    def test_who_has_no_role_who_may_not_log_in_and_who_is_nobody_see_none(self, study, anna, ben):
        anna.is_active = False
        for nobody in (ben, anna, AnonymousUser()):
            assert not studies_for(nobody, Right.SEE).exists()
            assert rights_in(study, nobody) == frozenset()

    def test_a_superuser_sees_also_what_is_nobodys(self, study, folder, tmp_path):
        orphan = load_study(write_study(tmp_path / "alt", plausibility_rows(2), slug="small-alt")).study
        root = User.objects.create_superuser("root")
        assert {*studies_for(root, Right.OWN)} == {study, orphan}
        assert rights_in(orphan, root) == set(Right)

    def test_it_is_one_query_by_the_index_of_memberships(self, study, anna):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            list(studies_for(anna, Right.EDIT))
        assert len(queries) == 1
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {queries[0]['sql']}")
            plan = " ".join(row[3] for row in cursor.fetchall())
        assert "SCAN annotation_membership" not in plan
        assert "SCAN annotation_study" not in plan


class TestJoining:
    def test_a_role_takes_the_place_of_the_one_before(self, study, ben):
        give(study, ben, Role.ANALYST)
        give(study, ben, Role.EDITOR)
        assert study.memberships.get(user=ben).role == "editor"
        take(study, ben)
        assert not study.memberships.filter(user=ben).exists()

    def test_the_last_owner_stays(self, study, anna, ben):
        for change in (lambda: take(study, anna), lambda: give(study, anna, Role.EDITOR)):
            with pytest.raises(MembershipRefused, match="anna is the sole owner"):
                change()
        give(study, anna, Role.OWNER)
        give(study, ben, Role.OWNER)
        take(study, anna)
        assert owners_of(study) == ["ben"]

    def test_who_is_nothing_there_cannot_be_taken_out(self, study, ben):
        with pytest.raises(MembershipRefused, match="ben is not a member of small"):
            take(study, ben)

    @pytest.mark.parametrize("name", ["", "nobody", "a\0b", "gone"])
    def test_an_account_that_cannot_log_in_is_not_found(self, name):
        User.objects.create_user("gone", is_active=False)
        with pytest.raises(MembershipRefused, match="No account named"):
            find_user(name)

    def test_an_unknown_role_is_refused_with_those_there_are(self):
        with pytest.raises(MembershipRefused, match="Available: owner, editor, analyst"):
            read_role("king")

    def test_the_database_holds_to_one_role_of_those_there_are(self, study, anna, ben):
        for role, user in (("king", ben), ("editor", anna)):
            with pytest.raises(IntegrityError), transaction.atomic():
                Membership.objects.create(study=study, user=user, role=role)

    def test_a_deleted_account_leaves_no_role(self, study, anna):
        anna.delete()
        assert owners_of(study) == []


class TestWhoseAStudyIs:
    def test_of_whoever_makes_it_and_not_of_whoever_loads_it_again(self, study, folder, ben):
        load_study(folder, owner=ben)
        assert owners_of(study) == ["anna"]

    def test_without_an_owner_it_is_nobodys(self, tmp_path):
        assert owners_of(load_study(write_study(tmp_path / "x", plausibility_rows(1), slug="x")).study) == []

    def test_a_strangers_study_is_not_loaded_over_nor_said_to_be_there(self, study, folder, ben):
        other = write_study(folder, plausibility_rows(3))
        with pytest.raises(LoadRefused) as refused:
            store_folder(read_folder(other), owner=ben, among=studies_for(ben, Right.EDIT))
        assert str(refused.value) == "The slug small is not available. Choose another slug."
        assert study.items.count() == 2
        give(study, ben, Role.EDITOR)
        store_folder(read_folder(other), owner=ben, among=studies_for(ben, Right.EDIT))
        assert study.items.count() == 3
        assert owners_of(study) == ["anna"]


class TestTheCommands:
    def say(self, *arguments, **options) -> str:
        out = io.StringIO()
        call_command(*arguments, **options, stdout=out)
        return out.getvalue()

    def test_load_study_takes_an_owner(self, folder, anna, ben):
        self.say("load_study", str(folder), owner="anna")
        assert owners_of(Study.objects.get()) == ["anna"]
        assert "ben is not an owner: manage.py member small ben owner" in self.say(
            "load_study", str(folder), owner="ben"
        )

    def test_load_study_refuses_an_owner_who_is_not_there_before_it_loads(self, folder):
        with pytest.raises(CommandError, match="No account named 'zoe'"):
            self.say("load_study", str(folder), owner="zoe")
        assert not Study.objects.exists()

    def test_member_gives_lists_and_removes(self, study, ben):
        assert self.say("member", "small", "ben", "analyst") == "small: ben is analyst\n"
        assert self.say("member", "small") == "anna: owner\nben: analyst\n"
        assert self.say("member", "small", "ben", "--remove") == "small: ben no longer has a role\n"
        assert self.say("member", "small") == "anna: owner\n"

    @pytest.mark.parametrize(
        ("arguments", "word"),
        [
            (("nowhere",), "Available: small"),
            (("small", "ben"), "Give either"),
            (("small", "ben", "editor", "--remove"), "Give either"),
            (("small", "ben", "king"), "There is no role"),
            (("small", "zoe", "editor"), "No account named"),
            (("small", "anna", "--remove"), "sole owner"),
        ],
    )
    def test_member_refuses(self, study, ben, arguments, word):
        with pytest.raises(CommandError, match=word):
            self.say("member", *arguments)

    def test_member_prints_the_matrix_as_the_docs_have_it(self):
        printed = self.say("member", "--rights")
        assert printed in (ROOT / "docs" / "rights.md").read_text()
        lines = printed.splitlines()
        assert lines[-1] == f"| annotator by invitation |{' no |' * len(Right)}"
        assert len(lines) == 2 + len(Role) + 1
