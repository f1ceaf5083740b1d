"""A form that comes back says which files to choose again, and goes on without none that was chosen."""

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from researcher.files_field import Gone
from researcher.forms import BarredForm, FolderForm
from researcher.imports.forms import FilesForm
from researcher.imports.registry import KINDS
from researcher.library.adding import AddModelForm
from researcher.new_study.start_form import StartForm

ROOT = Path(__file__).parents[2] / "researcher"


def uploads(name, *files):
    return MultiValueDict({name: [SimpleUploadedFile(file, b"a,b\n1,2\n") for file in files]})


@pytest.mark.django_db
def test_every_form_with_files_says_which_to_choose_again():
    """By its field, with which a screen reader reads it; and the form is refused without them."""
    forms: list[tuple[Callable[..., Any], str]] = [
        (FolderForm, "folder"), (BarredForm, "file"), (StartForm, "file"),
        (lambda *sent: AddModelForm(*sent, way="upload"), "uploads"),
        *((lambda *sent, kind=kind: FilesForm(*sent, kind=kind), "uploads") for kind in KINDS.values()),
    ]  # fmt: skip
    for make, name in forms:
        field = make(QueryDict(), uploads(name, "a <b>.csv"))[name]
        # As where another field is wrong.
        field.form._errors = {}
        shown = str(field)
        said = re.search(r'<p id="([^"]+_again)">.*?</svg>(.*?)</p>', shown)
        assert said and html.unescape(said[2]) == "Choose the file again: a <b>.csv.", shown
        described = re.search(r'aria-describedby="([^"]+)"', shown)
        assert described and said[1] in described[1].split()
        hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]+)"', shown))
        again = make(QueryDict(f"again-{name}=a.csv"), MultiValueDict())
        assert list(hidden) == [f"again-{name}"] and str(Gone(("a.csv",))) in again.errors[name]
        assert again[name].value() == Gone(("a.csv",)), "and so the third time"
    # And no other field takes files.
    assert [path.name for path in ROOT.rglob("*.py") if "forms.FileField" in path.read_text()] == ["files_field.py"]


def test_what_is_pasted_stands_for_a_file_and_many_are_counted():
    form = StartForm(QueryDict("again-file=a.csv&pasted=a%2Cb"), MultiValueDict())
    assert form.is_valid(), form.errors
    assert str(Gone.of(f"{n}.txt" for n in range(9))) == "Choose the files again: 0.txt, 1.txt, 2.txt, 3.txt, 5 more."
