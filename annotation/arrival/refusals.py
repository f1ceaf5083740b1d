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
    """The address carries an id that cannot be one."""


class BegunElsewhere(CannotStart):
    """Another browser holds the sittings of this id."""

    def __init__(self) -> None:
        super().__init__(
            "Somebody has begun this study with your id in another browser, and only that browser can go on. "
            "If it was you, please open the same link there."
        )
