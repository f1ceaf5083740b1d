"""The payment queue, the person's page, and their commands."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Assignment, Exclusion, PaymentDecision, PlatformId, Sitting
from annotation.quality.exclusion import exclude
from tests.researcher.studies.paying import act

pytestmark = pytest.mark.slow

LONG = (
    "Both of the attention checks were failed, although each of them asked in words for a certain answer to be given."
)


@pytest.fixture(autouse=True)
def ids(study) -> None:
    """As if all three had come from a platform."""
    for number, annotator in enumerate(study.sittings.order_by("pk").values_list("annotator", flat=True)):
        PlatformId.objects.create(study=study, annotator_id=annotator, value=f"pid-{number}")


def number_of(study, annotator):
    return study.annotator_numbers.get(annotator=annotator).number


def paid(study):
    return sorted(study.sittings.values_list("payment", flat=True))


def test_selected_sittings_are_approved(client, study, researcher):
    answer = act(client, study, "approve", chosen=study.sittings.values_list("token", flat=True)[:2])
    assert "Payment approved for 2 submissions." in answer.content.decode()
    assert paid(study) == ["approved", "approved", "undecided"]
    assert {made.by for made in PaymentDecision.objects.all()} == {researcher}


def test_a_decision_leads_back_to_its_filters(client, study):
    answer = act(client, study, "approve", query="?decision=undecided")
    assert answer.redirect_chain[-1][0].endswith("/payment/?decision=undecided")


def test_all_that_the_filters_leave_are_approved(client, study):
    out = study.sittings.first()
    exclude(study, out.annotator, rule=Exclusion.Rule.RESEARCHER, evidence={"reason": "test", "by": "test"})
    Sitting.objects.filter(study=study).exclude(pk=out.pk).end(Sitting.Outcome.COMPLETED)
    act(client, study, "approve_all", query="?verdict=kept", chosen=[])
    assert paid(study) == ["approved", "approved", "undecided"]


def test_no_filter_that_does_not_exist_approves_anything(client, study):
    Sitting.objects.end(Sitting.Outcome.COMPLETED)
    answer = act(client, study, "approve_all", query="?verdict=liked", chosen=[])
    assert answer.status_code == 422
    assert paid(study) == ["undecided"] * 3


def test_a_rejection_that_was_refused_is_shown_again(client, study):
    answer = act(client, study, "reject", reason="nonsense", message=LONG)
    assert answer.status_code == 422
    assert LONG in answer.content.decode()
    assert answer.content.decode().count("checked") >= 3
    assert paid(study) == ["undecided"] * 3


def test_rejected_with_a_reason_and_taken_back(client, study):
    page = act(client, study, "reject", reason="other", message="<b>Too fast</b>").content.decode()
    assert "&lt;b&gt;Too fast" in page
    assert paid(study) == ["rejected"] * 3
    act(client, study, "take_back")
    assert paid(study) == ["undecided"] * 3
    assert PaymentDecision.objects.count() == 6


@pytest.mark.parametrize(("amount", "status"), [("0.50", 200), ("free", 422), ("", 422), ("-1", 422)])
def test_a_bonus_is_an_amount(client, study, amount, status):
    assert act(client, study, "bonus", amount=amount, bonus_reason="patience").status_code == status
    assert PaymentDecision.objects.exists() is (status == 200)


def test_a_bonus_without_an_answer_is_left_out_and_said_so(client, study):
    empty = study.sittings.earliest("pk")
    empty.assignments.update(state="released")
    told = act(client, study, "bonus", amount="0.5", bonus_reason="patience").content.decode()
    assert "Bonus set for 2 submissions. Skipped: 1 without answers." in told
    assert not empty.decisions.exists()
    act(client, study, "bonus", amount="0.5", bonus_reason="patience", bonus_without_answers="yes")
    assert empty.decisions.count() == 1


def test_a_bonus_of_whoever_is_rejected_is_left_out_and_said_so(client, study, capsys):
    act(client, study, "reject", chosen=[study.sittings.earliest("pk").token], reason="other", message="Too fast")
    told = act(client, study, "bonus", amount="0.5", bonus_reason="patience").content.decode()
    assert "Bonus set for 2 submissions. Skipped: 1 rejected." in told
    assert "pid-0" not in client.post(reverse("payment_text", args=[study.slug, "bonuses"])).content.decode()
    call_command("payments", study.slug, "--bonus", "0.75", "--message", "patience")
    said = capsys.readouterr()
    assert "2 submissions given a bonus." in said.out
    assert "1 submissions are left out because they are rejected." in said.err


def test_who_is_under_way_is_left_out_and_said_so(client, study, capsys):
    sitting = study.sittings.earliest("pk")
    Sitting.objects.filter(pk=sitting.pk).update(state="active", outcome="", finished_at=None)
    told = act(client, study, "approve", without_answers="yes").content.decode()
    assert "Payment approved for 2 submissions. Skipped: 1 not finished." in told
    assert paid(study) == ["approved", "approved", "undecided"]
    told = act(client, study, "reject", reason="other", message="Too fast").content.decode()
    assert "Payment rejected for 2 submissions. Skipped: 1 not finished." in told
    call_command("payments", study.slug, "--reject", "other", "--message", "Too fast")
    said = capsys.readouterr()
    assert "0 submissions rejected." in said.out
    assert "1 submissions are left out because they are not finished." in said.err


def test_the_log_says_who_has_read_platform_ids_and_no_id(client, study, caplog):
    person = study.annotator_numbers.first().number
    with caplog.at_level("INFO", logger="researcher.views.payment"):
        for address in (reverse("payment", args=[study.slug]), reverse("person", args=[study.slug, person])):
            assert "pid-" in client.get(address).content.decode()
    said = [record.getMessage() for record in caplog.records if record.name == "researcher.views.payment"]
    account = client.session["_auth_user_id"]
    assert said == [f"Account {account}: opened a page with platform IDs of {study.slug}"] * 2


def test_the_page_says_what_a_rejection_for_checks_needs(client, study):
    assert "failed attention check" not in client.get(reverse("payment", args=[study.slug])).content.decode()
    study.platform = "prolific"
    study.save(update_fields=["platform"])
    page = " ".join(client.get(reverse("payment", args=[study.slug])).content.decode().split())
    assert "FAILED_CHECK needs at least 2 failed attention checks in the submission" in page
    answer = act(client, study, "reject", reason="FAILED_CHECK", message=LONG)
    assert answer.status_code == 422
    assert "of these submissions have fewer" in answer.content.decode()
    with pytest.raises(CommandError, match="of these submissions have fewer"):
        call_command("payments", study.slug, "--reject", "FAILED_CHECK", "--message", LONG)
    assert paid(study) == ["undecided"] * 3


def test_ids_for_the_platform_are_shown_to_be_copied(client, study):
    act(client, study, "approve")
    answer = act(client, study, "ids", chosen=[study.sittings.earliest("pk").token])
    assert answer.status_code == 200
    assert "pid-0\n" in answer.content.decode()
    assert "pid-1\n" not in answer.content.decode()


def test_a_list_of_bonuses_marks_them_and_the_queue_says_so(client, study):
    act(client, study, "bonus", amount="0.5", bonus_reason="patience")
    address = reverse("payment_text", args=[study.slug, "bonuses"])
    assert client.get(address).status_code == 302, "what marks is posted"
    assert "bonus sent" not in client.get(reverse("payment", args=[study.slug])).content.decode()
    assert client.post(address).content == b"pid-2,0.50\npid-1,0.50\npid-0,0.50\n"
    assert client.post(address).content == b""
    page = client.get(reverse("payment", args=[study.slug])).content.decode()
    assert page.count("bonus sent: 0.50") == 3
    act(client, study, "not_handed_in", chosen=[study.sittings.earliest("pk").token])
    assert client.post(address).content == b"pid-0,0.50\n"


def test_the_files_follow_the_filters(client, study):
    act(client, study, "approve", chosen=[study.sittings.earliest("pk").token])
    address = reverse("payment_text", args=[study.slug, "ids"])
    assert client.get(f"{address}?decision=approved").content == b"pid-0\n"
    assert client.get(f"{address}?decision=maybe").status_code == 404


def test_ids_for_approval_are_of_nobody_else(client, study):
    """Whoever is pasted into a platform's bulk approval is paid."""
    tokens = list(study.sittings.order_by("pk").values_list("token", flat=True))
    act(client, study, "approve", chosen=tokens[:1])
    act(client, study, "reject", chosen=tokens[1:2], reason="other", message="No.")
    address = reverse("payment_text", args=[study.slug, "ids"])
    found = {query: client.get(f"{address}?decision={query}") for query in ("", "approved", "rejected", "undecided")}
    assert {query: answer.content for query, answer in found.items()} == {
        "": b"pid-0\n",
        "approved": b"pid-0\n",
        "rejected": b"pid-1\n",
        "undecided": b"",
    }
    assert "small-ids-rejected.txt" in found["rejected"]["Content-Disposition"]
    pages = {query: client.get(reverse("payment", args=[study.slug]), {"decision": query}) for query in found}
    said = {query: " ".join(page.content.decode().split()) for query, page in pages.items()}
    assert "Download approved IDs" in said[""]
    assert "Download rejected IDs" in said["rejected"]
    assert "Copy rejected IDs" in said["rejected"]
    assert "Copy approved IDs" not in said["undecided"]
    assert "rejected IDs" not in said["undecided"]
    assert f'href="{address}?">Download approved IDs' in said["undecided"], "the file is of all, not of those to decide"


