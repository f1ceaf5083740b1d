"""A file sent to the pages of a new study, and its columns as a browser sends them."""

import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.researcher.new_study.renamed import RENAMED

START = "/new-study/"


def upload(client, text=RENAMED, *, name="renamed-items.csv", task="plausibility", **more):
    data = text if isinstance(text, bytes) else text.encode()
    return client.post(START, {"task": task, "file": SimpleUploadedFile(name, data), **more})


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
        elif name and name.group(1) != "csrfmiddlewaretoken":
            found[name.group(1)] = value.group(1) if value else ""
    return found


def columns_of(client, **sent):
    answer = upload(client, **sent)
    assert answer.status_code == 302, answer.content.decode()
    page = client.get(answer["Location"])
    assert page.status_code == 200
    return answer["Location"], page
