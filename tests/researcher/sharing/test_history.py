"""The page of a study's history, and the same as a file and in the terminal."""

import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.audit.acting import acting, by_user
from annotation.audit.acts import record
from annotation.audit.deeds import Deed, Via
from annotation.audit.history import PER_PAGE
from annotation.lifecycle.status import close_study, open_study
from annotation.models import Act


def at(study) -> str:
    return reverse("history", args=[study.slug])


def text(client, address: str) -> str:
    return str(client.get(address).content.decode())


@pytest.mark.slow
def test_it_says_who_did_what(client, researcher, study):
    client.post(reverse("study_close", args=[study.slug]))
    said = text(client, at(study))
    assert "closed the study" in said
    assert '<td data-label="Who">rosa</td>' in said
    assert "created the study" in said
    assert not re.search(r'data-label="In short">\s*</td>', said), "a phone would show it with nothing after it"


@pytest.mark.slow
def test_it_is_narrowed_and_leafed_through(client, researcher, study):
    with acting(lambda: by_user(researcher, Via.PAGE)):
        for _ in range(PER_PAGE):
            close_study(study)
            open_study(study)
    first = text(client, f"{at(study)}?who=rosa&deed=closed")
    assert first.count("closed the study") == PER_PAGE
    assert "Older" not in first
    everything = text(client, f"{at(study)}?who=rosa")
    assert "who=rosa&amp;before=" in everything
    older = text(client, f"{at(study)}?who=rosa&before={Act.objects.latest('pk').pk - PER_PAGE + 1}")
    assert older.count("the study</td>") == PER_PAGE
    assert "Latest" in older


@pytest.mark.slow
@pytest.mark.parametrize("asking", ["who=nobody", "deed=danced", "before=x", "before=0", f"before={2**70}"])
def test_what_there_is_not_is_said(client, researcher, study, asking):
    answer = client.get(f"{at(study)}?{asking}")
    assert answer.status_code == 400
    assert "field-error" in answer.content.decode()


@pytest.mark.slow
def test_an_analyst_reads_it_without_names_of_other_studies(client, researcher, colleague, carl, study):
    record(study, Deed.COPIED, for_editors={"to": "another"})
    give(study, carl, Role.ANALYST)
    assert "to: another" in text(client, at(study))
    for address in (at(study), reverse("history_file", args=[study.slug])):
        answer = colleague.get(address)
        assert answer.status_code == 200
        assert "another" not in answer.getvalue().decode()


@pytest.mark.slow
def test_as_a_file_it_is_narrowed_as_the_page_is(client, researcher, study):
    client.post(reverse("study_close", args=[study.slug]))
    file = client.get(f"{reverse('history_file', args=[study.slug])}?deed=closed").getvalue().decode()
    header, line, end = file.split("\r\n")
    assert header == "at,who,via,system user,deed,subject,facts"
    assert ",rosa,page,,closed,," in line
    assert end == ""
    assert Act.objects.latest("pk").subject == "history.csv"


class TestTheCommand:
    def said(self, *words: str) -> str:
        out = io.StringIO()
        call_command("history", *words, stdout=out)
        return out.getvalue()

    @pytest.mark.slow
    def test_lists_the_latest_first_also_of_a_study_that_is_gone(self, client, researcher, draft):
        client.post(reverse("study_open", args=[draft.slug]))
        draft.delete()
        lines = self.said("draft").splitlines()
        assert lines[0].endswith("rosa opened the study")
        assert any(line.endswith("system created the study; items: 3") for line in lines)
        assert self.said("draft", "--last", "1").count("\n") == 1
        assert self.said("draft", "--who", "rosa").count("\n") == 1
        assert self.said("draft", "--deed", "opened", "--csv").count("\n") == 2

    def test_of_none_it_says_so(self, db):
        for words in (("nothing",), ("a\0b",)):
            with pytest.raises(CommandError, match="No matching act"):
                self.said(*words)
