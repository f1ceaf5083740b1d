"""Two studies of the same questions, with their passage and without it, labeled and scored."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from django.test import Client

from accounts.models import User
from annotation.itemfile import ItemRow
from annotation.models import Study
from tests.comparison.cast import give_labels, give_run
from tests.studies import open_small_study, owning

ITEMS = 40
NAMES = [f"q{n}" for n in range(ITEMS)]
RNG = np.random.default_rng(11)
REFERENCE = RNG.integers(0, 2, ITEMS)
VALUES = ("yes", "no")
# With the passage nearly all are right; without it many are not. The last four are in the first study alone.
FULL, ALONE = (np.where(RNG.random(ITEMS) < share, REFERENCE, 1 - REFERENCE) for share in (0.95, 0.6))
MODEL = {"with": RNG.integers(0, 2, ITEMS), "without": RNG.integers(0, 2, ITEMS)}
SHARED = slice(0, ITEMS - 4)


@pytest.fixture
def both(db: None, tmp_path: Path, client: Client, django_user_model: type[User]) -> Iterator[tuple[Study, ...]]:
    studies = []
    for slug, labels, count in (("with", FULL, ITEMS), ("without", ALONE, ITEMS - 4)):
        rows = [
            ItemRow(name, {"question": f"is it {name}"} | ({"passage": f"On {name}."} if slug == "with" else {}),
                    reference=VALUES[REFERENCE[n]])
            for n, name in enumerate(NAMES[:count])
        ]  # fmt: skip
        study = open_small_study(
            tmp_path / slug, rows, slug=slug, task={"type": "yes_no"}, quality={"gold_distance": 1}
        )
        give_labels(study, [(row.id, f"{slug}-{p}", VALUES[labels[n]]) for n, row in enumerate(rows) for p in range(2)])
        said = [(row.id, VALUES[MODEL[slug][n]], 1.0, "") for n, row in enumerate(rows)]
        give_run(study, said, key="owl", metric="label", family="classifier")
        studies.append(study)
    researcher = django_user_model.objects.create_user("researcher")
    client.force_login(researcher)
    with owning(researcher):
        yield tuple(studies)


RATING = {"type": "rating", "question": "How plausible is it?", "points": 7, "low": "Not at all", "high": "Completely"}


def open_rated(folder: Path, slug: str, *, seed: int, items: int = 40) -> Study:
    """Sentences that two people rated, and two runs of scores: `near` follows the ratings, `far` does not."""
    rng = np.random.default_rng(seed)
    rows = [ItemRow(f"s{n}", {"sentence": f"The chef tasted soup {n}."}) for n in range(items)]
    study = open_small_study(folder / slug, rows, slug=slug, task=RATING)
    worth = rng.permutation(items)
    ratings = 1 + worth * 7 // items
    give_labels(study, [(f"s{n}", f"{slug}-{p}", str(ratings[n])) for n in range(items) for p in range(2)])
    for key, scores in (("near", worth + rng.normal(0, 8, items)), ("far", rng.normal(0, 8, items))):
        give_run(study, [(f"s{n}", None, float(scores[n]), "") for n in range(items)], key=key)
    return study
