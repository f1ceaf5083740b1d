"""The API as OpenAPI describes it, with what ninja cannot know: which right an address asks for, and how it refuses."""

from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from annotation.access.matrix import Right
from api.answering.faults import TYPE, Problem
from api.scopes import scope_for

NEEDS = "x-needs-right"
REFUSALS = {
    400: "The body is not valid JSON.",
    401: "No valid token.",
    403: "The token lacks a scope, or its user lacks a right in the study.",
    404: "No such study, or the user cannot see it.",
    409: "The study’s current state does not allow it.",
    412: "It has changed since you read it.",
    413: "The request is too large.",
    415: "The body is not sent as application/json.",
    422: "Problems, by line and field.",
    428: "If-Match is missing.",
    429: "Too many requests within a minute; see Retry-After.",
    503: "A worker could not compute it; see the title.",
}
OF_ALL, OF_WRITING = (401, 403, 404, 422, 429), (400, 409, 413, 415)


def needs(right: Right, *, also: tuple[int, ...] = (), file: str = "") -> dict[str, Any]:
    """For the decorator of an address: the right that it asks for, the refusals that few others have, and of what type
    the file is that it answers with, if it does."""
    return {"openapi_extra": {NEEDS: right.value, "x-refuses": also, "x-file": file}}


class DescribedAPI(NinjaAPI):
    """ninja's, with every refusal in its description."""

    def get_openapi_schema(self, **given: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**given)
        shape = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        shapes = schema["components"].setdefault("schemas", {})
        shapes |= shape.pop("$defs") | {"Problem": shape}
        for methods in schema["paths"].values():
            for method, operation in methods.items():
                _describe(method, operation)
        return schema


def _describe(method: str, operation: dict[str, Any]) -> None:
    right = operation.get(NEEDS)
    if right is not None:
        said = f"Needs the scope `{scope_for(Right(right))}` and the matching right in the study."
        operation["description"] = f"{operation.get('description', '')}\n\n{said}".strip()
    refusals = {*OF_ALL, *(OF_WRITING if method != "get" else ()), *operation.pop("x-refuses", ())}
    if file := operation.pop("x-file", ""):
        held = {file: {"schema": {"type": "string", "contentMediaType": file}}}
        operation["responses"][200] = {"description": "The file.", "content": held}
    content = {TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status in sorted(refusals):
        operation["responses"][status] = {"description": REFUSALS[status], "content": content}
