"""A file sent to the pages of a new study, and its columns as a browser sends them."""

import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.researcher.new_study.renamed import RENAMED

START = "/new-study/"


def upload(client, text=RENAMED, *, name="renamed-items.csv", to=START, **more):
    data = text if isinstance(text, bytes) else text.encode()
    return client.post(to, {"file": SimpleUploadedFile(name, data), **more})


def fields_of(page):
    """What a browser would send of the page as it stands: its inputs, selects, ticked boxes and texts."""
    html = page.content.decode()
    form = html[html.index('id="') :]
    found: dict[str, Any] = {}
    for name, body in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', form, re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', body)
        found[name] = chosen.group(1) if chosen else ""
    for tag in re.findall(r"<input [^>]*>", form):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and 'type="checkbox"' in tag:
            if "checked" in tag:
                found.setdefault(name.group(1), []).append(value.group(1) if value else "on")
        elif name and 'type="radio"' in tag:
            if "checked" in tag:
                found[name.group(1)] = value.group(1) if value else "on"
        elif name and name.group(1) != "csrfmiddlewaretoken":
            found[name.group(1)] = value.group(1) if value else ""
    return found


def columns_of(client, *, task="", **sent):
    """The page of the columns, for that task type where it is not the one that was guessed."""
    answer = upload(client, **sent)
    assert answer.status_code == 302, answer.content.decode()
    page = client.get(answer["Location"])
    assert page.status_code == 200
    if task and task != page.context["form"].task.key:
        page = client.post(answer["Location"], fields_of(page) | {"task": task, "show": "1"})
    return answer["Location"], page


def as_roles(page, **roles):
    """What a browser would send of the page with these columns in these roles, each in place of the one it had."""
    form, sent = page.context["form"], fields_of(page)
    places = {column: f"as-{place}" for place, column in enumerate(form.sheet_columns, start=1)}
    sent |= {places[other]: "" for role in roles for other in form.columns_that_are(role)}
    sent |= {places[column]: role for role, column in roles.items() if column}
    return sent


def roles_of(page):
    """Role → column, as the page has them."""
    return {role: column for column, role in page.context["form"].role_of.items()}
