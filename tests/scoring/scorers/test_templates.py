"""Which chat template a model is asked with, and the one day that it is told (docs/metrics.md, Q1). Little models."""

import time
from datetime import datetime
from pathlib import Path

import pytest
import transformers

from annotation.tasktypes.contract import Prompted
from scoring.library.chat import template_fault
from scoring.library.uploaded_files import _try_template
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.templates import NOW, NoTemplate, TooSlow, chosen, named, time_limit
from tests.scoring.scorers.little.causal import LLAMA, written

CHAT = "{% for m in messages %}{{ m.role }} {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}door {% endif %}"
CHOICE = Prompted("The dog slept.", "Which?", (("a", "old"), ("b", "the")))


class Tomorrow(datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime(2031, 5, 17)


def spec_with(folder: Path, template: object) -> ModelSpec:
    written(folder, transformers.LlamaConfig(**LLAMA))
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    return ModelSpec("causal", str(folder), settings={"start_token": "<s>"})


def opened(spec):
    return open_scorer(spec, metric="prompted", settings={})


ASKED = [{"role": "user", "content": "The dog slept."}]
DATED = [
    "{{ strftime_now('%d %B %Y') }} ",
    "{% if date_string is not defined %}{% set date_string = strftime_now('%d %b %Y') %}{% endif %}{{ date_string }} ",
    "{%- set today = strftime_now('%Y-%m-%d') %}Today is {{ today }}. ",
    "{%- macro header() %}{{ strftime_now('%B %d, %Y') }} {% endmacro %}{{ header() }}",
]
SAID = ["01 January 2025", "01 Jan 2025", "2025-01-01", "January 01, 2025"]


@pytest.mark.parametrize(("beginning", "date"), list(zip(DATED, SAID, strict=True)))
def test_q1_a_template_that_prints_the_day_says_the_same_every_day(tmp_path, monkeypatch, beginning, date):
    spec = spec_with(tmp_path, beginning + CHAT)
    today = opened(spec)
    prompt = today._rendered(ASKED)
    assert date in prompt
    assert today.provenance()["dates_in_prompt"] == [date]
    assert today.provenance()["template_settings"]["strftime_now"] == str(NOW)
    monkeypatch.setattr("transformers.utils.chat_template_utils.datetime", Tomorrow)
    # As in a worker that has rendered many others since.
    transformers.utils.chat_template_utils._compile_jinja_template.cache_clear()
    assert today._rendered(ASKED) == opened(spec)._rendered(ASKED) == prompt


def test_q1_a_prompt_without_a_date_is_said_to_have_none(tmp_path):
    assert opened(spec_with(tmp_path, CHAT)).provenance()["dates_in_prompt"] == []


@pytest.mark.slow
def test_q1_of_several_templates_the_default_is_used_and_named(tmp_path):
    spec = spec_with(tmp_path, {"default": "the " + CHAT, "tool_use": "old " + CHAT})
    assert template_fault(spec) is None
    scorer = opened(spec)
    assert scorer._rendered(ASKED).startswith("the user")
    told = scorer.provenance()
    assert (told["chat_template"], told["chat_templates"]) == ("default", ["default", "tool_use"])
    alone = opened(spec_with(tmp_path / "alone", "the " + CHAT)).provenance()
    assert told["chat_template_sha256"] == alone["chat_template_sha256"]
    assert scorer.score([CHOICE])[0].orders == (("a", "b"), ("b", "a"))


def test_q1_several_templates_without_a_default_are_refused_by_name_before_they_are_offered(tmp_path):
    spec = spec_with(tmp_path, {"rag": CHAT, "tool_use": CHAT})
    reason = "has chat templates for rag, tool_use but none named default"
    assert reason in str(template_fault(spec))
    with pytest.raises(ModelError, match=reason):
        opened(spec)


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("{% for m in messages %}{{ m ", "has a chat template with an error on line 1"),
        ("{% for m in messages %}{{ m['content'][0]['text'] }}{% endfor %}", "leaves out the user's message"),
        ("{{ 1 / 0 }}" + CHAT, "leaves out the user's message"),
        (CHAT + "<think>\n", "starts every answer with reasoning"),
        (CHAT + "[THINK]", "starts every answer with reasoning"),
    ],
)
def test_q1_a_template_that_makes_no_prompt_to_answer_is_refused_with_the_reason(tmp_path, template, reason):
    with pytest.raises(ModelError, match=reason):
        opened(spec_with(tmp_path, template))


