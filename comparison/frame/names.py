"""What annotators and runs are called outside the house; without pandas."""

from django.db.models import Count

from annotation.models import Study
from comparison.frame.panel import run_name
from scoring.models import LanguageModel, Run

# The method of the baseline that gives every item one label.
MAJORITY = "majority"


def annotator_name(annotator_id: int) -> str:
    """How an annotator is called outside the house: a number that says nothing about the platform's id."""
    return f"a{annotator_id}"


def named_runs(study: Study) -> list[tuple[Run, str]]:
    """A study's runs with the names of their models: models first, then baselines, each by name.

    Without the majority label where one role is right for every item: it knows the key.
    """
    shared = _shared_names()
    runs = Run.objects.filter(study=study).select_related("model", "study")
    if study.has_one_role:
        runs = runs.exclude(model__method=MAJORITY)
    named = [(run, _named(run.model, shared)) for run in runs]
    return sorted(named, key=lambda one: (one[0].model.is_baseline, run_name(one[1], one[0].metric_shown)))


def _shared_names() -> set[str]:
    """Names that several models have. Imported ones are apart: no two have one name, and their metric is marked."""
    names = LanguageModel.objects.filter(is_imported=False).order_by().values("name")
    return set(names.annotate(models=Count("pk")).filter(models__gt=1).values_list("name", flat=True))


def _named(model: LanguageModel, shared: set[str]) -> str:
    """The model's name, with its key where another has the name too: figures and files tell runs apart by it."""
    return f"{model.name} ({model.key})" if model.name in shared and not model.is_imported else model.name
