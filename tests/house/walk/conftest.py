"""The cast is made once for the whole walk; what a request changes is undone before the next."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import transaction

from tests.comparison.learned import learn_at_once
from tests.house.walk.cast import Cast, make_cast


@pytest.fixture(scope="module")
def cast(django_db_setup, django_db_blocker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        # Figures are remembered by study and data; the tests before have had studies of the same numbers.
        cache.clear()
        learn_at_once(patch)
        yield make_cast(tmp_path_factory.mktemp("walk"))
        transaction.set_rollback(True)
    cache.clear()
