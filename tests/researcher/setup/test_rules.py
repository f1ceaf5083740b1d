"""What holds for all of a study, set in the browser: defaults, faults, what is fixed, and the same file."""

import re
import tomllib
from collections import Counter
from html import unescape
from itertools import chain
from pathlib import Path

import pytest
from django.forms import ChoiceField, MultipleChoiceField
from django.test import Client
from django.urls import reverse

from annotation.editing import EDITABLE
from annotation.itemfile import ItemRow
from annotation.lifecycle.status import open_study
from annotation.loading import load_study
from annotation.models import Study
from annotation.quality.policy import fixed_hash
from annotation.setting import Rows, Tick
from annotation.studyfile import SETTINGS, tables_of
from researcher.setup.parts import PARTS, sections_of
from scoring.library.installation import install_baselines
from scoring.metrics import METRICS
from tests.annotation.pages.bot import Bot
from tests.annotation.stages.whole import open_whole
from tests.researcher.setup.pages import at, stored, text
from tests.studies import declare, plausibility_rows, write_study

# One other value for everything that holds for the whole study.
EVERYTHING: dict[str, dict[str, object]] = {
    "language": {"language": "de", "page__stimulus_language": "ar", "page__text_language": "en"},
    "platform": {"collection__platform": "prolific", "codes__completed": "C1ABC", "return__address": "https://x.org/{code}"},
    "ids": {
        "collection__id_parameter": "PROLIFIC_PID",
        "collection__id_pattern": "[0-9a-f]{4}",
        "collection__study_parameter": "STUDY",
        "collection__session_parameter": "VISIT",
        "collection__recovery": ["session"],
        "collection__excludes": "pilot\r\n\r\nanother-pilot ",
        "collection__forget_after_days": "90",
    },
    "limits": {"collection__max_starts": "40", "collection__max_unanswered": "0"},
    "labels": {
        "collection__labels_per_item": "4",
        "collection__max_items_per_annotator": "20",
        "collection__sitting_length": "2",
        "collection__attention_per_sitting": "1",
        "collection__gold_per_sitting": "1",
        "collection__lease_minutes": "30",
        "collection__option_order": "fixed",
    },
    "information": {"collection__pay": "2.50", "collection__currency": "GBP"},
    "quality": {
        "quality__max_attention_failures": "1",
        "quality__gold_tolerance": "0.25",
        "quality__gold_distance": "2",
        "quality__gold_least": "3",
        "quality__item_floor_ms": "400",
        "quality__quick_tolerance": "0.2",
        "quality__sitting_floor_ms": "800",
        "quality__timed_least": "5",
        "quality__max_same_in_a_row": "8",
        "quality__max_in_pattern": "12",
        "quality__stretch_chance": "0.05",
        "quality__after_exclusion": "drop",
    },
    "scoring": {
        "results__measure": "quadratic_kappa",
        "scoring__metrics": "pll\r\ncausal",
        "scoring__nonsubsective": "false\r\nfake",
    },
    "prompt": {
        "prompt__system": "You judge sentences.",
        "prompt__template": "{item}\r\n{options}\r\nThink, then say: Answer: {letters}",
        "prompt__asks": "7",
        "prompt__temperature": "0.5",
        "prompt__answer_tokens": "300",
    },
}  # fmt: skip


@pytest.fixture
def checked(db: None, tmp_path: Path) -> Study:
    return load_study(write_study(tmp_path / "checked", plausibility_rows(4, gold=1, attention=1))).study


def shown(client: Client, address: str) -> dict[str, object]:
    """Every value as the page shows it."""
    form = client.get(address).context["form"]
    return {field.html_name: field.value() for field in form if not (field.value() is None or field.value() is False)}


def change(client: Client, study: Study, part: str, **values: object):
    """What somebody sends who changes these fields and leaves the others as they are."""
    address = at(study, part)
    return client.post(address, shown(client, address) | values)