def test_of_the_ticked_only_those_decided_so_are_copied(client, study):
    tokens = list(study.sittings.order_by("pk").values_list("token", flat=True))
    act(client, study, "approve", chosen=tokens[:1])
    act(client, study, "reject", chosen=tokens[1:2], reason="other", message="No.")
    page = " ".join(act(client, study, "ids").content.decode().split())
    assert "data-code>pid-0 </pre>" in page
    assert "2 submissions are left out: not approved here." in page
    page = " ".join(act(client, study, "ids", query="?decision=rejected").content.decode().split())
    assert "data-code>pid-1 </pre>" in page
    assert "bulk rejection" in page


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("victim42,500.00", '"victim42,500.00",0.50'),
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0,0.50"),
        ("@SUM(1+1)", "'@SUM(1+1),0.50"),
        ('a"b', '"a""b",0.50'),
        ("5f3c1e9a7b2d4c6e8f0a1b02", "5f3c1e9a7b2d4c6e8f0a1b02,0.50"),
        ("A1B2C3D4E5F6G7", "A1B2C3D4E5F6G7,0.50"),
    ],
)
def test_an_id_says_no_amount_and_runs_as_no_formula(client, study, given, line):
    token = study.sittings.earliest("pk").token
    PlatformId.objects.filter(value="pid-0").update(value=given)
    act(client, study, "approve", chosen=[token])
    act(client, study, "bonus", chosen=[token], amount="0.5", bonus_reason="patience")
    assert client.post(reverse("payment_text", args=[study.slug, "bonuses"])).content.decode() == f"{line}\n"
    assert client.get(reverse("payment_text", args=[study.slug, "ids"])).content.decode() == f"{given}\n"
    assert client.get(reverse("payment_text", args=[study.slug, "names"])).status_code == 404


