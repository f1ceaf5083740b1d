"""The importer of the published intensifier sheet, on small files of its layout and on the real one."""

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from annotation.studyfile import read_study
from stimuli.datasets.intensifier_sheet import COLUMNS
from tests.shared_data import shared

SHEET = "intensifiers/items_bert_large_cased.csv"
TABLE = "intensifiers/adverb_adjective_bigrams.csv"


def cells(idx: int, **changes: Any) -> dict[str, Any]:
    return {
        "idx": idx,
        "adverb": "never",
        "adverb_raw": " never",
        "adjective": "late",
        "sentence": f" Bus {idx} is ours.  It is never late.",
        "negative": f"Bus {idx} is ours. It is not late.",
        "rank_not": 0,
        "prob_not": 0.5,
        "rank_adv": 1,
        "prob_adv": 0.25,
        "top10": '[["not", 0.5]]',
    } | changes


def text(rows: list[dict[str, Any]], columns: tuple[str, ...] = COLUMNS) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text(text(rows), encoding="utf-8")
    return path


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "studies" / "sheet"


def run(source: Path, out: Path, *more: str) -> None:
    call_command("import_study", "intensifiers", str(source), "--out", str(out), "--no-load", *more, verbosity=0)


def made(source: Path, out: Path, *more: str):
    run(source, out, *more)
    return read_study(out).items, json.loads((out / "manifest.json").read_text())


class TestItems:
    def test_context_slot_options_and_neutral_context(self, out, tmp_path):
        (row,), _ = made(write(tmp_path / "s.csv", [cells(7)]), out)
        assert row.id == "never-7"
        assert row.content == {
            "context": "Bus 7 is ours.",
            "sentence": "It is ____ late.",
            "options": {"intensifier": "never", "negation": "not"},
            "neutral": "is ____ late.",
        }
        assert row.attributes == {"adverb": "never", "class": "temporal", "adjective": "late", "negation": "natural"}

    def test_quirks_line_breaks_entities_and_the_adjective_null(self, out, tmp_path):
        odd = cells(1, adjective="null", sentence="&gt; He asks &amp; waits.\n\nIt is never null!", negative="")
        odd["negative"] = "He asks & waits. It is not null!"
        rows, manifest = made(write(tmp_path / "s.csv", [odd, cells(2)]), out)
        assert rows[0].content["context"] == "He asks & waits."
        assert rows[0].attributes["adjective"] == "null"
        assert rows[0].attributes["negation"] == "natural"
        assert [one["idx"] for one in manifest["adjusted"]] == [1]
        assert len(rows) == 2

    def test_a_negative_that_was_reworded_is_kept_in_the_manifest(self, out, tmp_path):
        reworded = cells(3, negative="Bus 3 is ours. It would not be late.")
        (row,), manifest = made(write(tmp_path / "s.csv", [reworded]), out)
        assert row.attributes["negation"] == "published negative differs"
        assert row.revise == '"not" might not sound natural: published negative differs'
        assert manifest["published_negatives"] == [{"idx": 3, "line": 2, "negative": reworded["negative"]}]

    def test_a_row_whose_adjective_is_not_in_the_sentence_is_kept_and_noted(self, out, tmp_path, capsys):
        """The published totals count it, by the sheet's adverb and adjective."""
        far = cells(3, adjective="early", sentence="It is never, or so they say. Bus 3 is always on time.")
        inside = cells(4, sentence="Bus 4 is never late. It is early.")
        odd = [cells(1), cells(2, adjective="early"), far, inside]
        rows, manifest = made(write(tmp_path / "s.csv", odd), out)
        assert [row.id for row in rows] == ["never-1", "never-2", "never-3", "never-4"]
        assert rows[1].content == {
            "context": "Bus 2 is ours.",
            "sentence": "It is ____ late.",
            "options": {"intensifier": "never", "negation": "not"},
            "neutral": "is ____ early.",
        }
        assert rows[2].content["sentence"] == "It is ____, or so they say. Bus 3 is always on time."
        assert rows[1].attributes["adjective"] == rows[2].attributes["adjective"] == "early"
        assert rows[3].content["sentence"] == "Bus 4 is ____ late. It is early."
        none, other = "adjective not after the adverb", "adverb and adjective not at the end"
        assert [row.attributes.get("sheet") for row in rows] == [None, none, none, other]
        assert manifest["dropped"] == []
        assert manifest["counts"]["sentence_does_not_end_as_the_row"] == 3
        why = "adjective not after the adverb ('early' on the sheet): kept, the slot is 'never late.'"
        assert {"idx": 2, "line": 3, "why": why} in manifest["adjusted"]
        assert "kept, but noted: never-2, adjective not after the adverb" in capsys.readouterr().out

    def test_a_sentence_without_its_adverb_is_dropped_aloud(self, out, tmp_path, capsys):
        gone = cells(2, sentence="Bus 2 is late.")
        rows, manifest = made(write(tmp_path / "s.csv", [cells(1), gone]), out)
        assert [row.id for row in rows] == ["never-1"]
        assert manifest["dropped"] == [{"idx": 2, "line": 3, "why": "has no 'never', so no place for the slot"}]
        assert "dropped: idx 2 (line 3)" in capsys.readouterr().out

    def test_frequencies_are_attached(self, out, tmp_path):
        (tmp_path / "t.csv").write_text("adverb,adjective,ln_ngram_freq\nnever,late,-13.5\n")
        (row,), _ = made(write(tmp_path / "s.csv", [cells(1)]), out, "--bigrams", str(tmp_path / "t.csv"))
        assert row.attributes["bigram_ln_frequency"] == "-13.5000"


