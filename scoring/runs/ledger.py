"""What calls to an endpoint cost: each is written down, and a run ends when it has cost what the settings allow."""

from decimal import Decimal

from django.conf import settings
from django.db.models import Sum

from scoring.models import EndpointCall
from scoring.scorers.contract import ModelError
from scoring.scorers.endpoint.calling import Attempt, Endpoint

MILLION = 1_000_000
MOST_TOKENS = 2**31 - 1


class Ledger:
    """The calls of one run to one model. Workers share it through the database: it may be overrun by one call each."""

    def __init__(self, run_id: int, *, model: str) -> None:
        self.run_id, self.model = run_id, model

    @property
    def endpoint(self) -> Endpoint:
        """The endpoint that the settings name, whose calls are held and recorded here."""
        return Endpoint(
            url=settings.PROMPT_ENDPOINT,
            key=settings.PROMPT_ENDPOINT_KEY,
            models=tuple(settings.PROMPT_ENDPOINT_MODELS),
            hold=self.hold,
            record=self.record,
        )

    @property
    def spent(self) -> Decimal:
        return EndpointCall.objects.filter(run=self.run_id).aggregate(sum=Sum("cost"))["sum"] or Decimal(0)

    def hold(self) -> None:
        """ModelError, which ends the run, if it has cost as much as it may."""
        ceiling: Decimal = settings.PROMPT_ENDPOINT_CEILING
        if self.spent >= ceiling and settings.PROMPT_ENDPOINT_PRICE:
            raise ModelError(
                f"the run has cost {self.spent:.2f}, and may cost {ceiling:.2f} (PROMPT_ENDPOINT_CEILING); "
                "what is scored stays, and it goes on when the ceiling is raised"
            )

    def record(self, prompt: str, attempt: Attempt) -> None:
        """One attempt, whatever came of it. ModelError where its cost is not known."""
        tokens = _tokens(attempt.body.get("usage"))
        price: Decimal = settings.PROMPT_ENDPOINT_PRICE
        EndpointCall.objects.create(
            run_id=self.run_id,
            model=self.model,
            prompt_sha256=prompt,
            status=attempt.status,
            milliseconds=attempt.milliseconds,
            tokens=tokens,
            cost=(tokens or 0) * price / MILLION,
        )
        if tokens is None and attempt.status == 200 and price:
            raise ModelError("the endpoint does not say how many tokens a call took, so its cost cannot be counted")


def _tokens(usage: object) -> int | None:
    """The tokens that an answer says it took; None unless it is a count that the database can hold."""
    count = usage.get("total_tokens") if isinstance(usage, dict) else None
    return count if type(count) is int and 0 <= count <= MOST_TOKENS else None