def test_excluding_an_annotator_leaves_payment_alone(client, study):
    sitting = study.sittings.first()
    act(client, study, "approve", chosen=[sitting.token])
    exclude(study, sitting.annotator, rule=Exclusion.Rule.RESEARCHER, evidence={})
    sitting.refresh_from_db()
    assert sitting.payment == "approved"


@pytest.mark.parametrize(
    ("do", "chosen", "says"), [("approve", [], "Nothing done: no submission is selected."), ("x", None, "no action")]
)
def test_what_cannot_be_done_is_said(client, study, do, chosen, says):
    answer = act(client, study, do, chosen=chosen)
    assert answer.status_code == 422
    assert says in answer.content.decode()


def test_sittings_of_another_study_stay_as_they_are(client, study, draft):
    act(client, draft, "approve", chosen=[study.sittings.first().token])
    assert paid(study) == ["undecided"] * 3


def test_synthetic_annotators_are_not_paid(client, checked):
    answer = act(client, checked, "approve")
    assert "Synthetic annotators are not paid." in answer.content.decode()


def test_the_queue_asks_as_many_queries_for_one_as_for_three(client, study, django_assert_max_num_queries):
    with django_assert_max_num_queries(28):
        page = client.get(reverse("payment", args=[study.slug]))
    assert page.content.decode().count('name="sitting"') == 3


