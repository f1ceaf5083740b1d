"""Hyperparameters, each written once: meaning and bounds stand with the field, and options and forms are made of it;
and whether what is there was made of the same request.
"""

from argparse import ArgumentTypeError
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields
from typing import Any, get_args


def setting(
    meaning: str,
    read: Callable[[str], Any],
    default: Any = MISSING,
    *,
    label: str = "",
    choices: Sequence[str] = (),
    metavar: str = "N",
) -> Any:
    """A field of a dataclass of settings: a value that `read` gives, several of them, or one of the choices.

    `meaning` begins in lower case and has no point; `label` is what a page calls it, `metavar` what stands for a value
    in a command's help.
    """
    metadata = {"meaning": meaning, "read": read, "label": label, "choices": choices, "metavar": metavar}
    return field(default=default, metadata=metadata)


def is_whole(one: Field[Any]) -> bool:
    """Whether it is a whole number, or may be one."""
    return int in (one.type, *get_args(one.type))


def label(one: Field[Any]) -> str:
    return one.metadata["label"] or one.name


def faults(settings: Any) -> list[str]:
    """A sentence for every value that cannot be."""
    return [f"{label(one)}: {fault}." for one, value in _values(settings) if (fault := _fault(one, value))]


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
    for one in _settings(settings):
        if names and one.name not in names:
            continue
        meaning, default = one.metadata["meaning"], one.default if with_defaults else None
        is_many = isinstance(default, tuple)
        default_text = " ".join(map(str, default)) if isinstance(default, tuple) else default
        parser.add_argument(
            f"--{one.name.replace('_', '-')}",
            type=one.metadata["read"],
            choices=one.metadata["choices"] or None,
            nargs="*" if is_many else "+" if one.name in several else None,
            default=default,
            metavar=None if one.metadata["choices"] else one.metadata["metavar"],
            help=meaning if default is None or default == "" else f"{meaning} ({default_text})",
        )


def _settings(settings: Any) -> Iterator[Field[Any]]:
    return (one for one in fields(settings) if "meaning" in one.metadata)


def _values(settings: Any) -> Iterator[tuple[Field[Any], Any]]:
    for one in _settings(settings):
        value = getattr(settings, one.name)
        for single in value if isinstance(value, tuple) else () if value is None else (value,):
            yield one, single


def _fault(one: Field[Any], value: Any) -> str:
    choices = one.metadata["choices"]
    if choices and value not in choices:
        return f"{value!r} is not one of {', '.join(choices)}"
    try:
        one.metadata["read"](str(value))
    except ArgumentTypeError as error:
        return str(error)
    return ""


def differing(existing: Mapping[str, Any], requested: Mapping[str, Any]) -> str:
    """`its settings and sources differ`; empty where they are the same request."""
    names = [name for name in requested if existing.get(name) != requested[name]]
    return f"its {' and '.join(names)} differ" if names else ""
