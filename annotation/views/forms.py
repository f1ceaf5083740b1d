"""What annotators post."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from annotation.models.item import LONGEST_REPORT
from annotation.recording import is_submission
from annotation.tasktypes.contract import NOT_SHOWN

# The largest value that the database's integer column takes.
LARGEST = 2_147_483_647


def _milliseconds() -> forms.IntegerField:
    """Measured by the browser; absent without JavaScript."""
    return forms.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"),
            gettext_lazy(
                "The page sent a response time that is not a number. Please reload the page and answer again."
            ),
        ),
    )


class AnswerForm(forms.Form):
    """An answer to the item at `position`, or that it cannot be judged. The task type decides whether it was shown."""

    position = forms.IntegerField(
        min_value=1,
        max_value=LARGEST,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            gettext_lazy(
                "The page did not say which item your answer is for. Here is your current item. Please answer it again."
            ),
        ),
    )
    # The button by which the form was sent.
    cannot_judge = forms.BooleanField(required=False)
    answer = forms.CharField(
        max_length=80,
        strip=False,
        required=False,
        error_messages={
            "max_length": gettext_lazy(NOT_SHOWN),
        },
    )
    # From first seen to chosen, and for how long the page was hidden meanwhile.
    response_ms = _milliseconds()
    hidden_ms = _milliseconds()
    submission = forms.CharField(required=False)

    def clean_submission(self) -> str:
        """Made by us: what we have not made is no reason to refuse an answer."""
        given: str = self.cleaned_data["submission"]
        return given if is_submission(given) else ""

    def clean_answer(self) -> str | None:
        """None: the item cannot be judged, whatever was chosen before that was said."""
        if self.cleaned_data["cannot_judge"]:
            return None
        answer: str = self.cleaned_data["answer"]
        if not answer:
            raise forms.ValidationError(gettext("Please choose one of the answers, then continue."))
        return answer

    def clean(self) -> dict[str, Any]:
        """What `record` takes: the button by which it came is in the answer."""
        cleaned: dict[str, Any] = super().clean() or {}
        cleaned.pop("cannot_judge", None)
        return cleaned

    def first_problem(self) -> str:
        """One sentence for the annotator: a missing position matters before a missing answer."""
        return next(str(message) for messages in self.errors.values() for message in messages)


class ReportForm(forms.Form):
    """What is wrong with the item at `position`."""

    position = forms.IntegerField(min_value=1, max_value=LARGEST)
    text = forms.CharField(
        error_messages={"required": gettext_lazy("Please describe what is wrong with the item, then send the report.")}
    )

    def clean_text(self) -> str:
        """Browsers count a line break as one character, and send two."""
        text: str = self.cleaned_data["text"].replace("\r\n", "\n")
        if len(text) > LONGEST_REPORT:
            said = gettext("Please shorten your report: it has %(count)d characters, and the limit is %(most)d.")
            raise forms.ValidationError(said % {"count": len(text), "most": LONGEST_REPORT})
        return text
