"""Studies that are made on pages: of text and of published data, the same as the commands make."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.access.matrix import Role
from annotation.loading import load_study
from annotation.models import Membership, Study
from corpus.sweep import STEP
from researcher.jobs.folder import folder_of
from researcher.jobs.working import order_of
from researcher.models import Job
from scoring.corpus_passes.part import CorpusPart
from tests.researcher.jobs.sources import CORPUS, asked, boolq, done, files_of, paradigm, sent
from tests.studies import plausibility_rows, write_study
from work.queue import messages_waiting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue"), pytest.mark.slow]


def same(place, tmp_path, slug, *command):
    """Whether the study in its place has the bytes that the command writes."""
    out = tmp_path / "out"
    call_command(*command, "--slug", slug, "--no-load", "--out", str(out), verbosity=0)
    return files_of(place / "studies" / slug) == files_of(out)


def test_a_construction_without_a_source(browser, mira, place, tmp_path):
    said = {"per_cell": "2", "phenomenon": ["simple"], "slug": "pairs", "title": "Pairs", "seed": "3", "sample": "3"}
    job = asked(browser, "construction", "agreement", said)
    assert (job.state, messages_waiting(job.QUEUE)) == ("queued", 1)
    assert (done(job).state, job.error) == ("finished", "")
    study = Study.objects.get(slug="pairs")
    assert list(job.made.all()) == [study]
    assert (study.state, study.items.targets().count()) == ("draft", 3)
    assert Membership.objects.get(study=study, user=mira).role == Role.OWNER
    command = ["--per-cell", "2", "--phenomenon", "simple", "--title", "Pairs", "--seed", "3", "--sample", "3"]
    assert same(place, tmp_path, "pairs", "build_study", "agreement", *command)
    assert not folder_of(job).exists(), "its files are gone"
    page = browser.get(reverse("job", args=[job.pk])).content.decode()
    assert "manage.py build_study agreement --per-cell=2" in page
    assert f'<a href="{reverse("setup", args=["pairs"])}">Pairs</a> created as a draft.' in page
    assert "a random sample of 3 of 4 items" in page


def test_a_construction_of_an_uploaded_text(browser, place, tmp_path):
    corpus = tmp_path / "my talk.txt"
    corpus.write_text(CORPUS)
    said = {
        "file-corpus": sent(CORPUS, "my talk.txt"),
        "adverbs": "really\nvery\nquite",
        "slug": "talk",
        "combinations": "3",
    }
    job = done(asked(browser, "construction", "intensifiers", said))
    assert (job.state, job.error) == ("finished", "")
    assert [file["name"] for file in job.files] == ["my talk.txt"]
    assert Study.objects.get(slug="talk").items.count() > 1
    assert not folder_of(job).exists() and not (place / "builds").exists(), "nothing of the text is kept"
    options = ["--corpus", str(corpus), "--adverbs", "really", "very", "quite", "--combinations", "3"]
    assert same(place, tmp_path, "talk", "build_study", "intensifiers", *options)
    steps = [words for _, words in job.log]
    assert steps[0] == "starting" and steps[-1] == "storing the study"
    assert STEP in steps, "the pass over the text tells how far it is"


def test_a_construction_of_a_text_of_the_server(browser, place, tmp_path, settings):
    (tmp_path / "talks").mkdir()
    (tmp_path / "talks" / "a.txt").write_text(CORPUS)
    settings.CORPUS_FOLDERS = {"talks": tmp_path / "talks"}
    said = {"server-corpus": ["talks"], "adverbs": "really", "slug": "talk"}
    job = done(asked(browser, "construction", "intensifiers", said))
    assert (job.state, job.error, job.sources) == ("finished", "", {"corpus": ["talks"]})
    options = ["--corpus", str(tmp_path / "talks"), "--adverbs", "really"]
    assert same(place, tmp_path, "talk", "build_study", "intensifiers", *options)


def test_a_text_of_the_server_is_shared_where_there_is_a_store(browser, place, tmp_path, settings):
    (tmp_path / "talks").mkdir()
    for name in "ab":
        (tmp_path / "talks" / f"{name}.txt").write_text(f"{CORPUS}\nIt was really {name}.")
    settings.CORPUS_FOLDERS = {"talks": tmp_path / "talks"}
    said = {"server-corpus": ["talks"], "adverbs": "really", "slug": "talk"}
    options = ["--corpus", str(tmp_path / "talks"), "--adverbs", "really"]
    job = asked(browser, "construction", "intensifiers", said)
    settings.CORPUS_STORE = str(store := tmp_path / "store")
    assert (done(job).state, job.error) == ("finished", "")
    assert STEP in [words for _, words in job.log]
    assert len(list(store.glob("intensifiers/*.gz"))) == 2, "a part for each file, done by the job itself"
    assert not CorpusPart.objects.exists() and not any((place / "builds").glob("*/*"))
    job = asked(browser, "construction", "intensifiers", {"file-corpus": sent(CORPUS, "a.txt"), "slug": "sent"})
    assert order_of(job).shared == (), "what is sent lies on one machine"
    settings.CORPUS_STORE = ""
    assert same(place, tmp_path, "talk", "build_study", "intensifiers", *options)


def test_a_published_file(browser, place, tmp_path):
    (tmp_path / "dev.jsonl").write_text(boolq())
    said = {"file-source": sent(boolq(), "dev.jsonl"), "without_passage": "on", "slug": "alone", "limit": "2"}
    job = done(asked(browser, "data_set", "boolq", said))
    assert (job.state, job.error) == ("finished", "")
    options = [str(tmp_path / "dev.jsonl"), "--without-passage", "--limit", "2"]
    assert same(place, tmp_path, "alone", "import_study", "boolq", *options)


def test_several_published_files(browser, place, tmp_path):
    files = {
        "one.jsonl": paradigm("one", [("The cats sleep.", "The cats sleeps."), ("A dog runs.", "A dog run.")]),
        "two.jsonl": paradigm("two", [("She sees herself.", "She sees himself.")]),
    }
    folder = tmp_path / "source"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    said = {"file-source": [sent(text, name) for name, text in files.items()], "slug": "pairs"}
    job = done(asked(browser, "data_set", "blimp", said))
    assert (job.state, job.error) == ("finished", "")
    assert Study.objects.get(slug="pairs").items.count() == 3
    assert same(place, tmp_path, "pairs", "import_study", "blimp", str(folder))
    assert "import_study blimp FOLDER" in browser.get(reverse("job", args=[job.pk])).content.decode()


def test_faults_are_told_by_file_line_and_field(browser, place):
    text = boolq().replace('"answer": false', '"answer": "maybe"')
    job = done(asked(browser, "data_set", "boolq", {"file-source": sent(text, "dev.jsonl")}))
    assert (job.state, Study.objects.exists()) == ("failed", False)
    assert job.error == "dev.jsonl: 1 problem; nothing was created."
    assert [fault[:2] for fault in job.faults] == [["dev.jsonl", "line 2, field “answer”"]]
    page = browser.get(reverse("job", args=[job.pk])).content.decode()
    assert "line 2, field “answer”" in page and str(place) not in page


def test_a_fault_of_an_option_names_its_field(browser):
    given = {"file-source": sent("Q\nIs it?\n", "a.csv"), "task": "yes_no", "map": "question = Q", "labels": "1=yes"}
    job = done(asked(browser, "data_set", "table", given))
    where = [fault[1:] for fault in job.faults]
    assert where == [["Words for labels", "needs a reference column under “Columns”"]]


def test_what_could_be_left_out_names_its_field(browser):
    given = {"file-source": sent("id,Q\na,Is it?\nb,\n", "a.csv"), "task": "yes_no", "map": "id = id\nquestion = Q"}
    job = done(asked(browser, "data_set", "table", given))
    assert "1 entry lacks a required value: “Leave out incomplete rows” leaves such entries out" in job.error


def test_a_name_that_was_taken_meanwhile_stores_nothing(browser, tmp_path):
    job = asked(browser, "construction", "agreement", {"per_cell": "1", "phenomenon": ["simple"], "slug": "pairs"})
    taken = load_study(write_study(tmp_path / "taken", plausibility_rows(1), slug="pairs")).study
    assert done(job).state == "failed"
    assert "pairs is not available" in job.error
    assert list(Study.objects.all()) == [taken]
    taken.delete()
    browser.post(reverse("job_again", args=[job.pk]))
    assert done(Job.objects.get(pk=job.pk)).state == "finished"


def test_what_cannot_be_made_says_why(browser):
    job = asked(browser, "construction", "intensifiers", {"file-corpus": sent("Nothing here.\n", "a.txt")})
    assert done(job).state == "failed"
    assert "The corpus has no usable sentence" in job.error
