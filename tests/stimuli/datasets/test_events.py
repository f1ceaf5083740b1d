"""The event sets: pairs and ratings, verbs found from the pairs, people's ratings as labels or as means."""

from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Item, Judgment, Study
from annotation.studyfile import read_study
from comparison.frame.reading import read_panel
from comparison.statistics.agreement.alpha import krippendorff_alpha
from stimuli.datasets.events.rows import verb_place
from tests.shared_data import shared

HEAD = '"ItemNum","Sentence","Plausibility","Voice"\n'
SMALL = HEAD + (
    '"1","The cook fried the egg.","Plausible","active"\n'
    '"1","The cook fried the hat.","Implausible","active"\n'
    '"2","The old man is calling the dog.","Plausible","active"\n'
    '"2","The dog is calling the old man.","Implausible","active"\n'
)
ADAPT = (
    '"ItemNum","Sentence","Plausibility","Voice","TrialType","SynonymPair","NumSyn"\n'
    '"1","The cook fried the egg.","Plausible","active","AI",1,"Version1"\n'
    '"1","The egg fried the cook.","Implausible","active","AI",1,"Version1"\n'
    '"1","The egg was fried by the cook.","Plausible","passive","AI",1,"Version1"\n'
    '"1","The cook was fried by the egg.","Implausible","passive","AI",1,"Version1"\n'
    '"2","The aunt met the uncle.","Plausible","active","AAR",NA,"NA"\n'
    '"2","The uncle met the aunt.","Implausible","active","AAR",NA,"NA"\n'
)
RATED = (
    "WorkerId,Score,Plausibility,ItemNum,Sentence\n"
    "w1,7,Plausible,1,The cook fried the egg.\n"
    "w2,6,Plausible,1,The cook fried the egg.\n"
    "w1,2,Implausible,1,The cook fried the hat.\n"
    "w2,NA,Implausible,1,The cook fried the hat.\n"
    "w1,5,Implausible,1,The cook fried the hat.\n"
)


def written(folder, name, text):
    path = folder / name
    path.write_bytes(text.encode())
    return path


def made(folder, text, *options, **names):
    """The study of a set file, read from the folder that the command wrote."""
    source = written(folder, names.get("name", "set.csv"), text)
    call_command("import_study", "events", str(source), *options, "--no-load", "--out", str(folder / "out"))
    return read_study(folder / "out")


class TestVerbs:
    @pytest.mark.parametrize(
        ("plausible", "implausible", "verb", "places"),
        [
            ("The cook fried the egg.", "The egg fried the cook.", "fried", (2, 2)),
            ("The egg was fried by the cook.", "The cook was fried by the egg.", "fried", (3, 3)),
            ("The old man is calling the dog.", "The dog is calling the old man.", "calling", (4, 3)),
            ("The cook is frying an egg for the boy.", "The boy is frying an egg for the cook.", "frying", (3, 3)),
            (
                "The nurse is washing the boy in the bath.",
                "The boy is washing the nurse in the bath.",
                "washing",
                (3, 3),
            ),
            ("The aunt is mending the uncle's coat.", "The uncle is mending the aunt's coat.", "mending", (3, 3)),
            ("The cook fried the egg.", "The cook fried the hat.", "fried", (2, 2)),
        ],
    )
    def test_the_verb_is_what_stays_in_the_middle(self, plausible, implausible, verb, places):
        found = verb_place(plausible, implausible)
        assert found is not None
        assert (found.verb, (found.plausible, found.implausible)) == (verb, places)

    def test_pairs_of_another_form_have_none(self):
        assert verb_place("The cook fried the egg.", "A tree stands here.") is None


