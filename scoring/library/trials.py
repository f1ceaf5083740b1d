"""Test questions to models behind the endpoint, asked for in the browser: the request, and a worker's part.

No web process calls the endpoint: a page waits for nothing, and what counts are the settings of the worker, which runs
call it by.
"""

from dataclasses import asdict

from django.conf import settings
from django.utils import timezone

from scoring.scorers.contract import ModelError
from scoring.scorers.endpoint.calling import written
from scoring.scorers.endpoint.trial import Heard, ask
from scoring.worker_requests import Trial
from work.kinds import GivenUp, Kind
from work.queue import QueueSilent, send

WAITING = "Waiting for the scoring worker."
SILENT = "The task queue cannot be reached; the question is asked when it can."


def ask_soon(model: str, *, by: str) -> Trial:
    """Have a worker ask the model the test question, in the row of the last one; nothing while one is in progress."""
    trial, _ = Trial.objects.get_or_create(model=model, defaults={"asked_by": by, "state": Trial.State.FAILED})
    anew = {"state": Trial.State.WAITING, "asked_by": by, "asked_at": timezone.now(), "heard": {}, "attempts": 0}
    if Trial.objects.over().filter(pk=trial.pk).update(**anew, said=WAITING):
        trial.refresh_from_db()
        try:
            send([trial])
        except QueueSilent:
            Trial.objects.waiting().filter(pk=trial.pk).update(said=SILENT)
    return trial


def hear(model: str) -> Heard:
    """Ask now, at the address that the settings name and nowhere else. ModelError where they name no such model."""
    if not settings.PROMPT_ENDPOINT:
        raise ModelError("the installation's settings name no endpoint (PROMPT_ENDPOINT)")
    if model not in settings.PROMPT_ENDPOINT_MODELS:
        raise ModelError(f"{model} is not one of the models that PROMPT_ENDPOINT_MODELS names")
    return ask(settings.PROMPT_ENDPOINT, settings.PROMPT_ENDPOINT_KEY, model)


def put(trial: Trial) -> None:
    """Ask it, and write down what comes."""
    trial.write(said="Asking the endpoint.")
    reply = hear(trial.model)
    state = Trial.State.FAILED if reply.failure else Trial.State.FINISHED
    trial.release(state=state, heard=asdict(reply), said=reply.failure or reply.remark)


def fail(trial: Trial, error: Exception) -> None:
    match error:
        case ModelError():
            why = str(error)
        case GivenUp():
            why = f"the question {error}"
        case _:
            why = "the worker failed; see its log"
    trial.release(state=Trial.State.FAILED, said=f"Not asked: {why}.")


TRIALS = Kind(model=Trial, do=put, fail=fail, refusals=(ModelError,))


def address() -> str:
    """The endpoint's, as pages show it; empty without one. ModelError where it is none."""
    return written(settings.PROMPT_ENDPOINT) if settings.PROMPT_ENDPOINT else ""
