"""Faults in items, labels, runs and scores. Items are read in pieces, whatever their number."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from django.db.models import Count, F, Q

from annotation.drafting.rows import row_of
from annotation.itemfile import term_of
from annotation.models import AnnotatorNumber, Assignment, Item, Judgment, Study
from annotation.models.item import agreed_in
from corpus.errors import counted
from corpus.provenance import OrderedSum, digest
from scoring.models import Chunk, Run, Score

PIECE = 1000
# Of one kind of fault, as many are named.
MOST = 100


def read_label_faults() -> Iterator[str]:
    for study in Study.with_deleted.order_by("pk").iterator(chunk_size=100):
        # What is being deleted loses its rows in pieces.
        if study.deleted_at is None:
            yield from _items(study)
            yield from _sittings(study)
            yield from _runs(study)
    yield from _judgments()
    yield from _scores()


def _items(study: Study) -> Iterator[str]:
    """Targets, counts, tallies and hashes; and the study's hash of all of them."""
    total, before, count = OrderedSum(), "", 0
    items = study.items.order_by("position", "pk")
    piece: list[Item] = []
    for item in items.iterator(chunk_size=PIECE):
        piece.append(item)
        row = row_of(item)
        if row.content_hash != item.content_hash:
            yield f"{study.slug}: the content of item {item} does not have the hash that is stored."
        total, before = total.changed(more=term_of(row, before)), item.external_id
        if len(piece) == PIECE:
            yield from _counts(study, piece)
            piece = []
        count += 1
    yield from _counts(study, piece)
    if count and total.sha256 != study.content_hash:
        yield f"{study.slug}: its {count:,} items do not have the hash that the study stores."


def _counts(study: Study, items: Sequence[Item]) -> Iterator[str]:
    tallies: dict[int, Counter[str]] = defaultdict(Counter)
    held = Counter[int]()
    rows = Assignment.objects.filter(item__in=items, state__in=["counted", "reserved"]).order_by()
    for item, state, answer, count in rows.values_list("item", "state", "judgment__answer").annotate(Count("pk")):
        if state == Assignment.State.COUNTED:
            tallies[item][answer] += count
        else:
            held[item] += count
    for item in items:
        yield from _of_item(item, f"{study.slug}: item {item}", tallies[item.pk], held[item.pk])


def _of_item(item: Item, named: str, labels: Counter[str], held: int) -> Iterator[str]:
    if item.counted != labels.total():
        yield f"{named} stores {item.counted} as its number of labels that count; it is {labels.total()}."
    if item.tally != dict(labels):
        yield f"{named} stores the tally {json.dumps(item.tally)}; its labels are {json.dumps(labels)}."
    if item.agreed != agreed_in(item.tally):
        yield f"{named} stores a majority of {item.agreed}; its tally has {agreed_in(item.tally)}."
    if item.kind != Item.Kind.TARGET:
        return
    if item.reserved != held:
        yield f"{named} stores {item.reserved} as its number of reserved places; it is {held}."
    if item.target and labels.total() + held > item.target:
        yield f"{named} has {counted(labels.total(), 'label')} and {held} reserved; its target is {item.target}."
    if not item.target and labels.total():
        yield f"{named} was dropped, and has {counted(labels.total(), 'label')} that would count."


def _sittings(study: Study) -> Iterator[str]:
    over = study.sittings.filter(state="finished", assignments__state="reserved").distinct()
    for pk in over.values_list("pk", flat=True)[:MOST]:
        yield f"{study.slug}: batch {pk} is finished and still holds places."
    unnumbered = AnnotatorNumber.objects.lacking(study.sittings.order_by("pk"))
    for pk in unnumbered.values_list("pk", flat=True)[:MOST]:
        yield f"{study.slug}: batch {pk} is of an annotator without a number in the study."


def _judgments() -> Iterator[str]:
    """One for each assignment that is answered, and none for another; a study in deletion has lost some."""
    behind = Assignment.objects.filter(state__in=Assignment.BEHIND, sitting__study__deleted_at=None)
    for pk in behind.filter(judgment=None).order_by().values_list("pk", flat=True)[:MOST]:
        yield f"Assignment {pk} is answered and has no judgment."
    for pk in Judgment.objects.exclude(assignment__state__in=Assignment.BEHIND).values_list("pk", flat=True)[:MOST]:
        yield f"Judgment {pk} belongs to an assignment that is not answered."
    others = Assignment.objects.exclude(annotator=F("sitting__annotator")).order_by()
    for pk in others.values_list("pk", flat=True)[:MOST]:
        yield f"Assignment {pk} is of another annotator than its batch."
    strays = Assignment.objects.exclude(item__study=F("sitting__study")).order_by()
    for pk in strays.values_list("pk", flat=True)[:MOST]:
        yield f"Assignment {pk} is of an item of another study than its batch."


def _runs(study: Study) -> Iterator[str]:
    """Progress as the scores have it. A run that has ended keeps its counts where items were reworded since."""
    hashes = None
    for run in study.runs.select_related("model"):
        held = run.scores.aggregate(
            scored=Count("pk", filter=Q(unscored="")), unscored=Count("pk", filter=~Q(unscored=""))
        )
        if (run.scored, run.unscored) == (held["scored"], held["unscored"]):
            continue
        if hashes is None:
            targets = study.items.filter(kind=Item.Kind.TARGET).order_by("position")
            hashes = digest(list(targets.values_list("content_hash", flat=True)))
        if run.is_live or run.provenance.get("items_sha256", hashes) == hashes:
            yield (
                f"{study.slug}: run {run} stores {run.scored} scored and {run.unscored} unscored items; "
                f"{held['scored']} and {held['unscored']} have scores."
            )


def _scores() -> Iterator[str]:
    strays = Score.objects.exclude(item__study=F("run__study")).order_by()
    for pk in strays.values_list("pk", flat=True)[:MOST]:
        yield f"Score {pk} is of an item of another study than its run."
    left = Chunk.objects.filter(state=Chunk.State.WAITING).exclude(run__state__in=[Run.State.QUEUED, Run.State.RUNNING])
    for pk in left.values_list("pk", flat=True)[:MOST]:
        yield f"Chunk {pk} waits for a run that has ended."