class TestPairs:
    def test_one_choice_for_each_item_and_voice(self, tmp_path):
        study = made(tmp_path, ADAPT, "--set", "eventsadapt")
        assert [row.id for row in study.items] == [
            "eventsadapt-1-active",
            "eventsadapt-1-passive",
            "eventsadapt-2-active",
        ]
        assert study.items[1].content == {
            "options": {
                "plausible": "The egg was fried by the cook.",
                "implausible": "The cook was fried by the egg.",
            },
            "verb_at": {"plausible": 3, "implausible": 3},
        }
        assert study.items[1].attributes == {
            "condition": "animate–inanimate",
            "violation": "impossible",
            "voice": "passive",
            "synonym_pair": "1",
            "synonym_version": "1",
            "verb": "fried",
        }
        assert {row.group for row in study.items[:2]} == {"eventsadapt-1"}

    def test_where_both_are_possible_there_is_no_right_answer(self, tmp_path):
        rows = made(tmp_path, ADAPT, "--set", "eventsadapt").items
        assert [row.reference for row in rows] == ["plausible", "plausible", None]
        assert rows[2].attributes["violation"] == "possible"

    def test_ratings_become_the_difference_of_means(self, tmp_path):
        ratings = written(tmp_path, "human.csv", RATED)
        rows = made(tmp_path, SMALL, "--set", "dtfit", "--ratings", str(ratings)).items
        # 6.5 - (2 + nothing for the second row of w1).
        assert [row.strength for row in rows] == [4.5, None]

    def test_the_limit_keeps_whole_items(self, tmp_path):
        assert len(made(tmp_path, ADAPT, "--set", "eventsadapt", "--limit", "1").items) == 2

    @pytest.mark.slow
    def test_published_parses_give_the_condition_and_are_compared(self, tmp_path, capsys):
        parses = written(
            tmp_path,
            "deps.txt",
            "0\tThe cook fried the egg .\tanimate-inanimate\tT\tcook:nsubj fry:root egg:obj \r\n"
            "1\tThe old man is calling the dog .\tanimate-animate\tT\tman:nsubj name:root dog:obj \r\n",
        )
        rows = made(tmp_path, SMALL, "--set", "dtfit", "--dependencies", str(parses)).items
        assert [row.attributes["condition"] for row in rows] == ["animate–inanimate", "animate–animate"]
        assert '"published_root": "name"' in (tmp_path / "out" / "manifest.json").read_text()
        assert '"published_root": "fry"' not in (tmp_path / "out" / "manifest.json").read_text()


class TestRatings:
    def test_each_sentence_is_rated_and_raters_give_labels(self, tmp_path):
        ratings = written(tmp_path, "human.csv", RATED)
        study = made(tmp_path, SMALL, "--set", "dtfit", "--as", "ratings", "--ratings", str(ratings))
        assert [row.id for row in study.items[:2]] == ["dtfit-1-active-plausible", "dtfit-1-active-implausible"]
        assert study.task.scale.values == ("1", "2", "3", "4", "5", "6", "7")
        assert study.collection["labels_per_item"] == 2
        labels = (tmp_path / "out" / "labels.csv").read_text().splitlines()
        assert labels == [
            "item,annotator,label",
            "dtfit-1-active-plausible,w1,7",
            "dtfit-1-active-plausible,w2,6",
            "dtfit-1-active-implausible,w1,2",
        ]
        manifest = (tmp_path / "out" / "manifest.json").read_text()
        assert '"without_score": 1' in manifest
        assert '"line": 6' in manifest
        assert "this worker rated this sentence before" in manifest

    def test_means_become_published_strengths(self, tmp_path):
        means = written(tmp_path, "human.csv", '"Sentence","Score"\n"The cook fried the egg.",6.25\n')
        study = made(tmp_path, SMALL, "--set", "dtfit", "--as", "ratings", "--ratings", str(means))
        assert [row.strength for row in study.items] == [6.25, None, None, None]
        assert not (tmp_path / "out" / "labels.csv").exists()


class TestFaults:
    def test_a_file_of_another_set(self, tmp_path):
        with pytest.raises(CommandError, match="TrialType: is a column of another set; DTFit has none"):
            made(tmp_path, ADAPT, "--set", "dtfit")

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--slug", "s" * 81), "at most 80"),
            (("--title", "t" * 201), "at most 200 characters"),
        ],
    )
    def test_a_slug_or_title_that_is_too_long(self, tmp_path, options, message):
        with pytest.raises(CommandError, match=message):
            made(tmp_path, SMALL, "--set", "dtfit", *options)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (SMALL.replace('"Voice"', '"Vox"'), "line 1, column “Voice”: is missing: there is no such column"),
            (
                SMALL.replace('"Implausible"', '"Odd"', 1),
                "line 3, column “Plausibility”: 'Odd' is not one of Plausible",
            ),
            (SMALL.replace("active", "middle", 1), "line 2, column “Voice”: 'middle' is not one of active, passive"),
            (SMALL.replace('"2"', '"1"', 1), "line 4, column “ItemNum”: item 1, active, plausible was given on line 2"),
            (SMALL.replace('"2"', '"two"', 1), "line 4, column “ItemNum”: 'two' is not a whole number"),
            (SMALL[: SMALL.rindex('"Impl')] + '"Im', "line 5: cannot be read: unexpected end of data"),
            (SMALL[: SMALL.rindex(',"Impl')] + "\n", "line 5: has 2 cells instead of 4"),
            (SMALL[: SMALL.rindex('"2"')], "line 4, column “Plausibility”: item 2 has no Implausible sentence, active"),
            (HEAD, "file: contains no rows"),
        ],
    )
    @pytest.mark.django_db
    def test_a_set_is_refused_with_the_line_and_leaves_nothing(self, tmp_path, text, message):
        source = written(tmp_path, "set.csv", text)
        with pytest.raises(CommandError) as caught:
            call_command("import_study", "events", str(source), "--set", "dtfit", "--out", str(tmp_path / "out"))
        assert message in str(caught.value)
        assert not (tmp_path / "out").exists()
        assert not Study.objects.exists()

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (RATED.replace("Score", "Points"), "line 1, column “Score”: is missing: there is no such column"),
            (RATED.replace("w1,7", "w1,8"), "line 2, column “Score”: '8' is not one of 1, 2, 3, 4, 5, 6, 7 or NA"),
            (
                RATED.replace("hat", "cap", 1),
                "line 4, column “Sentence”: 'The cook fried the cap.' is not in the sentence set",
            ),
            (
                RATED.replace("w2,6", "w" * 401 + ",6"),
                "line 3, column “WorkerId”: must be a name of at most 400 characters",
            ),
            (RATED.replace("w2,6", "w\0,6"), "line 3: contains the character NUL, which cannot be stored"),
            (RATED.replace("w2,6", ",6"), "line 3, column “WorkerId”: must be a name of at most 400 characters"),
            (
                "Sentence,Score\nThe cook fried the egg.,nan\n",
                "line 2, column “Score”: 'nan' is not a number from 1 to 7",
            ),
            (
                "Sentence,Score\n" + "The cook fried the egg.,2\n" * 2,
                "line 1, column “WorkerId”: is missing",
            ),
        ],
    )
    def test_ratings_are_refused_with_the_line(self, tmp_path, text, message):
        ratings = written(tmp_path, "human.csv", text)
        with pytest.raises(CommandError) as caught:
            made(tmp_path, SMALL, "--set", "dtfit", "--ratings", str(ratings))
        assert message in str(caught.value)
        assert not (tmp_path / "out").exists()


