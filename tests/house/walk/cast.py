"""A study with everything in it, one of somebody else with a slug much like it, and all who look at them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from pyarrow import BufferReader
from pyarrow.parquet import read_table

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import give, invite
from annotation.access.sharing import make_share
from annotation.elsewhere.label_import import import_labels
from annotation.itemfile import ItemRow
from annotation.loading import load_study
from annotation.models import (
    Act,
    Exclusion,
    ItemReport,
    PaymentDecision,
    PlatformId,
    QuestionnaireAnswers,
    Sitting,
    Study,
)
from annotation.quality.exclusion import evidence, exclude
from api.models import make_token
from comparison.exported import make_report
from comparison.exports.registry import FILES
from comparison.frame.filters.selection import Selection
from researcher.construction_figures import figures_of_build, keep_figures
from researcher.jobs.folder import receive
from researcher.models import Job
from researcher.setup.parts import PARTS as SETUP_PARTS
from researcher.setup.preview import aside_of, walk_of
from researcher.studies.current_figures import read_shown_part
from researcher.views.comparison import PARTS
from scoring.imported.importing import Stated, import_scores
from scoring.imported.reading import Reading
from tests.annotation.stages.whole import STAGES
from tests.comparison.cast import give_labels, give_run
from tests.house.walk.rights import OF_A_SECOND_FACTOR, OF_ONES_OWN
from tests.researcher.construction_figures.cast import FIGURES
from tests.studies import plausibility_row, write_study
from tests.training.classifier.cast import give_training
from training.models import Training

IMPOSSIBLE, LESS, EQUAL = "impossible", "less_likely", "equally_likely"
CURVES = {
    "loss": [[4, 1.5], [8, 1.0], [12, 0.5]],
    "held_out": [{"epoch": 1, "step": 6, "accuracy": 0.6, "loss": 0.9}],
}
# What stands in the study of who somebody is, or may say so.
PLANTED = {
    "a platform's id": "5f1d-planted-id",
    "a name in a label file": "5f1d-planted-name",
    "a report in an annotator's words": "5f1d-planted-report",
    "an answer in an annotator's words": "5f1d-planted-answer",
    "why a researcher excluded somebody": "5f1d-planted-reason",
    "what a rejected annotator was told": "5f1d-planted-message",
    "what a bonus was given for": "5f1d-planted-bonus",
}
# What stands in every name and text of the other study.
FOREIGN = "q7zforeign"
OTHERS_SLUG = f"walk-{FOREIGN}"
# Who looks: the roles, one who has none here but owns the other study, one who sees all, and nobody.
STRANGER, SUPERUSER, NOBODY = "stranger", "superuser", "nobody"


@dataclass(frozen=True)
class Cast:
    """`addresses` are (name as in `rights`, address); `answers` is what was answered to whom, method and address."""

    study: Study
    addresses: list[tuple[str, str]]
    clients: dict[str, Client]
    # The number of the last act that was kept while all of this was made.
    last_act: int
    answers: dict[tuple[str, str, str], "Answer"] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    status: int
    location: str
    cache: str
    body: bytes
    # What was kept of it: the deed, who did it, and in which study.
    acts: tuple[tuple[str, str, int | None], ...] = ()


def make_cast(folder: Path) -> Cast:
    users = {role.value: User.objects.create_user(f"{role.value}-of-walk") for role in Role}
    users[STRANGER] = User.objects.create_user(f"{FOREIGN}-researcher")
    users[SUPERUSER] = User.objects.create_superuser("root")
    study = full_study(folder / "one", by=users[Role.OWNER])
    for role in Role:
        give(study, users[role], role)
    invite(study, "zoe@example.org", Role.EDITOR, by=users[Role.OWNER])
    other = others_study(folder / "other", owner=users[STRANGER])
    second = small(folder / "second", "walk-two")
    give(second, users[Role.OWNER], Role.OWNER)
    training = trained("walked", study, owner=users[Role.OWNER])
    trained(FOREIGN, other, owner=users[STRANGER])
    token = make_token(users[Role.OWNER], name="walk", scopes=["read"]).token
    make_report(study)
    clients = {NOBODY: Client()}
    for name, user in users.items():
        clients[name] = Client()
        clients[name].force_login(user)
    found = [(name, reverse(name.partition(" ")[0], args=[study.slug, *rest])) for name, rest in within(study)]
    job = Job.objects.create(kind="construction", key="agreement", owner=users[Role.OWNER], state="failed")
    labels = Job.objects.create(
        kind="labels", key="table", owner=users[Role.OWNER], study=study, state="prepared", given={"source": "them"}
    )
    receive(labels, {"labels": [ContentFile(b"item,annotator,label\ntarget-1,anna,equally_likely\n", name="l.csv")]})
    scores = Job.objects.create(
        kind="scores", key="table", owner=users[Role.OWNER], study=study, state="prepared", given={"source": "them"}
    )
    receive(scores, {"scores": [ContentFile(b"item,label\ntarget-1,equally_likely\n", name="s.csv")]})
    found.append(("label_columns", reverse("label_columns", args=[study.slug, labels.pk])))
    found.append(("score_columns", reverse("score_columns", args=[study.slug, scores.pk])))
    return Cast(
        study, found + list(beyond(study, second, training, job, token.pk)), clients, Act.objects.latest("pk").pk
    )


def small(folder: Path, slug: str, *, word: str = "") -> Study:
    """Two items that are in the full study as well, under the same ids, and as another variant of the same."""
    rows = [row(number, variant="short") for number in (1, 2)]
    if word:
        rows = [
            ItemRow(one.id, one.content | {"modified": f"A broken {word} lights the hall."}, attributes=one.attributes)
            for one in rows
        ]
    path = write_study(folder, rows, slug=slug)
    study = load_study(path, open_study=True).study
    give_labels(study, [(one.id, name, LESS) for one in rows for name in ("p0", "p1")])
    give_run(study, [(one.id, LESS, 1.0, "") for one in rows], key="parrot")
    return study


def row(number: int, **more: str) -> ItemRow:
    made = plausibility_row(number, reference=LESS if number % 2 else EQUAL)
    attributes = {"variant": more.get("variant", "long"), "length": str(number)}
    return ItemRow(
        made.id, made.content, made.kind, made.reference, attributes=attributes, revise=more.get("revise", "")
    )


def full_study(folder: Path, *, by: User) -> Study:
    rows = [row(number) for number in range(1, 7)] + [row(7, revise="Is it a lamp?")]
    rows += [plausibility_row(1, kind=kind, reference=IMPOSSIBLE) for kind in ("practice", "gold", "attention")]
    asked = {"labels_per_item": 4, "sitting_length": 6, "attention_per_sitting": 1, "gold_per_sitting": 1}
    write_study(folder, rows, slug="walk-one", collection=asked, page={"report_problem": True, "cannot_judge": True})
    with (folder / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write(STAGES)
    study = load_study(folder, open_study=True).study
    # Of the first item two say this and two that, so that it can be adjudicated.
    labels = [(f"target-{n}", who, LESS if n > 1 else EQUAL) for n in range(1, 7) for who in ("p0", "p1")]
    give_labels(study, labels)
    lines = [f"target-{n},{PLANTED['a name in a label file']}-{who},{LESS}" for n in range(1, 7) for who in (1, 2)]
    (folder / "labels.csv").write_text("\n".join(["item,annotator,label", *lines]) + "\n", encoding="utf-8")
    import_labels(study, folder / "labels.csv")
    study.refresh_from_db()
    say_who_they_are(study, by=by)
    score(study)
    keep_figures(study, FIGURES)
    return study


def say_who_they_are(study: Study, *, by: User) -> None:
    """Everything that is kept of people, with words of theirs and about them."""
    first, second = study.sittings.filter(source=None).order_by("pk")
    PlatformId.objects.create(study=study, annotator=first.annotator, value=PLANTED["a platform's id"])
    QuestionnaireAnswers.objects.create(
        sitting=first, answers={"comment": PLANTED["an answer in an annotator's words"], "device_sound": "Yes"}
    )
    item = study.items.get(external_id="target-2")
    ItemReport.objects.create(sitting=first, item=item, text=PLANTED["a report in an annotator's words"])
    PaymentDecision.objects.create(
        sitting=second, payment="rejected", reason="other", message=PLANTED["what a rejected annotator was told"], by=by
    )
    Sitting.objects.filter(pk=second.pk).update(payment="rejected")
    PaymentDecision.objects.create(
        sitting=first, payment="approved", bonus=1, bonus_reason=PLANTED["what a bonus was given for"], by=by
    )
    Sitting.objects.filter(pk=first.pk).update(payment="approved")
    out = study.sittings.exclude(source=None).order_by("pk").last()
    assert out is not None
    reason = {"reason": PLANTED["why a researcher excluded somebody"], "by": by.get_username()}
    found = evidence(study, out.annotator).as_json()
    exclude(study, out.annotator, rule=Exclusion.Rule.RESEARCHER, evidence=found | reason)


def score(study: Study) -> None:
    targets = [f"target-{n}" for n in range(1, 8)]
    give_run(study, [(name, LESS, float(at), "") for at, name in enumerate(targets)], key="parrot")
    give_run(study, [(name, EQUAL, -float(at), "") for at, name in enumerate(targets)], key="owl")
    imported(study, "brought")


def imported(study: Study, name: str) -> None:
    lines = [
        "item,label,score",
        *(f"{item},{LESS},1" for item in study.items.targets().values_list("external_id", flat=True)),
    ]
    import_scores(
        study,
        "\n".join(lines).encode(),
        name=f"{name}.csv",
        stated=Stated(name, "label", f"by {name}"),
        reading=Reading((("item", "item"), ("label", "label"), ("score", "score"))),
    )


def others_study(folder: Path, *, owner: User) -> Study:
    study = small(folder, OTHERS_SLUG, word=FOREIGN)
    give(study, owner, Role.OWNER)
    imported(study, f"{FOREIGN}-model")
    # Somebody's own scores may have the name that others chose.
    imported(study, "brought")
    return study


def trained(name: str, study: Study, *, owner: User) -> Training:
    """A training on the study with a model that has answered there."""
    run = give_run(study, [("target-1", LESS, 1.0, ""), ("target-2", LESS, 1.0, "")], key=name, family="classifier")
    training = give_training(
        name, state="finished", accuracy=0.6, epoch=1, step=12, curves=CURVES, model=run.model, studies=[study.slug]
    )
    training.owners.add(owner)
    return training


# Addresses without a slug and anything else.
OF_ALL = (
    "studies",
    "models",
    "model_add",
    "endpoint_ask",
    "docs_shelf",
    "glossary",
    "trainings",
    "trainings_table",
    "tokens",
    "api_addresses",
    "constructions",
    "data_sets",
    "jobs",
    "system",
)
# Addresses that have nothing behind the slug.
BY_SLUG = (
    "study", "members", "member_remove", "invite", "setup", "setup_file", "setup_items_file", "study_folder",
    "study_hash", "study_duplicate", "setup_gold", "setup_preview", "new_study_done",
    "items", "items_remove", "items_gold", "items_back", "items_correct", "item_new",
    "items_file_add", "study_delete", "history", "history_file", "shares", "webhooks", "made",
    "study_tags", "study_archive", "study_restore", "study_open", "study_close", "study_unlock", "link_add",
    "barred", "barred_clear",
    "label_files", "score_files", "score_files_moved",
    "payment", "ids_forget", "synthetic_add", "synthetic_remove", "runs", "runs_new", "run_start",
    "runs_stop", "two_runs",
    "results", "report", "report_file", "what_if", "planning", "aggregate", "adjudication", "revisions",
    "variants_file", "dataset", "annotators", "links", "bring_in",
)  # fmt: skip


def within(study: Study) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Name as in `rights`, and what the address has behind the slug."""
    link, run = study.links.get().pk, study.runs.order_by("pk").first()
    brought = study.runs.get(model__is_imported=True).pk
    kept, out = study.sittings.order_by("pk").first(), study.exclusions.get()
    assert run is not None and kept is not None
    numbers = study.annotator_numbers.by_annotator()
    yield from ((name, ()) for name in BY_SLUG)
    for step in (*walk_of(study), *aside_of(study)):
        yield "setup_preview_at", (step,)
    yield "invitation_withdraw", (study.invitations.get().pk,)
    yield from (("setup_preview_beside", ("target", what)) for what in ("back", "report"))
    for part, form in SETUP_PARTS.items():
        yield "setup_part", (part,)
        if form.listed:
            yield from (("setup_row_new", (part,)), ("setup_row_back", (part,)))
            yield from (("setup_row", (part, 1)), ("setup_row_move", (part, 1)))
    yield from ((name, (link,)) for name in ("link_expire", "link_limit", "personal_links"))
    yield from (("payment_text", (what,)) for what in ("ids", "bonuses"))
    for name in ("person", "person_file", "annotator_exclude"):
        yield name, (numbers[kept.annotator_id],)
    share, _ = make_share(study, name="for readers", by=User.objects.get(username="owner-of-walk"))
    yield "share_end", (share.pk,)
    webhook = study.webhooks.create(address="https://hooks.example.org/5f1d", events=["run.finished"])
    yield from ((name, (webhook.pk,)) for name in ("webhook_test", "webhook_remove"))
    yield "annotator_reinstate", (numbers[out.annotator_id],)
    yield "run_name", (run.pk,)
    yield from (("run", (run.pk,)), ("run", (brought,)), ("run_stop", (run.pk,)), ("run_remove", (brought,)))
    for one in study.runs.exclude(model__training=None):
        yield "run", (one.pk,)
    yield from _of_results(study)
    for name in ("comparison_item", "variants", "revision", "item_edit"):
        yield name, ("target-7" if name == "revision" else "target-1",)
    yield from (("comparison_item", (f"target-{number}",)) for number in range(2, 8))
    for what in FILES:
        yield "export of people" if FILES[what].names_people else "export", (what,)


