"""A researcher with a study, and somebody who has nothing to do with it."""

from pathlib import Path

import pytest
from django.core.cache import cache

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.models import Study
from tests.api.asking import Api
from tests.comparison.cast import give_labels, give_run
from tests.studies import open_small_study, plausibility_rows
from tests.worlds import world

LESS, EQUAL = "less_likely", "equally_likely"


@pytest.fixture
def ada(db, django_user_model) -> User:
    # Requests are counted by token, and tokens of earlier tests had the same numbers.
    cache.clear()
    made: User = django_user_model.objects.create_user("ada")
    return made


@pytest.fixture
def api(ada) -> Api:
    return Api(ada)


@pytest.fixture
def study(ada, tmp_path) -> Study:
    made = world("of the API", lambda: labeled_twice(tmp_path / "small"))
    give(made, ada, Role.OWNER)
    return made


def labeled_twice(folder: Path) -> Study:
    """Six targets with two labels each, and two runs."""
    made = open_small_study(folder, plausibility_rows(6, gold=1))
    targets = [f"target-{number}" for number in range(1, 7)]
    give_labels(made, [(item, who, LESS) for item in targets for who in ("p0", "p1")])
    give_run(made, [(item, LESS, 1.0, "") for item in targets], key="parrot")
    give_run(made, [(item, EQUAL, -1.0, "") for item in targets], key="owl")
    return made