@pytest.mark.slow
def test_a_study_of_somebody_else_is_excluded_no_more_than_one_that_is_not_there(client, checked, tmp_path):
    """Who begins would tell who took part there."""
    made = load_study(write_study(tmp_path / "theirs", plausibility_rows(1), slug="theirs")).study
    made.memberships.all().delete()
    for slug in ("theirs", "nowhere"):
        answer = change(client, checked, "ids", collection__excludes=slug)
        assert f"Names {slug}, where you do not collect labels" in text(answer)
    assert stored(checked).excludes == []
    declare(checked, excludes=["theirs"])
    assert change(client, checked, "ids", collection__forget_after_days="3").status_code == 302
    assert (stored(checked).excludes, checked.forget_after_days) == (["theirs"], 3)


@pytest.mark.slow
def test_all_of_it_is_set_and_the_file_says_the_same(client, checked, tmp_path):
    for slug in ("pilot", "another-pilot"):
        load_study(write_study(tmp_path / slug, plausibility_rows(1), slug=slug))
    for part, values in EVERYTHING.items():
        answer = change(client, checked, part, **values)
        assert answer.status_code == 302, (part, answer.context and answer.context["form"].errors)
    study = stored(checked)
    assert (study.excludes, study.recovery) == (["pilot", "another-pilot"], ["session"])
    assert (study.policy.item_floor_ms, study.policy.gold_tolerance, study.measure) == (400, 0.25, "quadratic_kappa")
    for part, given in EVERYTHING.items():
        held = shown(client, at(study, part))
        for name, value in given.items():
            # An empty line between two texts of a list is no text.
            assert str(held[name]).split() == str(value).split(), name
    said = client.get(reverse("setup_file", args=[study.slug])).content
    folder = tmp_path / "checked"
    (folder / "study.toml").write_bytes(said)
    before = list(Study.objects.values()), list(study.items.values())
    load_study(folder)
    assert (list(Study.objects.values()), list(study.items.values())) == before
    open_study(study)
    fixed = study.policy_hash
    study.delete()
    assert load_study(folder, open_study=True).study.policy_hash == fixed
    assert fixed_hash(Study.objects.get(slug=checked.slug)) == fixed


