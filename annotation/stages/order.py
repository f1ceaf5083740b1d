"""Which stage comes after which, in one study and for one annotator."""

from annotation.models import Annotator, ComprehensionTry, Consent, QuestionnaireAnswers, Study
from annotation.models.sitting import SittingStage as Stage
from annotation.platforms import Outcome

GATES = (Stage.CONSENT, Stage.INSTRUCTIONS, Stage.COMPREHENSION)
# Whoever ended so is not asked again: they see how it ended.
FOR_GOOD = (Outcome.NO_CONSENT, Outcome.SCREENED_OUT)


def gate_after(study: Study, annotator: Annotator, stage: Stage | None) -> Stage | None:
    """The next stage before the items; None where the items come next. With None, the first.

    What somebody has passed in an earlier sitting of the study is not asked again. A study that turns nobody back shows
    its instructions on the first page.
    """
    if not study.path.has_gate:
        return None
    behind = GATES[GATES.index(stage) + 1 :] if stage is not None else GATES
    return next((gate for gate in behind if _stands(study, annotator, gate)), None)


def _stands(study: Study, annotator: Annotator, gate: Stage) -> bool:
    path, theirs = study.path, {"sitting__study": study, "sitting__annotator": annotator}
    if gate == Stage.CONSENT:
        agreed = Consent.objects.filter(**theirs, agreed=True)
        return path.consent is not None and not agreed.filter(version__version=path.consent.version).exists()
    if gate == Stage.COMPREHENSION:
        passed = ComprehensionTry.objects.filter(**theirs, passed=True)
        return path.comprehension is not None and not passed.exists()
    return True


def after_items(study: Study, annotator: Annotator) -> Stage | None:
    """What follows the last item; None: the last page. The questionnaire is asked once, not in each sitting."""
    path = study.path
    if path.questionnaire:
        given = QuestionnaireAnswers.objects.filter(sitting__study=study, sitting__annotator=annotator)
        if not given.exists():
            return Stage.QUESTIONNAIRE
    return Stage.DEBRIEFING if path.debriefing else None
