"""Version 1 of the API: which addresses there are, and how all of them answer."""

from django.http import HttpResponse
from ninja import Router

from api.answering.body import StrictJson
from api.answering.documents import document
from api.answering.faults import add_handlers
from api.answering.schema import DescribedAPI
from api.caller import ApiRequest, Token
from api.routes import collecting, items, labels, results, runs, setup, studies
from api.routes.shapes import TokenOut

router = Router(tags=["token"])

ABOUT = """Studies, items, labels, runs, scores, statistics and verdicts for programs.

Send a token in the header `Authorization: Bearer plx_…`. It acts as its user, within its scopes. Lists are paged: pass
`next` of one page as `cursor` to get the next. All errors have the same form and list problems by line and field."""
api = DescribedAPI(
    title="Parallax",
    version="1",
    description=ABOUT,
    urls_namespace="api",
    docs_url=None,
    openapi_url="/openapi.json",
    auth=Token(),
    parser=StrictJson(),
)


@router.get("/token", response=TokenOut, summary="The token in use")
def api_token(request: ApiRequest) -> HttpResponse:
    return document(request, TokenOut.of(request.auth.token).plain())


add_handlers(api)


for part in (router, *(room.router for room in (studies, setup, items, collecting, labels, runs, results))):
    api.add_router("", part)
