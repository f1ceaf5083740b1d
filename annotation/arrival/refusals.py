"""Why somebody cannot begin now. str() of each is a sentence for the annotator, in the language of their page."""

from collections.abc import Iterator
from typing import ClassVar

from django.utils.translation import gettext, gettext_noop

from annotation.platforms import Outcome


class CannotStart(Exception):
    """Why this annotator cannot begin now."""

    # In a researcher's words.
    short: ClassVar[str]
    # By which code the platform is told; None where there is nothing to tell: it passes, or nobody knows who this is.
    outcome: ClassVar[Outcome | None] = None


class StudyNotOpen(CannotStart):
    short = "not open"
    outcome = Outcome.TOO_LATE


class WrongPopulation(CannotStart):
    short = "a study of synthetic labels"
    outcome = Outcome.QUOTA_FULL


class AnnotatorExcluded(CannotStart):
    short = "excluded"
    # Not failed checks: of those, the sitting in which they failed has told the platform.
    outcome = Outcome.SCREENED_OUT


class CapReached(CannotStart):
    short = "has done the most items"
    outcome = Outcome.QUOTA_FULL


class NothingLeft(CannotStart):
    short = "no items left"
    outcome = Outcome.QUOTA_FULL

    def __init__(self) -> None:
        super().__init__(gettext("This study has no items for you right now. Thank you for coming."))


class NothingMore(NothingLeft):
    """Nor will there be: every item has its labels, or this annotator has had all that still want one.

    `took_part`: they answered here before; to others nobody speaks of more.
    """

    short = "no more answers needed"

    def __init__(self, *, took_part: bool = False) -> None:
        said = (
            gettext("This study needs no more answers from you. Thank you for coming.")
            if took_part
            else gettext("This study has all the answers it needs. Thank you for coming.")
        )
        CannotStart.__init__(self, said)


class BadId(CannotStart):
    """The address carries what cannot be an id of the study's."""

    short = "not an ID"

    says = gettext_noop("The value after “%(parameter)s=” in the address is not a valid ID.")
    back = gettext_noop("Please open the study again from the platform that sent you.")

    def __init__(self, parameter: str) -> None:
        super().__init__(f"{gettext(self.says) % {'parameter': parameter}} {gettext(self.back)}")


class NoId(BadId):
    short = "no ID"
    says = gettext_noop(
        "Your ID is missing from the address: it should come after “%(parameter)s=”. Without it we cannot recognize "
        "your work."
    )


class UnfilledId(BadId):
    """All who come by this address would be one annotator."""

    short = "a placeholder for an ID"

    says = gettext_noop(
        "The platform did not fill in your ID: the address contains only a placeholder after “%(parameter)s=”."
    )


class UnsignedId(BadId):
    short = "no valid signature"
    says = gettext_noop(
        "This study accepts only personal links, and the signature of this link does not match the ID after "
        "“%(parameter)s=”."
    )
    back = gettext_noop("Please copy the whole link that you were given, and open it again.")


class TakenPartBefore(CannotStart):
    short = "took part before"
    outcome = Outcome.SCREENED_OUT

    def __init__(self) -> None:
        super().__init__(
            gettext("You have taken part in this study or a similar one. This study needs people who have not.")
        )


class LinkFull(CannotStart):
    short = "the link is full"
    outcome = Outcome.QUOTA_FULL

    def __init__(self) -> None:
        super().__init__(gettext("This link has reached its limit of participants. Thank you for coming."))


class TooManyAtOnce(CannotStart):
    """Of one link or one address. It passes within minutes; for whoever cannot wait, the study is full."""

    says = gettext_noop("All places are taken right now. One may open up within %(minutes)s minutes.")
    # After so many without an answer, a sitting that has hardly begun gives way (annotation/models/sitting.py).
    minutes = 10
    short = "too many at once"
    outcome: ClassVar[Outcome | None] = Outcome.QUOTA_FULL

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence or gettext(self.says) % {"minutes": self.minutes})


class ItemsElsewhere(TooManyAtOnce):
    """Of somebody who has answered and gave way: it passes within minutes, or they end as too late, with that code."""

    short = "their items are with others"
    outcome = None

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "Other people have your remaining items right now. Your answers are saved, and some items may "
                "become available again."
            )
        )


class BegunElsewhere(CannotStart):
    """Another browser holds the sittings of this id."""

    short = "started in another browser"

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "Someone started this study with your ID in another browser, and only that browser can continue. If "
                "it was you, please open the same link there."
            )
        )


def every_refusal(under: type[CannotStart] = CannotStart) -> Iterator[type[CannotStart]]:
    for kind in under.__subclasses__():
        yield kind
        yield from every_refusal(kind)
