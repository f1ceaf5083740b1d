"""A damaged tokenizer_config.json breaks no page; the run that needs it says what is wrong."""

import pytest
import transformers
from django.urls import reverse

from scoring.models import LanguageModel
from scoring.runs import starting, working
from scoring.runs.fitting import template_fault
from scoring.runs.starting import start_run
from scoring.scorers.contract import ModelSpec
from tests.scoring.library.little_models import write_model
from tests.scoring.working_off import run_through
from tests.studies import open_small_study, own_all, plausibility_rows
from work import queue

DAMAGED = [b"{", b"[]", b'"words"', b"\xff\xfe\x00{", b"", b"[" * 100_000]
IDS = ["broken", "a list", "a text", "not UTF-8", "empty", "deep"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"{}", "has no chat template"),
        (b'{"chat_template": ""}', "has no chat template"),
        (b'{"chat_template": "{{ messages }}"}', None),
        (b'{"chat_template": [{"name": "default", "template": "x"}, {"name": "rag", "template": "y"}]}', None),
        (b'{"chat_template": [{"name": "rag", "template": "y"}]}', "has chat templates for rag but none named default"),
        (None, "has no chat template"),
    ],
)
def test_a_sound_file_tells(tmp_path, content, expected):
    if content is not None:
        (tmp_path / "tokenizer_config.json").write_bytes(content)
    found = template_fault(ModelSpec("causal", str(tmp_path)))
    assert found is None if expected is None else expected in (found or "")


def test_templates_in_files_stand_before_those_of_the_settings(tmp_path):
    (tmp_path / "tokenizer_config.json").write_bytes(b'{"chat_template": "{{ messages }}"}')
    (tmp_path / "additional_chat_templates").mkdir()
    (tmp_path / "additional_chat_templates" / "rag.jinja").write_text("{{ messages }}")
    spec = ModelSpec("causal", str(tmp_path))
    assert "none named default" in (template_fault(spec) or "")
    (tmp_path / "chat_template.jinja").write_text("{{ messages }}")
    assert template_fault(spec) is None


@pytest.mark.parametrize("content", DAMAGED, ids=IDS)
def test_of_a_damaged_file_it_cannot_be_told(tmp_path, content):
    (tmp_path / "tokenizer_config.json").write_bytes(content)
    assert template_fault(ModelSpec("causal", str(tmp_path))) is None
    (tmp_path / "chat_template.jinja").write_text("{{ messages }}")
    assert template_fault(ModelSpec("causal", str(tmp_path))) is None


@pytest.mark.slow
@pytest.mark.parametrize("content", DAMAGED, ids=IDS)
def test_the_page_of_runs_works_and_the_run_names_the_file(
    tmp_path, content, client, django_user_model, monkeypatch, db
):
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)
    config = transformers.GPT2Config(vocab_size=30, n_positions=40, n_embd=24, n_layer=2, n_head=2)
    folder = write_model(tmp_path / "gpt", transformers.GPT2LMHeadModel(config))
    (folder / "tokenizer_config.json").write_bytes(content)
    told = {"start_token": "<s>"}
    model = LanguageModel.objects.create(
        key="odd", name="Odd", family="causal", method="causal", location="path", source=str(folder), settings=told
    )
    study = open_small_study(tmp_path / "study", plausibility_rows(2))
    client.force_login(own_all(django_user_model.objects.create_user("r")))
    assert client.get(reverse("runs", args=[study.slug])).status_code == 200
    page = client.get(reverse("runs_new", args=[study.slug]))
    assert page.status_code == 200
    assert 'value="odd prompted"' in page.content.decode()
    run = run_through(start_run(study, model, "prompted"))
    assert run.state == "failed"
    assert f"{folder}/tokenizer_config.json" in run.error
