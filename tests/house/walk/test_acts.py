"""Every address that changes something in a study, or gives a file of it away, leaves an act of who did it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse

from annotation.access.matrix import Role
from annotation.audit.deeds import Deed
from annotation.lifecycle.status import close_study
from annotation.models import Act, Item, Study
from annotation.quality.exclusion import reinstate
from scoring.library.installation import install_baselines
from scoring.runs import starting
from tests.house.walk.cast import IMPOSSIBLE, STRANGER, Cast
from tests.house.walk.rights import FILES, IN_A_STUDY

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

Values = Mapping[str, Any]
Asked = Callable[[Study, Client], Values]


@dataclass(frozen=True)
class Doing:
    """`rest` is what the address has behind the slug, `sent` what is sent there, after `before` was done."""

    deed: Deed
    rest: Callable[[Study], tuple[object, ...]] = lambda study: ()
    sent: Asked = lambda study, client: {}
    before: Callable[[Study], object] = field(default=lambda study: None)


def given(**values: Any) -> Asked:
    return lambda study, client: values


def typed(address: str, **changed: Any) -> Asked:
    """What the form of that page holds, with these changes."""

    def read(study: Study, client: Client) -> Values:
        name, _, rest = address.partition(" ")
        form = client.get(reverse(name, args=[study.slug, *rest.split()])).context["form"]
        shown = {one.html_name: one.value() for one in form}
        return {name: value for name, value in shown.items() if value is not None and value is not False} | changed

    return read


def link(study: Study) -> tuple[object, ...]:
    return (study.links.get().pk,)


def kept(study: Study) -> tuple[object, ...]:
    return (study.annotator_numbers.get(annotator=study.sittings.order_by("pk")[0].annotator).number,)


def out(study: Study) -> tuple[object, ...]:
    return (study.annotator_numbers.get(annotator=study.exclusions.get().annotator).number,)


def brought(study: Study) -> tuple[object, ...]:
    return (study.runs.get(model__is_imported=True).pk,)


def own(study: Study) -> tuple[object, ...]:
    return (study.runs.filter(model__key="parrot").get().pk,)


def undecided(study: Study, client: Client) -> Values:
    return {"do": "take_back", "sitting": [study.sittings.get(payment="approved").token]}


def named(study: Study, client: Client) -> Values:
    """What has to be typed to erase somebody, or to exclude them."""
    return {"typed": f"a{kept(study)[0]}", "reason": "asked for it"}


def baselines(study: Study) -> None:
    install_baselines()


def all_in(study: Study) -> None:
    """An item is decided once it has all its labels."""
    reinstate(study.exclusions.get())


def live(study: Study) -> None:
    study.runs.filter(model__key="parrot").update(state="running")


POSTS: dict[str, Doing] = {
    "members": Doing(Deed.ROLE_GIVEN, sent=given(user="q7zforeign-researcher", role="analyst")),
    "invite": Doing(Deed.INVITED, sent=given(address="new@example.org", role="analyst")),
    "invitation_withdraw": Doing(Deed.INVITATION_WITHDRAWN, lambda study: (study.invitations.all()[0].pk,)),
    "shares": Doing(Deed.SHARED, sent=given(name="for readers")),
    "share_end": Doing(Deed.SHARE_ENDED, lambda study: (study.shares.get().pk,)),
    "webhooks": Doing(Deed.WEBHOOK_ADDED, sent=given(address="https://hooks.example.org/new", events=["run.finished"])),
    "webhook_remove": Doing(Deed.WEBHOOK_REMOVED, lambda study: (study.webhooks.get().pk,)),
    "member_remove": Doing(Deed.ROLE_TAKEN, sent=given(user="analyst-of-walk")),
    "study_duplicate": Doing(Deed.COPIED, sent=given(slug="walk-copied", title="A copy")),
    "setup_part": Doing(Deed.CHANGED, lambda study: ("information",), typed("setup_part information", title="Other")),
    "setup_row_new": Doing(
        Deed.CHANGED,
        lambda study: ("comprehension",),
        typed("setup_row_new comprehension", question="Now?", option_1="Yes", option_2="No", right="1"),
    ),
    "setup_preview_at": Doing(Deed.PREVIEWED, lambda study: ("target",), given(position="1", answer=IMPOSSIBLE)),
    "study_tags": Doing(Deed.TAGGED, sent=given(tags="lamps")),
    "study_archive": Doing(Deed.ARCHIVED, before=close_study),
    "study_restore": Doing(
        Deed.RESTORED,
        before=lambda study: Study.objects.filter(pk=study.pk).update(state="closed", archived_at="2026-01-01T00:00Z"),
    ),
    "study_open": Doing(Deed.OPENED, before=close_study),
    "study_close": Doing(Deed.CLOSED),
    "link_add": Doing(Deed.LINK_ADDED, sent=given(name="lab")),
    "link_expire": Doing(Deed.LINK_EXPIRED, link),
    "link_limit": Doing(Deed.LINK_LIMITED, link, given(max_starts="3")),
    "personal_links": Doing(Deed.PERSONAL_LINKS, link, given(ids="one\ntwo")),
    "barred": Doing(Deed.BARRED, sent=lambda study, client: {"file": SimpleUploadedFile("ids.txt", b"one\ntwo\n")}),
    "barred_clear": Doing(Deed.CLEARED, before=lambda study: study.barred_ids.create(key="k")),
    "payment": Doing(Deed.PAYMENT_DECIDED, sent=undecided),
    "payment_text": Doing(Deed.HANDED_OVER, lambda study: ("bonuses",)),
    "ids_forget": Doing(Deed.IDS_FORGOTTEN, sent=lambda study, client: {"typed": study.slug}),
    "person": Doing(Deed.ERASED, kept, named),
    "annotator_exclude": Doing(Deed.EXCLUDED, kept, named),
    "annotator_reinstate": Doing(Deed.REINSTATED, out),
    "run_start": Doing(Deed.RUN_STARTED, sent=given(choice="random label"), before=baselines),
    "runs_stop": Doing(Deed.RUN_STOPPED, before=live),
    "run_stop": Doing(Deed.RUN_STOPPED, own, before=live),
    "run_name": Doing(Deed.RUN_NAMED, own, sent=given(name="Polly")),
    "run_remove": Doing(Deed.RUN_REMOVED, brought),
    "adjudication": Doing(Deed.DECIDED, sent=typed("adjudication", decision=f"label:{IMPOSSIBLE}"), before=all_in),
    "revision": Doing(Deed.REWORDED, lambda study: ("target-7",), typed("revision target-7", original="A new lamp.")),
}
# Addresses of which nothing is kept, or not here, and why.
NOTHING_DONE = {
    "setup_preview_beside": "a preview stores nothing",
    "webhook_test": "a message says that it is a test; it stands among the deliveries",
    "report": "a file is made on the server; taking it is kept",
    "aggregate": "figures are computed; nothing of the study changes",
}
ELSEWHERE = {
    "label_files": "is done by a job: tests/researcher/jobs/test_acts.py",
    "score_files": "is done by a job: tests/researcher/jobs/test_acts.py",
    "setup_gold": "needs a draft and a pilot: tests/annotation/audit/test_acts.py",
    "study_delete": "takes its report from the disk, for all tests: tests/annotation/audit/test_acts.py",
    "item_edit": "needs a draft: tests/annotation/audit/test_acts.py",
    "item_new": "needs a draft: tests/annotation/audit/test_acts.py",
    "items_remove": "needs a draft without labels: tests/annotation/audit/test_acts.py",
    "items_correct": "needs a draft of options: tests/annotation/drafting/test_correct.py",
    "items_gold": "goes by the same verb as item_edit",
    "items_back": "goes by the same verb as item_new",
    "items_file_add": "is an upload; what is then added goes by the same verb as item_new",
    "setup_row_back": "needs a question that was taken out: it goes by the same verb as setup_part",
    "setup_row": "goes by the same verb as setup_part",
    "setup_row_move": "goes by the same verb as setup_part",
    "study_unlock": "needs a study without batches: tests/annotation/audit/test_acts.py",
    "synthetic_add": "is done by the worker: tests/annotation/audit/test_acts.py",
    "synthetic_remove": "needs a study of synthetic annotators: tests/annotation/audit/test_acts.py",
}


@pytest.fixture(autouse=True)
def no_queue(monkeypatch):
    monkeypatch.setattr(starting, "send", lambda chunks: None)


@pytest.fixture(autouse=True)
def a_host(settings):
    settings.WEBHOOK_HOSTS = ["hooks.example.org"]


def test_it_is_known_of_every_address_that_takes_something():
    taking = {name for name, (_, send) in IN_A_STUDY.items() if send}
    known = [*POSTS, *NOTHING_DONE, *ELSEWHERE]
    assert taking == set(known), "Say in this file which act a new address leaves, or why it leaves none."
    assert len(known) == len(taking)
    assert {name for name in IN_A_STUDY if name.endswith("file")} <= FILES | {"two_studies_file"}


@pytest.mark.parametrize("name", POSTS)
def test_what_is_done_is_kept_with_who_did_it(cast: Cast, name: str):
    doing, study = POSTS[name], Study.objects.get(pk=cast.study.pk)
    client = cast.clients[Role.OWNER]
    with transaction.atomic():
        doing.before(study)
        sent = doing.sent(study, client)
        last = Act.objects.latest("pk").pk
        answer = client.post(reverse(name, args=[study.slug, *doing.rest(study)]), sent)
        said = answer.content.decode()[-3000:] if answer.status_code >= 400 else ""
        acts = list(Act.objects.filter(study_pk=study.pk, pk__gt=last))
        transaction.set_rollback(True)
    assert doing.deed in [act.deed for act in acts], f"{answer.status_code}: {said}"
    assert {(act.who, act.via) for act in acts} == {("owner-of-walk", "page")}


def test_an_act_holds_nothing_of_an_excluded_annotator_but_a_number(cast: Cast):
    act = Act.objects.get(study_pk=cast.study.pk, deed=Deed.EXCLUDED)
    assert act.subject == f"a{out(cast.study)[0]}"
    assert Item.objects.filter(study=cast.study).exists()
    assert (act.facts, act.for_editors) == ({}, {})
    assert STRANGER not in act.who
