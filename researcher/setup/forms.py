"""The parts of the participant's path, in its order."""

from django import forms

from annotation.models.study import Advance
from researcher.setup.part_form import PartForm, line, prose, whole

MARKDOWN = "Markdown: an empty line between paragraphs, *emphasis*, **strong**, lists, tables, links."


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
        "always behind “Instructions” below an item."
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

    def clean_practice__feedback(self) -> bool | None:
        # It is so unless the file says otherwise.
        return None if self.cleaned_data["practice__feedback"] else False


class QuestionnaireForm(PartForm):
    key, heading = "questionnaire", "Questionnaire"
    says = "A page behind the last item. The sitting is completed before it, whatever is answered here."
    listed = "questionnaire.fields"


class DebriefingForm(PartForm):
    key, heading = "debriefing", "Debriefing"
    says = "What people read before the last page. Without a text there is no such page."

    debriefing__text = prose("What people read at the end", MARKDOWN, rows=14)
