"""What a score file cannot do: be endless, hold numbers that are none, or land on items reworded meanwhile."""

import os

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from annotation.itemfile import ItemRow
from annotation.loading import load_study
from corpus.bounds import MOST_FAULTS
from corpus.tables.opening import How
from scoring.imported import importing, matching
from scoring.imported.lines import ScoreFileError, read_scores
from scoring.imported.reading import ScoreOptions, reading
from scoring.models import Run
from tests.scoring.imported.score_files import CHOICE, HEAD, MAPS, QUALITY, ROWS, SLOTS, bring, refused, scores
from tests.studies import open_small_study, write_study

pytestmark = pytest.mark.django_db
BOTH = ["item,score", "p1,1", "p2,2"]
OTHER_WORDS = ItemRow("p1", {"options": {"plausible": "The cook ate.", "implausible": "The egg ate."}})
BARE = reading(ScoreOptions(pairs=[("item", "1"), ("score", "2")], how=How(header=False)))


@pytest.fixture
def study(tmp_path):
    return open_small_study(tmp_path / "study", ROWS, task=CHOICE, quality=QUALITY)


def options_as(kind):
    return [part for role in ("plausible", "implausible") for part in ("--map", f"{kind}.{role}={role}")]


def reword(folder, *rows):
    load_study(write_study(folder, list(rows), task=CHOICE, quality=QUALITY))


def read(data):
    return read_scores(data, BARE, name="scores.csv", labels=())


class TestNumbers:
    @pytest.mark.parametrize("rank", ["1" + 307 * "0", "10000001", 5000 * "0" + "10000001"])
    def test_a_rank_is_a_place_in_a_vocabulary(self, tmp_path, rank):
        study = open_small_study(tmp_path / "s", SLOTS, task=CHOICE, quality=QUALITY)
        told = refused(study, tmp_path, f"{HEAD}s1,0.5,0.2,{rank},2\n", *MAPS)
        assert "line 2, column “rank_plausible”: '" in told
        assert "is not a rank: a whole number from 1 to 10,000,000" in told

    def test_the_last_rank_counts_from_where_the_first_does(self, tmp_path):
        study = open_small_study(tmp_path / "s", SLOTS, task=CHOICE, quality=QUALITY)
        told = refused(study, tmp_path, f"{HEAD}s1,0.5,0.2,10000000,2\n", *MAPS, "--ranks-from", "0")
        assert "a whole number from 0 to 9,999,999" in told
        run = bring(study, tmp_path, f"{HEAD}s1,0.5,0.2,10000000,1\n", *MAPS)
        assert scores(run)["s1"].detail["options"]["plausible"]["rank"] == 10_000_000

    def test_scores_whose_difference_is_no_number_are_refused(self, study, tmp_path):
        head = "item,plausible,implausible\n"
        told = refused(study, tmp_path, f"{head}p1,1e308,-1e308\n", *options_as("score"))
        assert "line 2, column “plausible”: '1e308' is too large to compare" in told
        assert "line 2, column “implausible”: '-1e308' is too large" in told
        assert scores(bring(study, tmp_path, f"{head}p1,1e300,-1e300\n", *options_as("score")))["p1"].strength == 2e300

    def test_a_log_probability_is_not_above_0(self, study, tmp_path):
        told = refused(study, tmp_path, "item,plausible,implausible\np1,0.1,-1\n", *options_as("logprob"))
        assert "line 2, column “plausible”: '0.1' is not a log-probability: it is above 0" in told
        by_text = ("--by", "text", "--no-header", "--map", "text=1", "--map", "logprob=2")
        told = refused(study, tmp_path, "The cook fried the egg,2\n", *by_text)
        assert "line 1, column 2: '2' is not a log-probability" in told

    def test_a_decimal_comma_is_a_point_where_semicolons_part_the_cells(self, study, tmp_path):
        rows = "item{0}plausible{0}implausible\np1{0}-32,380{0}-1,5\np2{0}-1{0}-0,125\n"
        run = bring(study, tmp_path, rows.format(";"), *options_as("logprob"))
        assert [scores(run)[one].strength for one in ("p1", "p2")] == pytest.approx([-30.88, -0.875])
        # Between tabs it may be a thousand.
        told = refused(study, tmp_path, rows.format("\t"), *options_as("logprob"), name="Other")
        assert "'-32,380' is not a number" in told
        assert "-0,125" not in told

    def test_commas_and_points_in_one_column_are_refused_where_either_may_be_a_thousand(self, study, tmp_path):
        rows = "item;plausible;implausible\np1;-1,234;-1.5\np2;-0.5;-2.5\n"
        told = refused(study, tmp_path, rows, *options_as("logprob"))
        assert (
            "line 3, column “logprob.plausible”: '-0.5': this column has numbers with a comma and with a point" in told
        )

    def test_rounding_above_0_is_let_be_and_a_score_may_have_any_sign(self, study, tmp_path):
        text = "item,plausible,implausible\np1,1e-7,-1\np2,-2,0\n"
        assert scores(bring(study, tmp_path, text, *options_as("logprob")))["p2"].decision == "implausible"
        text = text.replace("1e-7", "12")
        assert scores(bring(study, tmp_path, text, *options_as("score"), name="Other"))["p1"].strength == 13