def _of_results(study: Study) -> Iterator[tuple[str, tuple[object, ...]]]:
    for part in PARTS:
        yield "results", (part,)
        page = read_shown_part(study, Selection(), part).found
        assert page is not None, "a study this small is computed at once"
        yield from (("figure", (part, chart, "svg")) for chart in page.charts)
    yield from (("power_file", (kind,)) for kind in ("csv", "svg"))
    yield from (("made_figure", (one.name, "csv")) for one in figures_of_build(study))


def beyond(study: Study, second: Study, training: Training, job: Job, token: int) -> Iterator[tuple[str, str]]:
    yield "token_withdraw", reverse("token_withdraw", args=[token])
    for name in OF_ALL:
        yield name, reverse(name)
    for name in OF_ONES_OWN:
        yield name, reverse(name)
    for name in OF_A_SECOND_FACTOR:
        yield name, reverse(name, args=[1] if name.endswith("_webauthn") else [])
    yield "docs", reverse("docs", args=["researchers"])
    yield "training_start", reverse("training_start", args=["adept"])
    yield "two_studies", reverse("two_studies")
    for what in ("items", "figures", "accuracy"):
        address = reverse("two_studies_file", args=[what])
        yield "two_studies_file", f"{address}?a={study.slug}&b={second.slug}"
    yield "new_study", reverse("new_study")
    yield "study_upload", reverse("study_upload")
    yield "construction", reverse("construction", args=["agreement"])
    yield "data_set", reverse("data_set", args=["boolq"])
    for name in ("job", "job_stop", "job_again"):
        yield name, reverse(name, args=[job.pk])
    yield "new_study_columns", reverse("new_study_columns", args=[0])
    yield "items_columns", reverse("items_columns", args=[study.slug, 0])
    for name in ("training_stop", "training_go_on", "training_curves"):
        yield name, reverse(name, args=[training.pk])
    yield "training_figure", reverse("training_figure", args=[training.pk, "loss", "svg"])


def found_in(body: bytes, words: set[str]) -> set[str]:
    """Those of the words that stand in an answer, or in a file within it."""
    if body.startswith(b"PK"):
        with ZipFile(BytesIO(body)) as archive:
            return {word for name in archive.namelist() for word in found_in(archive.read(name), words)}
    if body.startswith(b"PAR1"):
        body = str(read_table(BufferReader(body)).to_pylist()).encode()
    return {word for word in words if word.encode() in body}
