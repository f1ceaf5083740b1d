"""What is computed once: for each state of the data, by whichever process comes first."""

import json
import logging
import os
from pathlib import Path

import pytest
from django.core.cache import cache, caches
from django.core.cache.backends.redis import RedisCache
from pydantic import TypeAdapter

from annotation.models import Item, Study
from comparison.figures import findings
from comparison.figures.findings import FINDINGS, find
from comparison.frame.cache import remembered as module
from comparison.frame.cache.remembered import each_remembered, remembered
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.statistics.estimate import Estimate
from config import settings as shipped
from config.broker import JsonText, cache_address
from researcher.studies.list import read_lines
from tests import forked
from tests.comparison.cast import give_labels, give_run

ESTIMATE = TypeAdapter(Estimate)
FOUND = Estimate(0.1, 0.05, 0.2, n=7)


class Computing:
    """Counts how often it is asked."""

    def __init__(self, found=FOUND):
        self.found, self.asked = found, 0

    def __call__(self, *_):
        self.asked += 1
        return self.found


@pytest.fixture(autouse=True)
def nothing_known():
    cache.clear()


def shipped_cache(url: str) -> dict[str, object]:
    """The cache as it is installed, with another server."""
    return {"default": shipped.CACHES["default"] | {"LOCATION": cache_address(url)}}


def test_it_is_asked_once_for_the_same_parts():
    compute = Computing()
    assert [remembered(ESTIMATE, ["x", 1], compute) for _ in range(3)] == [FOUND] * 3
    assert compute.asked == 1
    remembered(ESTIMATE, ["x", 2], compute)
    assert compute.asked == 2


def test_nothing_found_is_remembered_as_well():
    shape: TypeAdapter[Estimate | None] = TypeAdapter(Estimate | None)
    compute = Computing(None)
    assert [remembered(shape, "x", compute) for _ in range(2)] == [None, None]
    assert compute.asked == 1


def test_of_many_only_the_unknown_are_asked_for_and_all_at_once():
    asked = []

    def compute(names):
        asked.append(names)
        return dict.fromkeys(names, FOUND)

    each_remembered(ESTIMATE, {"a": 1, "b": 2}, compute)
    assert each_remembered(ESTIMATE, {"a": 1, "b": 3, "c": 4}, compute) == dict.fromkeys("abc", FOUND)
    assert asked == [["a", "b"], ["b", "c"]]


def test_figures_of_an_older_program_are_not_shown(monkeypatch):
    compute = Computing()
    remembered(ESTIMATE, "x", compute)
    monkeypatch.setattr(module, "PROGRAM", "another")
    remembered(ESTIMATE, "x", compute)
    assert compute.asked == 2


def test_a_program_is_named_by_its_sources_and_its_libraries(monkeypatch):
    assert module.program() == module.PROGRAM
    monkeypatch.setattr(module, "LIBRARIES", module.LIBRARIES[1:])
    assert module.program() != module.PROGRAM


def test_a_text_of_another_shape_is_computed_anew_and_said(caplog):
    remembered(TypeAdapter(list[int]), "x", lambda: [1])
    compute = Computing()
    assert [remembered(ESTIMATE, "x", compute) for _ in range(2)] == [FOUND, FOUND]
    assert compute.asked == 1
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "Remembered figures cannot be read and are computed anew"
    ]


class TestOfAStudy:
    @pytest.fixture
    def computed(self, monkeypatch):
        compute = Computing()
        monkeypatch.setattr(findings, "find", lambda panel: (compute(), find(panel))[1])
        return compute

    def read(self, study: Study):
        return FINDINGS.read(select(study, Selection()))

    def test_the_same_state_is_computed_once_and_is_the_same(self, study, computed):
        first, second = self.read(study), self.read(study)
        assert computed.asked == 1
        assert repr(first) == repr(second)

    @pytest.mark.slow
    def test_a_label_makes_another_state(self, study, computed):
        before = self.read(study)
        give_labels(study, [("target-6", "late", "less_likely")])
        after = self.read(study)
        assert computed.asked == 2
        assert after.counts.labeled == before.counts.labeled + 1

    @pytest.mark.slow
    def test_a_run_makes_another_state(self, study, computed):
        self.read(study)
        give_run(study, [("target-1", "less_likely", None, "")], key="late")
        assert "late" in [run.model for run in self.read(study).runs]

    @pytest.mark.slow
    def test_a_model_of_another_name_makes_another_state(self, study, computed):
        self.read(study)
        model = study.runs.get(model__key="parrot").model
        model.name = "Polly"
        model.save()
        assert "Polly" in [run.model for run in self.read(study).runs]

    @pytest.mark.slow
    def test_the_list_counts_a_label_too(self, study):
        before = read_lines([study])[0].standing
        assert read_lines([study])[0].standing == before
        Item.objects.get(study=study, external_id="target-3").discount("equally_likely")
        assert read_lines([study])[0].standing != before


