"""N and M of thematic fit and SDM as options: another number is another model, whatever else is the same."""

import pytest

from scoring.baselines.associations.places import read_manifest, state_folder
from scoring.library.installation import install_counted
from scoring.models import LanguageModel
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec
from tests.scoring.baselines.associations.stores import small_store

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def manifest():
    folder, content = small_store()
    return read_manifest(state_folder(folder, content))


def test_another_number_is_another_model(manifest):
    install_counted("small", manifest)
    rows, _ = install_counted("small", manifest, {"thematic_fit": {"fillers": 7, "prototype": 20}, "sdm": {}})
    short = manifest.content[:8]
    fits = {row.key: row for row in LanguageModel.objects.filter(method="thematic_fit")}
    assert fits.keys() == {f"thematic_fit-small-{short}", f"thematic_fit-small-{short}-f7"}
    made = fits[f"thematic_fit-small-{short}-f7"]
    assert (made.settings["fillers"], made.settings["prototype"]) == (7, 20)
    assert made.name == f"Thematic fit (small {short}, fillers 7)"
    assert [row.key for row in rows if row.method == "sdm"] == [f"sdm-small-{short}"]


def test_the_scorer_uses_it_and_says_so(manifest):
    folder, _ = small_store()
    rows, _ = install_counted("small", manifest, {"thematic_fit": {"prototype": 3}})
    [row] = [one for one in rows if one.method == "thematic_fit"]
    spec = row.spec
    scorer = open_scorer(
        ModelSpec(spec.method, str(folder), files=spec.files, settings=spec.settings),
        metric="thematic_fit",
        settings={},
    )
    assert scorer.provenance()["settings"]["prototype"] == 3
