"""Which chat template a model is asked with, and the one day that it is told (docs/metrics.md, Q1). Little models."""

import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.tasktypes.contract import Prompted
from scoring.library.uploaded_files import _try_template
from scoring.runs.fitting import template_fault
from scoring.scorers import open_scorer, rendering
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.rendering import Renderer, TooSlow
from scoring.scorers.templates import NOW, NoTemplate, chosen, named
from tests.scoring.scorers.little.causal import chatting

CHAT = "{% for m in messages %}{{ m.role }} {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}door {% endif %}"
CHOICE = Prompted("The dog slept.", "Which?", (("a", "old"), ("b", "the")))


def spec_with(folder: Path, template: object) -> ModelSpec:
    return ModelSpec("causal", str(chatting(folder, template)), settings={"start_token": "<s>"})


def opened(spec):
    return open_scorer(spec, metric="prompted", settings={})


def prompt_of(scorer):
    [rendered] = scorer._rendered([[{"role": "user", "content": "The dog slept."}]])
    return rendered.prompt


DATED = [
    "{{ strftime_now('%d %B %Y') }} ",
    "{% if date_string is not defined %}{% set date_string = strftime_now('%d %b %Y') %}{% endif %}{{ date_string }} ",
    "{%- set today = strftime_now('%Y-%m-%d') %}Today is {{ today }}. ",
    "{%- macro header() %}{{ strftime_now('%B %d, %Y') }} {% endmacro %}{{ header() }}",
]
SAID = ["01 January 2025", "01 Jan 2025", "2025-01-01", "January 01, 2025"]


@pytest.mark.slow
@pytest.mark.parametrize(("beginning", "date"), list(zip(DATED, SAID, strict=True)))
def test_q1_a_template_that_prints_the_day_says_the_same_every_day(tmp_path, beginning, date):
    today = opened(spec_with(tmp_path, beginning + CHAT))
    assert date in prompt_of(today)
    assert today.provenance()["dates_in_prompt"] == [date]
    assert today.provenance()["template_settings"]["strftime_now"] == str(NOW)


@pytest.mark.slow
def test_q1_a_prompt_without_a_date_is_said_to_have_none(tmp_path):
    assert opened(spec_with(tmp_path, CHAT)).provenance()["dates_in_prompt"] == []


@pytest.mark.slow
def test_q1_of_several_templates_the_default_is_used_and_named(tmp_path):
    spec = spec_with(tmp_path, {"default": "the " + CHAT, "tool_use": "old " + CHAT})
    assert template_fault(spec) is None
    scorer = opened(spec)
    assert prompt_of(scorer).startswith("the user")
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


@pytest.mark.slow
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


@pytest.mark.slow
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
TOO_MUCH = "takes more than 5 seconds, 1 GB of memory or 1,000,000 characters for a prompt"
# One step each, or many: what is long, what is large, and what the compiler itself computes.
ENDLESS = [
    LOOPS,
    "{{ (9**(9**8)) % 7 }}",
    "{{ 'a' * 3000000000 }}",
    "{% set n = messages|length %}{{ ('a' * (n * 2000000000))|length }}",
    "{{ '%3000000000d' % 1 }}",
    "{{ '{:3000000000}'.format(1) }}",
    "{{ 'a'|center(3000000000) }}",
    "{{ 'a'.ljust(3000000000) }}",
    "{{ ['a'.zfill(90000000)]|batch(900000000, 'a')|list }}",
    "{% for a in range(90000) %}{{ range(90000)|join('aaaaaaaaaaaaaaaaaaaa') }}{% endfor %}",
    "{% set ns = namespace(a='aa') %}{% for a in range(99) %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}",
    "{% set ns = namespace(a='aa') %}{% for a in range(99) %}{% set ns.a = ns.a.replace('a', 'aaaa') %}{% endfor %}",
    "{{ 'a' * 1000001 }}",
    "{{ messages[0].content|indent(width=2000000000, first=true) }}",
]


@pytest.fixture
def one_second(monkeypatch):
    """Of a processor, in place of five."""
    monkeypatch.setattr(rendering, "MOST_SECONDS", 1)
    rendering.renderer_of.cache_clear()


@pytest.mark.slow
@pytest.mark.usefixtures("one_second")
@pytest.mark.parametrize("endless", ENDLESS)
def test_a_template_that_takes_any_time_or_memory_is_ended_and_the_worker_goes_on(tmp_path, endless):
    mine = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ModelError, match=TOO_MUCH):
        opened(spec_with(tmp_path, endless + CHAT))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < mine + 300_000


