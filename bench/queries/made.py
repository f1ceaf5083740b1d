"""A study of any size, written by SQL from the first rows of a study that was loaded as any other.

Annotator a has one sitting of `EACH` labels; item i has labels of five annotators. Two items of a hundred still want
one label, so that somebody can begin.
"""

from pathlib import Path

from django.db import connection

from annotation.loading import load_study
from annotation.models import Annotator, Item, Sitting, Study
from scoring.library.installation import install_baselines
from scoring.models import LanguageModel, Run
from tests.studies import plausibility_rows, write_study

SLUG = "ten-million"
LABELS, EACH = 5, 500
# Indexes that are made afterwards take a quarter of the time; constraints stay.
BIG = ("annotation_item", "annotation_assignment", "annotation_judgment", "scoring_score")


def make(folder: Path, items: int) -> Study:
    """The study; one that is there is taken as it is."""
    found = Study.objects.filter(slug=SLUG).first()
    if found is not None and found.items.count() >= items:
        return found
    collection = {"labels_per_item": LABELS, "sitting_length": 50, "max_items_per_annotator": 500, "max_unanswered": 0}
    place = write_study(folder / SLUG, plausibility_rows(10), slug=SLUG, collection=collection)
    study = load_study(place, open_study=True).study
    install_baselines()
    run = Run.objects.create(
        study=study,
        model=LanguageModel.objects.filter(key="random").get(),
        metric="label",
        metric_version="1",
        state=Run.State.FINISHED,
        total=items,
        scored=items,
    )
    people = max(LABELS, items * LABELS // EACH)
    names = {"study": study.pk, "run": run.pk, "items": items, "people": people}
    with connection.cursor() as cursor:
        # References and checks of rows that are right by how they are made.
        cursor.execute("SET session_replication_role = replica")
        dropped = _without_indexes(cursor)
        for statement in STATEMENTS:
            cursor.execute(statement, names)
        for statement in dropped:
            cursor.execute(statement)
        cursor.execute("SET session_replication_role = DEFAULT")
    study.population = Study.Population.PEOPLE
    study.save(update_fields=["population"])
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return study


def _without_indexes(cursor: object) -> list[str]:
    """Drop those that hold no constraint; the statements that make them again."""
    cursor.execute(  # type: ignore[attr-defined]
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY(%s) AND indexname NOT IN "
        "(SELECT conname FROM pg_constraint)",
        [list(BIG)],
    )
    found = cursor.fetchall()  # type: ignore[attr-defined]
    for name, _ in found:
        cursor.execute(f'DROP INDEX "{name}"')  # type: ignore[attr-defined]
    return [definition for _, definition in found]


_ITEM = ", ".join(
    f'"{field.column}"'
    for field in Item._meta.concrete_fields
    if field.name not in ("id", "external_id", "content", "content_hash", "position", "target", "counted", "tally")
    and field.name not in ("agreed", "need", "random_key", "reserved")
)
_PERSON = ", ".join(f'"{f.column}"' for f in Annotator._meta.concrete_fields if f.name not in ("id", "external_id"))

STATEMENTS = (
    # Columns of ours.
    f"""
    INSERT INTO annotation_item ({_ITEM}, external_id, content, content_hash, position, target, counted, tally, agreed,
        random_key, reserved)
    SELECT {_ITEM}, 'target-' || n, content || jsonb_build_object('original', 'Lamp number ' || n || ' lights it.'),
        md5('a' || n) || md5('b' || n), n, 5, CASE WHEN n %% 100 < 2 THEN 4 ELSE 5 END,
        CASE WHEN n %% 100 < 2 THEN '{{"impossible": 4}}'::jsonb
             ELSE '{{"impossible": 3, "less_likely": 2}}'::jsonb END,
        CASE WHEN n %% 100 < 2 THEN 4 ELSE 3 END, random(), 0
    FROM generate_series(11, %(items)s) AS n,
        (SELECT * FROM annotation_item WHERE study_id = %(study)s AND position = 1) AS one
    """,  # noqa: S608
    """
    INSERT INTO annotation_annotator (profile, platform, external_id, created_at)
    SELECT '', 'annotator', md5('p' || n) || md5('q' || n), now() FROM generate_series(1, %(people)s) AS n
    """,
    """
    INSERT INTO annotation_sitting (token, study_id, annotator_id, link_id, browser, device, platform_study,
        platform_session, submits_to, origin, state, outcome, stage, practice_items, instructions_version,
        completion_code, payment, started_at, lease_expires_at, last_answer_at, has_answered, gave_sign, finished_at)
    SELECT substr(md5('t' || id), 1, 22), %(study)s, id,
        (SELECT min(id) FROM annotation_studylink WHERE study_id = %(study)s), md5('b' || id), 'computer', '', '', '',
        '', 'finished', 'completed', 'items', 0, '', substr(md5('c' || id), 1, 8), 'undecided', now(), now(), now(),
        true, true, now()
    FROM annotation_annotator WHERE platform = 'annotator'
    """,
    """
    INSERT INTO annotation_annotatornumber (study_id, annotator_id, number)
    SELECT study_id, annotator_id, row_number() OVER (ORDER BY id) + 100 FROM annotation_sitting
    WHERE study_id = %(study)s AND annotator_id NOT IN
        (SELECT annotator_id FROM annotation_annotatornumber WHERE study_id = %(study)s)
    """,
    """
    INSERT INTO annotation_assignment (sitting_id, annotator_id, item_id, position, presentation, variant_of, state,
        shown_at)
    SELECT s.id, s.annotator_id, i.id, 1 + k + 5 * (i.position / %(people)s),
        '{"order": ["original", "modified"]}'::jsonb, '', 'counted', now()
    FROM annotation_item AS i
    CROSS JOIN generate_series(0, 4) AS k
    JOIN (SELECT id, annotator_id, row_number() OVER (ORDER BY id) - 1 AS n FROM annotation_sitting
          WHERE study_id = %(study)s) AS s ON s.n = (i.position + k * (%(people)s / 5)) %% %(people)s
    WHERE i.study_id = %(study)s AND i.position > 10 AND NOT (i.position %% 100 < 2 AND k = 4)
    """,
    """
    INSERT INTO annotation_judgment (assignment_id, answer, response_ms, hidden_ms, submission, answered_at)
    SELECT a.id, CASE WHEN a.id %% 5 < 3 THEN 'impossible' ELSE 'less_likely' END, 1500, 0, '',
        now() - (a.id %% 100000) * interval '1 second'
    FROM annotation_assignment AS a JOIN annotation_sitting AS s ON s.id = a.sitting_id
    WHERE s.study_id = %(study)s
    """,
    """
    INSERT INTO scoring_score (run_id, item_id, decision, strength, detail, unscored)
    SELECT %(run)s, id, 'impossible', random(), '{}'::jsonb, '' FROM annotation_item WHERE study_id = %(study)s
    """,
    "UPDATE annotation_studylink SET starts = %(people)s WHERE study_id = %(study)s",
)


def people_of(study: Study) -> Sitting:
    """Somebody's, of a person."""
    return study.sittings.order_by("pk")[0]
