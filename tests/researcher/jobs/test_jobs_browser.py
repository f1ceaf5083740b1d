"""Jobs in a real browser: a study is built of an uploaded text; pages in both themes, on a desk and on a phone."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.models import Study
from researcher.jobs.folder import receive
from researcher.jobs.working import JOBS
from researcher.models import Job
from tests.browser import faults, log_in
from tests.researcher.jobs.sources import CORPUS, sent
from tests.studies import open_small_study, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue")]


@pytest.fixture
def researcher(db, settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    return get_user_model().objects.create_user("rosa", password="long-and-dull-1")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_study_is_built_of_a_text(scripts, open_page, live_server, researcher):
    """The worker's part is done in this process while the page looks on."""
    page = open_page(java_script_enabled=scripts)
    log_in(page, live_server, "/new-study/")
    page.get_by_role("link", name="Text you have").click()
    page.get_by_role("link", name="Intensifiers against negation").click()
    page.get_by_label("Corpus").set_input_files(
        {"name": "talk.txt", "mimeType": "text/plain", "buffer": CORPUS.encode()}
    )
    page.get_by_text("More settings").click()
    page.get_by_label("Adverbs").fill("really\nvery")
    page.get_by_label("URL name").fill("Not a slug")
    page.get_by_role("button", name="Create study").click()
    page.get_by_text("Use lower-case letters, digits and single hyphens").wait_for()
    page.get_by_text("Choose the file again: talk.txt.").wait_for()
    page.get_by_label("Corpus").set_input_files(
        {"name": "talk.txt", "mimeType": "text/plain", "buffer": CORPUS.encode()}
    )
    page.get_by_label("URL name").fill("talk")
    page.get_by_label("Title").fill("Talk")
    page.get_by_role("button", name="Create study").click()
    page.get_by_text("Waiting for a worker.").wait_for()
    JOBS.work(Job.objects.get().pk, worker="test/0")
    # By itself: with scripts what moves on the page, without them the page as a whole.
    page.get_by_role("link", name="Talk", exact=True).click()
    page.wait_for_url("**/studies/talk/setup/")
    assert Study.objects.get(slug="talk").items.exists()


def some_jobs(owner, study):
    """One under way, one that is refused with faults, and labels whose columns are to be said."""
    now = timezone.now()
    log = [[now.isoformat(timespec="seconds"), "starting"], [now.isoformat(timespec="seconds"), "reading the text"]]
    text = {"option": "corpus", "name": "talk.txt", "bytes": 30_000_000, "sha256": "0123456789abcdef" * 4}
    common = {"owner": owner, "log": log}
    running = Job.objects.create(
        kind="construction", key="intensifiers", state="running", step="reading the text",
        done=10_000_000, of=30_000_000, unit="B", step_at=now, files=[text],
        given={"adverbs": ["really", "very"]}, **common,
    )  # fmt: skip
    faults = [["dev.jsonl", f"line {line}.answer", "must be true or false; it is 'maybe'"] for line in range(2, 9)]
    failed = Job.objects.create(
        kind="dataset", key="boolq", state="failed", error="dev.jsonl: 7 problems; nothing was created.", faults=faults,
        faults_count=70, finished_at=now, started_at=now, **common,
    )  # fmt: skip
    labels = Job.objects.create(kind="labels", key="table", state="prepared", owner=owner, study=study)
    receive(labels, {"labels": [sent("Sentence,Worker,Answer\ntarget-1,anna,2\ntarget-2,bert,3\n", "pilot.csv")]})
    scores = Job.objects.create(kind="scores", key="table", state="prepared", owner=owner, study=study)
    receive(scores, {"scores": [sent("Sentence,Answer,pll\ntarget-1,may be,2\ntarget-2,not,3\n", "bert.csv")]})
    return running, failed, labels, scores


def test_the_pages_are_accessible_and_fit(browser_page, live_server, researcher, tmp_path):
    study = open_small_study(tmp_path / "study", plausibility_rows(3))
    give(study, researcher, Role.OWNER)
    running, failed, labels, scores = some_jobs(researcher, study)
    addresses = [
        *(reverse(name) for name in ("constructions", "data_sets", "jobs")),
        *(reverse("construction", args=[key]) for key in ("intensifiers", "altboolq")),
        reverse("data_set", args=["table"]),
        *(reverse("job", args=[job.pk]) for job in (running, failed, labels)),
        *(reverse(name, args=[study.slug]) for name in ("label_files", "score_files")),
        reverse("label_columns", args=[study.slug, labels.pk]),
        reverse("score_columns", args=[study.slug, scores.pk]),
    ]
    page = browser_page
    log_in(page, live_server)
    for address in addresses:
        page.goto(live_server.url + address)
        page.locator("h1").wait_for()
        assert faults(page) == [], address
    page.goto(live_server.url + reverse("construction", args=["intensifiers"]))
    form, example = page.locator(".job-form").bounding_box(), page.locator(".about-choice").bounding_box()
    assert example["x"] > form["x"] + form["width"] and example["y"] == form["y"], "what comes of it stands beside it"
