"""Every address as each role, as a researcher who has none here, as a superuser and as nobody."""

import html
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.urls import get_resolver, reverse

from annotation.access.matrix import RIGHTS, Right, Role, roles_with
from annotation.audit.deeds import Deed
from annotation.models import Act
from tests.house.addresses import patterns
from tests.house.sources import ROOT
from tests.house.walk.cast import FOREIGN, NOBODY, OTHERS_SLUG, PLANTED, STRANGER, SUPERUSER, Answer, Cast, found_in
from tests.house.walk.rights import (
    BEYOND,
    BY_TOKEN,
    FILES,
    FOR_ALL,
    IN_A_STUDY,
    LOOKED_AT,
    OF_A_JOB,
    OF_A_SECOND_FACTOR,
    OF_A_TOKEN,
    OF_A_TRAINING,
    OF_AN_UPLOAD,
    OF_EDITORS,
    OF_ONES_OWN,
    OF_THE_INSTALLATION,
    OF_TWO_STUDIES,
    OPEN,
    as_markdown,
)

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

EVERYBODY = (*Role, STRANGER, SUPERUSER, NOBODY)
METHODS = ("get", "post")
# It was done, or the form that was sent empty is shown again with what it lacks.
LET_IN = {200, 204, 302, 303, 400, 409, 422}
NOT_TAKEN = 405


def asked(cast: Cast, who: str, method: str, address: str) -> Answer:
    """The answer; what was done is undone. Each is asked for once, whatever the tests look for in it."""
    key = (str(who), method, address)
    if key not in cast.answers:
        with transaction.atomic():
            answer = getattr(cast.clients[who], method)(address)
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            acts = tuple(Act.objects.filter(pk__gt=cast.last_act).values_list("deed", "who", "study_pk"))
            transaction.set_rollback(True)
        status, headers = answer.status_code, answer.headers
        cast.answers[key] = Answer(
            status, headers.get("Location", ""), headers.get("Cache-Control", ""), body=body, acts=acts
        )
    return cast.answers[key]


def expected(name: str, method: str, who: str) -> str:
    """`login`, `let in`, `not found` or the right that is missing."""
    if who == NOBODY:
        return "login"
    if name in OF_AN_UPLOAD | OF_A_SECOND_FACTOR:
        return "not found"
    if name in OF_A_TOKEN:
        return "let in" if who == Role.OWNER else "not found"
    if name in FOR_ALL | OF_ONES_OWN or who == SUPERUSER:
        return "let in"
    if name in OF_THE_INSTALLATION:
        return "kept for those who may"
    if name in OF_A_JOB | OF_A_TRAINING | OF_TWO_STUDIES:
        return "let in" if who == Role.OWNER else "not found"
    if who == STRANGER:
        return "not found"
    right = IN_A_STUDY[name][METHODS.index(method)]
    assert right is not None, f"{name} takes no {method}"
    return "let in" if who in roles_with(right) else right


def was(answer: Answer) -> str:
    status = answer.status
    if status == 302 and urlsplit(answer.location).path == "/login/":
        return "login"
    if status in LET_IN:
        return "let in"
    if status == 404:
        return "not found"
    said = html.unescape(answer.body.decode())
    if status == 403 and "Only superusers" in said:
        return "kept for those who may"
    missing = re.search(r"You can see The walk-one study, but you cannot (.+)\. .*owner-of-walk", said)
    words = {granted.words: right for right, granted in RIGHTS.items()}
    return words[missing[1]] if status == 403 and missing else f"{status}: {said[:200]}"


def takes(cast: Cast, name: str, method: str, address: str) -> bool:
    """Whether the address takes such requests at all: within a study as `rights` says, elsewhere as it answers."""
    if name in IN_A_STUDY:
        return IN_A_STUDY[name][METHODS.index(method)] is not None
    return asked(cast, SUPERUSER, method, address).status != NOT_TAKEN


def test_every_address_says_what_it_asks_for():
    there = {name for name, _ in patterns(get_resolver())}
    named = {name.partition(" ")[0] for name in IN_A_STUDY}
    assert there == named | BEYOND, "Say in tests/house/walk/rights.py what a new address asks for."
    assert not named & BEYOND


def test_every_address_is_walked(cast):
    walked = {name for name, _ in cast.addresses}
    assert walked == set(IN_A_STUDY) | (BEYOND - OPEN - BY_TOKEN), "Say in tests/house/walk/cast.py where it leads."


def test_the_docs_say_what_each_address_asks_for():
    assert f"\n{as_markdown()}\n" in (ROOT / "docs" / "rights.md").read_text()


