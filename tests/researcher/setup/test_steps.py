"""The steps before opening: each can be missing and done, they are counted in words, and the rail marks their pages."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.editing import edit, state_of
from annotation.lifecycle.status import open_study
from annotation.loading import load_study
from annotation.models import Study
from annotation.quality.sentences import policy
from researcher.setup.checklist import Has, State
from researcher.setup.overview import read_overview
from researcher.setup.steps import STEPS, check, steps
from tests.researcher.setup.pages import at, text
from tests.studies import declare, plausibility_row, plausibility_rows, write_study

LONG = " ".join(["Read", *["both"] * 20, "sentences."])
FULL: dict[str, dict[str, Any]] = {
    "collection": {"attention_per_sitting": 1, "gold_per_sitting": 1, "sitting_length": 4},
    "information": {"minutes": 5, "pay": "£1"},
    "consent": {"text": "I agree."},
}


def made(folder: Any, rows: Any = None, instructions: str = LONG, **tables: Any) -> Study:
    written = write_study(folder, rows or plausibility_rows(4, gold=2, attention=2), **tables)
    toml = written / "study.toml"
    toml.write_text(toml.read_text().replace("Read both sentences.", instructions), encoding="utf-8")
    return load_study(written).study


def state(study: Study, key: str) -> State:
    return next(one.state for one in steps(study).all if one.step.key == key)


def says(study: Study, key: str) -> str:
    found = next(one for one in steps(study).all if one.step.key == key)
    return " · ".join(lack.says for lack in found.lacks) or found.says


# Tables with which a step is missing something, and what is then said.
MISSING: dict[str, tuple[dict[str, Any], str]] = {
    "labels": (
        {
            "rows": [
                plausibility_row(10 * source + place, group=f"s{source}", attributes={"list": one, "cond": condition})
                for source in range(4)
                for place, (one, condition) in enumerate([("1", "long"), ("2", "short")])
            ],
            "collection": {"lists": "latin_square", "list_attribute": "list", "condition_attribute": "cond"},
        },
        "The lists are uneven",
    ),
    "attention": ({"collection": {**FULL["collection"], "attention_per_sitting": 0}}, "No attention checks"),
    "gold": ({"collection": {**FULL["collection"], "gold_per_sitting": 0}}, "2 gold items, none in a batch"),
    "rules": (
        {
            "rows": plausibility_rows(4),
            "collection": {**FULL["collection"], "attention_per_sitting": 0, "gold_per_sitting": 0},
        },
        "No rule excludes anyone",
    ),
    "consent": ({"consent": None}, "No consent text"),
    "pay": ({"information": {"minutes": 5}}, "Pay not stated"),
    "platform": (
        {"collection": {**FULL["collection"], "platform": "prolific"}},
        "Completion code is missing",
    ),
    "language": ({"instructions": "اقرأ الجملتين " * 15}, "Texts are declared as English"),
}
DONE = {
    "items": "4 targets, 2 attention checks, 2 gold items",
    "instructions": "22 words",
    "labels": "3 per item, 4 items per batch",
    "attention": "1 per batch, 2 in all",
    "gold": "1 per batch, 2 in all",
    "rules": "Any failed attention check excludes an annotator",
    "pay": "5 minutes, £1",
    "platform": "open link",
    "question": "How plausible is the second sentence, compared with the first?",
    "language": "English throughout",
}


def built(folder: Any, **changed: Any) -> Study:
    given = FULL | changed
    return made(folder, **{name: table for name, table in given.items() if table is not None})


@pytest.mark.parametrize("key", MISSING)
def test_each_step_can_be_missing(db, tmp_path, key):
    tables, words = MISSING[key]
    study = built(tmp_path, **tables)
    assert state(study, key) in (State.OPTIONAL, State.NEEDED)
    assert words in says(study, key)


def test_each_step_can_be_done(db, tmp_path):
    study = built(tmp_path)
    assert {key: says(study, key) for key in DONE} == DONE
    assert says(study, "consent").endswith(" words")
    done = {one.step.key for one in steps(study).done}
    assert done == {step.key for step in STEPS} - {"preview"}
    assert MISSING.keys() | {"items", "preview", "question", "instructions"} == {step.key for step in STEPS}, (
        "every step has a case"
    )


def test_short_instructions_are_done_and_no_instructions_are_not(db, tmp_path):
    study = built(tmp_path, instructions="Read both.")
    assert says(study, "instructions") == "2 words; an example would help"
    assert state(study, "instructions") == State.DONE
    study.instructions = " "
    assert says(study, "instructions") == "No instructions"


def test_rules_speak_of_checks_that_no_batch_has_as_opening_does(db, tmp_path):
    none = {"attention_per_sitting": 0, "gold_per_sitting": 0}
    study = built(tmp_path, collection={**FULL["collection"], **none})
    assert f"{says(study, 'rules')}." in read_overview(study).policy
    study.items.exclude(kind="target").delete()
    study = Study.objects.get()
    assert f"{says(study, 'rules')}." in read_overview(study).policy == ["No rule excludes anyone.", *policy(study)[1:]]


@pytest.mark.slow
def test_once_open_only_what_can_still_be_changed_is_listed(client, researcher, tmp_path):
    study = built(tmp_path, consent=None, collection={"sitting_length": 4})
    before = text(client.get(at(study)))
    assert "<h1>Ready to open?</h1>" in before and "Optional before opening" in before and "To do before" not in before
    open_study(study)
    for changes, line in (({}, "Open since"), ({"state": "closed"}, "Closed. Opened on")):
        Study.objects.update(**changes)
        page = " ".join(text(client.get(at(study))).split())
        assert "<h1>Setup</h1>" in page and line in page and "No consent text" in page
        for gone in ("Ready to open?", "steps are done", "Add checks", "Add gold", "No preview yet", "Set rules"):
            assert gone not in page
    Study.objects.update(archived_at=timezone.now())
    page = text(client.get(at(study)))
    assert "Archived." in page and "No consent text" not in page


def test_pay_is_entered_once(client, db, tmp_path):
    money = {"pay": "2.50", "currency": "EUR"}
    study = built(tmp_path, information={"minutes": 5}, collection=FULL["collection"] | money)
    assert says(study, "pay") == "5 minutes, €2.50"
    open_study(study)
    link = study.links.get().get_absolute_url()
    assert "€2.50" in text(client.get(link))
    declare(language="de")
    assert "2,50 €" in text(client.get(link))
    study.stages["information"]["pay"] = "£3 in vouchers"
    Study.objects.update(stages=study.stages)
    assert "£3 in vouchers" in text(client.get(link))


@pytest.mark.slow
def test_saving_goes_on_to_what_is_missing(client, db, tmp_path):
    study = built(tmp_path, consent=None, information=None, collection=None)

    def goes_on(part: str, **typed: str) -> str:
        form = client.get(at(study, part)).context["form"]
        now = {field.html_name: field.value() for field in form if field.value()}
        return str(client.post(at(study, part), {**now, **typed, "next": "1"}).url)

    assert "Save and continue" in text(client.get(at(study, "consent")))
    assert goes_on("consent", consent__text="I agree.") == f"{at(study, 'information')}#setup-information__minutes"
    preview = reverse("setup_preview_at", args=[study.slug, "first"])
    assert goes_on("information", information__minutes="5", collection__pay="1") == preview
    assert goes_on("instructions") == f"{at(study, 'labels')}#setup-collection__attention_per_sitting"
    client.get(reverse("setup_preview_at", args=[study.slug, "end"]))
    assert goes_on("questionnaire").startswith(at(study, "labels"))


def test_without_items_a_study_does_not_open(client, draft):
    assert check(Has(study=draft)).left == "1 setup step left"
    draft.items.all().delete()
    answer = client.post(reverse("study_open", args=[draft.slug]), follow=True)
    draft.refresh_from_db()
    assert "Not opened: 1 setup step left." in text(answer)
    assert not draft.has_opened


@pytest.mark.slow
def test_a_missing_code_keeps_the_button_off_and_marks_its_page(client, researcher, tmp_path):
    study = built(tmp_path, collection={**FULL["collection"], "platform": "prolific"})
    page = text(client.get(at(study)))
    assert '<button type="button" disabled>Open study…</button>' in page
    assert f'href="{at(study, "platform")}#setup-codes__completed">Fix</a>' in page
    assert "(needs attention)" in page
    edit(study, {"codes.completed": "C-1"}, seen=state_of(study, ["codes.completed"]))
    page = text(client.get(at(study)))
    assert 'popovertarget="opening"' in page
    assert "(needs attention)" not in page
    assert "Other codes are missing" in page, "what is no reason to stop is said all the same"


@pytest.mark.slow
def test_coming_to_the_last_page_is_a_preview(client, researcher, tmp_path):
    study = built(tmp_path)
    for page in ("target", "end"):
        assert state(study, "preview") == State.OPTIONAL
        client.get(reverse("setup_preview_at", args=[study.slug, page]))
    assert says(study, "preview") == "seen"


def test_a_page_has_a_tick_in_the_rail_where_its_own_step_is_done(researcher, tmp_path):
    study = built(tmp_path, collection={"sitting_length": 4})
    assert state(study, "labels") == State.DONE and state(study, "gold") == State.OPTIONAL
    assert steps(study).at("labels") == State.DONE


@pytest.mark.slow
def test_answering_an_item_is_a_preview_until_something_changes(client, researcher, tmp_path):
    study = built(tmp_path)
    item = reverse("setup_preview_at", args=[study.slug, "target"])
    assert client.get(item).status_code == 200
    assert client.post(item, {"position": "1", "answer": "no answer"}).status_code == 422
    assert state(study, "preview") == State.OPTIONAL
    for _ in range(2):
        client.post(item, {"position": "1", "answer": "less_likely"})
    assert says(study, "preview") == "seen"
    assert "previewed the study" in text(client.get(reverse("history", args=[study.slug])))
    edit(study, {"debriefing.text": "Thank you."}, seen=state_of(study, ["debriefing.text"]))
    assert state(study, "preview") == State.OPTIONAL
    assert says(study, "preview") == "Changed since the preview"


def test_steps_are_counted_in_words_and_what_is_needed_stands_apart(db, tmp_path):
    study = built(tmp_path, collection={**FULL["collection"], "platform": "prolific"}, consent=None)
    found = steps(study)
    assert found.line == "Seven of twelve steps are done."
    assert found.left == "1 setup step left"
    shown = read_overview(study)
    assert [one.lack.says for one in shown.needed] == ["Completion code is missing"]
    assert "No consent text" in [one.lack.says for one in shown.optional]


def test_a_study_of_imported_labels_asks_nobody(db, tmp_path):
    study = built(tmp_path, collection={**FULL["collection"], "as_imported": True}, consent=None)
    assert [one.step.key for one in steps(study).all] == ["question", "items", "labels", "language"]
    assert says(study, "labels") == "no more than were imported"


def test_the_page_has_the_batch_the_whole_and_the_path(client, researcher, tmp_path):
    money = {"pay": "1.00", "currency": "GBP"}
    study = built(tmp_path, collection=FULL["collection"] | money)
    shown = client.get(at(study)).context["overview"]
    assert shown.batch == [
        ("Items", "4"),
        ("Checks", "1 attention, 1 gold"),
        ("Time", "about 5 minutes"),
        ("Pay", "£1.00, about £12.00 an hour"),
    ]
    assert shown.whole == [("Labels", "12"), ("Batches", "3 or more"), ("Cost", "about £3.00, before fees")]
    off = [stop.name for stop in shown.path if not stop.says]
    assert off == ["Comprehension", "Practice", "Questionnaire", "Debriefing"]
