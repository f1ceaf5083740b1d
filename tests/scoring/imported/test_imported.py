"""Score files: read whole, refused by line and column, matched by id or text, and runs like any other afterwards."""

import hashlib
import io
import json

import openpyxl
import pytest
from django.core.management import CommandError, call_command

from annotation.itemfile import ItemRow
from annotation.loading import load_study
from annotation.models import Study
from scoring.models import LanguageModel, Run
from scoring.runs.fitting import CannotRun, choices_for, find_model
from scoring.runs.starting import start_run
from tests.scoring.imported.score_files import CHOICE, HEAD, MAPS, PAIRS, QUALITY, ROWS, SLOTS, bring, refused, scores
from tests.studies import open_small_study, write_study

pytestmark = pytest.mark.django_db
TSV = ("--by", "text", "--no-header", "--delimiter", "tab", "--map", "text=2", "--column", "3")


@pytest.fixture
def study(tmp_path) -> Study:
    return open_small_study(tmp_path / "study", ROWS, task=CHOICE, quality=QUALITY)


class TestByText:
    # A space before the period, no period, mixed line ends, no newline at the end.
    TEXT = (
        "0\tThe cook fried the egg .\t-3.5\r\n1\tThe cook fried the hat\t-9\n"
        "2\tA dog bit  a man.\t-2\n3\tA hat bit a man.\t-2"
    )

    def test_both_sentences_scores_make_the_items(self, study, tmp_path, capsys):
        run = bring(study, tmp_path, self.TEXT, *TSV)
        first, second = scores(run)["p1"], scores(run)["p2"]
        assert (first.decision, first.strength) == ("plausible", 5.5)
        assert first.detail["options"]["implausible"] == {"text": "The cook fried the hat.", "score": -9.0}
        assert (second.decision, second.strength) == (None, 0.0)
        assert second.detail["no_decision"] == "the best options have the same score"
        out = capsys.readouterr().out
        assert "Big · score (imported): 2 of 2 items scored, 1 without a decision" in out
        assert "ignoring white space and a space before the final period" in out

    def test_lower_may_be_better(self, study, tmp_path):
        first = scores(bring(study, tmp_path, self.TEXT, *TSV, "--lower-is-better"))["p1"]
        assert (first.decision, first.strength) == ("implausible", -5.5)
        assert first.detail["options"]["plausible"]["score"] == -3.5

    def test_a_log_probability_is_called_one(self, study, tmp_path):
        options = [*TSV[:-2], "--map", "logprob=3"]
        assert scores(bring(study, tmp_path, self.TEXT, *options))["p1"].detail["options"]["plausible"] == {
            "text": "The cook fried the egg.",
            "logprob": -3.5,
        }

    def test_none_and_absence_are_reasons(self, study, tmp_path):
        text = "0\tThe cook fried the egg.\tNone\n1\tThe cook fried the hat.\t-9\n2\tA dog bit a man.\t1\n"
        run = bring(study, tmp_path, text, *TSV)
        assert scores(run)["p1"].unscored == "no number in scores.txt"
        assert scores(run)["p1"].detail == {"where": "line 1, score: None"}
        assert scores(run)["p2"].unscored == "not in scores.txt"
        assert scores(run)["p2"].detail == {"where": "A hat bit a man."}
        assert (run.state, run.total, run.scored, run.unscored) == ("finished", 2, 0, 2)

    def test_sentences_by_other_names_are_seen(self, study, tmp_path):
        lines = [f"{text},{-place}" for pair in PAIRS for place, text in enumerate(pair, 1)]
        run = bring(study, tmp_path, "\n".join(["Satz,Log-Prob", *lines]) + "\n", "--by", "text")
        assert [scores(run)[name].decision for name in ("p1", "p2")] == ["plausible", "plausible"]

    def test_a_rating_of_one_sentence_takes_its_score(self, tmp_path):
        task = {"type": "rating", "question": "How?", "points": 7, "low": "Not", "high": "Very"}
        study = open_small_study(tmp_path / "r", [ItemRow("s", {"sentence": "A dog bit a man."})], task=task)
        score = scores(bring(study, tmp_path, "0\tA dog bit a man .\t2.5\n", *TSV))["s"]
        assert (score.decision, score.strength) == (None, 2.5)

    def test_a_sentence_may_stand_twice_if_it_says_the_same(self, study, tmp_path, capsys):
        bring(study, tmp_path, self.TEXT + "\n9\tA dog bit a man.\t-2\n", *TSV)
        assert "1 line repeats an earlier one" in capsys.readouterr().out
        told = refused(study, tmp_path, self.TEXT + "\n9\tA dog bit a man.\t-2.1\n", *TSV, name="Other")
        assert "line 5, column 2: 'A dog bit a man' is also on line 3 with different values" in told

    def test_lines_of_no_item_are_faults_unless_they_may_be_there(self, study, tmp_path, capsys):
        text = self.TEXT + "\n4\tIt rains.\t-1\n"
        assert "line 5, column 2: there is no target item with the text 'It rains'" in refused(
            study, tmp_path, text, *TSV
        )
        bring(study, tmp_path, text, *TSV, "--skip-unknown")
        assert "1 line matches no item" in capsys.readouterr().out
        told = refused(study, tmp_path, "0\tIt rains.\t-1\n", *TSV, "--skip-unknown", name="Other")
        assert "no line names a text of this study’s target items" in told


