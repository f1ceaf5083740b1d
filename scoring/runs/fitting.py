"""What fits what: which metrics a model can be run with on a study, and why others cannot; and how many of its items a
model with a metric can score, told before it runs. No model is loaded for it.
"""

import json
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from tokenizers import Tokenizer

from annotation.models import Study
from annotation.tasktypes.contract import Cloze, Shape, Unscorable, Unscored
from scoring.baselines import LABELING, label_baseline
from scoring.baselines.associations.places import CONTENT, is_there
from scoring.metrics import METRICS, Metric, metrics_of
from scoring.models import LanguageModel
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.endpoint.calling import address
from scoring.scorers.masking import Reading, slot_of, token_of
from scoring.scorers.networks.weights import TEMPLATES, TOKENIZER_CONFIG
from scoring.scorers.recipes import RECIPES
from scoring.scorers.templates import DEFAULT, NoTemplate, chosen, named


class CannotRun(ValueError):
    """Why this run cannot be started. str() is a sentence that says what would fit."""


def find_model(key: str, *, among: QuerySet[LanguageModel] | None = None) -> LanguageModel:
    """The model of that key, `among` a user's; CannotRun, listing those there are, if it is unknown."""
    models = LanguageModel.objects.all() if among is None else among
    model = models.filter(key=key).first() if key.isprintable() else None
    if model is None:
        runnable = models.filter(is_imported=False)
        keys = ", ".join(runnable.values_list("key", flat=True)) or "none; run manage.py fetch_models"
        raise CannotRun(f"There is no model {key!r}. Available: {keys}.")
    return model


def choices_for(
    study: Study, *, among: QuerySet[LanguageModel] | None = None
) -> list[tuple[LanguageModel, list[Metric]]]:
    """Every model, or those `among` them, with the metrics that it can be run with on this study."""
    choices = []
    for model in (LanguageModel.objects.all() if among is None else among).filter(is_imported=False):
        fitting = [metric for metric in metrics_of(model.method) if misfit(study, model, metric) is None]
        if fitting:
            choices.append((model, fitting))
    return choices


def defaults_for(study: Study, *, among: QuerySet[LanguageModel] | None = None) -> list[tuple[LanguageModel, Metric]]:
    """The runs that a study asks for: its own metrics on every model that has them, and the baselines."""
    unknown = [key for key in study.metrics if key not in METRICS]
    if unknown:
        raise CannotRun(f"{study.slug} declares {', '.join(unknown)}. Metrics are: {', '.join(METRICS)}.")
    keys = {*study.metrics, "label"}
    choices = choices_for(study, among=among)
    return [(model, metric) for model, fitting in choices for metric in fitting if metric.key in keys]


def misfit(study: Study, model: LanguageModel, metric: Metric) -> str | None:
    """Why this model and metric cannot be run on the study, as a sentence; None if they can."""
    if model.method not in metric.methods:
        has = ", ".join(fitting.key for fitting in metrics_of(model.method)) or "none yet"
        return f"{model.name} is a {model.get_family_display()}, which has no metric {metric.key}. Its metrics: {has}."
    if metric.shape == "prompt" and model.family == LanguageModel.Family.CAUSAL and (why := template_fault(model.spec)):
        return f"{model.name} {why}."
    if model.family == LanguageModel.Family.ENDPOINT:
        return _endpoint_misfit(model)
    if model.is_counted and not is_there(Path(model.spec.source), model.files.get(CONTENT, "")):
        return (
            f"{model.name} was counted from an earlier state of its store: files were added since, or the store was "
            f"removed."
        )
    if model.family == LanguageModel.Family.CLASSIFIER and (reads := _trained_on(model)) != study.task_type:
        return f"{model.name} was trained on {reads}, but the items of {study.slug} have the type {study.task_type}."
    if "verb" in metric.regions and not study.says_verbs:
        return f"No item of {study.slug} says which word is its verb (verb_at), which {metric.key} reads."
    return label_baseline(model.method).misfit(study) if model.method in LABELING else None


def _endpoint_misfit(model: LanguageModel) -> str | None:
    if model.source not in settings.PROMPT_ENDPOINT_MODELS:
        return f"The settings list no endpoint with {model.source} (PROMPT_ENDPOINT, PROMPT_ENDPOINT_MODELS)."
    try:
        address(settings.PROMPT_ENDPOINT)
    except ModelError as error:
        return f"{error}."
    return None


