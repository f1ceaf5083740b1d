"""How a model of one's own comes to an installation: the ways, the form of each, and the models of an endpoint."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings

from researcher.files_field import FilesField
from scoring.library.additions import LABELS
from scoring.library.location import model_folders
from scoring.library.trials import address
from scoring.library.unpacking import ZIP, parts_of
from scoring.library.uploaded_files import UploadRefused
from scoring.library.uploads import limits
from scoring.models import LanguageModel
from scoring.scorers.contract import ModelError
from scoring.scorers.endpoint.trial import in_seconds, words
from scoring.scorers.networks.weights import DTYPES
from scoring.worker_requests import Addition, Trial

FOLDER, HUB, UPLOAD, ENDPOINT = "folder", "hub", "upload", "endpoint"


@dataclass(frozen=True, slots=True)
class Way:
    """`says` is what it takes, in a line; `is_current` where the page shows it."""

    key: str
    title: str
    says: str
    is_current: bool


def ways(current: str) -> list[Way]:
    """All four, so that each can be seen to exist; the page of a closed one says what opens it."""
    most = settings.MODEL_UPLOAD_MOST_BYTES // 1024**2
    shown = (
        (FOLDER, "Folder on the server", "Files already on the server"),
        (HUB, "Model hub", "Owner and name, such as google/bert" if settings.MODEL_HUB else "Off on this server"),
        (UPLOAD, "Your computer", f"Up to {most:,} MB" if most else "Off on this server"),
        (ENDPOINT, "Endpoint", "Models behind an API" if settings.PROMPT_ENDPOINT else "Not set on this server"),
    )
    return [Way(key, title, says, key == current) for key, title, says in shown]


def is_open(way: str) -> bool:
    """Whether the settings open it; for a folder there must be one as well."""
    opened = {HUB: settings.MODEL_HUB, UPLOAD: settings.MODEL_UPLOAD_MOST_BYTES, ENDPOINT: settings.PROMPT_ENDPOINT}
    return bool(opened.get(way))


def way_of(query: Mapping[str, str], sent: Mapping[str, str]) -> str:
    """The one that the address names; else the one that what was sent needs."""
    asked = query.get("way", "")
    if asked in (FOLDER, HUB, UPLOAD, ENDPOINT):
        return asked
    return HUB if sent.get("hub_id") else FOLDER


# The fields that only one way has; all others are of all of them.
PLACES = {FOLDER: {"folder"}, HUB: {"hub_id", "revision"}, UPLOAD: {"uploads"}}
# Who may: superusers, and whom they give it to under Records.
MAY_ADD = "scoring.add_languagemodel"
SHOWN = 20
FAMILIES = [("", "choose"), ("masked", "masked (fill-in)"), ("causal", "causal (left to right)")]


class AddModelForm(forms.Form):
    """What `manage.py add_model` takes; a folder is one of those that the settings allow, or is sent along."""

    uploads = FilesField(several=True, required=False, is_needed=True, label="Model files")
    folder = forms.ChoiceField(label="Folder", required=False)
    hub_id = forms.CharField(label="Hub ID", required=False, max_length=200, help_text="Owner/name.")
    revision = forms.CharField(
        label=LABELS["--revision"],
        required=False,
        max_length=100,
        help_text="Branch, tag or commit. Empty: main.",
    )
    family = forms.ChoiceField(label="Type", choices=FAMILIES, error_messages={"required": "Choose a type."})
    start_token = forms.CharField(
        label=LABELS["--start-token"],
        required=False,
        strip=False,
        max_length=60,
        help_text="Only for causal models: first token, often <|endoftext|> or <s>.",
    )
    key = forms.SlugField(
        label="Key", max_length=60, help_text="Name in commands: letters, digits, hyphens, underscores."
    )
    name = forms.CharField(
        label=LABELS["--name"], required=False, max_length=100, help_text="Name in figures. Empty: the folder’s name."
    )
    dtype = forms.ChoiceField(label="Numbers", choices=[(one, one) for one in DTYPES], help_text="float32 is exact.")
    license = forms.CharField(label="License", required=False, max_length=100)

    def __init__(self, data: Any = None, files: Any = None, *, way: str = FOLDER) -> None:
        super().__init__(data, files, label_suffix="", auto_id="add-%s")
        self.way, self.there = way, model_folders()
        choices = [("", "none"), *((str(path), _called(path)) for path in self.there)]
        self.fields["folder"].choices = choices  # type: ignore[attr-defined]
        if not settings.MODEL_HUB:
            del self.fields["hub_id"], self.fields["revision"]
        most = limits()
        self.fields["uploads"].help_text = f"One .zip, or all files. Up to {most.megabytes:,} MB, {most.files} files."
        if way == UPLOAD:
            self.fields["name"].help_text = "Name in figures. Empty: that of the .zip."

    @property
    def of_way(self) -> list[forms.BoundField]:
        """The fields of this way: those of another place stay out."""
        apart = set().union(*PLACES.values()) - PLACES.get(self.way, set())
        return [field for field in self if field.name not in apart]

    @property
    def roots(self) -> list[Path]:
        return list(settings.MODEL_FOLDERS)

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        folder, hub_id = said.get("folder"), said.get("hub_id")
        if self.way == UPLOAD:
            self._clean_uploads(said)
        elif folder and hub_id:
            self.add_error("hub_id", "Choose either a folder or a hub ID.")
        elif not folder and not hub_id and not self.errors:
            self.add_error("folder", "Choose a folder.")
        if hub_id and (Path(hub_id).exists() or ".." in hub_id or hub_id.startswith(("/", "~"))):
            # What is named like a folder would be read from there.
            self.add_error("hub_id", "This is a folder, not a hub ID.")
        if said.get("family") == "causal" and not said.get("start_token"):
            self.add_error("start_token", "Causal models need a start token.")
        if said.get("family") == "masked" and said.get("start_token"):
            self.add_error("start_token", "Masked models have no start token.")
        return said

    def _clean_uploads(self, said: dict[str, Any]) -> None:
        """What their names and sizes tell; what is in them, a worker looks at."""
        said["folder"] = said["hub_id"] = said["revision"] = ""
        sent = said.get("uploads") or []
        if not sent and "uploads" not in self.errors:
            self.add_error("uploads", "Choose the model’s files.")
        elif sent:
            try:
                parts_of(sent, limits())
            except UploadRefused as refused:
                self.add_error("uploads", f"{refused}.")
        if LanguageModel.objects.filter(key=said.get("key")).exists():
            self.add_error("key", "Another model has this key.")
        zipped = [str(file.name) for file in sent if str(file.name).lower().endswith(ZIP)]
        said["name"] = said.get("name") or (Path(zipped[0]).stem if zipped else said.get("key", ""))

    @property
    def wanted(self) -> dict[str, str]:
        """The fields of registering's Wanted."""
        said = self.cleaned_data
        names = ("key", "family", "name", "dtype", "start_token", "license")
        source = said["folder"] or said.get("hub_id", "")
        return {name: said[name] for name in names} | {"source": source, "revision": said.get("revision", "")}


