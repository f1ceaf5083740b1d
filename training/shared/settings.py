"""Hyperparameters, each written once: meaning and bounds stand with the field, and options and forms are made of it.

The standard library only.
"""

import math
from argparse import ArgumentTypeError
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import MISSING, Field, field, fields
from typing import Any, get_args

KINDS = {int: "a whole number", float: "a number"}


def setting(
    meaning: str,
    default: Any = MISSING,
    *,
    label: str = "",
    least: float | None = None,
    above: float | None = None,
    most: float = math.inf,
    below: float = math.inf,
    choices: Sequence[str] = (),
) -> Any:
    """A field of a dataclass of settings: a number within these bounds, several of them, or one of the choices.

    `meaning` begins in lower case and has no point; `label` is what a page calls it.
    """
    bounds = {"least": least, "above": above, "most": most, "below": below}
    return field(default=default, metadata={"meaning": meaning, "label": label, "choices": choices, **bounds})


def kind(one: Field[Any]) -> type:
    """int, float or str: of the value, of every one of several, or of what may also be None."""
    every: tuple[Any, ...] = (one.type, *get_args(one.type))
    found: type = next(kind for kind in every if kind in (int, float, str))
    return found


def label(one: Field[Any]) -> str:
    return one.metadata["label"] or one.name


def faults(settings: Any) -> list[str]:
    """A sentence for every value that is off its bounds."""
    off = ((one, value) for one, value in _values(settings) if _off(one, value))
    return [f"{label(one)} must be {_allowed(one)}, not {value}." for one, value in off]


def add_setting_arguments(
    parser: Any,
    settings: type,
    *,
    names: Collection[str] = (),
    several: Collection[str] = (),
    with_defaults: bool = True,
) -> None:
    """An option for every setting, or for those `names`. Those of `several` take more than one value.

    `parser` is one or a group of one. Without defaults an option that is not given is None.
    """
    for one in fields(settings):
        if "meaning" not in one.metadata or (names and one.name not in names):
            continue
        meaning, default = one.metadata["meaning"], one.default if with_defaults else None
        is_many = isinstance(default, tuple)
        shown = " ".join(map(str, default)) if isinstance(default, tuple) else default
        parser.add_argument(
            f"--{one.name.replace('_', '-')}",
            type=_reader(one),
            choices=one.metadata["choices"] or None,
            nargs="*" if is_many else "+" if one.name in several else None,
            default=default,
            metavar=None if one.metadata["choices"] else "N",
            help=meaning if default is None or default == "" else f"{meaning} ({shown})",
        )


def _values(settings: Any) -> Iterator[tuple[Field[Any], Any]]:
    for one in (one for one in fields(settings) if "meaning" in one.metadata):
        value = getattr(settings, one.name)
        for single in value if isinstance(value, tuple) else () if value is None else (value,):
            yield one, single


def _off(one: Field[Any], value: Any) -> bool:
    rule = one.metadata
    if kind(one) is str:
        return bool(rule["choices"]) and value not in rule["choices"]
    low = (rule["least"] is None or value >= rule["least"]) and (rule["above"] is None or value > rule["above"])
    # Written so that what is no number is off.
    return not (low and value <= rule["most"] and value < rule["below"])


def _allowed(one: Field[Any]) -> str:
    """`a whole number from 1 to 1,000`, `a number above 0 and below 1`, `one of linear, constant`"""
    rule = one.metadata
    if rule["choices"]:
        return f"one of {', '.join(rule['choices'])}"
    words = [KINDS[kind(one)]]
    words += [f"from {rule['least']:,}"] if rule["least"] is not None else []
    words += [f"above {rule['above']:,}"] if rule["above"] is not None else []
    joined = "to" if rule["least"] is not None else "and at most"
    words += [f"{joined} {rule['most']:,}"] if rule["most"] < math.inf else []
    words += [f"and below {rule['below']:,}"] if rule["below"] < math.inf else []
    return " ".join(words)


def _reader(one: Field[Any]) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            value = kind(one)(text)
        except ValueError:
            value = math.nan
        # The choices are argparse's to refuse.
        if kind(one) is not str and _off(one, value):
            raise ArgumentTypeError(f"{text!r} is not {_allowed(one)}")
        return value

    return read
