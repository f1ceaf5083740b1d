"""Labels → data set → model, step by step and timed: a study is labeled, leaves as a data set, comes back, and teaches.

    make bench-roundtrip          (or: python -m bench.roundtrip [--items N] [--base KEY|FOLDER] [--epochs N])

A study of N plausibility items is filled by synthetic annotators, exported as a data set, loaded by Hugging Face's
`datasets` and by `import_study table` (each compared with what is stored, item by item), trained on by its majority,
and the model scores the study that came back; then the comparison over both. Everything is in a folder of its own.
"""

import argparse
import os
import shlex
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow
from bench import ROOT
from bench.made_study import ADJECTIVES, DEGREES, ENDINGS, NOUNS

PILOT, AGAIN = "roundtrip", "roundtrip-again"
# Items that share an original sentence.
TOGETHER = 4
CHECKS = {"gold": 10, "attention": 4}
STUDY = f"""slug = "{PILOT}"
title = "A made study that goes round"
instructions = "Compared with the first sentence, how plausible is the second?"
[task]
type = "plausibility"
[collection]
labels_per_item = 3
sitting_length = 30
gold_per_sitting = 5
attention_per_sitting = 2
max_items_per_annotator = 300
[quality]
max_attention_failures = 0
gold_tolerance = 0.25
gold_distance = 2
[scoring]
metrics = ["label"]
"""
Step = Callable[[Path], str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=300, help="targets of the study (300)")
    parser.add_argument("--base", default="minilm-l6", metavar="KEY|FOLDER", help="the encoder (minilm-l6)")
    parser.add_argument("--epochs", type=int, default=3, help="passes over the items that teach (3)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "models").symlink_to(ROOT / "var" / "models")
        os.environ |= {
            "PARALLAX_VAR": name,
            "PARALLAX_LOCAL": "1",
            "SECRET_KEY": "bench",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        os.environ.pop("DATABASE_URL", None)
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        begun = time.perf_counter()
        for words, seconds, said in timed(chain(options.items, options.base, options.epochs), folder):
            print(f"{seconds:6.1f} s  {words}: {said}", flush=True)
        print(f"{time.perf_counter() - begun:6.1f} s  in all")


def timed(steps: dict[str, Step], folder: Path) -> Iterator[tuple[str, float, str]]:
    """What each step is, its seconds, and what it found; it raises where it finds something else than it ought to."""
    for words, step in steps.items():
        begun = time.perf_counter()
        said = step(folder)
        yield words, time.perf_counter() - begun, said


def chain(items: int, base: str, epochs: int) -> dict[str, Step]:
    return {
        "a study is made, loaded and opened": lambda folder: load(folder, items),
        "synthetic annotators fill it": fill,
        "export_dataset": export,
        "datasets.load_dataset reads the same": read_by_datasets,
        "import_study table makes the same study": read_by_us,
        "train_classifier --labels majority": lambda folder: train(base, epochs),
        "a label run on the study that came back": lambda folder: score(AGAIN),
        "the same on the study that taught it": lambda folder: score(PILOT),
        "accuracy_table": compare,
    }


def rows(items: int) -> Iterator[ItemRow]:
    """What is true hangs on the adjective, so that there is something to learn."""
    for number in range(items):
        source, turn = divmod(number, TOGETHER)
        noun, ending = NOUNS[source % len(NOUNS)], ENDINGS[source // len(NOUNS) % len(ENDINGS)]
        place = (source + turn * 7) % 20
        yield _row(f"item-{number + 1}", noun, ending, ADJECTIVES[place], DEGREES[place % len(DEGREES)], source=source)
    for kind, many in CHECKS.items():
        for number in range(many):
            yield _row(
                f"{kind}-{number + 1}", NOUNS[-number - 1], f"waits for {kind}", "fake", DEGREES[number % 5], kind
            )


def _row(
    name: str,
    noun: str,
    ending: str,
    adjective: str,
    reference: str,
    kind: str = "target",
    *,
    source: int | None = None,
) -> ItemRow:
    content = {
        "original": f"The {noun} {ending}.",
        "modified": f"The {adjective} {noun} {ending}.",
        "modifier": adjective,
        "noun": noun,
    }
    grouped: dict[str, Any] = {} if source is None else {"group": f"source {source}", "attributes": {"noun": noun}}
    return ItemRow(name, content, kind, reference, **grouped)


def load(folder: Path, items: int) -> str:
    from annotation.itemfile import write_items
    from annotation.loading import load_study

    (folder / "study").mkdir()
    (folder / "study" / "study.toml").write_text(STUDY)
    write_items(folder / "study" / "items.jsonl", list(rows(items)))
    loaded = load_study(folder / "study", open_study=True)
    return f"{items:,} targets, {loaded.added - items} checks"


def fill(folder: Path) -> str:
    from annotation.models import Study
    from annotation.simulation import simulate

    study = Study.objects.get(slug=PILOT)
    done = simulate(study, counts={"careful": 6, "noisy": 2, "careless": 1}, seed=1, until_full=True)
    require(done.valid == done.target, f"{done.valid} of {done.target} labels")
    agreed = study.items.filter(kind="target", agreed__gt=0).count()
    return f"{done.valid:,} of {done.target:,} labels that count, {agreed:,} items with a majority"


def export(folder: Path) -> str:
    from annotation.models import Study
    from comparison.dataset.card import Asked
    from comparison.dataset.making import make

    (folder / "data").mkdir()
    written = make(Study.objects.get(slug=PILOT), folder / "data", Asked())
    return ", ".join(f"{part} {count:,}" for part, count in written.items.items())


def read_by_datasets(folder: Path) -> str:
    from datasets import load_dataset

    from annotation.models import Study

    cache = str(folder / "cache")
    items = load_dataset(str(folder / "data"), "items", cache_dir=cache)
    stored = {item.external_id: item for item in Study.objects.get(slug=PILOT).items.filter(kind="target")}
    name = items["train"].features["label"].int2str
    for row in (row for part in items.values() for row in part):
        item = stored.pop(row["id"])
        label = None if row["label"] is None else name(row["label"])
        found = (row["sentence1"], row["sentence2"], label, row["labels"])
        wanted = (item.content["original"], item.content["modified"], item.majority, item.counted)
        require(found == wanted, f"{row['id']}: {found} and not {wanted}")
    require(not stored, f"{len(stored)} items are missing")
    labels = load_dataset(str(folder / "data"), "labels", cache_dir=cache)
    return f"{sum(map(len, items.values())):,} items and {sum(map(len, labels.values())):,} labels"


def read_by_us(folder: Path) -> str:
    from django.core.management import call_command

    from annotation.models import Study

    card = (folder / "data" / "README.md").read_text(encoding="utf-8")
    words = shlex.split(card.split("```sh\n")[1].split("\n```")[0].replace("FOLDER", str(folder / "data")))
    words[words.index("--slug") + 1] = AGAIN
    with Path(os.devnull).open("w") as nowhere:
        call_command(*words[1:], stdout=nowhere)
    both = [_items(Study.objects.get(slug=slug)) for slug in (PILOT, AGAIN)]
    require(both[0] == both[1], "the items differ")
    return f"{len(both[1]):,} items with the same texts, references, attributes and groups"


def _items(study: Any) -> dict[str, tuple[Any, ...]]:
    columns = ("external_id", "content", "reference", "attributes", "group", "content_hash")
    return {one[0]: one for one in study.items.filter(kind="target").values_list(*columns)}


def train(base: str, epochs: int) -> str:
    from scoring.scorers.recipes import recipe
    from training.classifier.bases import find_base
    from training.classifier.collecting import find_studies
    from training.classifier.settings import ADEPT
    from training.classifier.starting import prepare, start_training
    from training.classifier.working import work

    settings = replace(ADEPT, epochs=epochs)
    prepared = prepare(
        find_base(base), recipe("adept"), find_studies([PILOT]), taught_by="majority", apart_from=[], settings=settings
    )
    training = start_training(prepared, settings)
    work(training.pk, worker="bench")
    training.refresh_from_db()
    require(training.state == "finished", f"{training.state}: {training.error}")
    left = sum(training.left_out.values())
    assert training.commonest_right is not None
    return (
        f"{training.train_items:,} items teach, {training.held_out_items:,} held out, {left:,} without a majority left "
        f"out; held-out accuracy {training.accuracy:.3f} (commonest label "
        f"{training.commonest_right / training.held_out_items:.3f})"
    )


def score(slug: str) -> str:
    from annotation.models import Study
    from scoring.models import Chunk
    from scoring.runs import starting
    from scoring.runs.working import work
    from training.models import Training

    # This process is all the workers there are: nothing is put on a queue.
    starting.send = lambda chunks: None  # type: ignore[attr-defined]
    study = Study.objects.get(slug=slug)
    model = Training.objects.get().model
    assert model is not None
    run = starting.start_run(study, model, "label")
    for chunk in Chunk.objects.filter(run=run).order_by("pk"):
        work(chunk.pk, worker="bench")
    run.refresh_from_db()
    require((run.state, run.unscored) == ("finished", 0), f"{run.state}, {run.unscored} unscored")
    return f"{run.scored:,} items scored by {model.name}"


def compare(folder: Path) -> str:
    from io import StringIO

    from django.core.management import call_command

    said = []
    marks = {PILOT: "learned from these items, by their majority", AGAIN: "learned from "}
    for against, slugs in (("reference", (PILOT, AGAIN)), ("majority", (PILOT,))):
        out = StringIO()
        call_command("accuracy_table", *slugs, against=against, stdout=out)
        require(all(marks[slug] in out.getvalue() for slug in slugs), "what was learned from is not marked")
        said.append(f"\nagainst the {against}\n{out.getvalue().strip()}")
    return "".join(said)


def require(holds: bool, otherwise: str) -> None:  # noqa: FBT001 reads as a sentence
    if not holds:
        raise SystemExit(f"It does not hold: {otherwise}.")


if __name__ == "__main__":
    main()
