"""A database of a release, kept as rows: two studies with labels, runs and scores, read again and brought up to date.

    DATABASE_URL=sqlite:////tmp/new.sqlite3 python -m tests.upgrade.release write tests/upgrade/0.1.0.json
    DATABASE_URL=… python -m tests.upgrade.release read tests/upgrade/0.1.0.json

`write` wants an empty database and is run once, when a version is released: it migrates, makes the studies, and keeps
every row, the names of the migrations, their sha256, and what is to be seen. `begin` brings an empty database to the
migrations of that time; `read` puts the rows into such a one or an empty one, migrates to the newest, and prints what
is to be seen then, and the studies' rows once annotation's newer migrations are taken back.
"""

import csv
import hashlib
import io
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

if TYPE_CHECKING:
    from annotation.itemfile import ItemRow

# What the migrate command makes by itself, and what outlives no upgrade.
NOT_OURS = {"contenttypes", "sessions", "admin"}
DEGREES = ("impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true")
# What JSON has by itself.
PLAIN = (str, int, float, bool, list, dict, type(None))


def main(verb: str, file: Path) -> None:
    import django

    django.setup()
    if verb == "write":
        write(file)
        return
    release = json.loads(file.read_text(encoding="utf-8"))
    if verb == "begin":
        begin(release)
    else:
        print(json.dumps({"seen": read(release), "studies": back(release)}))