def test_q1_reasoning_that_a_template_closes_is_no_fault(tmp_path):
    assert opened(spec_with(tmp_path, CHAT + "<think>\n\n</think>\n\n")).score([CHOICE])[0].orders


@pytest.mark.slow
def test_q1_a_template_that_leaves_out_the_system_message_gets_it_from_the_user(tmp_path):
    without = CHAT.replace("in messages", "in messages if m.role != 'system'")
    assert opened(spec_with(tmp_path / "without", without)).provenance()["instructions_in"].endswith("user's message")
    assert opened(spec_with(tmp_path / "with", CHAT)).provenance()["instructions_in"] == "a system message"


@pytest.mark.parametrize("found", ["", None, {}, [], {"default": ""}, [{"name": "default"}], 3])
def test_q1_nothing_is_no_template(found):
    with pytest.raises(NoTemplate, match="has no chat template"):
        chosen(named(found))


def test_q1_a_list_of_templates_is_read_by_name():
    found = named([{"name": "rag", "template": "r"}, {"name": "default", "template": "d"}])
    assert (found, chosen(found)) == ({"rag": "r", "default": "d"}, "d")


LOOPS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
DOUBLED = "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}"


@pytest.mark.slow
@pytest.mark.parametrize("endless", [LOOPS, DOUBLED])
def test_a_template_that_goes_on_and_on_is_ended(tmp_path, monkeypatch, endless):
    monkeypatch.setattr("scoring.scorers.templates.time_limit.__wrapped__.__defaults__", (0.5,))
    began = time.monotonic()
    with pytest.raises(ModelError, match="has a chat template that takes longer than 5 seconds for a prompt"):
        opened(spec_with(tmp_path, endless + CHAT))
    assert time.monotonic() - began < 60


@pytest.mark.slow
def test_also_where_it_does_so_for_some_questions_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("scoring.scorers.templates.time_limit.__wrapped__.__defaults__", (0.5,))
    scorer = opened(spec_with(tmp_path, "{% if messages[-1].content|length > 10 %}" + LOOPS + "{% endif %}" + CHAT))
    with pytest.raises(TooSlow, match="longer than 5 seconds"):
        scorer.score([CHOICE])


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("{{ (9**(9**8)) % 7 }}", "computes powers"),
        ("{{ 'a' * 1000000000 }}", "multiplies"),
        ("{{ ([[1]*9]*99999)|sum(start=[])|length }}", "multiplies"),
        ("{{ '%1000000000d' % 1 }}", "formats a text"),
        ("{{ 'a'|center(1000000000) }}", "uses the filter center"),
    ],
)
def test_one_step_that_nothing_stops_is_refused_before_it_is_computed(tmp_path, step, said):
    began = time.monotonic()
    with pytest.raises(ModelError, match=said):
        opened(spec_with(tmp_path, step + CHAT))
    assert time.monotonic() - began < 30


def test_powers_and_endless_recursion_are_refused(tmp_path):
    with pytest.raises(ModelError, match="computes powers"):
        opened(spec_with(tmp_path / "power", "{{ 10 ** 10 ** 9 }}" + CHAT))
    with pytest.raises(ModelError, match="leaves out the user's message"):
        opened(spec_with(tmp_path / "macro", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}" + CHAT))


def test_nothing_is_ended_that_is_done_in_time():
    for _ in range(50):
        with time_limit(0.05):
            pass
    time.sleep(0.1)


@pytest.mark.slow
def test_a_model_with_such_a_template_cannot_be_uploaded_but_one_with_another_can(tmp_path, monkeypatch):
    monkeypatch.setattr("scoring.scorers.templates.time_limit.__wrapped__.__defaults__", (0.5,))
    with pytest.raises(TooSlow):
        _try_template(spec_with(tmp_path / "slow", LOOPS + CHAT))
    _try_template(spec_with(tmp_path / "silent", "nothing that was asked"))
