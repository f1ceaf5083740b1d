"""The examples in the docstrings of the statistics are true, and every statistic has one."""

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType

import numpy as np
import pytest

from comparison import statistics

MODULES = [module.name for module in pkgutil.walk_packages(statistics.__path__, f"{statistics.__name__}.")]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def examples(module: ModuleType) -> list[doctest.DocTest]:
    # numpy is at hand, as it is for a reader who tries them.
    found = doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs={"np": np})
    return [test for test in found if test.examples]


def has_public_functions(module: ModuleType) -> bool:
    return any(
        found.__module__ == module.__name__ and not name.startswith("_")
        for name, found in inspect.getmembers(module, inspect.isfunction)
    )


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name):
    module = importlib.import_module(name)
    tests = examples(module)
    assert tests or not has_public_functions(module), f"{name} has no example"
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    failed = sum(runner.run(test, out=said.append).failed for test in tests)
    assert not failed, "".join(said)


def test_a_module_without_an_example_would_be_seen():
    module = ModuleType("bare")
    assert examples(module) == []
    assert not has_public_functions(module)
    bare = lambda: None  # noqa: E731
    bare.__module__ = "bare"
    vars(module)["bare"] = bare
    assert has_public_functions(module)
