"""manage.py doctor says in sentences what is missing, and names no secret."""

from io import StringIO

import pytest
from django.core.management import call_command
from redis.exceptions import RedisError

from researcher.management.commands import doctor
from scoring.models import LanguageModel
from work.queues import Queue
from work.watching import health

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _living(monkeypatch):
    monkeypatch.setattr("work.watching.health.beats", lambda: dict.fromkeys(Queue, 1.0))
    monkeypatch.setattr(doctor, "_clocks", list)


@pytest.fixture
def installed(settings, tmp_path):
    settings.VAR_DIR, settings.MODELS_DIR = tmp_path, tmp_path / "models"
    tmp_path.chmod(0o700)
    (tmp_path / "models" / "mine").mkdir(parents=True)
    LanguageModel.objects.create(
        key="mine", name="Mine", family="masked", method="masked", location="models", source="mine"
    )
    settings.LOCAL = True
    return settings


def test_all_is_well(installed):
    out = StringIO()
    call_command("doctor", stdout=out)
    assert out.getvalue() == "All is well.\n"


def test_what_is_missing_is_named(installed, monkeypatch):
    monkeypatch.setattr(doctor, "LEAST_FREE", 10**18)
    (installed.MODELS_DIR / "mine").rmdir()
    installed.VAR_DIR.chmod(0o755)
    installed.LOCAL, installed.SECRET_KEY, installed.ALLOWED_HOSTS = False, "short", ["localhost"]
    monkeypatch.setattr("work.watching.health.beats", lambda: {Queue.UPKEEP: 1.0})
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=out)
    said = out.getvalue()
    named = ("No worker reads: figures, large, scoring.", "shorter than 50", "ALLOWED_HOSTS", "MB left", "chmod 700")
    for part in (*named, "files of model Mine are missing"):
        assert part in said
    assert "short\n" not in said


def test_static_files_that_were_not_collected_are_named_by_readyz_too(client, installed, tmp_path):
    """As after a restore: the web process lives, and each page is an error."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "one.svg").write_text("<svg/>")
    installed.STATIC_ROOT = tmp_path / "staticfiles"
    installed.STATICFILES_DIRS = [("pictures", pictures)]
    installed.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    hashed = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}

    def said():
        # As a new process reads what is collected.
        installed.STORAGES = installed.STORAGES | {"staticfiles": hashed}
        return [fault for fault in doctor.faults() if "collectstatic" in fault]

    [fault] = said()
    assert "(1: pictures/one.svg …)" in fault
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["static files"]) == (503, fault)
    call_command("collectstatic", interactive=False, verbosity=0)
    assert said() == []
    assert client.get("/readyz").json()["static files"] == "ok"
    (pictures / "two.svg").write_text("<svg/>")
    assert len(said()) == 1


def test_a_clock_that_is_off_is_named(installed, monkeypatch):
    class Server:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            return None

        def time(self):
            return (0, 0)

    monkeypatch.undo()
    memory = "django.core.cache.backends.locmem.LocMemCache"
    installed.CACHES = {"default": {"BACKEND": memory, "LOCATION": "redis://here"}}
    monkeypatch.setattr("researcher.management.commands.doctor.Redis.from_url", lambda *given, **more: Server())
    assert "off this machine’s" in next(iter(doctor._clocks()))


def test_a_queue_that_is_away_is_said_once_and_ends_nothing(installed, monkeypatch):
    def away():
        raise RedisError("redis://:secret@host")

    monkeypatch.setattr("work.watching.health.beats", away)
    assert health.SILENT > health.EVERY
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=out)
    assert "The task queue cannot be reached." in out.getvalue() and "secret" not in out.getvalue()
