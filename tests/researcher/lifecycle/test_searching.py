"""The list of studies narrowed: by words, state and tag, and without what archived."""

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.lifecycle.status import archive, close_study, tag
from annotation.loading import load_study
from annotation.models import Study
from tests.studies import open_small_study, plausibility_rows, write_study


@pytest.fixture
def three(client, tmp_path) -> None:
    """`lamps` is open, `owls` a draft, `old` closed and archived."""
    rows = plausibility_rows(1)
    lamps = open_small_study(tmp_path / "lamps", rows, slug="lamps")
    owls = load_study(write_study(tmp_path / "owls", rows, slug="owls")).study
    old = open_small_study(tmp_path / "old", rows, slug="old")
    close_study(old)
    archive(old)
    tag(lamps, ["pilot"])
    tag(old, ["pilot", "Übung"])
    Study.objects.filter(pk=owls.pk).update(title="Über Eulen")


def listed(client, query=""):
    answer = client.get(reverse("studies") + query)
    page = answer.content.decode()
    return answer.status_code, [line.study.slug for line in answer.context["lines"]], page


@pytest.mark.slow
def test_the_list_shows_what_is_asked_for(client, three):
    for query, slugs in (
        ("", {"lamps", "owls"}),
        ("?q=&state=&tag=", {"lamps", "owls"}),
        ("?q=LAMP", {"lamps"}),
        ("?q=über", {"owls"}),
        ("?q=pilot", {"lamps"}),
        ("?q=pilot+lamps", {"lamps"}),
        ("?q=pilot+owls", set()),
        ("?state=draft", {"owls"}),
        ("?state=closed", set()),
        ("?state=archived", {"old"}),
        ("?state=archived&q=übung", {"old"}),
        ("?tag=pilot", {"lamps"}),
        ("?tag=pilot&state=archived", {"old"}),
    ):
        status, found, _ = listed(client, query)
        assert (status, set(found)) == (200, slugs), query


def chips(client, query=""):
    return {chip.value: chip.count for chip in client.get(reverse("studies") + query).context["chips"]}


@pytest.mark.slow
def test_each_state_is_counted_among_what_is_searched(client, three):
    assert chips(client) == {"": 2, "open": 1, "draft": 1, "archived": 1}
    assert chips(client, "?q=pilot") == {"": 1, "open": 1, "archived": 1}
    assert chips(client, "?q=owls&state=open") == {"": 1, "draft": 1, "open": 0}
    assert 'href="/studies/?q=pilot&amp;state=archived"' in listed(client, "?q=pilot")[2]
    assert 'aria-current="true">Tag: pilot' in listed(client, "?tag=pilot")[2]


@pytest.mark.slow
def test_nothing_found_leads_back_to_all(client, three):
    assert listed(client, "?q=unicorn")[1] == []
    assert '<a href="/studies/">Clear filters</a>' in listed(client, "?q=unicorn")[2]
    Study.objects.exclude(slug="old").delete()
    assert (listed(client)[1], chips(client)) == ([], {"": 0, "archived": 1})


@pytest.mark.slow
@pytest.mark.parametrize("query", ["?state=ajar", "?tag=none-has-it", "?q=%00", f"?q={'x' * 201}"])
def test_what_cannot_be_asked_is_said_and_everything_shown(client, three, query):
    status, found, page = listed(client, query)
    assert (status, set(found)) == (400, {"lamps", "owls"})
    assert "field-error" in page


@pytest.mark.slow
def test_only_one_s_own_studies_and_tags_are_there(colleague, three):
    status, found, page = listed(colleague)
    assert (status, found) == (200, [])
    assert "pilot" not in page


@pytest.mark.slow
def test_searching_asks_the_database_no_more(client, three):
    def queries(query):
        with CaptureQueriesContext(connection) as caught:
            listed(client, query)
        return len(caught)

    queries("")
    assert queries("?q=lamps&state=open&tag=pilot") <= queries("")


@pytest.mark.slow
def test_the_setup_archives_and_restores(client, draft):
    client.post(reverse("study_archive", args=["draft"]))
    assert "Unarchive" in client.get(reverse("setup", args=["draft"])).content.decode()
    assert "Archived</span>" in client.get(reverse("study", args=["draft"])).content.decode()
    client.post(reverse("study_restore", args=["draft"]))
    assert "Archive study" in client.get(reverse("setup", args=["draft"])).content.decode()


@pytest.mark.slow
def test_an_open_study_is_refused_in_words(client, study):
    answer = client.post(reverse("study_archive", args=[study.slug]), follow=True)
    assert "Close it first." in answer.content.decode()
    study.refresh_from_db()
    assert study.archived_at is None


@pytest.mark.slow
def test_the_setup_stores_tags(client, draft):
    answer = client.post(reverse("study_tags", args=["draft"]), {"tags": "pilot, <b>, two words"}, follow=True)
    page = answer.content.decode()
    assert 'value="&lt;b&gt;, pilot, two words"' in page
    assert Study.objects.get().tags == ["<b>", "pilot", "two words"]
    refused = client.post(reverse("study_tags", args=["draft"]), {"tags": "x" * 50})
    assert [str(one) for one in get_messages(refused.wsgi_request)][-1].startswith("Not saved.")
    assert Study.objects.get().tags == ["<b>", "pilot", "two words"]
    assert 'href="/studies/?tag=two%20words"' in client.get(reverse("studies")).content.decode()
