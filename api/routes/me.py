"""What the token is that was shown."""

from django.http import HttpResponse
from ninja import Router

from api.answering.documents import document
from api.caller import ApiRequest
from api.routes.shapes import TokenOut

router = Router(tags=["token"])


@router.get("/token", response=TokenOut, summary="The token that is shown")
def api_token(request: ApiRequest) -> HttpResponse:
    return document(request, TokenOut.of(request.auth.token).plain())
