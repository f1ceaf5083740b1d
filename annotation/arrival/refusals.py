"""Why somebody cannot begin now. str() of each is a sentence for the annotator."""


class CannotStart(Exception):
    """Why this annotator cannot begin now."""


class StudyNotOpen(CannotStart):
    pass


class WrongPopulation(CannotStart):
    pass


class AnnotatorExcluded(CannotStart):
    pass


class CapReached(CannotStart):
    pass


class NothingLeft(CannotStart):
    pass


class BadId(CannotStart):
    """The address carries what cannot be an id of the study's."""

    says = "The address carries something after “{}=” that is not an id of the platform’s."
    back = "Please open the study once more from the platform that sent you."

    def __init__(self, parameter: str) -> None:
        super().__init__(f"{self.says.format(parameter)} {self.back}")


class NoId(BadId):
    says = "The address should carry your id after “{}=”, and carries none: nobody could tell your work from others’."


class UnfilledId(BadId):
    """All who come by this address would be one annotator."""

    says = "The platform has not filled in your id: after “{}=”, the address carries the placeholder for one."


class UnsignedId(BadId):
    says = "This study takes personal links only, and the signature of this one does not fit the id after “{}=”."
    back = "Please copy the whole link that you were given and open it again."


class BegunElsewhere(CannotStart):
    """Another browser holds the sittings of this id."""

    def __init__(self) -> None:
        super().__init__(
            "Somebody has begun this study with your id in another browser, and only that browser can go on. "
            "If it was you, please open the same link there."
        )