class TestWithoutAServer:
    @pytest.fixture(autouse=True)
    def down(self, settings, tmp_path, nothing_known):
        settings.CACHES = shipped_cache(f"redis+socket://{tmp_path}/nobody.sock")

    def test_it_computes_each_time_and_says_so(self, caplog):
        compute = Computing()
        with caplog.at_level(logging.WARNING):
            assert [remembered(ESTIMATE, "x", compute) for _ in range(2)] == [FOUND, FOUND]
        assert compute.asked == 2
        assert len(caplog.records) == 2
        for record in caplog.records:
            assert record.message.startswith("Figures are computed and not remembered: the cache's server does not")
            assert record.exc_info is None

    @pytest.mark.slow
    def test_the_pages_work(self, logged_in, study):
        for address in ("/studies/", f"/studies/{study.slug}/", f"/studies/{study.slug}/results/"):
            assert logged_in.get(address).status_code == 200


class TestWithTheServer:
    @pytest.mark.slow
    def test_two_clients_share_one_computation(self, settings, valkey_url):
        settings.CACHES = shipped_cache(valkey_url)
        compute = Computing()
        remembered(ESTIMATE, "x", compute)
        one = caches["default"]
        # As in another process: a client of its own, which has met nothing.
        del caches["default"]
        assert caches["default"] is not one
        assert remembered(ESTIMATE, "x", compute) == FOUND
        assert compute.asked == 1

    @pytest.mark.slow
    def test_a_server_that_takes_nothing_more_is_said(self, settings, valkey_url, caplog):
        settings.CACHES = shipped_cache(valkey_url)
        client = one_client()
        client.config_set("maxmemory", "1")
        compute = Computing()
        assert remembered(ESTIMATE, "x", compute) == FOUND
        assert [record.message.partition(":")[0] for record in caplog.records] == ["Figures are not remembered"]

    @pytest.mark.slow
    def test_what_lies_there_is_json(self, settings, valkey_url):
        settings.CACHES = shipped_cache(valkey_url)
        remembered(ESTIMATE, "x", Computing())
        client = one_client()
        (key,) = client.keys("*")
        assert key.startswith(b"parallax-json:")
        assert json.loads(json.loads(client.get(key)))["value"] == 0.1
        assert 0 < client.ttl(key) <= module.REMEMBERED_SECONDS
        with pytest.raises(TypeError, match="not JSON serializable"):
            cache.set("x", object())

    @pytest.mark.slow
    def test_two_processes_share_one_computation(self, valkey_url, tmp_path):
        said = [in_a_process(valkey_url, tmp_path) for _ in range(2)]
        assert said[0] == ["computing", repr(FOUND)]
        assert said[1] == [repr(FOUND)]


def one_client():
    backend = caches["default"]
    assert isinstance(backend, RedisCache)
    return backend._cache.get_client()


PROCESS = """
import django
django.setup()
from pydantic import TypeAdapter
from comparison.frame.cache.remembered import remembered
from comparison.statistics.estimate import Estimate

def compute():
    print("computing")
    return Estimate(0.1, 0.05, 0.2, n=7)

print(repr(remembered(TypeAdapter(Estimate), ["x"], compute)))
"""


def in_a_process(url: str, var: Path) -> list[str]:
    """What a process of an installation with this server prints."""
    env = os.environ | {"REDIS_URL": url, "PARALLAX_VAR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings"}
    ran = forked.run("-c", PROCESS, env=env)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis+socket:///a/b.sock", "unix:///a/b.sock"),
        ("redis+socket:///a/b.sock?virtual_host=3", "unix:///a/b.sock?db=3"),
        ("rediss://host:6379/1", "rediss://host:6379/1"),
    ],
)
def test_the_servers_address_as_the_cache_reads_it(url, address):
    assert cache_address(url) == address


@pytest.mark.parametrize("value", ["ρ = .5", 7, True, [1.5, 2.5]])
def test_what_json_can_say_goes_in_and_comes_out(value):
    assert JsonText().loads(JsonText().dumps(value)) == value


def test_a_number_is_one_that_the_server_counts_on():
    assert JsonText().dumps(7) == b"7"