@pytest.mark.parametrize("who", EVERYBODY)
def test_every_address_answers_as_the_matrix_says(cast, who):
    wrong = [
        f"{method} {address}: {found}, and should be: {right}"
        for name, address in cast.addresses
        for method in METHODS
        if takes(cast, name, method, address)
        and (found := was(asked(cast, who, method, address))) != (right := expected(name, method, who))
    ]
    assert not wrong, "\n".join(wrong)


def test_no_answer_may_be_kept_by_a_cache(cast):
    given = {address: asked(cast, Role.OWNER, "get", address) for name, address in cast.addresses}
    assert [address for address, answer in given.items() if "no-store" not in answer.cache] == []


@pytest.mark.parametrize("who", [*Role, STRANGER, SUPERUSER])
def test_what_an_address_does_not_take_it_takes_of_nobody(cast, who):
    for name, address in cast.addresses:
        for method in METHODS:
            if not takes(cast, name, method, address):
                assert asked(cast, who, method, address).status == NOT_TAKEN, (method, address)


def seen(cast: Cast, who: str, words: set[str]) -> Iterator[tuple[str, str]]:
    """(word, address) of these wherever they stand in what is answered, inside of archives too."""
    for name, address in cast.addresses:
        for method in METHODS:
            if takes(cast, name, method, address):
                body = asked(cast, who, method, address).body
                yield from ((word, f"{method} {address}") for word in found_in(body, words))


def test_an_analyst_sees_nowhere_who_somebody_is(cast):
    found = [f"{word}: {where}" for word, where in seen(cast, Role.ANALYST, set(PLANTED.values()))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("who", [Role.OWNER, Role.EDITOR])
def test_who_may_see_it_does(cast, who):
    """Else the search would find nothing wherever it looked."""
    assert {word for word, _ in seen(cast, who, set(PLANTED.values()))} == set(PLANTED.values())


@pytest.mark.parametrize("who", Role)
def test_nobody_sees_a_study_of_somebody_else(cast, who):
    found = [f"{where}" for _, where in seen(cast, who, {FOREIGN})]
    assert not found, "\n".join(found)


def test_who_has_both_finds_it_on_every_page_that_goes_across_studies(cast):
    """Else nobody could have seen it there anyway."""
    places = {where for _, where in seen(cast, SUPERUSER, {FOREIGN})}
    across = [reverse(name) for name in ("studies", "models", "two_studies", "trainings", "trainings_table")]
    across += [reverse("variants", args=["walk-one", "target-1"]), reverse("variants_file", args=["walk-one"])]
    assert {f"get {address}" for address in across} <= places


@pytest.mark.parametrize("who", [*Role, STRANGER])
@pytest.mark.parametrize("address", ["/models/studies/", "/models/studies/items.csv", "/models/studies/figures.csv"])
def test_a_study_of_somebody_else_is_not_set_beside_ones_own(cast, who, address):
    asking = f"{address}?a=walk-one&b={OTHERS_SLUG}"
    assert asked(cast, who, "get", asking).status == 404
    assert asked(cast, SUPERUSER, "get", asking).status == 200


def test_no_filter_of_an_address_gives_an_analyst_names(cast):
    """What decides whether names are shown is an address's too, for those who may see them."""
    for name, address in cast.addresses:
        if name not in IN_A_STUDY or not takes(cast, name, "get", address):
            continue
        queries = ["anonymous=no"]
        # In other words too where there are names to show.
        if found_in(asked(cast, Role.OWNER, "get", address).body, set(PLANTED.values())):
            queries += ["anonymous=", "anonymous=yes&anonymous=no"]
        for query in queries:
            body = asked(cast, Role.ANALYST, "get", f"{address}?{query}").body
            assert not found_in(body, set(PLANTED.values())), (address, query)


@pytest.mark.parametrize("who", [Role.OWNER, Role.ANALYST])
def test_what_is_given_away_is_kept_and_what_is_looked_at_is_not(cast, who):
    given_away, looked_at = set(), set()
    for name, address in cast.addresses:
        if name not in IN_A_STUDY or IN_A_STUDY[name][0] is None:
            continue
        answer = asked(cast, who, "get", address)
        if answer.status != 200:
            assert not answer.acts, address
        elif name in FILES:
            assert answer.acts == (("exported", f"{who}-of-walk", cast.study.pk),), address
            given_away.add(name)
        elif name == "setup_preview_at":
            # The last page of a preview is how one has been through it.
            assert [deed for deed, _, _ in answer.acts] in ([], [Deed.PREVIEWED]), address
        elif name in LOOKED_AT:
            assert not answer.acts, address
            looked_at.add(name)
    assert given_away == (FILES if who == Role.OWNER else FILES - OF_EDITORS)
    assert looked_at


def test_rights_of_the_table_are_those_there_are():
    assert {right for pair in IN_A_STUDY.values() for right in pair if right} == set(Right)
