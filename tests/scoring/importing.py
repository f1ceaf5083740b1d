"""An import of scores that is stopped half way, and then one during which somebody else writes.

Run by test_imported_meanwhile.py with DATABASE_URL set: `python -m tests.scoring.importing FOLDER`. Prints what was
found as JSON.
"""

import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ITEMS = 1200


def interrupted(rows: Iterable[Any], at: int, then: Callable[[], None]) -> Iterator[Any]:
    for number, row in enumerate(rows):
        if number == at:
            then()
        yield row


def elsewhere(found: dict[str, Any]) -> None:
    """Another connection, as an annotator's: it reads what is there and writes, and waits for next to nothing."""
    from django.db import OperationalError, connection

    from annotation.models import Annotator
    from scoring.models import Run, Score

    try:
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 200")
        found["seen"] = [Run.objects.count(), Score.objects.count()]
        Annotator.objects.create(platform="link", external_id="ann")
        found["wrote"] = True
    except OperationalError as error:
        found["wrote"] = str(error)
    finally:
        connection.close()


def somebody_else(found: dict[str, Any]) -> None:
    thread = threading.Thread(target=elsewhere, args=(found,))
    thread.start()
    thread.join()


def stop() -> None:
    raise KeyboardInterrupt


def main(folder: Path) -> None:
    import django

    django.setup()
    import pytest
    from django.db import connection

    from corpus.tables.columns import read_pairs
    from scoring.imported import importing
    from scoring.imported.reading import ScoreOptions, reading
    from scoring.models import Run, Score
    from tests.studies import open_small_study, plausibility_rows

    study = open_small_study(folder, plausibility_rows(ITEMS))
    data = ("item,score\n" + "".join(f"target-{number},{number}\n" for number in range(1, ITEMS + 1))).encode()
    read = reading(ScoreOptions(pairs=read_pairs(["item=item", "score=score"])))
    found: dict[str, Any] = {"vendor": connection.vendor}

    def import_with(then: Callable[[], None]) -> None:
        laid_down = importing._scores
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(importing, "_scores", lambda *told: interrupted(laid_down(*told), ITEMS // 2, then))
            importing.import_scores(
                study, data, name="s.csv", stated=importing.Stated("theirs", "score", "a test"), reading=read
            )

    with pytest.raises(KeyboardInterrupt):
        import_with(stop)
    found["after_a_stop"] = [Run.objects.count(), Score.objects.count()]
    import_with(lambda: somebody_else(found))
    run = Run.objects.get()
    found["stored"] = [run.scored, run.scores.count(), run.scores.get(item__external_id="target-7").strength]
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