def write(file: Path) -> None:
    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        make_studies(Path(folder))
    ours = {path.partition("/")[0] for path in hashes()}
    leaves = [leaf for leaf in sorted(MigrationExecutor(connection).loader.graph.leaf_nodes()) if leaf[0] in ours]
    release = {"migrations": leaves, "sha256": hashes(), "rows": all_rows(leaves), "seen": seen()}
    file.write_text(json.dumps(release, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def hashes() -> dict[str, str]:
    """Of every migration of ours, by its path."""
    found = {}
    for app in apps.get_app_configs():
        folder = Path(app.path) / "migrations"
        if folder.is_relative_to(settings.BASE_DIR) and "site-packages" not in folder.parts:
            for path in sorted(folder.glob("0*.py")):
                found[str(path.relative_to(settings.BASE_DIR))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def models_at(leaves: list[Any]) -> list[type[Model]]:
    """As they were by those migrations."""
    state = MigrationExecutor(connection).loader.project_state([tuple(leaf) for leaf in leaves])
    models = state.apps.get_models(include_auto_created=True)
    return [one for one in models if one._meta.managed and not one._meta.proxy and one._meta.app_label not in NOT_OURS]


def all_rows(leaves: list[Any]) -> dict[str, list[dict[str, Any]]]:
    rows = {one._meta.label: [row_of(row) for row in one._default_manager.order_by("pk")] for one in models_at(leaves)}
    return {label: own for label, own in rows.items() if own and label != "auth.Permission"}


def row_of(row: Model) -> dict[str, Any]:
    values = {field.attname: (field, field.value_from_object(row)) for field in row._meta.concrete_fields}
    return {
        name: value if isinstance(value, PLAIN) else field.value_to_string(row)
        for name, (field, value) in values.items()
    }


def begin(release: dict[str, Any]) -> None:
    MigrationExecutor(connection).migrate([tuple(leaf) for leaf in release["migrations"]])


def read(release: dict[str, Any]) -> dict[str, Any]:
    begin(release)
    with transaction.atomic():
        for model in models_at(release["migrations"]):
            fields = {field.attname: field for field in model._meta.concrete_fields}
            rows = [
                model(**{name: fields[name].to_python(value) for name, value in row.items()})
                for row in release["rows"].get(model._meta.label, [])
            ]
            model._default_manager.bulk_create(rows, ignore_conflicts=True)
    call_command("migrate", verbosity=0)
    return seen()


def back(release: dict[str, Any]) -> list[dict[str, Any]]:
    """Its studies, once the newest migrations are undone."""
    leaves = [tuple(leaf) for leaf in release["migrations"] if leaf[0] == "annotation"]
    MigrationExecutor(connection).migrate(leaves)
    studies: list[dict[str, Any]] = all_rows(release["migrations"])["annotation.Study"]
    return studies


def make_studies(folder: Path) -> None:
    """One that synthetic annotators labeled and baselines scored, and one whose labels and scores were imported."""
    from accounts.models import User
    from tests.studies import plausibility_row

    User.objects.create_superuser("ada", "ada@example.org")
    rows = [plausibility_row(n, reference=DEGREES[n % 5], group=f"source {n // 2}") for n in range(12)]
    collected(folder, [*rows, *(plausibility_row(n, kind="gold", reference=DEGREES[0]) for n in range(20, 24))])
    imported(folder, rows)


def collected(folder: Path, rows: "list[ItemRow]") -> None:
    from annotation.loading import load_study
    from annotation.simulation import simulate
    from scoring.library.installation import install_baselines
    from scoring.models import Chunk, Run
    from scoring.runs import starting
    from scoring.runs.fitting import find_model
    from scoring.runs.working import CHUNKS
    from tests.studies import write_study

    collection = {"labels_per_item": 2, "sitting_length": 6, "gold_per_sitting": 1, "max_items_per_annotator": 12}
    study = load_study(write_study(folder / "here", rows, slug="here", collection=collection), open_study=True).study
    simulate(study, counts={"careful": 3, "careless": 1}, seed=1, until_full=True)
    install_baselines()
    starting.send = lambda rows: None  # type: ignore[attr-defined]
    for key in ("majority", "random"):
        starting.start_run(study, find_model(key), "label")
    for chunk in Chunk.objects.order_by("pk"):
        CHUNKS.work(chunk.pk, worker="release")
    assert not Run.objects.exclude(state="finished").exists()


def imported(folder: Path, rows: "list[ItemRow]") -> None:
    from annotation.elsewhere.label_import import import_labels
    from annotation.elsewhere.labelfile import LabelRow, write_labels
    from annotation.loading import load_study
    from corpus.tables.columns import read_pairs
    from scoring.imported.importing import Stated, import_scores
    from scoring.imported.reading import ScoreOptions, reading
    from tests.studies import write_study

    study = load_study(write_study(folder / "there", rows, slug="there")).study
    given = [(row.id, who, DEGREES[(n + who // 2) % 5]) for n, row in enumerate(rows) for who in range(3)]
    write_labels(folder / "labels.csv", [LabelRow(item, f"ann-{who}", degree) for item, who, degree in given])
    import_labels(study, folder / "labels.csv")
    lines = ["item,label", *(f"{row.id},{DEGREES[n % 4]}" for n, row in enumerate(rows))]
    stated = Stated("Elsewhere", "label", "made by tests.upgrade.release", "other")
    read = reading(ScoreOptions(pairs=read_pairs(["item=item", "label=label"])))
    import_scores(study, "\n".join(lines).encode(), name="scores.csv", stated=stated, reading=read)


def seen() -> dict[str, Any]:
    """Labels, tallies, runs, scores, how many of each run's are right, and the pages of the results."""
    from annotation.models import Item, Judgment, Study
    from scoring.models import Run, Score

    judgments = Judgment.objects.order_by("pk").values_list(
        "assignment__sitting__study__slug", "assignment__item__external_id", "assignment__annotator", "answer"
    )
    scores = Score.objects.order_by("run", "item").values_list("run", "item__external_id", "decision", "strength")
    return {
        "labels": list(judgments),
        "tallies": list(Item.objects.order_by("pk").values_list("external_id", "counted", "tally")),
        "runs": list(Run.objects.order_by("pk").values_list("model__name", "metric", "state", "scored")),
        "scores": list(scores),
        "right": [line for against in ("reference", "majority") for line in right(against)],
        "pages": {study.slug: pages(study) for study in Study.objects.order_by("pk")},
    }


def right(against: str) -> list[list[str]]:
    """By study and model, how many of how many items."""
    from scoring.models import LanguageModel

    out = io.StringIO()
    call_command("accuracy_table", "here", "there", against=against, format="csv", stdout=out)
    models = LanguageModel.objects.values_list("name", flat=True)
    lines = csv.DictReader(io.StringIO(out.getvalue()))
    return sorted(
        [against, line["study"], name, line["count"], line["n"]]
        for line in lines
        for name in models
        if line["rater"].startswith(f"{name} · ")
    )


def pages(study: Any) -> dict[str, Any]:
    """Of every part of the results, the status and which runs it names."""
    from django.test import Client
    from django.urls import reverse

    from accounts.models import User

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(User.objects.get(username="ada"))
    parts = ("", "people", "models", "items", "breakdown", "export")
    answers = {part: client.get(reverse("results", args=[study.slug, *filter(None, [part])])) for part in parts}
    models = sorted({run.model.name for run in study.runs.select_related("model")})
    return {
        "status": {part: answer.status_code for part, answer in answers.items()},
        "models": [name for name in models if name in answers["models"].content.decode()],
    }


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
