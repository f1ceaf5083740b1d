"""Whoever makes the study, and a place for what is sent."""

import pytest
from django.contrib.auth import get_user_model


@pytest.fixture
def researcher(db):
    """Owner of what she makes, and of nothing else."""
    return get_user_model().objects.create_user("mara", password="long-and-dull-3")


@pytest.fixture(autouse=True)
def var(place):
    return place
