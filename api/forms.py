"""What somebody says of a new token."""

from datetime import UTC, datetime, time
from typing import Any

from django import forms

from api.scopes import SCOPES, Scope


class TokenForm(forms.Form):
    name = forms.CharField(label="Name", max_length=80, help_text="What it is for, such as: analysis on my laptop.")
    scopes = forms.MultipleChoiceField(
        label="What it may do",
        choices=[(scope.value, f"{scope}: {words}") for scope, (_, words) in SCOPES.items()],
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.READ.value],
    )
    expires_on = forms.DateField(
        label="Last day",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Empty: until it is withdrawn.",
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="token-%s", label_suffix="")

    @property
    def expires_at(self) -> datetime | None:
        """The end of that day."""
        day = self.cleaned_data["expires_on"]
        return None if day is None else datetime.combine(day, time.max, UTC)
