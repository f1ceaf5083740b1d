"""The OpenAPI description of the API, in the parts that its page shows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.safestring import SafeString

from annotation.views.wording import rendered
from api.answering.schema import NEEDS
from api.v1 import api

METHODS = ("get", "post", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: str
    words: str
    required: bool


@dataclass(frozen=True, slots=True)
class Address:
    """`words` are Markdown as read; `sent` and `answered` name a shape; empty where there is none."""

    method: str
    path: str
    summary: str
    words: SafeString
    right: str
    parameters: tuple[Field, ...]
    sent: str
    answered: str
    refusals: tuple[tuple[int, str], ...]

    @property
    def anchor(self) -> str:
        return f"{self.method}-{self.path.strip('/').replace('/', '-').replace('{', '').replace('}', '')}"


@dataclass(frozen=True, slots=True)
class ShapeOf:
    name: str
    words: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Description:
    words: SafeString
    groups: tuple[tuple[str, tuple[Address, ...]], ...]
    shapes: tuple[ShapeOf, ...]


@cache
def read_description() -> Description:
    schema = api.get_openapi_schema()
    found: dict[str, list[Address]] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if operation := methods.get(method):
                found.setdefault(operation["tags"][0], []).append(_address(method, path, operation))
    shapes = sorted(schema["components"]["schemas"].items())
    return Description(
        words=rendered(schema["info"]["description"]),
        groups=tuple((name, tuple(addresses)) for name, addresses in found.items()),
        shapes=tuple(ShapeOf(name, shape.get("description", ""), tuple(_fields(shape))) for name, shape in shapes),
    )


def _address(method: str, path: str, operation: Mapping[str, Any]) -> Address:
    answers = operation["responses"].items()
    done: Mapping[str, Any] = next((answer for status, answer in answers if int(status) < 300), {})
    return Address(
        method=method,
        path=path,
        summary=operation["summary"],
        words=rendered(operation.get("description", "")),
        right=operation.get(NEEDS, ""),
        parameters=tuple(
            Field(one["name"], _type(one["schema"]), one.get("description", ""), one.get("required", False))
            for one in operation["parameters"]
        ),
        sent=_shape_in(operation.get("requestBody", {})),
        answered=_shape_in(done),
        refusals=tuple((int(status), answer["description"]) for status, answer in answers if int(status) >= 300),
    )


def _shape_in(holder: Mapping[str, Any]) -> str:
    for kind, content in holder.get("content", {}).items():
        return _type(content["schema"]) if "schema" in content else str(kind)
    return ""


def _fields(shape: Mapping[str, Any]) -> Iterator[Field]:
    required = shape.get("required", ())
    for name, field in shape.get("properties", {}).items():
        yield Field(name, _type(field), field.get("description", ""), name in required)


def _type(schema: Mapping[str, Any]) -> str:
    """In words: `text`, `list of Fault`, `number or null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(str(one) or "empty" for one in schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    kind = str(schema.get("type", "any value"))
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "string" and schema.get("format"):
        return str(schema["format"])
    return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(kind, kind)
