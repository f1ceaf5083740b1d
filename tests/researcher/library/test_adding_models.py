"""Models of one's own added in the browser: from folders that the settings name, by a worker, with what came of it."""

import pytest
import torch
import transformers
from celery import current_app
from django.contrib.auth.models import Permission
from django.urls import reverse
from kombu.exceptions import OperationalError

from scoring.library.additions import ADDITIONS
from scoring.library.location import model_folders
from scoring.models import LanguageModel
from scoring.worker_requests import Addition
from tests.researcher.library.asking import text
from tests.scoring.library.little_models import COMMIT, SIZE, write_model
from work.queue import resend

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def root(tmp_path, settings):
    place = tmp_path / "own-models"
    place.mkdir()
    settings.MODEL_FOLDERS = [place]
    return place


@pytest.fixture
def bert(root):
    torch.manual_seed(5)
    config = transformers.BertConfig(**SIZE, initializer_range=0.3)
    return write_model(root / "lab" / "little-bert", transformers.BertForMaskedLM(config))


def test_a_folder_becomes_a_model_by_a_worker(admin, bert, worker):
    page = admin.get(reverse("model_add"))
    assert "lab/little-bert" in text(page)
    sent = {"folder": str(bert), "family": "masked", "key": "mine", "dtype": "float32"}
    shown = admin.post(reverse("model_add"), sent, follow=True)
    assert worker == ["scoring"]
    row = LanguageModel.objects.get()
    assert (row.key, row.name, row.source) == ("mine", "little-bert", str(bert))
    assert "registered" in text(shown) and f"#model-{row.pk}" in text(shown)
    assert "Add a model" in text(admin.get(reverse("models")))


def test_why_a_model_cannot_be_used_is_said(admin, bert, worker):
    (bert / "model.safetensors").write_bytes(b"nothing of the kind")
    sent = {"folder": str(bert), "family": "masked", "key": "mine", "dtype": "float32"}
    shown = text(admin.post(reverse("model_add"), sent, follow=True))
    assert "Not registered:" in shown and "failed" in shown.lower()
    assert not LanguageModel.objects.exists()


def test_the_commands_options_are_said_as_fields(admin, bert, worker):
    sent = {"folder": str(bert), "family": "masked", "key": "mine", "dtype": "float32"}
    admin.post(reverse("model_add"), sent)
    shown = text(admin.post(reverse("model_add"), sent | {"key": "other"}, follow=True))
    assert "give another “Name”" in shown and "--name" not in shown


def test_pickled_weights_are_no_model(admin, bert, worker):
    (bert / "model.safetensors").rename(bert / "pytorch_model.bin")
    sent = {"folder": str(bert), "family": "masked", "key": "mine", "dtype": "float32"}
    assert "Not registered" in text(admin.post(reverse("model_add"), sent, follow=True))
    assert not LanguageModel.objects.exists()


@pytest.mark.parametrize(
    ("changed", "field", "says"),
    [
        ({"folder": "/etc"}, "folder", "not one of the available choices"),
        ({"folder": ""}, "folder", "Choose a folder"),
        ({"family": "causal"}, "start_token", "Causal models need a start token."),
        ({"start_token": "<s>"}, "start_token", "Masked models have no start token."),
        ({"family": ""}, "family", "Choose a type"),
        ({"key": "no spaces"}, "key", "slug"),
    ],
)
def test_faults_stand_beside_their_fields(admin, bert, worker, changed, field, says):
    sent = {"folder": str(bert), "family": "masked", "key": "mine", "dtype": "float32"} | changed
    answer = admin.post(reverse("model_add"), sent)
    assert answer.status_code == 422 and says in " ".join(answer.context["form"].errors[field])
    assert not worker and not Addition.objects.exists()


def test_a_hub_is_asked_only_where_the_settings_say_so(admin, root, worker, settings, monkeypatch):
    shut = text(admin.get(reverse("model_add"), {"way": "hub"}))
    assert "fetches nothing from a hub" in shut and 'name="hub_id"' not in shut
    settings.MODEL_HUB = True
    open_ = text(admin.get(reverse("model_add"), {"way": "hub"}))
    assert 'name="hub_id"' in open_ and 'name="folder"' not in open_
    sent = {"hub_id": "owner/name", "revision": COMMIT, "family": "masked", "key": "mine", "dtype": "float32"}
    for wrong in ("../secrets", "/etc", str(root)):
        assert admin.post(reverse("model_add"), sent | {"hub_id": wrong}).status_code == 422
    monkeypatch.setattr("scoring.library.registering.commit_of", lambda source, branch: COMMIT)
    monkeypatch.setattr("scoring.library.registering.pickled_snapshot", lambda source, commit: None)
    # A hub that does not answer, without the waiting.
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    shown = text(admin.post(reverse("model_add"), sent | {"revision": "main"}, follow=True))
    assert "Not registered: owner/name could not be loaded" in shown
    assert Addition.objects.get().wanted["source"] == "owner/name"


def test_each_way_says_what_opens_it(admin, root, settings):
    address = reverse("model_add")
    assert 'type="file"' in text(admin.get(address, {"way": "upload"}))
    settings.PROMPT_ENDPOINT = ""
    assert "administrator to set <code>PROMPT_ENDPOINT" in text(admin.get(address, {"way": "endpoint"}))
    settings.PROMPT_ENDPOINT, settings.PROMPT_ENDPOINT_MODELS = "https://api.example.org/v1", ["small-1"]
    shown = text(admin.get(address, {"way": "endpoint"}))
    assert "small-1" in shown and "https://api.example.org/v1" in shown
    assert 'aria-current="true"' in text(admin.get(address, {"way": "unheard of"}))


def test_links_lead_out_of_no_root(root, tmp_path):
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "config.json").write_text("{}")
    (root / "link").symlink_to(outside)
    (root / "deep" / "a" / "b").mkdir(parents=True)
    (root / "deep" / "a" / "b" / "config.json").write_text("{}")
    assert model_folders() == []
    (root / "own").mkdir()
    (root / "own" / "config.json").write_text("{}")
    assert model_folders() == [(root / "own").resolve()]


def test_others_may_where_a_superuser_says_so(client, researcher, root):
    assert client.get(reverse("model_add")).status_code == 403
    assert "Add a model" not in text(client.get(reverse("models")))
    researcher.user_permissions.add(Permission.objects.get(codename="add_languagemodel"))
    assert "No model in " in text(client.get(reverse("model_add")))


def test_a_silent_queue_is_said_and_the_model_is_added_when_it_answers(admin, bert, monkeypatch):
    def silent(*given, **named) -> None:
        raise OperationalError

    monkeypatch.setattr(current_app, "send_task", silent)
    sent = {"folder": str(bert), "family": "masked", "key": "mine", "dtype": "float32"}
    assert "waiting: the task queue cannot be reached" in text(admin.post(reverse("model_add"), sent, follow=True))
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: ADDITIONS.work(args[1], worker="here"))
    resend()
    assert LanguageModel.objects.get().key == "mine"
