"""Whose a training is, and with which models somebody may score."""

import pytest

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.models import Study
from scoring.models import LanguageModel, Run
from tests.studies import open_small_study, plausibility_rows
from training.models import Training
from training.visible import models_for, trainings_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna")


@pytest.fixture
def ben() -> User:
    return User.objects.create_user("ben")


def model(key: str, *, is_imported: bool = False) -> LanguageModel:
    method = {} if is_imported else {"method": "classifier", "location": "path", "source": f"/{key}"}
    return LanguageModel.objects.create(key=key, name=key, family="classifier", is_imported=is_imported, **method)


def training(key: str, *owners: User, for_all: bool = False) -> Training:
    made = Training.objects.create(
        fingerprint=key, contest=key, recipe="adept", base={"key": "b", "name": "b"}, studies=["small"], settings={},
        labels=[], train_items=1, train_sha256="", held_out_items=1, held_out_sha256="", steps=1, model=model(key),
        for_all=for_all,
    )  # fmt: skip
    made.owners.add(*owners)
    return made


def keys(user: User) -> set[str]:
    return set(models_for(user).values_list("key", flat=True))


@pytest.fixture
def study(tmp_path, anna) -> Study:
    made = open_small_study(tmp_path, plausibility_rows(1))
    give(made, anna, Role.OWNER)
    return made


def test_a_training_is_theirs_who_asked_for_it(anna, ben):
    hers, both, ours = training("hers", anna), training("both", anna, ben), training("ours", for_all=True)
    assert {*trainings_for(anna)} == {hers, both}
    assert {*trainings_for(ben)} == {both}
    assert {*trainings_for(User.objects.create_superuser("root"))} == {hers, both, ours}
    anna.is_active = False
    assert not trainings_for(anna)


def test_studies_of_somebody_else_are_not_named():
    made = training("one")
    assert made.studies_beside({"other"}) == "small"
    assert made.studies_beside({"small"}) == "studies in which you have no role"
    made.apart_from = ["pilot"]
    assert made.studies_beside(set()) == "small, apart from pilot"
    assert made.studies_beside({"pilot"}) == "studies in which you have no role"


def test_a_model_is_there_for_those_who_trained_it_or_for_all(anna, ben):
    training("hers", anna)
    training("ours", for_all=True)
    model("plain")
    assert keys(anna) == {"hers", "ours", "plain"}
    assert keys(ben) == {"ours", "plain"}


def test_what_answered_in_a_study_is_there_for_those_who_see_it(anna, ben, study):
    training("bens", ben)
    for key, is_imported in (("bens", False), ("brought", True)):
        found = LanguageModel.objects.filter(key=key).first() or model(key, is_imported=is_imported)
        Run.objects.create(study=study, model=found, metric="label", metric_version="1", state="finished", total=0)
    assert keys(anna) == {"bens", "brought"}
    assert keys(ben) == {"bens"}
    give(study, ben, Role.ANALYST)
    assert keys(ben) == {"bens", "brought"}