@pytest.mark.slow
@pytest.mark.usefixtures("one_second")
def test_also_where_it_does_so_for_some_questions_alone_and_the_next_one_is_answered(tmp_path):
    scorer = opened(spec_with(tmp_path, "{% if 'dog' in messages[-1].content %}" + LOOPS + "{% endif %}" + CHAT))
    with pytest.raises(TooSlow, match=TOO_MUCH):
        scorer.score([CHOICE])
    assert scorer.score([replace(CHOICE, text="The cat slept.")])[0].orders


@pytest.mark.slow
def test_a_question_that_a_template_refuses_is_left_unscored_with_its_words(tmp_path):
    refusing = "{% if 'dog' in messages[-1].content %}{{ raise_exception('no dogs') }}{% endif %}" + CHAT
    scorer = opened(spec_with(tmp_path, refusing))
    refused, scored = scorer.score([CHOICE, replace(CHOICE, text="The cat slept.")])
    assert refused.reason == "the model's chat template fails on it (TemplateError: no dogs)"
    assert scored.orders


@pytest.mark.slow
def test_one_process_renders_all_questions_of_a_run_and_ends_with_it():
    renderer = Renderer(CHAT, "{}")
    asked = [[{"role": "user", "content": "The dog slept."}]]
    first, child = renderer.rendered(asked), renderer._child
    assert renderer.rendered(asked) == first
    assert child is not None and renderer._child is child
    del renderer
    assert child.wait() < 0


@pytest.mark.slow
def test_after_an_interruption_the_next_question_gets_its_own_prompt(monkeypatch):
    renderer = Renderer(CHAT, "{}")
    one, two = ([[{"role": "user", "content": said}]] for said in ("The dog slept.", "The cat slept."))
    renderer.rendered(one)
    assert renderer._child is not None and renderer._child.stdin is not None
    monkeypatch.setattr(renderer._child.stdin, "flush", interrupted(renderer._child.stdin.flush))
    with pytest.raises(KeyboardInterrupt):
        renderer.rendered(one)
    assert "cat" in renderer.rendered(two)[0].prompt


def interrupted(flush: Callable[[], None]) -> Callable[[], None]:
    """Sent, and then ended before the answer is read."""

    def sent() -> None:
        flush()
        raise KeyboardInterrupt

    return sent


@pytest.mark.slow
def test_dates_that_a_template_asks_for_are_few_and_short():
    talking = "{% for i in range(300) %}{% set _ = strftime_now('x' * 9999 ~ i) %}{% endfor %}" + "x" * 9999
    (found,) = Renderer(talking, "{}").rendered([[{"role": "user", "content": "The dog slept."}]])
    assert found.fault == "" and sum(map(len, found.said)) <= 20 * 100


@pytest.mark.slow
def test_q1_what_a_template_draws_at_random_is_the_same_each_time():
    drawing = "{{ range(1000000) | random }} {{ range(1000000) | random }} {{ messages[0].content }}"
    chats = [[{"role": "user", "content": "The dog slept."}]]
    first, second, again = *Renderer(drawing, "{}").rendered(chats * 2), *Renderer(drawing, "{}").rendered(chats)
    assert first.prompt == second.prompt == again.prompt


@pytest.mark.slow
def test_what_jinja_takes_and_python_does_not_is_an_error_of_the_template():
    nested = "{% if 1 %}" * 30 + "{% endif %}" * 30
    deep = "".join(f"{{% for a{n} in [1] %}}" for n in range(30)) + "{% endfor %}" * 30
    for broken in (deep, "{{ " + "9" * 5000 + " }}"):
        with pytest.raises(NoTemplate, match="an error"):
            Renderer(broken, "{}").rendered([[{"role": "user", "content": "The dog slept."}]])
    assert Renderer(nested, "{}").rendered([[{"role": "user", "content": "x"}]])[0].fault == ""


@pytest.mark.slow
def test_endless_recursion_is_a_failure_like_others(tmp_path):
    with pytest.raises(ModelError, match="leaves out the user's message"):
        opened(spec_with(tmp_path, "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}" + CHAT))


@pytest.mark.slow
@pytest.mark.usefixtures("one_second")
def test_a_model_with_such_a_template_cannot_be_uploaded_but_one_with_another_can(tmp_path):
    with pytest.raises(TooSlow):
        _try_template(spec_with(tmp_path / "slow", LOOPS + CHAT))
    _try_template(spec_with(tmp_path / "silent", "nothing that was asked"))
