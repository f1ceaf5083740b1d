"""Somebody with the database in hand tries to change and to delete an act, row by row and all at once.

Run by test_unchanging.py: `python -m tests.annotation.audit.forging FOLDER`, in the database that DATABASE_URL names.
Prints as JSON what the database said, and what is left.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path


def said(tried: Callable[[], object]) -> str:
    from django.db import IntegrityError, transaction

    try:
        with transaction.atomic():
            tried()
    except IntegrityError as error:
        return str(error).splitlines()[0]
    return "done"


def raw(sql: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql)


def main(folder: Path) -> dict[str, object]:
    from django.core.management import call_command
    from django.db import connection

    from accounts.models import User
    from annotation.loading import load_study
    from annotation.models import Act
    from tests.studies import plausibility_rows, write_study

    owner = User.objects.create_user("anna")
    study = load_study(write_study(folder, plausibility_rows(1)), open_study=True, owner=owner).study
    before = Act.objects.count()
    tried = {
        "row changed": said(lambda: Act.objects.filter(slug="small").update(who="nobody")),
        "row deleted": said(lambda: Act.objects.all()[0].delete()),
        "all deleted": said(lambda: Act.objects.all().delete()),
        "by hand": said(lambda: raw("UPDATE annotation_act SET deed = 'closed'")),
        "deleted by hand": said(lambda: raw("DELETE FROM annotation_act")),
    }
    study.delete()
    owner.delete()
    kept = sorted(Act.objects.values_list("slug", "title", "deed"))
    call_command("flush", verbosity=0, interactive=False)
    emptied = Act.objects.count()
    load_study(folder)
    again = said(lambda: Act.objects.all().delete())
    return {
        "vendor": connection.vendor,
        "tried": tried,
        "before": before,
        "kept": kept,
        "emptied": emptied,
        "again": again,
    }


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(main(Path(sys.argv[1]))))