class TestById:
    def test_a_label_alone_needs_no_map(self, study, tmp_path):
        run = bring(study, tmp_path, "item,label\np1,plausible\n")
        assert (scores(run)["p1"].decision, scores(run)["p1"].strength) == ("plausible", None)

    def test_an_id_is_found_as_other_programs_write_it_and_told_unless_its_item_has_a_line(
        self, study, tmp_path, capsys
    ):
        run = bring(study, tmp_path, "item,score\nP1,1.5\np02,-2\n")
        assert [scores(run)[name].strength for name in ("p1", "p2")] == [1.5, -2]
        assert "IDs in a different form were matched to items: P1 for p1, p02 for p2" in capsys.readouterr().out
        assert "line 3, column “item”: there is no target item 'P1'" in refused(
            study, tmp_path, "item,score\np1,1\nP1,2\n", name="Other"
        )

    @pytest.mark.parametrize("options", [(), ("--map", "score=score", "--map", "label=label")])
    def test_score_and_label_by_their_own_names(self, study, tmp_path, options):
        run = bring(study, tmp_path, "item,label,score\np1,plausible,1.5\np2,,\n", *options)
        assert (scores(run)["p1"].decision, scores(run)["p1"].strength) == ("plausible", 1.5)
        assert scores(run)["p2"].unscored == "no score and label in scores.txt"
        assert scores(run)["p2"].detail == {"where": "line 3"}

    def test_the_score_column_needs_no_map(self, study, tmp_path):
        assert (
            scores(bring(study, tmp_path, "score;item\n-2;p1\n0.5;p2\n", "--delimiter", "semicolon"))["p1"].strength
            == -2
        )

    @pytest.mark.parametrize("head", ["item_id,sentence,logprob", "ID,Text,Log-Likelihood", "id,words,Scores"])
    def test_columns_by_other_names_are_seen_and_told(self, study, tmp_path, capsys, head):
        run = bring(study, tmp_path, f"{head}\np1,It rains.,-2\np2,It snows.,-3\n")
        assert [scores(run)[name].strength for name in ("p1", "p2")] == [-2, -3]
        first, _, last = head.split(",")
        told = capsys.readouterr().out
        assert f"no columns were mapped, so these were read: '{first}' as the item, '{last}' as the score" in told

    def test_what_is_called_so_goes_before_what_is_called_otherwise(self, study, tmp_path):
        run = bring(study, tmp_path, "id,item,score,logprob,response\n7,p1,1.5,-9,maybe\n8,p2,2.5,-9,maybe\n")
        assert [scores(run)[name].strength for name in ("p1", "p2")] == [1.5, 2.5]

    def test_a_table_is_read_as_items_and_labels_are(self, study, tmp_path, capsys):
        """The one reader: a title above the head, an encoding that is told, and one that is chosen."""
        text = "Scores of Größe, 2026\n\nitem;score;note\np1;-2;ä\np2;0.5;ö\n"
        assert scores(bring(study, tmp_path, text.encode("cp1252"), name="Guessed"))["p1"].strength == -2
        told = capsys.readouterr().out
        assert "above the table and left out" in told and "Read as Windows-1252" in told
        words = "項目,score\np1,1\np2,2\n".encode("shift_jis")
        chosen = ("--encoding", "shift_jis", "--map", "item=項目", "score=score")
        assert scores(bring(study, tmp_path, words, *chosen, name="Chosen"))["p2"].strength == 2

    def test_a_sheet_is_chosen_and_its_columns_go_by_number_as_well(self, study, tmp_path):
        book, data = openpyxl.Workbook(), io.BytesIO()
        book.active.append(["nothing", "of this"])
        for row in (["p1", None, -2], ["p2", None, 0.5]):
            (book["Scores"] if "Scores" in book.sheetnames else book.create_sheet("Scores")).append(row)
        book.save(data)
        numbers = ("--no-header", "--map", "item=1", "score=3")
        run = bring(study, tmp_path, data.getvalue(), "--sheet", "Scores", *numbers, file="s.xlsx")
        assert [scores(run)[name].strength for name in ("p1", "p2")] == [-2, 0.5]
        told = refused(study, tmp_path, data.getvalue(), "--sheet", "Other", file="s.xlsx", name="Other")
        assert "--sheet: " in told

    def test_probabilities_and_ranks_are_read_as_a_cloze_is(self, tmp_path):
        study = open_small_study(tmp_path / "s", SLOTS, task=CHOICE, quality=QUALITY)
        text = HEAD + "s1,0.5,0.25,0,3\ns2,0.1,0.1,4,4\n"
        run = bring(study, tmp_path, text, *MAPS, "--ranks-from", "0")
        first = scores(run)["s1"]
        assert (first.decision, first.strength) == ("plausible", pytest.approx(0.6931, abs=1e-4))
        assert [first.detail["options"][role]["rank"] for role in ("plausible", "implausible")] == [1, 4]
        assert first.detail["options"]["plausible"]["logprob"] == pytest.approx(-0.6931, abs=1e-4)
        assert scores(run)["s2"].detail["no_decision"] == "plausible and implausible are equally probable"

    def test_an_id_may_be_put_together(self, study, tmp_path):
        text = "kind,n,score\np,1,1\np,2,2\n"
        run = bring(study, tmp_path, text, "--map", "item={kind}{n}", "--column", "score")
        assert scores(run)["p2"].strength == 2

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("item,score\np1,high\np2,1\n", "line 2, column “score”: 'high' is not a number"),
            ("item,score\np1,-1.5e-400\np2,1\n", "line 2, column “score”: '-1.5e-400' is too small for a number here"),
            ("item,score\np1,0.0e5\np2,0e\n", "1 problem"),
            pytest.param(
                f"item,score\np1,{'1' * 131_073}\n",
                "file: holds no answer and no score in any of its 1 lines",
                id="a long cell",
            ),
            ("item,score\np1,1\np1,2\n", "line 3, column “item”: 'p1' is also on line 2 with different values"),
            ("item,score\np1,1\np9,2\n", "line 3, column “item”: there is no target item 'p9'"),
            ("item,score\np1,1,2\n", "line 2: has 3 cells; the header has 2"),
            ("item,score\n,1\n", "line 2, column “item”: is empty"),
            (
                "item,points\np1,1\n",
                "line 1, column “score”: is not a column (requested as score); the columns are item",
            ),
            ("item,score\n", "file: holds no lines"),
            ("", "file: is empty"),
            ('item,score\n"p1,1\n', "line 2: starts a quoted cell that is never closed"),
        ],
    )
    def test_faults_by_line_and_column_and_nothing_is_left(self, study, tmp_path, text, message):
        assert message in refused(study, tmp_path, text)

    @pytest.mark.parametrize("form", ["utf-16", "cp1252", "xlsx", "json"])
    def test_a_table_may_be_in_another_encoding_in_excel_or_in_json(self, study, tmp_path, form):
        rows = [("item", "score", "words"), ("p1", 1.5, "für"), ("p2", -2, "wäre schön")]
        if form == "xlsx":
            book, data = openpyxl.Workbook(), io.BytesIO()
            for row in rows:
                book.active.append(row)
            book.save(data)
            read = data.getvalue()
        elif form == "json":
            read = json.dumps([dict(zip(rows[0], row, strict=True)) for row in rows[1:]]).encode()
        else:
            read = "".join(f"{item};{score};{words}\r\n" for item, score, words in rows).encode(form)
        name = f"scores.{form if form in ('xlsx', 'json') else 'csv'}"
        found = scores(bring(study, tmp_path, read, file=name))
        assert {item: score.strength for item, score in found.items()} == {"p1": 1.5, "p2": -2}

    def test_every_fault_is_told_at_once(self, study, tmp_path):
        told = refused(
            study, tmp_path, "item,score,label\np1,x,odd\np2,y,plausible\n", "--map", "score=2", "--map", "label=3"
        )
        assert "3 problems; nothing was imported" in told
        assert "line 2, column 3: 'odd' is not one of plausible, implausible" in told

    @pytest.mark.parametrize(
        ("cells", "message"),
        [
            ("-0.1,0.2,1,2", "line 2, column “prob_plausible”: '-0.1' is not a probability above 0"),
            ("1.5,0.2,1,2", "line 2, column “prob_plausible”: '1.5' is not a probability"),
            ("0.5,0.2,0,2", "line 2, column “rank_plausible”: '0' is not a rank: a whole number from 1"),
            ("0.5,0.2,1.5,2", "line 2, column “rank_plausible”: '1.5' is not a rank"),
        ],
    )
    def test_probabilities_and_ranks_that_are_none(self, tmp_path, cells, message):
        study = open_small_study(tmp_path / "s", SLOTS, task=CHOICE, quality=QUALITY)
        assert message in refused(study, tmp_path, f"{HEAD}s1,{cells}\n", *MAPS)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--map", "score"], "'score' is not WHAT=COLUMN"),
            (["--map", "points=2"], "'points' cannot be read. Use item, label, score"),
            (["--map", "score=2", "--column", "2"], "score is mapped twice"),
            (["--no-header", "--column", "2"], "Which column has the item?"),
            (["--no-header", "--column", "2", "--map", "item=item"], "has no column names"),
            (["--map", "score.plausible=2", "--map", "score=2"], "map one or the other"),
            (["--map", "score.plausible=2", "--map", "rank.plausible=2"], "Ranks are ranks of probabilities"),
            (["--map", "rank.plausible=2"], "exactly one of score, logprob and prob"),
            (["--map", "prob.plausible=2", "--map", "rank.implausible=2"], "is not mapped, but the others are"),
            (["--map", "label=2", "--lower-is-better"], "Lower is better applies only to scores"),
            (["--by", "text", "--map", "text=1", "--map", "label=2"], "have one number each"),
            (["--map", "score.good=2", "--map", "score.bad=2"], "but this study’s options are plausible, implausible"),
            (["--column", "7"], "line 1, column 7: is not a column"),
        ],
    )
    def test_columns_that_make_no_sense(self, study, tmp_path, options, message):
        assert message in refused(study, tmp_path, "item,score\np1,1\np2,2\n", *options)