def too_large() -> str:
    return f"The files have more than {limits().megabytes:,} MB together."


def latest() -> list[tuple[Addition, LanguageModel | None]]:
    """The newest first, each with the model that came of it."""
    found = list(Addition.objects.all()[:SHOWN])
    models = {one.key: one for one in LanguageModel.objects.filter(key__in=[one.wanted["key"] for one in found])}
    return [(one, models.get(one.wanted["key"]) if one.state == one.State.FINISHED else None) for one in found]


def _called(path: Path) -> str:
    roots = [root.resolve() for root in settings.MODEL_FOLDERS if path.is_relative_to(root.resolve())]
    return str(path.relative_to(roots[0])) if roots and path != roots[0] else path.name


# Icon, color and word of each state of a question.
STATES: dict[str, tuple[str, str, str]] = {
    Trial.State.WAITING: ("clock", "open", "Waiting"),
    Trial.State.RUNNING: ("clock", "open", "Asking"),
    Trial.State.FINISHED: ("check", "good", "Answered"),
    Trial.State.FAILED: ("cross", "bad", "Failed"),
}


@dataclass(frozen=True, slots=True)
class RequestedModel:
    """A model behind the endpoint, and the last question to it, if there was one."""

    name: str
    trial: Trial | None

    @property
    def is_live(self) -> bool:
        return self.trial is not None and self.trial.is_live

    @property
    def state(self) -> tuple[str, str, str]:
        """Icon, color and word; empty for one that was never asked."""
        return STATES[self.trial.state] if self.trial else ("", "", "")

    @property
    def time(self) -> str:
        heard = self.trial.heard if self.trial else {}
        return in_seconds(heard["milliseconds"]) if heard else ""

    @property
    def tokens(self) -> str:
        """Read and written."""
        heard = self.trial.heard if self.trial else {}
        counts = (heard.get("read"), heard.get("written"))
        return "" if None in counts else f"{counts[0]:,} + {counts[1]:,}"


@dataclass(frozen=True, slots=True)
class EndpointPage:
    """`fault` says what is wrong with the settings; `question` is what a model is asked."""

    address: str
    fault: str
    question: str
    models: tuple[RequestedModel, ...]

    @property
    def is_live(self) -> bool:
        return any(model.is_live for model in self.models)


def read_endpoint() -> EndpointPage:
    try:
        found, fault = address(), ""
    except ModelError as error:
        found, fault = "", f"{error}."
    names = settings.PROMPT_ENDPOINT_MODELS if found else []
    asked = {trial.model: trial for trial in Trial.objects.filter(model__in=names)}
    return EndpointPage(found, fault, words(), tuple(RequestedModel(name, asked.get(name)) for name in names))