class TestPublished:
    def run(self, folder, events, *options, load=False):
        source = shared(f"event_knowledge/clean/clean_{events}_SentenceSet.csv")
        more = [] if load else ["--no-load"]
        out = folder / "out"
        call_command("import_study", "events", str(source), "--set", events.lower(), *options, "--out", str(out), *more)
        return read_study(out)

    @pytest.mark.slow
    def test_eventsadapt_by_condition(self, tmp_path):
        study = self.run(tmp_path, "EventsAdapt")
        items = {row.group: row.attributes["condition"] for row in study.items}
        assert len(study.items) == 782
        assert len(items) == 391
        assert Counter(items.values()) == {
            "animate–inanimate": 128,
            "animate–animate": 129,
            "animate–animate, reversible": 134,
        }
        assert sum(row.reference is None for row in study.items) == 2 * 134

    @pytest.mark.slow
    @pytest.mark.parametrize("events", ["EventsAdapt", "DTFit", "EventsRev"])
    def test_every_verb_is_found_and_stands_where_it_is_said(self, tmp_path, events):
        for row in self.run(tmp_path, events, "--as", "ratings").items:
            place = row.content["verb_at"]["sentence"]
            assert row.content["sentence"].split()[place] == row.attributes["verb"]

    def test_dtfit_with_its_means_and_parses(self, tmp_path, capsys):
        human = shared("event_knowledge/clean/clean_DTFit_human_dat.csv")
        parses = shared("event_knowledge/stimuli/DTFit_vassallo_deps.txt")
        study = self.run(tmp_path, "DTFit", "--ratings", str(human), "--dependencies", str(parses))
        assert len(study.items) == 395
        assert sum(row.strength > 0 for row in study.items) == 391
        assert sum(row.strength == 0 for row in study.items) == 1
        manifest = (tmp_path / "out" / "manifest.json").read_text()
        # The three are a misparse of `lent`.
        assert manifest.count('"published_root"') == manifest.count('"published_root": "len"') == 3

    @pytest.mark.slow
    @pytest.mark.django_db
    def test_eventsrev_ratings_are_labels_with_the_published_agreement(self, tmp_path):
        human = shared("event_knowledge/clean/clean_EventsRev_human_dat.csv")
        self.run(tmp_path, "EventsRev", "--as", "ratings", "--ratings", str(human), load=True)
        study = Study.objects.get()
        assert Judgment.objects.count() == 3648 - 17
        assert Item.objects.filter(counted__gt=0).count() == 76
        panel = read_panel(study, coarse=False)
        assert panel.people["rater"].nunique() == 96
        assert krippendorff_alpha(panel.counts, level="ordinal").value == pytest.approx(0.7167, abs=5e-5)

    def test_people_prefer_the_plausible_one_of_every_eventsrev_pair(self, tmp_path):
        human = shared("event_knowledge/clean/clean_EventsRev_human_dat.csv")
        assert all(row.strength > 0 for row in self.run(tmp_path, "EventsRev", "--ratings", str(human)).items)

    @pytest.mark.slow
    def test_two_imports_are_the_same_bytes(self, tmp_path):
        for name in ("one", "two"):
            self.run(tmp_path / name, "EventsAdapt")
        for file in ("items.jsonl", "study.toml", "manifest.json"):
            assert (tmp_path / "one/out" / file).read_bytes() == (tmp_path / "two/out" / file).read_bytes()
