"""Whether a sitting is paid: a decision of its own, whatever became of its labels (design, invariant 8)."""

from collections.abc import Iterable

from annotation.models import Sitting, Study


class NotPayable(ValueError):
    """Why this cannot be decided. str() is a sentence."""


def decide(study: Study, sittings: Iterable[str], payment: str) -> int:
    """Set the payment state of these sittings of the study, by token. Returns how many were set.

    Sittings that were held elsewhere are paid, or not, elsewhere: they are left alone.
    Raises NotPayable for a state that does not exist and for synthetic annotators.
    """
    if payment not in Sitting.Payment.values:
        raise NotPayable(f"There is no payment state {payment!r}. There are: {', '.join(Sitting.Payment.values)}.")
    if study.population == Study.Population.SYNTHETIC:
        raise NotPayable("Synthetic annotators are not paid.")
    return study.sittings.filter(token__in=list(sittings), source=None).update(payment=payment)
