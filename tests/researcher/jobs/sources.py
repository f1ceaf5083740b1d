"""Small sources of the same form as published ones, and how they are uploaded."""

import io
import json
from collections.abc import Mapping
from typing import Any

import openpyxl
from django.core.files.base import ContentFile
from django.urls import reverse

from researcher.jobs.working import JOBS
from researcher.models import Job

# Ten to forty words each, with an intensifier and an adjective at the end.
CORPUS = "\n".join(
    [
        "We walked along the river for hours before lunch, and by the time we came home the house was really cold.",
        "She told me about the long journey through the hills, and I have to say that the story was very good.",
        "They had painted the kitchen over the weekend without asking anybody, and the new color was really ugly.",
        "He had worked on the garden since early spring with both of his sons, and the result was definitely nice.",
        "Nobody in the village had seen such a winter for many years, and the roads were always dangerous.",
        "The two of them had never met before that evening at the station, and the talk was quite short.",
    ]
)
QUESTIONS = [
    {"question": "is the sea salty", "title": "Sea", "answer": True, "passage": "The sea is salty. It has much salt."},
    {"question": "do cats fly", "title": "Cat", "answer": False, "passage": "Cats walk and climb. They have no wings."},
    {"question": "is ice cold", "title": "Ice", "answer": True, "passage": "Ice is frozen water, and it is cold."},
]


def boolq() -> str:
    return "".join(json.dumps(one) + "\n" for one in QUESTIONS)


def paradigm(name: str, pairs: list[tuple[str, str]]) -> str:
    """One file of BLiMP."""
    about = {"field": "morphology", "linguistics_term": "agreement", "UID": name, "simple_LM_method": True}
    about |= {"one_prefix_method": False, "two_prefix_method": False, "lexically_identical": False}
    lines = [
        about | {"sentence_good": good, "sentence_bad": bad, "pairID": str(number)}
        for number, (good, bad) in enumerate(pairs)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def sent(text: str, name: str) -> "ContentFile[bytes]":
    return ContentFile(text.encode(), name=name)


def asked(client, address: str, key: str, data: Mapping[str, object]) -> Job:
    """The job that the form makes; a form that is refused fails the test with its faults."""
    answer = client.post(reverse(address, args=[key]), data)
    assert answer.status_code == 302, answer.context["form"].errors
    return Job.objects.latest("pk")


def workbook(**sheets: Any) -> bytes:
    """An Excel file of such sheets."""
    book, data = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(data)
    return data.getvalue()


def in_sheet(form, said: Mapping[str, Any]) -> dict[str, Any]:
    """What a browser sends where `said` has columns by their roles: each column's role in its place."""
    roles = {role.name: role for role in form.roles}
    columns = {what: column for what, column in said.items() if what in roles}
    if not columns:
        return dict(said)
    role_of: dict[str, str] = {}
    for what, column in columns.items():
        role_of |= dict.fromkeys(column if isinstance(column, list) else [column], what)
    sheet = {f"as-{place}": role_of.get(column, "") for place, column in enumerate(form.sheet_columns, start=1)}
    return {name: value for name, value in said.items() if name not in roles} | sheet


def of_columns(client, address: str, said: Mapping[str, Any]) -> Any:
    return client.post(address, in_sheet(client.get(address).context["form"], said))


def of_scores(client, study, *files, **said) -> Any:
    """Score files through both pages: the answer that leads to the job, or of the page that refuses them.

    `said` goes to the page that asks for it; without the drop-downs among it, they stay as they were guessed.
    """
    first = {name: said.pop(name) for name in ("format", "encoding", "only", "source") if name in said}
    address = reverse("score_files", args=[study.slug])
    answer = client.post(address, {"uploads": files, "source": "our lab"} | first)
    columns = answer.headers.get("Location", "")
    if answer.status_code != 302 or reverse("jobs") in columns:
        return answer
    if reading := {name: said.pop(name) for name in ("sheet", "header", "delimiter") if name in said}:
        form = client.get(columns).context["reading"]
        reading = {name: field.initial for name, field in form.fields.items()} | form.initial | reading
        client.post(columns, {"read": "1"} | {name: value for name, value in reading.items() if value})
    form = client.get(columns).context["form"]
    typed = {field.name: field.value() for field in form if field.value() not in (None, False, "")}
    guessed = {role: column for column, role in form.role_of.items()}
    if said.keys() & {role.name for role in form.roles}:
        said = in_sheet(form, guessed | said)
    return client.post(columns, typed | {"labels_of": form.labels_of} | said)


def done(job: Job) -> Job:
    """What a worker's part makes of it."""
    JOBS.work(job.pk, worker="test/0")
    job.refresh_from_db()
    return job


def files_of(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
