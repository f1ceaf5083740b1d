"""What a researcher can fill in on the study page, and on that of its members."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.core.files import File
from django.utils import timezone

from annotation.access.matrix import Role
from annotation.arrival.refusals import BadId
from annotation.arrival.visitor import checked
from annotation.behavior import PROFILES
from annotation.models import Study
from annotation.models.researchers import LONGEST_NAME
from corpus.arguments import LONGEST, LONGEST_TITLE, is_slug
from corpus.bounds import MOST_SENT
from researcher.files_field import FileField

MOST_SYNTHETIC = 50
MOST_IDS = 5_000
MOST_BYTES = 20 * 1024 * 1024


class Typed(forms.Form):
    """A field in which the researcher types what will be lost."""

    typed = forms.CharField(max_length=120)

    def __init__(self, *args: Any, word: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.word = word

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if typed.strip() != self.word:
            raise forms.ValidationError(f"Nothing changed. Type {self.word} to confirm.")
        return typed


class SlugField(forms.CharField):
    """What a study is called in addresses."""

    def __init__(self, label: str) -> None:
        super().__init__(label=label, max_length=LONGEST, help_text="Lower-case letters, digits and hyphens.")

    def validate(self, value: str) -> None:
        super().validate(value)
        if value and not is_slug(value, longest=len(value)):
            raise forms.ValidationError("Use lower-case letters, digits and single hyphens, such as my-study-2.")


class DuplicateForm(forms.Form):
    """What a copy of a study is called."""

    title = forms.CharField(label="Title of the copy", max_length=LONGEST_TITLE)
    slug = SlugField("URL name")

    def __init__(self, data: Any = None, *, initial: Any = None) -> None:
        super().__init__(data, initial=initial, auto_id="duplicate-%s", label_suffix="")


class FolderForm(forms.Form):
    """A study's folder as a zip file."""

    folder = FileField(label="Study folder (.zip)", help_text="Contains study.toml and items.jsonl. 20 MB at most.")

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, auto_id="folder-%s", label_suffix="")
        self.fields["folder"].widget.attrs["accept"] = ".zip"

    def clean_folder(self) -> "File[bytes]":
        file: File[bytes] = self.cleaned_data["folder"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                "The file is larger than 20 MB. Ask the administrator to load it (manage.py load_study)."
            )
        return file


class ExcludeForm(Typed):
    reason = forms.CharField(max_length=300)
    field_order = ("reason", "typed")


def starts() -> forms.IntegerField:
    return forms.IntegerField(min_value=0, max_value=1_000_000, required=False)


class LimitForm(forms.Form):
    max_starts = starts()


class Expiring(forms.Form):
    """`expires_at` is in UTC, and empty for what does not expire."""

    expires_at = forms.DateTimeField(required=False)

    def clean_expires_at(self) -> datetime | None:
        moment: datetime | None = self.cleaned_data["expires_at"]
        if moment is None:
            return None
        try:
            moment = (moment if timezone.is_aware(moment) else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except OverflowError:
            raise forms.ValidationError("This date is too far away. Choose an earlier one.") from None
        if moment <= timezone.now():
            raise forms.ValidationError("This date has passed. Choose a later one, or none.")
        return moment


class LinkForm(Expiring):
    """`max_starts` is empty for what the study says."""

    max_starts = starts()
    name = forms.CharField(max_length=80, required=False)


class MemberForm(forms.Form):
    """Whoever has an account, by user name, and what they are to be in the study."""

    user = forms.CharField(max_length=150, error_messages={"required": "Enter a user name."})
    role = forms.ChoiceField(choices=[(role.value, role.value) for role in Role], initial=Role.ANALYST.value)


class InviteForm(forms.Form):
    """Whom to ask in, and as what."""

    address = forms.EmailField(error_messages={"required": "Enter an email address."})
    role = forms.ChoiceField(choices=[(role.value, role.value) for role in Role], initial=Role.ANALYST.value)


class ShareForm(Expiring):
    """A link to the results."""

    name = forms.CharField(max_length=LONGEST_NAME, error_messages={"required": "Enter a name for the link."})
    gives_files = forms.BooleanField(required=False)
    # The filters of the results from which it is made.
    query = forms.CharField(required=False, max_length=5_000, widget=forms.HiddenInput)


class IdsForm(forms.Form):
    """Ids of a study's own volunteers, one a line."""

    ids = forms.CharField(max_length=600_000, error_messages={"required": "Enter at least one ID, one per line."})

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.study = study

    def clean_ids(self) -> list[str]:
        given = [line for line in self.cleaned_data["ids"].splitlines() if line.strip()]
        if len(given) > MOST_IDS:
            raise forms.ValidationError(f"{len(given):,} IDs are too many. Enter at most {MOST_IDS:,} at once.")
        found: dict[str, None] = {}
        for line in given:
            try:
                found[checked(self.study, line)] = None
            except BadId:
                raise forms.ValidationError(f"“{line.strip()[:60]}” is not a valid ID of this study.") from None
        return list(found)


class BarredForm(forms.Form):
    """A list of ids that may not begin."""

    file = FileField(
        label="IDs (text or CSV, up to 20 MB)", error_messages={"required": "Choose a file with one ID per line."}
    )

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, auto_id="barred-%s", label_suffix="")

    def clean_file(self) -> "File[bytes]":
        file: File[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError("The file is larger than 20 MB.")
        if sum(max(piece.count(b"\n"), piece.count(b"\r")) for piece in file.chunks()) > MOST_SENT:
            said = f"The file has more than {MOST_SENT:,} lines. Send it in parts."
            raise forms.ValidationError(said)
        file.seek(0)
        return file


class SyntheticForm(forms.Form):
    """How many synthetic annotators of each profile, and the seed that makes them repeatable."""

    careful = forms.IntegerField(min_value=0, max_value=MOST_SYNTHETIC)
    noisy = forms.IntegerField(min_value=0, max_value=MOST_SYNTHETIC)
    careless = forms.IntegerField(min_value=0, max_value=MOST_SYNTHETIC)
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not any(self.counts.values()):
            raise forms.ValidationError("Enter at least one synthetic annotator.")
        return cleaned

    @property
    def counts(self) -> dict[str, int]:
        return {profile: self.cleaned_data[profile] for profile in PROFILES if profile in self.fields}
