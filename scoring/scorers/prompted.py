"""Causal models that were trained to follow instructions, asked in words through their own chat template.

No text is sampled: the answer is read as the log-probability of each option's letter after the prompt. The rules
are numbered in docs/metrics.md (`prompted`), and the tests quote them.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.tasktypes.contract import Prompted, PromptNumbers, Result, ScoreRequest, Unscored
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.left_to_right import Family, Reader, TokenRow, families
from scoring.scorers.networks.loaded import load, provenance
from scoring.scorers.questions import WORDING, Options, labels, messages, orders, texts
from scoring.scorers.rendering import Chat, Rendered, renderer_of
from scoring.scorers.templates import DEFAULT, NOW, SETTINGS, NoTemplate, chosen, named, prompt_fault

# Tokens in memory at a time, what prompts share counted for each of them.
BUDGET = 4096
SYSTEM, USER = "a system message", "the beginning of the user's message"
INSTRUCTED = {"role": "system", "content": "Be brief."}
ASKED = {"role": "user", "content": "Yes?"}
DATE = SETTINGS["date_string"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One order of one request, and its tokens. `answers` are the tokens of each letter."""

    request: int
    order: Options
    ids: tuple[int, ...]
    answers: tuple[tuple[int, ...], ...]


class PromptedScorer:
    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.spec = spec
        self.loaded = load(spec)
        self.tokenizer = self.loaded.tokenizer
        self.templates = named(self.tokenizer.chat_template)
        try:
            self.template = chosen(self.templates)
        except NoTemplate as reason:
            raise ModelError(f"{spec.source} {reason}") from reason
        # Some templates refuse a system message, and some leave its words out; others take a message of parts alone.
        with_system, without = self._rendered([[INSTRUCTED, ASKED], [ASKED]])
        self.instructions_in = SYSTEM if INSTRUCTED["content"] in with_system.prompt else USER
        prompt = (with_system if self.instructions_in == SYSTEM else without).prompt
        if fault := prompt_fault(prompt, question=ASKED["content"]):
            raise ModelError(f"{spec.source} {fault}")
        dates = {*with_system.said, *without.said}
        self.dates = sorted(dates | {DATE} if DATE in with_system.prompt + without.prompt else dates)
        self.reader = Reader(self.loaded.model, self.loaded.device)

    def provenance(self) -> dict[str, Any]:
        asking = {
            "chat_template": DEFAULT,
            "chat_templates": sorted(self.templates),
            "chat_template_sha256": hashlib.sha256(self.template.encode()).hexdigest(),
            "template_settings": SETTINGS | {"strftime_now": str(NOW)},
            "dates_in_prompt": self.dates,
            "prompt_wording": WORDING,
            "instructions_in": self.instructions_in,
            "computed": self.reader.name_of_ends,
        }
        return provenance(self.loaded, self.spec) | asking

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        refused: dict[int, Result] = {}
        prompts: list[Prompt] = []
        for number, request in enumerate(requests):
            prepared = self._prompts(number, request)
            if isinstance(prepared, Unscored):
                refused[number] = prepared
            else:
                prompts += prepared
        read: dict[int, list[tuple[Prompt, list[float]]]] = {}
        for prompt, logprobs in self._read(prompts):
            read.setdefault(prompt.request, []).append((prompt, logprobs))
        return [refused[number] if number in refused else _numbers(read[number]) for number in range(len(requests))]

    def _rendered(self, chats: Sequence[Chat]) -> list[Rendered]:
        tokens = json.dumps(self.tokenizer.special_tokens_map, default=str)
        try:
            return renderer_of(self.template, tokens).rendered(chats)
        except NoTemplate as reason:
            raise type(reason)(f"{self.spec.source} {reason}") from None

    def _prompts(self, number: int, request: ScoreRequest) -> list[Prompt] | Unscored:
        """One prompt an order, or the reason why the request is left unscored."""
        if not isinstance(request, Prompted):
            return Unscored("this model is prompted and gives no sentence probabilities")
        special = self.loaded.special_in(*texts(request))
        if special is not None:
            return special
        prompts, option_orders = [], orders(request.options, ordered=request.ordered)
        in_system = self.instructions_in == SYSTEM
        chats = [messages(request, place, in_system=in_system) for place, _ in enumerate(option_orders)]
        for order, rendered in zip(option_orders, self._rendered(chats), strict=True):
            if rendered.fault:
                return Unscored(f"the model's chat template fails on it ({rendered.fault})")
            ids = self._ids(rendered.prompt)
            letters = [self._ids(rendered.prompt + letter) for letter in labels(len(order))]
            if any(with_letter[: len(ids)] != ids or len(with_letter) == len(ids) for with_letter in letters):
                return Unscored("the tokenizer joins the answer's letter with the end of the prompt")
            longest = max(map(len, letters))
            if longest > self.loaded.longest:
                return Unscored(
                    f"the question has {longest} tokens with its answer; the model reads at most {self.loaded.longest}"
                )
            prompts.append(Prompt(number, order, ids, tuple(with_letter[len(ids) :] for with_letter in letters)))
        return prompts

    def _ids(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def _read(self, prompts: Sequence[Prompt]) -> Iterator[tuple[Prompt, list[float]]]:
        """Every prompt with the log-probability of each of its letters."""
        together: dict[tuple[tuple[int, ...], ...], list[int]] = {}
        for place, prompt in enumerate(prompts):
            together.setdefault(prompt.answers, []).append(place)
        for answers, places in together.items():
            if any(len(answer) > 1 for answer in answers):
                for place in places:
                    yield prompts[place], self._spelled(prompts[place])
                continue
            targets = [answer[0] for answer in answers]
            rows = [TokenRow(place, prompts[place].ids) for place in places]
            for family in _pieces(families(rows)):
                for row, logprobs in zip(family.rows, self.reader.ends(family, targets), strict=True):
                    yield prompts[row.request], logprobs

    def _spelled(self, prompt: Prompt) -> list[float]:
        """Letters of more than one token: the sum over them."""
        rows = [TokenRow(place, prompt.ids + answer) for place, answer in enumerate(prompt.answers)]
        values = {row.request: logprobs for row, logprobs in self.reader.rows(rows)}
        return [sum(values[place][-len(answer) :]) for place, answer in enumerate(prompt.answers)]


def _pieces(families: Iterator[Family]) -> Iterator[Family]:
    """Families that are not larger than the budget: instructions are shared by all items of a study."""
    for family in families:
        size = max(1, BUDGET // (family.shared + max(map(len, family.rests))))
        for start in range(0, len(family.rows), size):
            yield Family(family.shared, family.rows[start : start + size])


def _numbers(read: Sequence[tuple[Prompt, list[float]]]) -> PromptNumbers:
    return PromptNumbers(
        orders=tuple(tuple(value for value, _ in prompt.order) for prompt, _ in read),
        logprobs=tuple(tuple(logprobs) for _, logprobs in read),
    )
