"""Schemathesis over every address, as its OpenAPI describes it: nothing that anybody sends is a server's error."""

from collections import Counter
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from annotation.access.matrix import Role
from annotation.access.members import give
from comparison.exports.registry import FILES
from tests.api.asking import Api, in_this_process
from tests.comparison.learned import learn_at_once
from tests.house.walk.cast import full_study

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
# Of each address, with what fits its description and with what does not.
EXAMPLES = {GenerationMode.POSITIVE: 8, GenerationMode.NEGATIVE: 4}


@pytest.fixture
def application(db):
    with in_this_process() as found:
        yield found


@pytest.fixture
def whole(ada, tmp_path, queue, monkeypatch):
    learn_at_once(monkeypatch)
    study = full_study(tmp_path / "whole", by=ada)
    give(study, ada, Role.OWNER)
    return study


def test_nothing_that_is_sent_is_an_error_of_the_server(ada, whole, application, settings_of_requests, capsys):
    token = Api(ada).made.secret
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
    runs = [run.pk for run in whole.runs.all()]
    # Nearly all of what is made up names nothing; so mostly what is there is named.
    there = {"slug": whole.slug, "run": runs[0], "annotator": 1}
    tried: Counter[tuple[str, int]] = Counter()
    for read in schema.get_all_operations():
        operation = read.ok()  # type: ignore[union-attr]
        for mode, examples in EXAMPLES.items():
            attempt(operation, mode, examples, there, token, tried)
    with capsys.disabled():
        found = ", ".join(f"{status}: {count:,}" for status, count in sorted(by_status(tried).items()))
        print(
            f"\nSchemathesis: {sum(tried.values()):,} requests to {len({one for one, _ in tried})} addresses; {found}"
        )
    assert sum(tried.values()) > 300
    assert len({one for one, status in tried if status < 300}) > 20, "most addresses were reached, not only refused"
    assert not [status for _, status in tried if status >= 500]


def attempt(
    operation: Any, mode: GenerationMode, examples: int, there: dict[str, Any], token: str, tried: Counter[Any]
) -> None:
    cases = operation.as_strategy(generation_mode=mode)

    @seed(16)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, at_home=st.sampled_from([True] * 9 + [False]), what=st.sampled_from(sorted(FILES)))
    def one(case: Any, at_home: bool, what: str) -> None:
        if at_home:
            named = there | {"what": what}
            case.path_parameters = {
                name: named.get(name, value) for name, value in (case.path_parameters or {}).items()
            }
        # The token is another matter: tests/api/test_tokens.py.
        case.headers = {name: value for name, value in (case.headers or {}).items() if name != "Authorization"}
        response = case.call(headers={"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"})
        tried[operation.label, response.status_code] += 1
        case.validate_response(response, checks=CHECKS)

    try:
        one()
    except Exception as error:
        if "Unsatisfiable" not in type(error).__name__:
            raise


def by_status(tried: Counter[tuple[str, int]]) -> Counter[int]:
    found: Counter[int] = Counter()
    for (_, status), count in tried.items():
        found[status] += count
    return found


@pytest.fixture
def settings_of_requests(settings):
    """Thousands of requests within a minute are what is tried here."""
    settings.API_REQUESTS_PER_MINUTE = 0
    cache.clear()
