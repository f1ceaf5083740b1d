"""A decision is kept with who, when and on what; it changes nothing else. Files of decisions are taken whole or not."""

import csv
import io

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.adjudicating import DecisionRefused, adjudicate
from annotation.models import Adjudication, Item, Judgment, Study
from tests.comparison.cast import give_labels
from tests.studies import open_small_study, plausibility_row, plausibility_rows

IMPOSSIBLE, LESS, EQUAL = "impossible", "less_likely", "equally_likely"


@pytest.fixture
def rosa(db) -> User:
    return User.objects.create_user("rosa")


@pytest.fixture
def study(rosa, tmp_path) -> Study:
    rows = [plausibility_row(1, reference=LESS), *plausibility_rows(4)[1:]]
    study = open_small_study(tmp_path, rows)
    given = [[IMPOSSIBLE, LESS, EQUAL], [EQUAL, LESS, IMPOSSIBLE], [LESS, LESS, EQUAL], [LESS]]
    give(study, rosa, Role.OWNER)
    give_labels(study, [(f"target-{i}", f"p{n}", one) for i, own in enumerate(given, 1) for n, one in enumerate(own)])
    return study


def item(study: Study, number: int = 1) -> Item:
    return study.items.get(external_id=f"target-{number}")


class TestOne:
    def test_it_is_kept_and_no_label_majority_or_reference_changes(self, study, rosa):
        before = [list(table.objects.order_by("pk").values()) for table in (Item, Judgment)]
        made = adjudicate(item(study), EQUAL, note="both readings", by=rosa, seen=None)
        assert (made.decision, made.note, made.by, made.stands) == (EQUAL, "both readings", rosa, True)
        assert made.tally == {IMPOSSIBLE: 1, LESS: 1, EQUAL: 1}
        assert [list(table.objects.order_by("pk").values()) for table in (Item, Judgment)] == before

    def test_another_takes_its_place_and_the_first_is_kept(self, study, rosa):
        first = adjudicate(item(study), EQUAL, note="", by=rosa, seen=None)
        second = adjudicate(item(study), "", note="no context", by=rosa, seen=first.pk)
        assert list(Adjudication.objects.values_list("pk", "stands")) == [(first.pk, False), (second.pk, True)]

    def test_the_same_again_is_no_second_row(self, study, rosa):
        first = adjudicate(item(study), EQUAL, note="", by=rosa, seen=None)
        assert adjudicate(item(study), EQUAL, note="", by=rosa, seen=first.pk) == first
        assert Adjudication.objects.count() == 1

    def test_refused_where_somebody_decided_meanwhile(self, study, rosa):
        adjudicate(item(study), EQUAL, note="", by=rosa, seen=None)
        with pytest.raises(DecisionRefused, match="since you opened it"):
            adjudicate(item(study), LESS, note="", by=rosa, seen=None)
        assert Adjudication.objects.get().decision == EQUAL

    @pytest.mark.parametrize(("number", "decision"), [(4, LESS), (1, "likely")])
    def test_refused_without_all_labels_or_with_another_label(self, study, rosa, number, decision):
        with pytest.raises(DecisionRefused):
            adjudicate(item(study, number), decision, note="", by=rosa, seen=None)
        assert not Adjudication.objects.exists()


def listed(study: Study, *options: str) -> list[dict[str, str]]:
    out = io.StringIO()
    call_command("adjudicate", study.slug, "--list", *options, stdout=out)
    return list(csv.DictReader(io.StringIO(out.getvalue())))


class TestCommand:
    def given(self, tmp_path, *lines: str) -> str:
        path = tmp_path / "decisions.csv"
        path.write_text("\n".join(["item,decision,note", *lines]) + "\n", encoding="utf-8")
        return str(path)

    def test_what_is_listed_comes_back_decided(self, study, rosa, tmp_path):
        assert [row["item"] for row in listed(study)] == ["target-1", "target-2"]
        assert [row["item"] for row in listed(study, "--under", "0.7")] == ["target-1", "target-2", "target-3"]
        path = self.given(tmp_path, "target-1,less_likely,", "target-2,cannot be decided,two senses", "target-3,,")
        out = io.StringIO()
        call_command("adjudicate", study.slug, "--import", path, "--by", "rosa", stdout=out)
        assert "2 decisions stored, 0 stood already" in out.getvalue()
        found = {row["item"]: (row["decision"], row["note"], row[f"labels:{LESS}"]) for row in listed(study)}
        assert found == {"target-1": (LESS, "", "1"), "target-2": ("cannot be decided", "two senses", "1")}
        out = io.StringIO()
        call_command("adjudicate", study.slug, "--import", path, "--by", "rosa", stdout=out)
        assert "0 decisions stored, 2 stood already" in out.getvalue()

    def test_a_list_that_was_filled_in_is_taken_whatever_else_it_has(self, study, rosa, tmp_path):
        rows = listed(study)
        rows[0]["decision"] = EQUAL
        path = tmp_path / "filled.csv"
        with path.open("w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        call_command("adjudicate", study.slug, "--import", str(path), "--by", "rosa", stdout=io.StringIO())
        assert Adjudication.objects.get().decision == EQUAL

    def test_every_fault_is_named_by_line_and_nothing_is_stored(self, study, rosa, tmp_path):
        lines = ["target-1,less_likely,", "target-9,less_likely,", "target-4,less_likely,", "target-2,likely,"]
        lines += ["target-1,impossible,", "target-2,"]
        with pytest.raises(CommandError) as caught:
            call_command("adjudicate", study.slug, "--import", self.given(tmp_path, *lines), "--by", "rosa")
        said = str(caught.value)
        for line, word in ((3, "'target-9'"), (4, "'target-4'"), (5, "'likely'"), (6, "line 2"), (7, "2 cells")):
            assert any(f"line {line}" in one and word in one for one in said.splitlines()), (line, said)
        assert not Adjudication.objects.exists()

    @pytest.mark.parametrize(
        ("options", "word"),
        [
            (["--import", "x.csv"], "--by must be the user name"),
            (["--import", "x.csv", "--by", "nobody"], "No account named"),
            (["--list", "--under", "7"], "from 0 to 1"),
        ],
    )
    def test_options_that_do_not_fit(self, study, rosa, options, word):
        with pytest.raises(CommandError, match=word):
            call_command("adjudicate", study.slug, *options)

    def test_a_file_without_decisions(self, study, rosa, tmp_path):
        with pytest.raises(CommandError, match="no decisions"):
            call_command("adjudicate", study.slug, "--import", self.given(tmp_path, "target-1,,"), "--by", "rosa")

    def test_nobody_decides_by_command_what_a_page_would_not_let_them(self, study, rosa, tmp_path):
        path = self.given(tmp_path, "target-1,less_likely,")
        carl = User.objects.create_user("carl")
        for role in (None, Role.ANALYST):
            if role:
                give(study, carl, role)
            with pytest.raises(CommandError, match=r"carl may not edit in small\. .* owner or editor: manage"):
                call_command("adjudicate", study.slug, "--import", path, "--by", "carl")
        with pytest.raises(CommandError, match="No account named 'zoe'"):
            call_command("adjudicate", study.slug, "--import", path, "--by", "zoe")
        assert not Adjudication.objects.exists()
