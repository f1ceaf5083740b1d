"""The cast of the researcher's pages: a researcher, another researcher, a visitor; studies at every stage."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from annotation.loading import load_study
from annotation.models import Study
from annotation.simulation import simulate
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from scoring.library.installation import install_baselines
from tests.comparison.cast import give_labels, give_run
from tests.studies import open_small_study, owning, plausibility_row, plausibility_rows, write_study
from tests.worlds import world

LESS, EQUAL = "less_likely", "equally_likely"


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Figures are remembered by study and data; tests make the same studies again and again."""
    cache.clear()


@pytest.fixture
def place(settings, tmp_path: Path) -> Path:
    """Where everything is made, and nothing lies yet."""
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    return tmp_path / "var"


@pytest.fixture
def researcher(db) -> Iterator[User]:
    """The owner of every study."""
    rosa = get_user_model().objects.create_user("rosa", password="long-and-dull-1")
    with owning(rosa):
        yield rosa


@pytest.fixture
def client(client: Client, researcher: User) -> Client:
    """The researcher's browser."""
    client.force_login(researcher)
    return client


@pytest.fixture
def carl(db) -> User:
    return get_user_model().objects.create_user("carl", password="long-and-dull-2")


@pytest.fixture
def colleague(carl: User) -> Client:
    """The browser of another researcher, who has no role anywhere."""
    other = Client()
    other.force_login(carl)
    return other


@pytest.fixture
def partner(carl: User, colleague: Client) -> Iterator[Client]:
    """The same browser, once its researcher owns every study too."""
    with owning(carl):
        yield colleague


@pytest.fixture
def visitor(db) -> Client:
    """Someone without a login, an annotator for one."""
    return Client()


def labeled_rows():
    return [plausibility_row(number, reference=LESS if number % 2 else EQUAL) for number in range(1, 5)]


def people_label(study: Study) -> None:
    """Three people agree on two items, two of three on the others."""
    given = {
        "target-1": [LESS, LESS, LESS],
        "target-2": [EQUAL, EQUAL, EQUAL],
        "target-3": [LESS, LESS, EQUAL],
        "target-4": [EQUAL, EQUAL, LESS],
    }
    give_labels(study, [(item, f"p{place}", label) for item, all_ in given.items() for place, label in enumerate(all_)])


@pytest.fixture
def study(db, tmp_path) -> Study:
    """Open, labeled in full by three people, with one finished run that is always right."""

    def make() -> Study:
        made = open_small_study(tmp_path / "small", labeled_rows())
        people_label(made)
        give_run(made, [(row.id, row.reference, None, "") for row in labeled_rows()], key="parrot", family="classifier")
        # Computed by nearly every page.
        assert select(made, Selection()).outline
        return made

    return world("collected", make)


@pytest.fixture
def draft(db, tmp_path) -> Study:
    """Loaded and never opened."""
    return load_study(write_study(tmp_path / "draft", plausibility_rows(3), slug="draft")).study


@pytest.fixture
def checked(db, tmp_path) -> Study:
    """Open, with gold and attention items; labeled by one careful and one careless synthetic annotator."""
    made = open_small_study(
        tmp_path / "checked",
        plausibility_rows(6, gold=2, attention=2),
        slug="checked",
        collection={"sitting_length": 6, "gold_per_sitting": 2, "attention_per_sitting": 2},
    )
    simulate(made, counts={"careful": 1, "careless": 1}, seed=1)
    made.refresh_from_db()
    return made


@pytest.fixture
def baselines(db) -> None:
    install_baselines()
