"""How a file that was sent is read: its encoding, its sheet, its first line; shown with what was noticed."""

from typing import Any

from django import forms

from corpus.tables.encodings import ENCODINGS
from stimuli.datasets.table.reading import How
from stimuli.datasets.table.rows import Table


class ReadingForm(forms.Form):
    """What is chosen here reads the file again; fields that say nothing of such a file are not there."""

    encoding = forms.ChoiceField(label="Encoding", required=False, choices=[*ENCODINGS.items()])
    sheet = forms.ChoiceField(label="Sheet", required=False)
    header = forms.BooleanField(label="The first line names the columns", required=False)

    def __init__(self, data: Any = None, *, table: Table, how: How) -> None:
        initial = {"encoding": table.encoding, "sheet": table.sheet, "header": how.header}
        super().__init__(data, label_suffix="", auto_id="read-%s", initial=initial)
        self.how_before = how
        self.fields["sheet"].choices = [(name, name) for name in table.sheets]  # type: ignore[attr-defined]
        if not table.encoding:
            del self.fields["encoding"]
        if len(table.sheets) < 2:
            del self.fields["sheet"]
        if not table.columns:
            del self.fields["header"]

    @property
    def how(self) -> How:
        said = self.cleaned_data
        return How(
            sheet=said.get("sheet", ""),
            encoding=said.get("encoding", ""),
            header=said.get("header", self.how_before.header),
        )
