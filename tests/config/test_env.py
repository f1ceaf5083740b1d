"""Settings that are refused at the start."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


@pytest.mark.parametrize("read", [lambda: env.words("SOME", default=[]), lambda: env.some_of("SOME", ("one",))])
def test_a_list_of_commas_alone_is_refused_and_an_empty_one_is_none(monkeypatch, read):
    monkeypatch.setenv("SOME", " , ")
    with pytest.raises(ImproperlyConfigured, match="SOME must name something between its commas; it is ' , '"):
        read()
    monkeypatch.setenv("SOME", "")
    assert read() == []
