"""Which pages a participant of a study comes to, in their order."""

from annotation.models import Item, Study
from annotation.models.sitting import SittingStage as Stage

FIRST = "first"


def stages_of(study: Study) -> dict[str, str]:
    """What each is called, by its name in the address."""
    path = study.path
    there = {
        FIRST: True,
        Stage.CONSENT: path.consent is not None,
        Stage.INSTRUCTIONS: path.has_gate,
        Stage.COMPREHENSION: path.comprehension is not None,
        Stage.PRACTICE: study.items.filter(kind=Item.Kind.PRACTICE).exists(),
        Stage.ITEMS: True,
        Stage.QUESTIONNAIRE: bool(path.questionnaire),
        Stage.DEBRIEFING: bool(path.debriefing),
        Stage.END: True,
    }
    called = {FIRST: "First page", Stage.ITEMS: "An item", Stage.PRACTICE: "A practice item", Stage.END: "Last page"}
    return {str(name): called.get(name, str(name).capitalize()) for name, is_there in there.items() if is_there}
