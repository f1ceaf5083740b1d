"""Every address of the API as each role, with each scope, as a researcher of another study: the matrix, and no more."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from annotation.access.matrix import RIGHTS, Right, Role, roles_with
from annotation.access.members import give
from api.answering.schema import NEEDS
from api.scopes import SCOPES, Scope, scope_for
from api.v1 import api as described
from tests.api.asking import Api, content_of
from tests.comparison.learned import learn_at_once
from tests.house.walk.cast import FOREIGN, PLANTED, full_study, others_study

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
STRANGER = "stranger"
# What is sent where something must be: so that nobody is turned away for what they send.
SENT: dict[str, dict[str, Any]] = {
    "post /studies/{slug}/items": {"items": [{}]},
    "patch /studies/{slug}/setup": {"changes": {"title": "x"}},
    "post /studies/{slug}/links": {},
    "post /studies/{slug}/labels": {"labels": [{"item": "x", "annotator": "x", "label": "x"}]},
    "post /studies/{slug}/runs": {},
    "post /studies/{slug}/scores": {"model": "m", "metric": "m", "source": "s", "lines": [{"item": "x"}]},
    "post /studies/{slug}/annotators/{annotator}/exclude": {"reason": "x"},
}
LET_IN = {200, 201, 202, 409, 422, 428}


def operations() -> Iterator[tuple[str, str, Right]]:
    """Method, path and right of each address within a study."""
    for path, methods in described.get_openapi_schema()["paths"].items():
        for method, operation in methods.items():
            if "{slug}" in path:
                yield method, path.removeprefix("/api/v1"), Right(operation[NEEDS])


@pytest.fixture(scope="module")
def ada(rows_of_module):
    return User.objects.create_user("ada")


@pytest.fixture(scope="module")
def whole(ada, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        learn_at_once(patch)
        study = full_study(tmp_path_factory.mktemp("whole"), by=ada)
        give(study, ada, Role.OWNER)
        yield study


@pytest.fixture(autouse=True)
def any_number_of_requests(settings):
    settings.API_REQUESTS_PER_MINUTE = 0


@pytest.fixture
def filled(whole):
    run, person = whole.runs.first().pk, whole.annotator_numbers.first().number

    def fill(path: str, what: str = "judgments") -> str:
        named = {"slug": whole.slug, "run": run, "annotator": person, "what": what}
        return re.sub(r"\{(\w+)\}", lambda found: str(named[found[1]]), path).lstrip("/")

    return fill


def tried(api: Api, method: str, address: str, path: str) -> tuple[int, bytes]:
    """The status and all that is answered; what was done is undone."""
    with transaction.atomic():
        answer = api.ask(method, address, SENT.get(f"{method} {path}"))
        body = content_of(answer)
        transaction.set_rollback(True)
    return answer.status_code, body


def test_every_address_within_a_study_says_what_it_asks_for():
    assert len(list(operations())) > 25


@pytest.mark.parametrize("who", [*Role, STRANGER])
def test_every_address_answers_as_the_matrix_says(whole, filled, django_user_model, who):
    user = django_user_model.objects.create_user(f"{who}-of-walk")
    if who != STRANGER:
        give(whole, user, Role(who))
    api, wrong = Api(user), []
    for method, path, right in operations():
        status, body = tried(api, method, filled(path), path)
        if who == STRANGER:
            fits = status == 404
        elif who in roles_with(right):
            fits = status in LET_IN
        else:
            fits = status == 403 and f"you cannot {RIGHTS[right].words}" in body.decode()
        if not fits:
            wrong.append(f"{method} {path} ({right}): {status} {body[:200]!r}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("scope", Scope)
def test_a_scope_lets_its_own_rights_through_and_no_others(whole, filled, ada, scope):
    api, wrong = Api(ada, scope), []
    for method, path, right in operations():
        status, body = tried(api, method, filled(path), path)
        let_in = right in SCOPES[scope][0]
        lacks = f"it lacks the scope {scope_for(right)}".encode()
        if not (status in LET_IN if let_in else status == 403 and lacks in body):
            wrong.append(f"{method} {path} ({right}): {status} {body[:200]!r}")
    assert not wrong, "\n".join(wrong)


def test_an_analyst_sees_nowhere_who_somebody_is_and_who_may_does(whole, filled, ada, django_user_model):
    from comparison.exports.registry import FILES

    analyst = django_user_model.objects.create_user("analyst-of-walk")
    give(whole, analyst, Role.ANALYST)

    def seen(api: Api) -> set[str]:
        addresses = [(method, path, filled(path)) for method, path, _ in operations() if "{what}" not in path]
        addresses += [("get", "", filled("/studies/{slug}/exports/{what}", what)) for what in FILES]
        bodies = [tried(api, method, address, path)[1] for method, path, address in addresses]
        return {word for word in PLANTED.values() for body in bodies if word.encode() in body}

    assert not seen(Api(analyst))
    assert not seen(Api(ada, "read", "write", "score", "collect"))
    assert PLANTED["a name in a label file"] in seen(Api(ada))


def test_nobody_sees_a_study_of_somebody_else(whole, filled, ada, tmp_path, django_user_model):
    others_study(tmp_path / "other", owner=django_user_model.objects.create_user(f"{FOREIGN}-researcher"))
    api = Api(ada)
    bodies = [tried(api, method, filled(path), path)[1] for method, path, _ in operations()]
    bodies += [content_of(api.get(address)) for address in ("studies", "models", "token")]
    assert not [body for body in bodies if FOREIGN.encode() in body]