def test_a_typed_pay_says_what_an_hour_brings(client, study):
    Sitting.objects.update(state="finished", outcome="completed")
    for sitting in study.sittings.all():
        Sitting.objects.filter(pk=sitting.pk).update(finished_at=sitting.started_at.replace(microsecond=0))
    page = client.get(reverse("payment", args=[study.slug]), {"pay": "abc"})
    assert "is not an amount" in page.content.decode()
    page = client.get(reverse("payment", args=[study.slug]), {"pay": "2.50"})
    assert "2.50 per submission." in page.content.decode()


class TestIds:
    def test_are_in_the_queue_and_on_no_other_page(self, client, study):
        pages = [reverse("study", args=[study.slug]), reverse("results", args=[study.slug, "people"])]
        for address in pages:
            assert "pid-0" not in client.get(address).content.decode()
        assert "pid-0" in client.get(reverse("payment", args=[study.slug])).content.decode()

    def test_are_in_no_export_but_that_of_payments(self, client, study):
        for what, there in (("judgments", False), ("participants", False), ("items", False), ("payments", True)):
            answer = client.get(reverse("export", args=[study.slug, what]))
            assert (b"pid-0" in b"".join(answer.streaming_content)) is there

    def test_are_erased_once_the_name_is_typed(self, client, study):
        act(client, study, "approve")
        address = reverse("ids_forget", args=[study.slug])
        assert client.post(address, {"typed": "other"}).status_code == 422
        assert PlatformId.objects.count() == 3
        client.post(address, {"typed": study.slug})
        assert not PlatformId.objects.exists()

    def test_are_erased_by_command_once_they_are_decided(self, client, study, capsys):
        act(client, study, "approve", chosen=[study.sittings.earliest("pk").token])
        call_command("forget_ids", study.slug)
        assert "1 IDs erased; 2 are kept" in capsys.readouterr().out
        with pytest.raises(CommandError):
            call_command("forget_ids")


