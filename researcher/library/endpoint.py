"""What the page shows of the endpoint that the settings name: its models, and what each said to the test question."""

from dataclasses import dataclass

from django.conf import settings

from scoring.library.trials import address
from scoring.models import Trial
from scoring.scorers.contract import ModelError
from scoring.scorers.endpoint.trial import in_seconds, words

# Icon, color and word of each state of a question.
STATES: dict[str, tuple[str, str, str]] = {
    Trial.State.WAITING: ("clock", "open", "Waiting"),
    Trial.State.RUNNING: ("clock", "open", "Asking"),
    Trial.State.FINISHED: ("check", "good", "Answered"),
    Trial.State.FAILED: ("cross", "bad", "Failed"),
}


@dataclass(frozen=True, slots=True)
class AskedModel:
    """A model behind the endpoint, and the last question to it, if there was one."""

    name: str
    trial: Trial | None

    @property
    def is_live(self) -> bool:
        return self.trial is not None and self.trial.is_live

    @property
    def state(self) -> tuple[str, str, str]:
        """Icon, color and word; empty for one that was never asked."""
        return STATES[self.trial.state] if self.trial else ("", "", "")

    @property
    def time(self) -> str:
        heard = self.trial.heard if self.trial else {}
        return in_seconds(heard["milliseconds"]) if heard else ""

    @property
    def tokens(self) -> str:
        """Read and written."""
        heard = self.trial.heard if self.trial else {}
        counts = (heard.get("read"), heard.get("written"))
        return "" if None in counts else f"{counts[0]:,} + {counts[1]:,}"


@dataclass(frozen=True, slots=True)
class EndpointPage:
    """`fault` says what is wrong with the settings; `question` is what a model is asked."""

    address: str
    fault: str
    question: str
    models: tuple[AskedModel, ...]

    @property
    def is_live(self) -> bool:
        return any(model.is_live for model in self.models)


def read_endpoint() -> EndpointPage:
    try:
        found, fault = address(), ""
    except ModelError as error:
        found, fault = "", f"{error}."
    names = settings.PROMPT_ENDPOINT_MODELS if found else []
    asked = {trial.model: trial for trial in Trial.objects.filter(model__in=names)}
    return EndpointPage(found, fault, words(), tuple(AskedModel(name, asked.get(name)) for name in names))