class TestSize:
    @pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
    def test_lines_are_counted_before_they_are_read(self, end):
        with pytest.raises(ScoreFileError, match="file: has more than 500,000 lines"):
            read((b"a,1" + end) * 500_001)

    def test_a_line_has_only_so_many_cells(self):
        with pytest.raises(ScoreFileError, match="line 1: has more than 1,000 columns"):
            read(b"a," * 1000 + b"1\n")

    def test_no_more_faults_are_kept_than_anyone_reads(self):
        with pytest.raises(ScoreFileError) as caught:
            read(b"a,x\n" * (MOST_FAULTS + 200))
        assert len(caught.value.faults) == MOST_FAULTS
        assert "The first 1,000 problems are counted." in str(caught.value)

    def test_nor_of_lines_that_belong_to_no_item(self, study, tmp_path):
        stray = [f"stray{number},1" for number in range(MOST_FAULTS + 200)]
        told = refused(study, tmp_path, "\n".join([*BOTH, *stray]))
        assert "scores.txt: 1000 problems; nothing was imported" in told
        assert "problems are counted" in told

    @pytest.mark.parametrize("data", [b"a," + 100_000 * b"x", 100_000 * b"x" + b",1\n" + 100_000 * b"x" + b",2"])
    def test_a_long_cell_is_quoted_by_its_beginning(self, data):
        with pytest.raises(ScoreFileError) as caught:
            read(data)
        assert len(str(caught.value)) < 500

    def test_a_long_header_is_quoted_by_its_beginning(self):
        with pytest.raises(ScoreFileError, match="is not a column") as caught:
            read_scores(
                b"x" * 100_000, reading(ScoreOptions(pairs=[("score", "points")])), name="scores.csv", labels=()
            )
        assert len(str(caught.value)) < 1000


class TestNames:
    def test_a_file_name_that_is_no_text_is_refused(self, study, tmp_path):
        told = refused(study, tmp_path, "\n".join(BOTH), file=os.fsdecode(b"sc\xffores.csv"))
        assert "The file’s name is not UTF-8 text" in told

    def test_names_that_are_no_text_are_not_there(self, study):
        broken = os.fsdecode(b"\xff")
        with pytest.raises(CommandError, match="There is no study"):
            call_command("import_scores", broken, "x.csv", "--name", "x")
        with pytest.raises(CommandError, match="has no imported run"):
            call_command("import_scores", study.slug, "--name", broken, "--remove")

    def test_columns_that_make_an_id_may_go_by_number(self, study, tmp_path):
        options = ("--no-header", "--map", "item={1}{2}", "--column", "3")
        assert scores(bring(study, tmp_path, "p,1,1\np,2,2\n", *options))["p2"].strength == 2
        told = refused(study, tmp_path, "p,1,1\n", "--no-header", "--map", "item={1}{n}", "--column", "3", name="O")
        assert "has no column names: map numbers, counted from 1" in told


class TestMeanwhile:
    @pytest.mark.slow
    @pytest.mark.django_db(transaction=True)
    def test_the_file_is_read_before_the_lock_and_no_score_goes_to_a_reworded_item(self, study, tmp_path, monkeypatch):
        locked = []

        def match_and_reword(*asked, **told):
            locked.append(connection.in_atomic_block)
            matched = matching.match(*asked, **told)
            reword(tmp_path / "study", OTHER_WORDS, ROWS[1])
            return matched

        monkeypatch.setattr(importing, "match", match_and_reword)
        told = refused(study, tmp_path, "\n".join(BOTH))
        assert "small changed during the import. Nothing was imported; import again." in told
        assert locked == [False]
        monkeypatch.undo()
        assert bring(study, tmp_path, "\n".join(BOTH)).scored == 2

    def test_a_study_goes_with_its_imported_runs(self, study, tmp_path):
        bring(study, tmp_path, "\n".join(BOTH))
        study.delete()
        assert not Run.objects.exists()
