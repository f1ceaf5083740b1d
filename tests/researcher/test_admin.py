"""The records: every table opens, and nothing can be changed there."""

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from tests.house.sources import ROOMS

# Users are no record: an administrator adds and changes them there.
TABLES = [model._meta for model in admin.site._registry if model._meta.app_label in set(ROOMS) - {"accounts"}]


@pytest.fixture
def staff(db) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("root", password="long-and-dull-3"))
    return client


@pytest.mark.slow
def test_every_table_opens(staff, checked):
    """One test: what stands in the tables takes longer to make than to show."""
    addresses = [reverse(f"admin:{table.app_label}_{table.model_name}_changelist") for table in TABLES]
    answers = {address: staff.get(address).status_code for address in addresses}
    assert answers == dict.fromkeys(addresses, 200)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.model_name)
def test_nothing_can_be_added(table, staff):
    address = reverse(f"admin:{table.app_label}_{table.model_name}_add")
    assert staff.get(address).status_code == 403


@pytest.mark.slow
def test_a_row_cannot_be_changed(staff, study):
    address = reverse("admin:annotation_study_change", args=[study.pk])
    assert staff.get(address).status_code == 200
    assert staff.post(address, {"title": "Another"}).status_code == 403


@pytest.mark.slow
@pytest.mark.parametrize("is_staff", [False, True])
def test_a_researcher_who_is_no_superuser_does_not_get_in(client, researcher, study, is_staff):
    researcher.is_staff = is_staff
    researcher.user_permissions.set(Permission.objects.all())
    researcher.save()
    assert client.get(reverse("admin:index")).status_code == 302
    assert client.get(reverse("admin:annotation_study_changelist")).status_code == 302
