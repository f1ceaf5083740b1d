"""What fits what: which metrics a model can be run with on a study, and why others cannot."""

import json
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from annotation.models import Study
from scoring.baselines import LABELING, label_baseline
from scoring.baselines.associations.places import CONTENT, is_there
from scoring.metrics import METRICS, Metric, metrics_of
from scoring.models import LanguageModel
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.endpoint.calling import address
from scoring.scorers.networks.weights import TEMPLATES, TOKENIZER_CONFIG
from scoring.scorers.recipes import RECIPES
from scoring.scorers.templates import DEFAULT, NoTemplate, chosen, named


class CannotRun(ValueError):
    """Why this run cannot be started. str() is a sentence that says what would fit."""


def find_model(key: str, *, among: QuerySet[LanguageModel] | None = None) -> LanguageModel:
    """The model of that key, `among` a user's; CannotRun, listing those there are, if it is unknown."""
    there = LanguageModel.objects.all() if among is None else among
    model = there.filter(key=key).first() if key.isprintable() else None
    if model is None:
        runnable = there.filter(is_imported=False)
        known = ", ".join(runnable.values_list("key", flat=True)) or "none; run manage.py fetch_models"
        raise CannotRun(f"There is no model {key!r}. Available: {known}.")
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
    wanted = {*study.metrics, "label"}
    choices = choices_for(study, among=among)
    return [(model, metric) for model, fitting in choices for metric in fitting if metric.key in wanted]


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
    known = RECIPES.get(model.settings.get("recipe", ""))
    return known.task_type if known else "items that its row does not name"


def template_fault(spec: ModelSpec) -> str | None:
    """Why there is no chat template to ask with, in words that go on after the model's name; None where there is one.

    None also where it cannot be told, for a worker that loads the model says what is wrong with it: a model id, whose
    files are not here, and a tokenizer_config.json that is damaged.
    """
    folder = Path(spec.source)
    if not folder.is_absolute():
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
    found = {path.stem: path.name for path in (folder / TEMPLATES).glob("*.jinja")}
    return found | ({DEFAULT: "chat_template.jinja"} if (folder / "chat_template.jinja").is_file() else {})
