"""A command that waits in vain for a busy database says so; any other fault of the database is shown as one."""

import os
import sqlite3
from contextlib import closing

import pytest

from tests import forked
from tests.migrated import migrated_file
from tests.studies import plausibility_rows, write_study

# As manage.py, with less patience.
IMPATIENT = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
from django.conf import settings
settings.DATABASES["default"]["OPTIONS"]["timeout"] = 0.2
import manage
manage.main()
"""


@pytest.fixture
def impatient(tmp_path):
    env = os.environ | {
        "PARALLAX_VAR": str(tmp_path),
        "SECRET_KEY": "only-for-tests",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'busy.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }

    def manage(*arguments):
        return forked.run("-c", IMPATIENT, *arguments, "--skip-checks", env=env)

    return manage


@pytest.mark.slow
def test_a_busy_database_is_a_sentence(tmp_path, impatient):
    folder = write_study(tmp_path / "study", plausibility_rows(2))
    unmade = impatient("load_study", str(folder))
    assert "no such table" in unmade.stderr
    assert "Traceback" in unmade.stderr
    other = sqlite3.connect(tmp_path / "busy.sqlite3", isolation_level=None)
    with closing(sqlite3.connect(migrated_file())) as whole:
        whole.backup(other)
    other.execute("BEGIN IMMEDIATE")
    told = impatient("load_study", str(folder))
    other.rollback()
    other.close()
    assert told.returncode == 1
    assert told.stderr.startswith("The database is busy: another program has been writing to it")
    assert "Traceback" not in told.stderr
    assert impatient("load_study", str(folder)).returncode == 0