def _trained_on(model: LanguageModel) -> str:
    """The task type whose items a classifier knows, in words."""
    recipe = RECIPES.get(model.settings.get("recipe", ""))
    return recipe.task_type if recipe else "items that its row does not name"


def template_fault(spec: ModelSpec) -> str | None:
    """Why there is no chat template to ask with, in words that go on after the model's name; None where there is one.

    None also where it cannot be told, for a worker that loads the model says what is wrong with it: a model
    whose files are not here, and a tokenizer_config.json that is damaged.
    """
    folder = Path(spec.source)
    if not folder.is_absolute() or not folder.is_dir():
        return None
    templates = _of_files(folder)
    if not templates and (folder / TOKENIZER_CONFIG).is_file():
        try:
            content = json.loads((folder / TOKENIZER_CONFIG).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(content, dict):
            return None
        templates = named(content.get("chat_template"))
    try:
        chosen(templates)
    except NoTemplate as reason:
        return str(reason)
    return None


def _of_files(folder: Path) -> dict[str, str]:
    """The templates in files of their own, by name: they stand before what tokenizer_config.json says."""
    templates = {path.stem: path.name for path in (folder / TEMPLATES).glob("*.jinja")}
    return templates | ({DEFAULT: "chat_template.jinja"} if (folder / "chat_template.jinja").is_file() else {})


# Of more items than these the first are looked through.
MOST = 2_000
TOKENIZER = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class Fit:
    """`fitting` of the `asked` items that were looked through can be scored, as far as texts and words say."""

    fitting: int
    asked: int

    @property
    def share(self) -> float:
        return self.fitting / self.asked if self.asked else 1.0


@dataclass(frozen=True)
class Fits:
    """Of one study; its items are read once, and looked through once for each kind of request and tokenizer."""

    study: Study
    _found: dict[tuple[Shape, str], Fit] = field(default_factory=dict)

    def of(self, model: LanguageModel, metric: Metric) -> Fit:
        """Of words at a slot, by the model's tokenizer where its file is here."""
        source = model.spec.source if metric.shape == "cloze" else ""
        key = (metric.shape, source)
        if key not in self._found:
            self._found[key] = self._look_through(metric.shape, _reading(Path(source)) if source else None)
        return self._found[key]

    @cached_property
    def contents(self) -> list[dict[str, Any]]:
        return list(self.study.items.targets().order_by("position").values_list("content", flat=True)[:MOST])

    def _look_through(self, shape: Shape, reading: Reading | None) -> Fit:
        fitting = sum(self._fits(content, shape, reading) for content in self.contents)
        return Fit(fitting, len(self.contents))

    def _fits(self, content: dict[str, Any], shape: Shape, reading: Reading | None) -> bool:
        try:
            requests = self.study.task.requests(content, shape)
        except Unscorable:
            return False
        return reading is None or all(_has_tokens(reading, one) for one in requests if isinstance(one, Cloze))


def _has_tokens(reading: Reading, request: Cloze) -> bool:
    slot = slot_of(reading, request.text)
    if isinstance(slot, Unscored):
        return False
    tokens = (token_of(reading, request.text, candidate, *slot) for candidate in request.candidates)
    return not any(isinstance(token, Unscored) for token in tokens)


def _reading(folder: Path) -> Reading | None:
    """None where the model's tokenizer is not here, or is of another kind: only a worker can tell."""
    path = folder / TOKENIZER
    if not folder.is_absolute() or not path.is_file():
        return None
    return _read(str(path), path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: str, changed: int) -> Reading | None:
    try:
        tokenizer = Tokenizer.from_file(path)
        names = json.loads((Path(path).parent / TOKENIZER_CONFIG).read_text(encoding="utf-8"))
        mask, unknown = _named(names, "mask_token"), _named(names, "unk_token")
    # A damaged file is told by the worker that loads the model; tokenizers raises a bare Exception of it.
    except Exception:  # noqa: BLE001
        return None
    mask_id = tokenizer.token_to_id(mask)
    if mask_id is None:
        return None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Reading(
        encode=lambda text: tokenizer.encode(text).ids,
        is_space=lambda one: not tokenizer.decode([one], skip_special_tokens=False).strip(),
        mask=mask,
        mask_id=mask_id,
        unknown_id=tokenizer.token_to_id(unknown),
    )


def _named(config: dict[str, Any], name: str) -> str:
    """Older files hold the token, newer ones a table of it."""
    token = config.get(name) or ""
    return str(token["content"] if isinstance(token, dict) else token)
