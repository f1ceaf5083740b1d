"""Adding a model in a real browser, with and without scripts; the pages in both themes, on a desk and on a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from scoring.library.additions import ADDITIONS
from scoring.library.trials import TRIALS
from scoring.models import LanguageModel
from scoring.worker_requests import Addition, Trial
from tests.browser import faults, faults_as_wide, log_in
from tests.researcher.library.uploaded import zipped
from tests.scoring.scorers.endpoint.server import serving

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue")]

WAY = "/models/add/?way="


@pytest.fixture
def admin(db, settings, tmp_path, monkeypatch):
    settings.VAR_DIR, settings.MODELS_DIR = tmp_path / "var", tmp_path / "var" / "models"
    settings.MODEL_FOLDERS = []
    monkeypatch.setattr("scoring.library.uploads.require_opens", lambda folder, family: None)
    return User.objects.create_superuser("rosa", password="long-and-dull-1")


def chosen(sent):
    return {"name": sent.name, "mimeType": "application/zip", "buffer": sent.read()}


@pytest.mark.parametrize("scripts", [True, False])
def test_a_model_is_uploaded(scripts, open_page, live_server, admin, model_files):
    """The worker's part is done in this process while the page looks on."""
    page = open_page(java_script_enabled=scripts)
    log_in(page, live_server, f"{WAY}upload")
    page.get_by_label("Drop a .zip or files").set_input_files(chosen(zipped(model_files | {"setup.py": b"import os"})))
    page.get_by_label("Type").select_option("masked")
    page.get_by_label("Key").fill("mine")
    page.get_by_role("button", name="Upload model").click()
    page.get_by_text("setup.py is code, which is never run here.").wait_for()
    page.get_by_label("Drop a .zip or files").set_input_files(chosen(zipped(model_files)))
    page.get_by_role("button", name="Upload model").click()
    page.get_by_text("waiting for the scoring worker").wait_for()
    ADDITIONS.work(Addition.objects.get().pk, worker="test/0")
    if not scripts:
        page.reload()
    page.get_by_role("link", name="mine", exact=True).click()
    page.wait_for_url(f"**/models/#model-{LanguageModel.objects.get().pk}")


def test_too_much_is_said_before_it_is_sent(open_page, live_server, admin, settings):
    settings.MODEL_UPLOAD_MOST_BYTES = 1024**2
    page = open_page()
    log_in(page, live_server, f"{WAY}upload")
    page.get_by_label("Drop a .zip or files").set_input_files(
        {"name": "m.zip", "mimeType": "application/zip", "buffer": b"x" * 3 * 1024**2}
    )
    page.get_by_text("3 MB chosen; at most 1 MB are taken.").wait_for()
    page.get_by_label("Type").select_option("masked")
    page.get_by_label("Key").fill("mine")
    page.get_by_role("button", name="Upload model").click()
    expect(page.get_by_text("3 MB chosen")).to_be_visible()
    assert not Addition.objects.exists()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_test_question_is_asked(scripts, open_page, live_server, admin, settings):
    with serving() as server:
        settings.PROMPT_ENDPOINT = f"http://127.0.0.1:{server.server_port}/v1"
        settings.PROMPT_ENDPOINT_MODELS, settings.PROMPT_ENDPOINT_KEY = ["small-1"], ""
        page = open_page(java_script_enabled=scripts)
        log_in(page, live_server, f"{WAY}endpoint")
        page.get_by_role("button", name="Ask a test question").click()
        page.get_by_text("Waiting for the scoring worker.").wait_for()
        TRIALS.work(Trial.objects.get().pk, worker="test/0")
        if not scripts:
            page.reload()
        page.get_by_text("Both prompted and sampled will work.").wait_for()


def test_pages_of_each_way(open_page, live_server, admin, settings):
    settings.PROMPT_ENDPOINT = "http://127.0.0.1:9/v1"
    settings.PROMPT_ENDPOINT_MODELS, settings.PROMPT_ENDPOINT_KEY = ["small-1", "small-2"], ""
    trial = Trial.objects.create(model="small-1", asked_by="rosa")
    TRIALS.work(trial.pk, worker="test/0")
    asked = {"key": "mine", "source": "", "name": "mine"}
    Addition.objects.create(
        wanted=asked, upload={"folder": "x", "files": [{"name": "m.zip", "bytes": 1}]}, asked_by="r"
    )
    page = open_page()
    log_in(page, live_server, f"{WAY}upload")
    for way in ("folder", "hub", "upload", "endpoint"):
        page.goto(f"{live_server.url}{reverse('model_add')}?way={way}")
        assert not faults(page), way
        page.set_viewport_size({"width": 320, "height": 700})
        assert not faults_as_wide(page), way
