"""Every part of a study's setup: those of the participant's path in its order, then what holds for all."""

from researcher.setup.forms import (
    ComprehensionForm,
    ConsentForm,
    DebriefingForm,
    InformationForm,
    InstructionsForm,
    ItemsForm,
    QuestionnaireForm,
)
from researcher.setup.part_form import PartForm
from researcher.setup.rules import LabelsForm, LanguageForm, PromptForm, QualityForm, ResultsForm
from researcher.setup.sending import IdsForm, LimitsForm, PlatformForm

PARTS: dict[str, type[PartForm]] = {
    form.key: form
    for form in (
        InformationForm,
        ConsentForm,
        InstructionsForm,
        ComprehensionForm,
        ItemsForm,
        QuestionnaireForm,
        DebriefingForm,
        LanguageForm,
        PlatformForm,
        IdsForm,
        LimitsForm,
        LabelsForm,
        QualityForm,
        ResultsForm,
        PromptForm,
    )
}

# As the pages lead to one another: short, so that those of the path stand in one line, and the others in the next.
OF_PATH, OF_STUDY = (
    [(key, key.capitalize()) for key, form in PARTS.items() if form.of_path is of_path] for of_path in (True, False)
)
