"""Who took part before does not begin: by groups of studies, and by lists of ids that keep no id."""

import time
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.arrival import id_pattern
from annotation.arrival.repeats import IdsFileError, bar, clear, read_ids
from annotation.arrival.visitor import known_by
from annotation.assignment import finish
from annotation.models import Annotator, BarredId, PlatformId, Sitting, Study
from annotation.platforms import Outcome
from tests.annotation.pages.bot import Bot
from tests.either_database import found_by
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db

HERE = Path("ids.csv")


@pytest.fixture
def group(tmp_path) -> tuple[str, str]:
    """The doors of two studies, the second of which takes nobody from the first."""
    doors = []
    for slug, excludes in (("first", []), ("second", ["first", "not-loaded-yet"])):
        study = open_small_study(
            tmp_path / slug,
            plausibility_rows(9),
            slug=slug,
            collection={"id_parameter": "pid", "excludes": excludes},
            codes={"screened_out": "SCREENED"},
        )
        doors.append(study.links.get().get_absolute_url())
    return doors[0], doors[1]


@pytest.fixture
def second(group) -> Study:
    return Study.objects.get(slug="second")


@pytest.mark.slow
def test_who_began_in_a_study_of_the_group_cannot_begin(group):
    first, second = group
    Bot().begin(f"{first}?pid=ann")
    looked = Bot().open(f"{second}?pid=ann")
    assert (looked.status, looked.has_form) == (403, False)
    assert ">SCREENED<" in looked.html
    assert Bot().begin(f"{second}?pid=bob").has_item
    assert not Annotator.objects.get(external_id=known_by("pid", "ann")).sittings.filter(study__slug="second").exists()


@pytest.mark.slow
def test_nor_who_began_there_between_looking_and_beginning(group):
    first, second = group
    visitor = Bot()
    visitor.open(f"{second}?pid=ann")
    Bot().begin(f"{first}?pid=ann")
    assert visitor.post().status == 403
    assert not Sitting.objects.filter(study__slug="second").exists()


@pytest.mark.slow
def test_nor_whose_id_was_erased_since(group):
    first, second = group
    Bot().begin(f"{first}?pid=ann")
    assert PlatformId.objects.all().delete()[0] == 1
    assert Bot().open(f"{second}?pid=ann").status == 403
    assert Bot().begin(f"{second}?pid=bob").has_item


@pytest.mark.slow
def test_the_group_has_a_direction(group):
    first, second = group
    Bot().begin(f"{second}?pid=ann")
    assert Bot().begin(f"{first}?pid=ann").has_item


@pytest.mark.slow
def test_two_starts_at_once_in_studies_that_exclude_each_other_are_one(tmp_path, either_url):
    told = found_by("tests.annotation.arrival.two_starts", str(tmp_path), url=either_url)
    assert told["vendor"] == either_url.split(":")[0]
    who = ["pid, new", "pid, known", "link, new", "link, known"]
    assert told["found"] == {one: ["begun", "refused"] for one in who}


@pytest.mark.slow
def test_who_declined_there_may_begin(group):
    first, second = group
    Bot().begin(f"{first}?pid=ann")
    finish(Sitting.objects.get(), Outcome.NO_CONSENT)
    assert Bot().begin(f"{second}?pid=ann").has_item


def test_a_study_cannot_exclude_itself(tmp_path):
    with pytest.raises(ValueError, match=r"collection\.excludes: must not name the study itself"):
        open_small_study(tmp_path, plausibility_rows(1), collection={"excludes": ["small"]})