class TestDamaged:
    @pytest.fixture
    def refused(self, out, tmp_path):
        def ask(data: str | bytes) -> str:
            path = tmp_path / "bad.csv"
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
            with pytest.raises(CommandError) as caught:
                run(path, out)
            assert not out.exists()
            return str(caught.value)

        return ask

    def test_a_missing_column(self, refused):
        assert "line 1, column “negative”: is missing: there is no such column" in refused(
            text([cells(1)], tuple(name for name in COLUMNS if name != "negative"))
        )

    def test_an_unknown_adverb_and_a_repeated_idx_in_one_message(self, refused):
        said = refused(text([cells(1), cells(2, adverb="soon", adverb_raw="soon"), cells(1)]))
        assert "2 problems" in said
        assert "line 3, column “adverb”: 'soon' is not one of" in said
        assert "line 4, column “idx”: 1 was already used on line 2" in said

    @pytest.mark.parametrize("cut", [3, 20, 60])
    def test_a_truncated_last_line(self, refused, cut):
        assert "line 3" in refused(text([cells(1), cells(2)])[:-cut])

    def test_numbers_that_are_none(self, refused):
        said = refused(text([cells(1, rank_not="first", prob_adv=1.5)]))
        assert "line 2, column “rank_not”: 'first' is not a whole number" in said
        assert "line 2, column “prob_adv”: '1.5' is not a probability" in said


class TestPublished:
    @pytest.mark.slow
    def test_the_counts_of_the_source(self, out):
        rows, manifest = made(shared(SHEET), out)
        assert manifest["counts"]["rows_in_file"] == 400
        assert manifest["dropped"] == []
        spelled = "'consistent' in the sentence, 'consistant' on the sheet"
        assert {"idx": 315, "line": 119, "why": spelled} in manifest["adjusted"]
        adverbs = Counter(row.attributes["adverb"] for row in rows)
        assert len(rows) == 400
        assert set(adverbs.values()) == {40}
        assert len(adverbs) == 10
        assert {row.reference for row in rows} == {"intensifier"}
        assert not any("&gt;" in str(row.content) or "\n" in str(row.content) for row in rows)

    @pytest.mark.slow
    def test_it_loads(self, db, out):
        sheet, table = str(shared(SHEET)), str(shared(TABLE))
        call_command("import_study", "intensifiers", sheet, "--out", str(out), "--bigrams", table, verbosity=0)
        assert Study.objects.get(slug="intensifiers-published").items.count() == 400

    def test_a_damaged_copy(self, out, tmp_path):
        data = shared(SHEET).read_bytes()
        (tmp_path / "cut.csv").write_bytes(data[: len(data) // 2])
        with pytest.raises(CommandError, match="line "):
            run(tmp_path / "cut.csv", out)
        assert not out.exists()
