"""Faults that PostgreSQL lets pass: it looks at no reference again, and a trigger may fire on a replica only.

Run by test_records.py: `python -m tests.researcher.integrity.unguarded FOLDER`, in the database that DATABASE_URL
names. Prints as JSON what check_integrity finds before and after.
"""

import json
import sys
from pathlib import Path


def main(folder: Path) -> None:
    import django

    django.setup()
    from django.db import connection

    from annotation.loading import load_study
    from researcher.integrity.faults import read_faults
    from tests.studies import plausibility_rows, write_study

    write_study(folder, plausibility_rows(4))
    load_study(folder, open_study=True)
    before = list(read_faults())
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE annotation_studylink SET study_id = 999")
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("ALTER TABLE annotation_act ENABLE REPLICA TRIGGER annotation_act_stays")
    print(json.dumps({"before": before, "after": list(read_faults())[:2]}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