class TestLists:
    def test_who_is_on_it_cannot_begin_and_nobody_can_read_who_is(self, group, second):
        assert str(bar(second, b"ann\nbob\n\nann\n", HERE)) == "2 IDs added, 0 were already listed"
        page = Bot().open(f"{group[1]}?pid=ann")
        assert page.status == 403
        assert ">SCREENED<" in page.html
        assert not Annotator.objects.exists()
        assert Bot().begin(f"{group[0]}?pid=ann").has_item
        assert all("ann" not in str(row) and len(row["key"]) == 64 for row in BarredId.objects.values("key"))

    def test_the_same_id_is_another_hash_elsewhere(self, group, second):
        bar(second, b"ann", HERE)
        bar(Study.objects.get(slug="first"), b"ann", HERE)
        assert len(set(BarredId.objects.values_list("key", flat=True))) == 2

    @pytest.mark.slow
    def test_who_has_begun_goes_on_and_begins_no_other_sitting(self, group, second):
        visitor = Bot()
        visitor.begin(f"{group[1]}?pid=ann")
        bar(second, b"ann", HERE)
        assert visitor.begin(f"{group[1]}?pid=ann").has_item
        visitor.finish()
        PlatformId.objects.all().delete()
        assert visitor.begin(f"{group[1]}?pid=ann").status == 403

    def test_again_nothing_changes_and_cleared_all_may_come(self, group, second):
        bar(second, b"ann\nbob", HERE)
        assert str(bar(second, b"bob\ncarol", HERE)) == "1 ID added, 1 was already listed"
        assert clear(second) == 3
        assert Bot().begin(f"{group[1]}?pid=ann").has_item

    @pytest.mark.parametrize(
        "text",
        [
            "ann\nbob",
            "\ufeffid\r\nann\r\nbob\r\n",
            "Submission id,Participant id,Status\ns1,ann,APPROVED\ns2,bob,RETURNED\n",
            "pid;age\nann;30\nbob;31",
            '"WorkerId"\t"n"\nann\t1\nbob\t2',
            "age|PROLIFIC_PID\n30|ann\n31|bob\n",
        ],
    )
    def test_what_a_list_can_look_like(self, second, text):
        assert read_ids(second, text.encode(), HERE) == ["ann", "bob"]

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            (b"", "file: contains no ID"),
            (b"id\n", "file: contains no ID"),
            (b"a,b\nann,1\n", "line 1: names no column of ids, such as pid"),
            (b"ann\n{{%PID%}}\n", "line 2: .* is not a valid ID of this study"),
            (b"ann\n\xff\n", "line 2: is not UTF-8"),
        ],
    )
    def test_a_list_with_a_fault_is_refused_whole(self, second, text, fault):
        with pytest.raises(IdsFileError, match=fault):
            bar(second, text, HERE)
        assert not BarredId.objects.exists()

    @pytest.mark.slow
    def test_a_slow_pattern_does_not_make_a_long_list_endless(self, second, monkeypatch):
        monkeypatch.setattr(id_pattern, "MOST_SECONDS", 0.01)
        second.id_pattern = "(a|aa)+$"
        began = time.process_time()
        with pytest.raises(IdsFileError, match="reading stopped here"):
            read_ids(second, ("a" * 100 + "!\n").encode() * 5_000, HERE)
        assert time.process_time() - began < 20

    def test_by_command(self, second, tmp_path):
        file, out = tmp_path / "ids.txt", StringIO()
        file.write_text("ann\n", encoding="utf-8")
        call_command("import_exclusions", "second", file, stdout=out)
        assert out.getvalue() == "second: 1 ID added, 0 were already listed\n"
        with pytest.raises(CommandError, match="There is no study 'third'"):
            call_command("import_exclusions", "third", file)
        with pytest.raises(CommandError, match="cannot be read"):
            call_command("import_exclusions", "second", tmp_path / "none")

    def test_on_the_page(self, second, admin_client):
        address = reverse("barred", args=["second"])
        upload = SimpleUploadedFile("ids.csv", b"id\nann\n")
        led_to = admin_client.post(address, {"file": upload})["Location"]
        page = admin_client.get(led_to).content.decode()
        assert "<strong>1 ID</strong> blocked" in page
        assert "<code>first</code>" in page
        refused = admin_client.post(address, {"file": SimpleUploadedFile("ids.csv", b"{{x}}\n")})
        assert refused.status_code == 422
        assert "line 1" in refused.content.decode()
        admin_client.post(reverse("barred_clear", args=["second"]))
        assert not BarredId.objects.exists()

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_a_list_that_would_hold_a_web_thread_is_sent_in_parts_or_by_command(self, second, admin_client, end):
        """400,000 took 13 seconds there."""
        address, long = reverse("barred", args=["second"]), f"ann{end}".encode() * 20_001
        refused = admin_client.post(address, {"file": SimpleUploadedFile("ids.txt", long)})
        assert refused.status_code == 422
        assert "more than 20,000 lines. Send it in parts" in refused.content.decode()
        assert not BarredId.objects.exists()
        assert admin_client.post(address, {"file": SimpleUploadedFile("ids.txt", b"ann\n")}).status_code == 302