class TestWhatAPlatformSets:
    @pytest.fixture
    def prolific(self, client: Client, draft: Study) -> Study:
        change(client, draft, "platform", collection__platform="prolific")
        return stored(draft)

    @pytest.mark.slow
    def test_it_is_shown_and_stays_its_own(self, client, prolific):
        ids = shown(client, at(prolific, "ids"))
        assert (ids["collection__id_parameter"], ids["collection__id_required"]) == ("PROLIFIC_PID", True)
        assert "app.prolific.com" in str(shown(client, at(prolific, "platform"))["return__address"])
        before = Study.objects.values().get()
        for part in ("ids", "platform"):
            assert change(client, prolific, part).status_code == 302
        assert Study.objects.values().get() == before
        assert tables_of(stored(prolific))["collection"].keys() & {"id_parameter", "id_required"} == set()
        assert "return" not in tables_of(stored(prolific))

    @pytest.mark.slow
    def test_an_address_that_is_emptied_is_empty_in_the_file_too(self, client, prolific):
        change(client, prolific, "platform", return__address="")
        study = stored(prolific)
        assert "address" not in study.addresses
        assert 'address = ""' in client.get(reverse("setup_file", args=[study.slug])).content.decode()
        change(client, study, "platform", codes__completed="C1ABC")
        assert "address" not in stored(study).addresses, "a page that is saved again does not bring it back"

    @pytest.mark.slow
    def test_another_platform_brings_its_own(self, client, prolific):
        change(client, prolific, "platform", collection__platform="panel")
        study = stored(prolific)
        assert (study.id_parameter, study.id_pattern, study.addresses) == ("id", "", {})

    @pytest.mark.slow
    def test_what_it_asks_for_can_be_taken_off(self, client, prolific):
        address = at(prolific, "ids")
        values = shown(client, address)
        del values["collection__id_required"], values["collection__recovery"]
        client.post(address, values | {"collection__id_pattern": ""})
        study = stored(prolific)
        assert (study.id_required, study.id_pattern, study.recovery) == (False, "", [])
        said = tomllib.loads(client.get(reverse("setup_file", args=[study.slug])).content.decode())["collection"]
        assert (said["id_required"], said["id_pattern"], said["recovery"]) == (False, "", [])

    @pytest.mark.slow
    def test_a_platform_that_somebody_else_chose_meanwhile_is_seen(self, client, draft):
        old = shown(client, at(draft, "ids"))
        change(client, draft, "platform", collection__platform="prolific")
        assert client.post(at(draft, "ids"), old).status_code == 422
        assert stored(draft).id_parameter == "PROLIFIC_PID"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "name", "wrong", "said"),
    [
        ("ids", "collection__id_parameter", "link", "the name of a query parameter other than link"),
        ("ids", "collection__id_parameter", "STUDY_ID", "Must differ from the other parameters"),
        ("ids", "collection__id_pattern", "[0-9", "a regular expression"),
        ("ids", "collection__excludes", "Not a slug", "a list of slugs of other studies"),
        ("ids", "collection__excludes", "small", "Must not name the study itself"),
        ("limits", "collection__max_starts", "-1", "a whole number from 0"),
        ("labels", "collection__labels_per_item", "", "Missing; it must be a whole number"),
        ("labels", "collection__sitting_length", "x", "Must be a whole number from 1 to 1000, not 'x'"),
        ("labels", "collection__sitting_length", "5.5", "Must be a whole number from 1 to 1000, not '5.5'"),
        ("labels", "collection__gold_per_sitting", "2", "Requires 2, but items.jsonl has 1 of kind gold"),
        ("labels", "collection__lists", "latin_square", "no two targets share a `group`"),
        ("labels", "collection__option_order", "random", "are an ordered scale"),
        ("information", "collection__pay", "much", "an amount such as"),
        ("quality", "quality__gold_tolerance", "1.5", "a share from 0 to 1"),
        ("quality", "quality__gold_tolerance", "x", "Must be a share from 0 to 1, not 'x'"),
        ("quality", "quality__gold_tolerance", "nan", "Must be a share from 0 to 1, not nan"),
        ("quality", "quality__gold_distance", "9", "at most 4 apart"),
        ("quality", "quality__timed_least", "0", "a whole number from 1"),
        ("language", "page__stimulus_language", "not a tag", "a language tag of BCP 47"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(client, checked, part, name, wrong, said):
    before = Study.objects.values().get()
    answer = change(client, checked, part, **{name: wrong})
    assert answer.status_code == 422
    assert said in unescape(str(answer.context["form"][name].errors))
    assert Study.objects.values().get() == before


def test_an_amount_may_be_typed_with_a_comma(client, checked):
    change(client, checked, "information", collection__pay="2,50")
    assert Study.objects.get(pk=checked.pk).pay == "2.50"


@pytest.mark.parametrize(("typed", "code"), [("£", "GBP"), ("€", "EUR"), ("chf", "CHF")])
def test_a_currency_may_be_typed_as_its_sign(client, checked, typed, code):
    change(client, checked, "information", collection__currency=typed)
    assert Study.objects.get(pk=checked.pk).currency == code


class TestOnceItIsOpen:
    def test_the_policy_is_shut_and_the_page_says_why(self, client, whole):
        page = text(client.get(at(whole, "quality")))
        assert "its exclusion rules are locked" in page
        assert "Try other rules" in page
        assert "No rule excludes anyone." in page
        assert "<input" not in page.partition('class="setup"')[2]
        before = Study.objects.values().get()
        seen = str(PARTS["quality"](study=whole).now)
        client.post(at(whole, "quality"), {"seen": seen, "quality__max_attention_failures": "9"})
        assert Study.objects.values().get() == before

    @pytest.mark.slow
    def test_of_labels_only_their_number_and_that_of_checks_are(self, client, whole):
        change(client, whole, "labels", collection__labels_per_item="9", collection__sitting_length="2")
        study = stored(whole)
        assert text(client.get(at(whole, "labels"))).count(" disabled") == 4
        assert (study.labels_per_item, study.sitting_length) == (3, 2)

    @pytest.mark.slow
    def test_the_parameter_is_shut_once_somebody_has_begun(self, client, whole):
        Bot().begin(whole.links.get().get_absolute_url())
        change(client, whole, "ids", collection__id_parameter="pid", collection__forget_after_days="30")
        study = stored(whole)
        assert (study.id_parameter, study.forget_after_days) == ("annotator", 30)
        assert "returning people are recognized" in text(client.get(at(whole, "ids")))

    @pytest.fixture
    def whole(self, db: None, tmp_path: Path) -> Study:
        return open_whole(tmp_path / "whole")


def test_every_setting_stands_on_one_page():
    on_pages = Counter(path for form in PARTS.values() for _, _, paths in form.sections for path in paths)
    assert set(on_pages.values()) == {1}
    lists = {path for path, setting in SETTINGS.items() if isinstance(setting, Rows)}
    assert on_pages.keys() == SETTINGS.keys() - lists - {"slug"}


def test_a_setting_that_no_part_names_stands_behind_the_one_before_it_in_its_table():
    """So no part has to name it, and of a part with headings nothing stands below none."""
    on_pages = {path: one for path, one in EDITABLE.items() if not isinstance(one, Rows)}
    settings = dict(chain(*([(path, one), (f"{path}_more", Tick(label=""))] for path, one in on_pages.items())))
    for form in PARTS.values():
        headings = [heading for heading, _, _ in form.sections]
        assert all(headings) or not any(headings), form.key
        assert sections_of(form, settings) == tuple(
            (heading, says, tuple(chain(*((path, f"{path}_more") for path in paths))))
            for heading, says, paths in form.sections
        )


def test_what_a_page_offers_has_what_the_study_says(client, tmp_path, db):
    """Else a browser chooses the first, and saving the page changes it: ratings were compared by accuracy so."""
    rows = [ItemRow(id=f"{number}", content={"sentence": "It rains."}) for number in range(3)]
    task = {"type": "rating", "question": "How natural?", "points": 7, "low": "bad", "high": "good"}
    study = load_study(write_study(tmp_path / "ratings", rows, task=task)).study
    assert study.measure == "spearman"
    for part in PARTS:
        form = PARTS[part](study=study)
        for field in form.own:
            if isinstance(field.field, ChoiceField) and not isinstance(field.field, MultipleChoiceField):
                assert field.field.valid_value(field.value()), field.name
    change(client, study, "scoring", scoring__metrics="pll")
    assert stored(study).measure == "spearman"


def test_each_link_has_a_limit_of_its_own(client, draft):
    link = draft.links.get()
    answer = client.post(reverse("link_limit", args=[draft.slug, link.pk]), {"max_starts": "12", "back": "setup"})
    assert answer.url == at(draft, "limits")
    link.refresh_from_db()
    assert link.max_starts == 12
    assert 'value="12"' in text(client.get(at(draft, "limits")))


@pytest.mark.slow
def test_a_platform_s_warnings_stand_where_its_rules_are_set(client, draft):
    change(client, draft, "platform", collection__platform="prolific")
    for part in ("labels", "quality"):
        assert "Prolific recommends attention checks" in text(client.get(at(draft, part)))


def test_every_metric_and_measure_has_its_question_mark_beside_the_field(client, researcher, draft):
    install_baselines()
    draft.metrics = ["pll", "of_another_version"]
    draft.save()
    page = client.get(at(draft, "scoring"))
    asked = set(re.findall(r'popovertarget="about-(\w+)"', text(page)))
    opened = set(re.findall(r'id="about-(\w+)" role="dialog"', text(page)))
    assert asked == opened
    assert {f"metric_{key}" for key in METRICS} <= asked
    assert {"accuracy", "kappa_quadratic", "mean_distance"} <= asked
    measured = page.context["measured"]
    assert measured.named == ["pll", "of_another_version"]
    assert dict(measured.fitting)["label"] == 1, "random alone: this study has nothing that a majority is of"
    assert "cloze" in measured.others