class TestPerson:
    @pytest.fixture
    def annotator(self, study):
        return study.sittings.earliest("pk").annotator

    def test_is_downloaded(self, client, study, annotator):
        answer = client.get(reverse("person_file", args=[study.slug, number_of(study, annotator)]))
        assert json.loads(answer.content)["platform_id"] == "pid-0"

    @pytest.mark.parametrize(("kind", "labels", "counted"), [("practice", 1, 1), ("gold", 2, 1)])
    def test_labels_are_counted_without_practice_and_count_on_targets(
        self, client, study, annotator, kind, labels, counted
    ):
        """A label in practice is none; one on a check is, and has no slot that could open again."""
        known = Assignment.objects.filter(sitting__annotator=annotator).order_by("pk").values_list("item", flat=True)
        study.items.filter(pk=known[0]).update(kind=kind, target=0)
        before = len(known) - 2
        address = reverse("person", args=[study.slug, number_of(study, annotator)])
        page = " ".join(client.get(address).content.decode().split())
        said = f"{before + labels} label{'s' * (before + labels != 1)} ({before + counted} count)"
        assert said in page
        erased = client.post(address, {"typed": f"a{number_of(study, annotator)}", "labels": "yes"}, follow=True)
        assert f"and {before + labels} labels." in erased.content.decode()

    def test_is_not_found_in_another_study(self, client, draft, annotator):
        for name in ("person", "person_file"):
            assert client.get(reverse(name, args=[draft.slug, 1])).status_code == 404

    def test_is_erased_once_the_name_is_typed(self, client, study, annotator):
        address = reverse("person", args=[study.slug, number_of(study, annotator)])
        assert client.post(address, {"typed": "a0", "labels": "yes"}).status_code == 422
        before = study.items.get(external_id="target-1").counted
        client.post(address, {"typed": f"a{number_of(study, annotator)}", "labels": "yes"})
        assert PlatformId.objects.count() == 2
        assert study.items.get(external_id="target-1").counted == before - 1

    def test_by_command(self, study, annotator, tmp_path, capsys):
        out = tmp_path / "person.json"
        call_command("person", study.slug, id=f"a{number_of(study, annotator)}", export=out)
        assert json.loads(out.read_text())["platform_id"] == "pid-0"
        call_command("person", study.slug, id=f"a{number_of(study, annotator)}", erase=True)
        assert "submissions made anonymous, 0 labels erased" in capsys.readouterr().out
        with pytest.raises(CommandError, match="No one has taken part"):
            call_command("person", study.slug, id="a99999999", erase=True)


class TestCommand:
    def test_writes_the_table(self, study, tmp_path):
        out = tmp_path / "payments.csv"
        call_command("payments", study.slug, csv=out)
        rows = list(csv.DictReader(io.StringIO(out.read_text())))
        assert sorted(row["platform_id"] for row in rows) == ["pid-0", "pid-1", "pid-2"]
        assert {row["payment"] for row in rows} == {"undecided"}

    def test_approves_and_hands_over(self, study, capsys):
        Sitting.objects.end(Sitting.Outcome.COMPLETED)
        call_command("payments", study.slug, "--approve")
        call_command("payments", study.slug, "--bonus", "0.25", "--message", "patience")
        call_command("payments", study.slug, "--bonuses")
        call_command("payments", study.slug)
        told = capsys.readouterr().out
        assert "3 submissions approved." in told
        assert "pid-2,0.25\npid-1,0.25\npid-0,0.25\n" in told
        assert "0 undecided, 3 approved, 0 rejected" in told
        assert set(PaymentDecision.objects.values_list("by", flat=True)) == {None}

    @pytest.mark.parametrize("options", [["--approve"], ["--bonus", "0.25", "--message", "patience"]])
    def test_without_an_answer_it_has_to_be_asked_for(self, study, options, capsys):
        empty = study.sittings.earliest("pk")
        empty.assignments.update(state="released")
        call_command("payments", study.slug, *options)
        assert "1 submissions are left out because they have no answer" in capsys.readouterr().err
        assert not empty.decisions.exists()
        call_command("payments", study.slug, *options, "--without-answers")
        assert empty.decisions.count() == 1

    def test_prints_the_ids_of_one_decision(self, client, study, capsys):
        tokens = list(study.sittings.order_by("pk").values_list("token", flat=True))
        act(client, study, "approve", chosen=tokens[:1])
        act(client, study, "reject", chosen=tokens[1:2], reason="other", message="No.")
        for options, out, err in (
            ([], "pid-0\n", "2 submissions are left out because they are not approved here.\n"),
            (["--decision", "rejected"], "pid-1\n", ""),
            (["--decision", "undecided"], "", "1 submissions are left out because they are not approved here.\n"),
        ):
            call_command("payments", study.slug, "--ids", *options)
            assert capsys.readouterr() == (out, err)

    @pytest.mark.parametrize("options", [["--reject", "other"], ["--bonus", "x"], ["--id", "nobody"]])
    def test_says_what_it_cannot_do(self, study, options):
        with pytest.raises(CommandError):
            call_command("payments", study.slug, *options)
