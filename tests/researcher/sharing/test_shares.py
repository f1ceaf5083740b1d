"""Links to a study's results: made by who may edit, shown once, ended at once."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.access.sharing import MOST_OPEN, ShareRefused, end_share, make_share, shared_by
from annotation.audit.history import acts_of
from annotation.lifecycle.deleting import put_out_of_sight
from annotation.lifecycle.status import close_study
from annotation.loading import load_study
from annotation.models import Act, Share, Study
from comparison.page import item_table
from researcher.views.sharing import shared as pages
from tests.comparison.cast import give_labels, give_run
from tests.queued import listened_to
from tests.studies import plausibility_row, write_study

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
GONE = "It may have expired or be incomplete."


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna")


@pytest.fixture
def results(tmp_path, anna) -> Study:
    """Thirty items, so that their list has two pages."""
    rows = [plausibility_row(n, attributes={"half": "first" if n <= 15 else "second"}) for n in range(1, 31)]
    study = load_study(write_study(tmp_path / "small", rows), open_study=True, owner=anna).study
    give_labels(study, [(row.id, who, "less_likely") for row in rows for who in ("p0", "p1")])
    give_run(study, [(row.id, "less_likely", 1.0, "") for row in rows], key="parrot")
    study.refresh_from_db()
    return study


def at(study: Study) -> str:
    return reverse("shares", args=[study.slug])


def link_in(answer) -> str:
    found = re.search(r'class="share-link">http://testserver(/shared/[\w-]+/)<', answer.content.decode())
    assert found is not None, answer.content.decode()
    return found[1]


def made(study: Study, by: User, **how) -> str:
    return reverse("shared", args=[make_share(study, name="readers", by=by, **how)[1]])


class TestMaking:
    def test_the_link_is_shown_once_and_opens_the_results_for_nobody_in_particular(self, client, anna, results):
        client.force_login(anna)
        answer = client.post(at(results), {"name": "Reviewers"})
        link = link_in(answer)
        assert f'data-copy="http://testserver{link}" hidden>Copy</button>' in answer.content.decode()
        token = link.split("/")[2]
        assert token not in client.get(at(results)).content.decode()
        assert not any(token in str(value) for row in Share.objects.values() for value in row.values())
        page = Client().get(link)
        assert page.status_code == 200
        assert "Shared results of “The small study”" in page.content.decode()

    def test_the_filters_of_the_results_go_with_it_and_nothing_takes_them_off(self, client, anna, results):
        client.force_login(anna)
        query = "attribute=half&value=first"
        assert "half is first" in client.get(f"{at(results)}?{query}").content.decode()
        link = link_in(client.post(at(results), {"name": "Half", "query": query}))
        for asking in ("", "?attribute=half&value=second", "?q=lamp&sort=position"):
            page = Client().get(f"{link}items/{asking}").content.decode()
            assert "15 of 30 items" in page
            assert "target-1<" not in page

    def test_what_it_lacks_stands_beside_the_field(self, client, anna, results):
        client.force_login(anna)
        for sent, said in (
            ({"name": ""}, "Enter a name for the link."),
            ({"name": "x", "expires_at": "2001-01-01T10:00"}, "This date has passed."),
            ({"name": "x", "query": "attribute=nothing&value=a"}, "These filters cannot be shared"),
            ({"name": "x", "query": "against=everybody"}, "These filters cannot be shared"),
        ):
            answer = client.post(at(results), sent)
            assert answer.status_code == 422
            assert said in answer.content.decode()
        assert not Share.objects.exists()

    def test_of_one_study_there_are_so_many_and_no_more(self, anna, results):
        for _ in range(MOST_OPEN):
            make_share(results, name="x", by=anna)
        with pytest.raises(ShareRefused, match="End one first"):
            make_share(results, name="x", by=anna)

    def test_an_analyst_neither_makes_nor_sees_any(self, client, anna, results):
        make_share(results, name="Reviewers", by=anna)
        ben = User.objects.create_user("ben")
        give(results, ben, Role.ANALYST)
        client.force_login(ben)
        assert client.get(at(results)).status_code == 403
        history = client.get(reverse("history", args=[results.slug])).content.decode()
        assert "shared results" in history
        assert "Reviewers" not in history


class TestItsEnd:
    @pytest.mark.parametrize("part", ["", "people/", "models/", "items/", "breakdown/", "export/", "items.csv"])
    def test_every_address_of_an_ended_link_answers_like_one_that_never_was(self, anna, results, part):
        link = made(results, anna, gives_files=True)
        assert Client().get(link + part).status_code == 200
        end_share(results.shares.get())
        never = Client().get(f"/shared/{'x' * 43}/{part}")
        ended = Client().get(link + part)
        assert (ended.status_code, ended.content) == (404, never.content)
        assert GONE in ended.content.decode()
        # The time of the answer, to the second, and its id.
        of_each = {"Expires": "", "X-Request-ID": ""}
        assert {**ended.headers, **of_each} == {**never.headers, **of_each}

    def test_its_time_is_up_to_the_second(self, anna, results, monkeypatch):
        until = timezone.now() + timedelta(hours=1)
        _, token = make_share(results, name="x", expires_at=until, by=anna)
        for moment, opens in ((until - timedelta(seconds=1), True), (until, False)):
            monkeypatch.setattr("annotation.access.sharing.timezone.now", lambda moment=moment: moment)
            assert (shared_by(token) is not None) == opens

    def test_ended_on_the_page_it_is_ended_for_all(self, client, anna, results):
        client.force_login(anna)
        link = link_in(client.post(at(results), {"name": "Reviewers"}))
        share = Share.objects.get()
        answer = client.post(reverse("share_end", args=[results.slug, share.pk]), follow=True)
        assert "no longer shows results" in answer.content.decode()
        assert Client().get(link).status_code == 404
        client.post(reverse("share_end", args=[results.slug, share.pk]))
        assert [act.deed for act in acts_of(results)][:2] == ["share ended", "shared"]

    def test_of_a_deleted_study_nothing_is_shown(self, anna, results):
        link = made(results, anna)
        close_study(results)
        put_out_of_sight(results)
        assert Client().get(link).status_code == 404

    def test_what_is_not_in_the_study_any_more_is_not_replaced_by_everything(self, anna, results):
        link = made(results, anna, query="attribute=half&value=first")
        results.items.update(attributes={})
        assert Client().get(link).status_code == 404

    @pytest.mark.parametrize("token", ["x", "x" * 64, "x" * 3_000, "-", "%C3%A4"])
    def test_nonsense_opens_nothing(self, token):
        assert Client().get(f"/shared/{token}/").status_code == 404


class TestReading:
    def test_it_is_neither_listed_nor_kept_nor_told_of_elsewhere(self, anna, results):
        answer = Client().get(made(results, anna))
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
        assert answer["Referrer-Policy"] == "no-referrer"
        assert "no-store" in answer["Cache-Control"]
        assert not answer.cookies

    def test_who_has_an_account_is_a_reader_here(self, client, anna, results):
        link = made(results, anna)
        client.force_login(anna)
        assert client.get(link).content == Client().get(link).content
        assert "anna" not in client.get(link).content.decode()

    def test_pages_of_items_go_on_within(self, anna, results, monkeypatch):
        monkeypatch.setattr(item_table, "PAGE", 25)
        monkeypatch.setattr("researcher.views.sharing.shared.PAGE", 25)
        link = made(results, anna)
        first = Client().get(f"{link}items/").content.decode()
        assert f'href="{link}items/?page=2"' in first or 'href="?page=2"' in first
        assert "26–30 of 30" in Client().get(f"{link}items/?page=2").content.decode()
        for page in ("3", "0", "x", "9" * 30):
            assert Client().get(f"{link}items/?page={page}").status_code == 404

    def test_nothing_can_be_sent(self, anna, results):
        link = made(results, anna)
        for part in ("", "people/", "models/", "items/", "breakdown/", "export/"):
            page = Client().get(link + part).content.decode()
            assert "<form" not in page
            assert ' form="' not in page
            assert Client().post(link + part).status_code == 405

    def test_files_are_given_where_that_was_said_and_an_act_says_by_which_link(self, anna, results):
        without, link = made(results, anna), made(results, anna, gives_files=True)
        assert Client().get(f"{without}items.csv").status_code == 404
        assert Client().get(f"{without}export/").status_code == 404
        assert f"{urlsplit(without).path}export/" not in Client().get(without).content.decode()
        assert f'href="{link}items.csv"' in Client().get(f"{link}export/").content.decode()
        answer = Client().get(f"{link}items.csv")
        assert answer.getvalue().count(b"\r\n") == 31
        act = Act.objects.latest("pk")
        share = Share.objects.get(gives_files=True)
        assert (act.deed, act.subject, act.who, act.via) == (
            "exported", "items.csv", f"share {share.pk} (link)", "share"
        )  # fmt: skip
        for what in ("judgments", "participants", "payments", "assessors", "scores", "nothing"):
            assert Client().get(f"{link}{what}.csv").status_code == 404

    def test_files_are_given_so_often_and_no_more(self, anna, results, monkeypatch):
        monkeypatch.setattr(pages, "MOST_FILES", 2)
        link = made(results, anna, gives_files=True)
        assert [Client().get(f"{link}report.csv").status_code for _ in range(3)] == [200, 200, 429]

    def test_no_figures_are_asked_of_a_worker_but_those_of_the_share(self, anna, results, monkeypatch):
        """Of a large study; whatever a stranger writes into the address."""
        asked = listened_to(monkeypatch)
        monkeypatch.setattr("comparison.frame.selected.QUICK", 1)
        link = made(results, anna)
        for asking in ("", "?q=a", "?q=b", "?by=half", "?agreement=none", "?open=all", "?sort=people", "?run=parrot"):
            assert "This page updates itself" in Client().get(f"{link}people/{asking}").content.decode()
        assert len(asked) == 1
