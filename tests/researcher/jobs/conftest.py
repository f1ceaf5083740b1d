"""The cast of jobs: a researcher of their own, whose studies nobody else owns, and an empty installation."""

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.models import Study
from tests.corpus.loaded import pipeline_loaded_once
from tests.studies import open_small_study, plausibility_rows

__all__ = ["pipeline_loaded_once"]


@pytest.fixture
def mira(db, place) -> User:
    return get_user_model().objects.create_user("mira", password="long-and-dull-4")


@pytest.fixture
def browser(mira: User) -> Client:
    """Her browser."""
    client = Client()
    client.force_login(mira)
    return client


@pytest.fixture
def study(mira: User, tmp_path: Path) -> Study:
    """Her small study, which is open."""
    made = open_small_study(tmp_path / "study", plausibility_rows(3))
    give(made, mira, Role.OWNER)
    return made
