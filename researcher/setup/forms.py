"""The parts of a study's setup, in the order of the participant's path."""

from typing import Any

from django import forms

from annotation.models import Study
from annotation.models.study import Advance
from annotation.platforms import PLATFORMS
from annotation.platforms.outcome import Outcome
from annotation.studyfile.leaving import EVERY, HOME, REDIRECT
from annotation.studyfile.stages import COMPREHENSION
from researcher.setup.part_form import PartForm, line, prose, whole

MARKDOWN = "Markdown: an empty line between paragraphs, *emphasis*, **strong**, lists, tables, links."
PLATFORM_NAMES = {
    "prolific": "Prolific",
    "panel": "Another panel, by templates",
    "mturk": "Mechanical Turk (ExternalQuestion)",
    "volunteers": "My own volunteers",
}
# For each outcome, whose it is.
WHO = {
    Outcome.COMPLETED: "answered everything",
    Outcome.FAILED_CHECKS: "broke the quality policy; without a code of their own they get that of completed",
    Outcome.SCREENED_OUT: "may not take part, by the comprehension questions or by a list",
    Outcome.NO_CONSENT: "did not agree",
    Outcome.QUOTA_FULL: "came when nothing was left",
    Outcome.TOO_LATE: "came too late, or was away until the items had gone to others",
    Outcome.WITHDRAWN: "left for good",
}


class InformationForm(PartForm):
    key, heading = "information", "Information"
    says = "The first page, before anything is stored. What you leave empty is not said."

    title = line("Title", "Of the study, on every page.")
    information__minutes = whole("Minutes that a sitting takes", "About how many.", least=1, most=600)
    information__pay = line("Payment", "In your words, such as £1.20.")
    information__researcher = line("Who asks", "Such as your department.")
    information__contact = line("Contact", "Whom to write to.")
    information__text = prose("What the study is about", MARKDOWN)


class ConsentForm(PartForm):
    key, heading = "consent", "Consent"
    says = "A page with your text, to agree to or not. Nobody holds items before. Without a text there is no such page."

    consent__text = prose("What people agree to", MARKDOWN, rows=14)
    consent__version = line(
        "Version", "Its name in the exports. Leave it empty, and every other text is another version by itself."
    )


class InstructionsForm(PartForm):
    key, heading = "instructions", "Instructions"
    says = (
        "On a page of their own where there is a consent or there are comprehension questions, else on the first page; "
        "always behind “Instructions ?” below an item."
    )

    instructions = prose("Instructions", f"{MARKDOWN} Quotations (> at the start of a line) suit examples.", rows=18)


class ComprehensionForm(PartForm):
    key, heading = "comprehension", "Comprehension questions"
    says = (
        "Questions about the instructions. Who has not answered all of them right after so many tries is screened out: "
        "never excluded, and no item is held."
    )
    listed = "comprehension.questions"

    comprehension__tries = whole("Tries", "How often all may be answered, 5 at most.", least=1, most=5)

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data, study=study)
        self.initial["comprehension__tries"] = self.initial["comprehension__tries"] or COMPREHENSION["tries"].default


class ItemsForm(PartForm):
    key, heading = "items", "Practice and items"
    says = "How the pages with items behave. The items themselves come with the study’s folder."

    practice__feedback = forms.BooleanField(
        label="After each practice item, show its reference and why",
        help_text="Practice items count for nothing, and their explanation stands in the item file.",
        required=False,
    )
    page__advance = forms.ChoiceField(
        label="What moves the page on to the next item",
        choices=[
            (Advance.CHOICE.value, "Choosing an answer; for a moment it can be undone"),
            (Advance.ENTER.value, "Enter, or the button Continue"),
        ],
        widget=forms.RadioSelect,
        required=False,
    )
    page__cannot_judge = forms.BooleanField(
        label="Offer “I cannot judge this item”",
        help_text="It moves on without a label, which somebody else is asked for.",
        required=False,
    )
    page__report_problem = forms.BooleanField(
        label="Offer “Report a problem with this item”",
        help_text="A short text to you, beside the answer.",
        required=False,
    )

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data, study=study)
        if self.initial["practice__feedback"] is None:
            self.initial["practice__feedback"] = True
        self.initial["page__advance"] = study.advance

    def clean_practice__feedback(self) -> bool | None:
        # It is so unless the file says otherwise.
        return None if self.cleaned_data["practice__feedback"] else False

    def clean_page__cannot_judge(self) -> bool | None:
        return self.cleaned_data["page__cannot_judge"] or None

    def clean_page__report_problem(self) -> bool | None:
        return self.cleaned_data["page__report_problem"] or None


class QuestionnaireForm(PartForm):
    key, heading = "questionnaire", "Questionnaire"
    says = "A page behind the last item. The sitting is completed before it, whatever is answered here."
    listed = "questionnaire.fields"


class DebriefingForm(PartForm):
    key, heading = "debriefing", "Debriefing"
    says = "What people read before the last page. Without a text there is no such page."

    debriefing__text = prose("What people read at the end", MARKDOWN, rows=14)


class PlatformForm(PartForm):
    key, heading = "platform", "Platform, codes and ways back"
    says = "Who sends participants, and what they hand in and where they are led, for each way in which a sitting ends."

    collection__platform = forms.ChoiceField(
        label="Who sends participants",
        choices=[("", "Nobody in particular: an open link"), *((key, PLATFORM_NAMES[key]) for key in PLATFORMS)],
        help_text="It sets what ids look like, by which parameters they come, and where people are led back to.",
        required=False,
    )

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data, study=study)
        # By what it is, people are recognized.
        self.is_fixed = study.has_begun
        self.fields["collection__platform"].disabled = self.is_fixed

    def more_fields(self) -> dict[str, forms.Field]:
        codes = {f"codes__{one.value}": line(f"Code for {one.words}") for one in Outcome}
        addresses = {f"return__{one.value}": line(f"Address for {one.words}") for one in Outcome}
        platform = PLATFORMS.get(self.study.platform)
        every, home = (platform.address, platform.home) if platform else ("", "")
        return {
            **codes,
            f"return__{EVERY}": line(
                "One address for every outcome",
                "With {code} or {outcome} in it, so that outcomes are told apart." + _else(every),
            ),
            **addresses,
            f"return__{HOME}": line(
                "Where those are led for whom there is no code", "Such as the platform’s front page." + _else(home)
            ),
            f"return__{REDIRECT}": forms.BooleanField(
                label="The last page goes there by itself after 20 seconds", required=False
            ),
        }

    @property
    def outcomes(self) -> list[tuple[Outcome, str, forms.BoundField, forms.BoundField]]:
        return [(one, who, self[f"codes__{one.value}"], self[f"return__{one.value}"]) for one, who in WHO.items()]

    @property
    def has_own_addresses(self) -> bool:
        """Whether what is folded away says something, or is wrong."""
        return any(address.value() or address.errors for _, _, _, address in self.outcomes)

    @property
    def of_all(self) -> list[forms.BoundField]:
        return [self[f"return__{name}"] for name in (EVERY, HOME, REDIRECT)]


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
        PlatformForm,
    )
}

# As the pages lead to one another: short, so that they stand in one line.
NAMES = [(key, key.capitalize()) for key in PARTS]


def _else(address: str) -> str:
    return f" Left empty: {address}" if address else ""
