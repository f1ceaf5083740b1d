"""What bench.kills says holds was tried: work that nobody asked for is a fault, and a used database is refused."""

from types import SimpleNamespace
from typing import cast

import pytest

from bench.kills.__main__ import refuse_studies, told
from bench.kills.processes import Server
from bench.kills.work import Piece, Work
from tests.studies import open_small_study, plausibility_row

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_work_that_was_never_asked_for_and_a_used_database_are_named(tmp_path):
    refuse_studies()
    work = cast(Work, SimpleNamespace(pieces=[Piece("run", lambda number: lambda: "")]))
    assert told(Server({}), work, 0.0, seconds=1.0) == ["run: nothing was asked for"]
    open_small_study(tmp_path / "study", [plausibility_row(1)])
    with pytest.raises(SystemExit, match="has studies"):
        refuse_studies()
