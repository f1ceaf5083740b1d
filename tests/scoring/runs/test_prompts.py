"""A study's prompt: its template, its shots, its version; and what of it reaches a model."""

from typing import Any

import pytest

from annotation.studyfile import settings_of as declared
from annotation.studyfile import tables_of
from annotation.studyfile.reading import StudyFileError
from annotation.tasktypes.contract import Prompted
from scoring.runs.prompts import chat_of, in_words_of, prompt_of, settings_of
from scoring.scorers.questions import messages, texts
from tests.studies import open_small_study, plausibility_row, plausibility_rows

pytestmark = pytest.mark.django_db


def practice(number: int, reference: str | None = "impossible"):
    return plausibility_row(number, kind="practice", reference=reference)


def study_with(folder, **prompt):
    return open_small_study(folder, [*plausibility_rows(2), practice(1), practice(2, "more_likely")], prompt=prompt)


def content_of(study):
    return study.items.get(external_id="target-1").content


def test_without_a_prompt_the_instructions_are_said_and_the_usual_message(tmp_path):
    study = study_with(tmp_path)
    assert settings_of(study, metric="prompted") == {"instructions": "Read both sentences."}
    system, user = chat_of(study, content_of(study), settings_of(study, metric="prompted"))
    assert system == {"role": "system", "content": "Read both sentences."}
    assert user["content"].endswith("E. Necessarily true\n\nAnswer with one letter: A, B, C, D or E.")


def test_a_template_words_every_message_and_what_is_filled_in_is_not_filled_again(tmp_path):
    study = study_with(tmp_path, template="Judge:\n{item}\n{options}\nSay {letters} {or} not.".replace("{or}", "or"))
    content = content_of(study) | {"original": "A {letters} lamp."}
    [_, user] = chat_of(study, content, settings_of(study, metric="prompted"))
    assert user["content"].startswith("Judge:\n")
    assert "A {letters} lamp." in user["content"]
    assert user["content"].endswith("Say A, B, C, D or E or not.")
    assert "How plausible" not in user["content"]


def test_shots_come_first_with_their_letters_in_the_order_of_the_item(tmp_path):
    study = study_with(tmp_path, shots=["practice-2", "practice-1"])
    settings = settings_of(study, metric="prompted")
    [request] = study.task.requests(content_of(study), "prompt")
    put = in_words_of(settings, request)
    assert isinstance(put, Prompted)
    as_it_is, turned = messages(put, 0), messages(put, 1)
    assert [one["role"] for one in as_it_is] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert [one["content"] for one in as_it_is if one["role"] == "assistant"] == ["D", "A"]
    assert [one["content"] for one in turned if one["role"] == "assistant"] == ["B", "E"]
    assert any("300002" in text for text in texts(put))


def test_a_model_without_a_system_message_hears_the_instructions_first(tmp_path):
    study = study_with(tmp_path, shots=["practice-1"], system="Be brief.")
    [request] = study.task.requests(content_of(study), "prompt")
    put = in_words_of(settings_of(study, metric="prompted"), request)
    assert isinstance(put, Prompted)
    first, *_ = messages(put, 0, in_system=False)
    assert (first["role"], first["content"].startswith("Be brief.\n\n")) == ("user", True)


@pytest.mark.slow
def test_every_other_text_is_another_version(tmp_path):
    prompts: list[dict[str, Any]] = [{}, {"system": "x"}, {"template": "{item} {options}"}, {"shots": ["practice-1"]}]
    seen = set()
    for number, prompt in enumerate(prompts):
        study = study_with(tmp_path / str(number), **prompt)
        seen.add(prompt_of(settings_of(study, metric="prompted")).version)
        study.delete()
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("prompt", "field", "words"),
    [
        ({"template": "{item} {options} {scale}"}, "prompt.template", "contains {scale}, which is not a variable"),
        ({"template": "{item}"}, "prompt.template", "lacks {options}"),
        ({"shots": ["target-1"]}, "prompt.shots", "'target-1', which is not a practice item"),
        ({"shots": ["practice-3"]}, "prompt.shots", "'practice-3', which has no reference"),
        ({"shots": ["practice-1", "practice-1"]}, "prompt.shots", "each once"),
        ({"asks": 0}, "prompt.asks", "1 to 100"),
        ({"temperature": True}, "prompt.temperature", "0 to 2"),
        ({"tone": "kind"}, "prompt.tone", "is not recognized"),
    ],
)
def test_faults_are_named_by_field(tmp_path, prompt, field, words):
    rows = [*plausibility_rows(1), practice(1), practice(3, None)]
    with pytest.raises(StudyFileError) as refused:
        open_small_study(tmp_path, rows, prompt=prompt)
    assert [fault.field for fault in refused.value.faults] == [field]
    assert words in refused.value.faults[0].message


def test_what_is_declared_is_written_again_as_it_was(tmp_path):
    prompt = {"template": "{item}\n{options}", "shots": ["practice-1"], "asks": 7}
    study = study_with(tmp_path, **prompt)
    assert tables_of(study)["prompt"] == prompt
    assert declared(tables_of(study)).prompt == study.prompt
