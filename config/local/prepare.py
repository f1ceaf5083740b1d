"""What `make run` does with Django before the servers start: database, files, samples, account.

    python -m config.local.prepare

One process for all of it, because starting Django five times costs seconds.
"""

import os
import sys
from hashlib import sha256
from pathlib import Path

import django
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import OperationalError

ACCOUNT = "researcher"
# The sample that leads: what people chose elsewhere, as its authors published it.
PUBLISHED, ANSWERS = "blimp-human", Path("blimp", "forced_choice.csv.xz")
# The sample that synthetic annotators have labeled.
LABELED = "adjectives"


def collect_static(sources: list[Path], stamp: Path) -> None:
    """Run collectstatic unless nothing has changed since: hashing and compressing take seconds."""
    files = sorted(path for source in sources for path in source.rglob("*") if path.is_file())
    seen = [f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in files]
    # Versions stand for the static files that packages bring.
    wanted = sha256("\n".join([*seen, (settings.BASE_DIR / "constraints.txt").read_text()]).encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    call_command("collectstatic", verbosity=0, interactive=False)
    stamp.write_text(wanted)


def load_samples(folder: Path, *, owner: str) -> None:
    """Load and open the sample studies that are not there yet, have one labeled, and queue their model runs.

    The one that people have labeled is complete, and closed.

    They are the local account's; it is a superuser besides, who sees what others make here too.
    Those that are there are left as they are, whatever a researcher has done with them since.
    """
    from annotation.lifecycle.status import close_study, open_study
    from annotation.models import Study
    from annotation.studyfile import read_study

    present = set(Study.objects.values_list("slug", flat=True))
    if PUBLISHED not in present:
        call_command("import_study", PUBLISHED, str(folder / ANSWERS), owner=owner)
        study = Study.objects.get(slug=PUBLISHED)
        open_study(study)
        close_study(study)
    samples = {read_study(path.parent).slug: path.parent for path in sorted(folder.glob("*/study.toml"))}
    for slug, sample in samples.items():
        if slug not in present:
            call_command("load_study", str(sample), open=True, owner=owner)
            if slug == LABELED:
                call_command("simulate_annotators", slug, until_full=True)
    # Not "those just loaded": the run before may have been interrupted between the two steps.
    unscored = Study.objects.filter(slug__in=[PUBLISHED, *samples], runs=None).values_list("slug", flat=True)
    if unscored:
        # The worker is started last.
        call_command("score_defaults", *unscored, unattended=True)


def ensure_account(password: str) -> None:
    """The local researcher, if there is none yet. A password that was changed since stays changed."""
    users = get_user_model().objects
    if not users.filter(username=ACCOUNT).exists():
        users.create_superuser(ACCOUNT, password=password)


def prepare() -> None:
    call_command("migrate", verbosity=0, interactive=False)
    # Pictures of the docs have a prefix.
    folders = [Path(str(one[1] if isinstance(one, tuple) else one)) for one in settings.STATICFILES_DIRS]
    collect_static(folders, settings.STATIC_ROOT / ".collected")
    call_command("fetch_models")
    ensure_account((settings.VAR_DIR / "researcher.txt").read_text().strip())
    from annotation.audit.acting import acting, by_command

    with acting(by_command):
        load_samples(settings.BASE_DIR / "stimuli" / "samples", owner=ACCOUNT)


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        django.setup()
        if not settings.LOCAL:
            raise ImproperlyConfigured("This belongs to `make run` and needs PARALLAX_LOCAL=1.")
        prepare()
    except (CommandError, ImproperlyConfigured) as error:
        print(error, file=sys.stderr)
        return 1
    except OperationalError as error:
        print(f"The database cannot be used: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
