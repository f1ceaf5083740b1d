"""The cast is made once for a module of the walk; what a request changes is undone before the next."""

from collections.abc import Iterator

import pytest

from tests.comparison.learned import learn_at_once
from tests.house.walk.cast import Cast, make_cast


@pytest.fixture(scope="module")
def cast(rows_of_module: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    with pytest.MonkeyPatch.context() as patch:
        learn_at_once(patch)
        yield make_cast(tmp_path_factory.mktemp("walk"))
