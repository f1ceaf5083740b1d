"""Load a study's folder into the database of DATABASE_URL and print its hash: `python -m …hashed FOLDER`."""

import json
import os
import sys
from pathlib import Path


def main(folder: Path) -> None:
    import django

    django.setup()
    from django.db import connection

    from annotation.lifecycle.folder import study_hash
    from annotation.loading import load_study
    from annotation.models import Study

    load_study(folder)
    print(json.dumps({"vendor": connection.vendor, "hash": study_hash(Study.objects.get())}))


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    main(Path(sys.argv[1]))
