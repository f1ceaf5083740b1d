"""A file of personal links, for ids that the researcher writes on the study page."""

import csv
from pathlib import Path

from django.test import Client
from django.urls import reverse

from annotation.models import Study
from tests.studies import declare, open_small_study, plausibility_rows


def test_gives_each_id_an_address_that_works(client: Client, visitor: Client, tmp_path: Path) -> None:
    study = open_small_study(tmp_path, plausibility_rows(3), slug="personal")
    declare(study, signed_ids=True)
    address = reverse("personal_links", args=[study.slug, study.links.get().pk])
    answer = client.post(address, {"ids": "ann\r\nbob & co\r\n\r\nann"})
    assert answer["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(answer.content.decode("utf-8-sig").splitlines()))
    assert [row["id"] for row in rows] == ["ann", "bob & co"]
    for row in rows:
        assert visitor.get(row["address"].removeprefix("http://testserver")).status_code == 200


def test_refuses_what_is_no_id(client: Client, study: Study) -> None:
    address = reverse("personal_links", args=[study.slug, study.links.get().pk])
    answer = client.post(address, {"ids": "ann\n{{id}}"})
    assert answer.status_code == 422
    assert "“{{id}}” is not a valid ID" in answer.content.decode()