class TestTheRun:
    TEXT = "item,score\np1,1\np2,2\n"

    def test_it_says_where_it_is_from(self, study, tmp_path):
        run = bring(study, tmp_path, self.TEXT, "--family", "masked", "--metric-name", "PLL")
        assert str(run) == "Big · PLL (imported)"
        assert (run.model.family, run.model.is_imported, run.state) == ("masked", True, "finished")
        source = run.source
        assert (source.name, source.note, source.imported_by) == ("scores.txt", "a paper", "")
        assert source.sha256 == hashlib.sha256(self.TEXT.encode()).hexdigest()
        assert run.provenance["imported_from"]["sha256"] == source.sha256

    def test_the_same_file_again_changes_nothing(self, study, tmp_path, capsys):
        run = bring(study, tmp_path, self.TEXT)
        before = list(run.scores.order_by("pk").values())
        assert bring(study, tmp_path, self.TEXT) == run
        assert "was imported before; nothing has changed" in capsys.readouterr().out
        assert list(run.scores.order_by("pk").values()) == before

    def test_the_same_file_with_another_source_keeps_the_new_one_and_says_so(self, study, tmp_path, capsys):
        run = bring(study, tmp_path, self.TEXT)
        before = list(run.scores.order_by("pk").values())
        run = bring(study, tmp_path, self.TEXT, source="a better paper")
        assert "its source is now “a better paper” (it was “a paper”), and nothing else" in capsys.readouterr().out
        assert run.source.note == run.provenance["imported_from"]["note"] == "a better paper"
        assert list(run.scores.order_by("pk").values()) == before

    @pytest.mark.slow
    def test_another_file_under_the_name_is_refused_and_another_metric_is_not(self, study, tmp_path):
        bring(study, tmp_path, self.TEXT)
        told = refused(study, tmp_path, self.TEXT.replace("2\n", "3\n"))
        assert "Big · score (imported) already has the scores of another file, scores.txt" in told
        assert "with other settings" in refused(study, tmp_path, self.TEXT, "--lower-is-better")
        assert "before as a model of another kind" in refused(study, tmp_path, self.TEXT, "--family", "causal")
        call_command(
            "import_scores", study.slug, str(tmp_path / "scores.txt"), "--name", "Big", "--metric-name", "per word",
            "--source", "x", "--lower-is-better",
        )  # fmt: skip
        assert study.runs.count() == 2
        assert LanguageModel.objects.count() == 1

    def test_changed_items_are_another_import(self, study, tmp_path):
        bring(study, tmp_path, self.TEXT)
        more = ItemRow("p3", {"options": {"plausible": "It is.", "implausible": "It was."}})
        load_study(write_study(tmp_path / "study", [*ROWS, more], task=CHOICE, quality=QUALITY))
        assert "before the study’s items changed" in refused(study, tmp_path, self.TEXT)

    def test_it_cannot_be_started_and_is_not_offered(self, study, tmp_path):
        run = bring(study, tmp_path, self.TEXT, "--family", "masked", "--metric-name", "pll")
        with pytest.raises(CannotRun, match="Big has only imported scores"):
            start_run(study, find_model(run.model.key), "pll")
        assert choices_for(study) == []
        assert run.scores.count() == 2

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            ({"source": ""}, "The source must be text on one line"),
            ({"name": "two\nlines"}, "The model’s name must be text on one line, 100"),
            ({"name": "x" * 101}, "The model’s name must be text on one line, 100"),
        ],
    )
    def test_names_are_names(self, study, tmp_path, names, message):
        assert message in refused(study, tmp_path, self.TEXT, **names)

    def test_removing_takes_scores_and_the_model_with_its_last_run(self, study, tmp_path, capsys):
        bring(study, tmp_path, self.TEXT)
        with pytest.raises(CommandError, match=r"no imported run Big · other\. Available: Big · score \(imported\)"):
            call_command("import_scores", study.slug, "--name", "Big", "--metric-name", "other", "--remove")
        call_command("import_scores", study.slug, "--name", "Big", "--remove")
        assert "Big · score (imported) removed with 2 scores" in capsys.readouterr().out
        assert not Run.objects.exists()
        assert not LanguageModel.objects.exists()

    @pytest.mark.parametrize(
        ("study_name", "text", "options", "code"),
        [
            ("none", "item,score\np1,1\n", [], 2),
            ("small", "item,score\np1,1\n", ["--source", ""], 2),
            ("small", "item,score\np1,1\n", ["--map", "score"], 2),
            ("small", "item,score\np1,1\n", ["--remove"], 2),
            ("small", "item,score\np1,x\n", [], 1),
        ],
    )
    def test_the_exit_code_tells_arguments_from_files(self, study, tmp_path, study_name, text, options, code):
        (tmp_path / "scores.csv").write_text(text)
        arguments = [study_name, str(tmp_path / "scores.csv"), "--name", "Big", "--source", "x", *options]
        with pytest.raises(CommandError) as caught:
            call_command("import_scores", *arguments)
        assert caught.value.returncode == code

    def test_reasons_are_counted_together_whatever_their_line(self, tmp_path, capsys):
        third = ItemRow("p3", {"options": {"plausible": "A cat drank milk.", "implausible": "Milk drank a cat."}})
        study = open_small_study(tmp_path / "study", [*ROWS, third], task=CHOICE, quality=QUALITY)
        bring(study, tmp_path, "item,score\np1,\np2,\np3,1\n")
        assert "unscored, 2: no score in scores.txt" in capsys.readouterr().out

    def test_what_is_not_there_is_told(self, study, tmp_path):
        with pytest.raises(CommandError, match="There is no study 'none'"):
            call_command("import_scores", "none", "x.csv", "--name", "x")
        with pytest.raises(CommandError, match=r"nowhere.csv cannot be read"):
            call_command("import_scores", study.slug, str(tmp_path / "nowhere.csv"), "--name", "x")
        with pytest.raises(CommandError, match="Name the score file"):
            call_command("import_scores", study.slug, "--name", "x")
