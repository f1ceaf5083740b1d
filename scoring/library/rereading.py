"""Models that were registered before it was looked at how their tokenizers read: their rows are brought up to date."""

from collections.abc import Callable

from annotation.models import Study
from scoring.models import LanguageModel
from scoring.runs.fitting import CannotRun
from scoring.runs.starting import start_run
from scoring.scorers.contract import ModelError

NEURAL = ("masked", "causal", "classifier")


def reread(*, say: Callable[[str], None]) -> None:
    """Look once at each; where texts are read otherwise than they were, its runs begin anew."""
    rows = LanguageModel.objects.filter(method__in=NEURAL, reading__isnull=True)
    if not rows:
        return
    from scoring.scorers.networks.loaded import reading_of
    from scoring.scorers.networks.quiet import quiet

    for model in rows:
        try:
            with quiet():
                model.reading = list(reading_of(model.spec))
        except ModelError as error:
            say(f"{model.key}: its tokenizer cannot be looked at now ({error})")
            continue
        model.save(update_fields=["reading"])
        if model.reading:
            say(f"{model.key}: texts are read otherwise than before ({', '.join(model.reading)})")
            _begin_anew(model, say)


def _begin_anew(model: LanguageModel, say: Callable[[str], None]) -> None:
    for run in model.runs.filter(scores__isnull=False).distinct().select_related("study"):
        study: Study = run.study
        try:
            start_run(study, model, run.metric)
        except CannotRun as error:
            say(f"{model.key}: {study.slug}, {run.metric}: scores of the former reading; start it again ({error})")
        else:
            say(f"{model.key}: {study.slug}, {run.metric}: scored anew")
