"""The form of a construction or a data set asks what its command declares, and takes no path of the server."""

import re

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms import MultipleChoiceField
from django.http import QueryDict
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.html import escape

from researcher.jobs.form import JobForm, choices
from researcher.models import Job
from stimuli.making.options import CONSTRUCTION, DATA_SET, Kind, Misasked, declared
from stimuli.making.registry import BUILDERS, importers
from tests.comparison.page.visiting import unopened

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]
EVERY = [*((CONSTRUCTION, key) for key in BUILDERS), *((DATA_SET, key) for key in importers())]


def formed(kind, key, query, **files):
    sent = MultiValueDict({name.replace("_", "-", 1): file for name, file in files.items()})
    return JobForm(kind, key, QueryDict(query), sent)


def file(name="a.txt"):
    return [SimpleUploadedFile(name, b"Some words.\n")]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "key"), EVERY)
def test_every_option_is_asked_or_the_servers_matter(kind, key):
    form = JobForm(kind, key)
    asked = {name.removeprefix("file-").removeprefix("server-") for name in form.fields}
    left_out = {option.name for option in declared(kind, key).options} - asked
    assert not left_out
    shown = [*form.source_fields, *form.own_fields, *form.more_fields, *form.name_fields, *form.join_fields]
    assert sorted(field.name for field in shown) == sorted(form.fields)
    assert all(field.label and field.help_text for field in shown)


# What only a reader with a shell understands.
OF_A_SHELL = re.compile(r"--[a-z]|\b(WHAT|NAME|VALUE|ATTRIBUTE)\[?=|repeatable|the command|docs/|PARALLAX_")
# What only one who has the files of Parallax understands; flags are of other tools there.
OF_ITS_FILES = re.compile(r"manage\.py|\.(md|py|toml)\b|see <code>|PARALLAX_|docs/[a-z]")


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "key"), EVERY)
def test_a_page_says_nothing_of_a_shell(browser, kind, key):
    """Options are spoken of by what their fields are called; the command's help says the rest for both."""
    form = JobForm(kind, key)
    for field in (form[name] for name in form.fields):
        said = f"{field.label} {field.help_text}"
        assert not OF_A_SHELL.search(said), said
        assert field.help_text.endswith(".") and "_" not in field.label
    page = browser.get(reverse("construction" if kind == CONSTRUCTION else "data_set", args=[key])).content.decode()
    asked = page[page.index("job-form") : page.index("about-choice")]
    assert not OF_A_SHELL.search(asked)
    assert not OF_ITS_FILES.search(page[page.index("about-choice") : page.index("</main>")])


@pytest.mark.slow
def test_an_area_for_pairs_shows_one(browser):
    """What is typed as `NAME=VALUE` in a shell is said in words, with an example that can be read as one."""
    form = JobForm(DATA_SET, "table")
    for name in ("map", "labels", "set"):
        field = form[name]
        assert "=" in field.help_text
        assert all("=" in line for line in field.field.widget.attrs["placeholder"].splitlines())


@pytest.mark.slow
def test_another_option_is_called_what_its_field_is():
    form = JobForm(DATA_SET, "adept")
    assert form["sample"].help_text.startswith("Number of items drawn at random with “Seed”;")
    assert form["seed"].help_text == "The same number draws the same “Random sample”."
    assert form["seed"].label == "Seed" and form["sample"].label == "Random sample"


@pytest.mark.slow
def test_what_does_not_fit_together_is_said_of_fields():
    joined = "task=yes_no&map=question%3DQ&on=noun"
    form = formed(DATA_SET, "table", joined, file_source=file("a.csv"))
    assert form.is_valid(), form.errors
    words = form.parser.in_words("Each --join needs one --on, and --nothing.")
    assert words == "Each “Tables” needs one “Attribute that joins”, and --nothing."


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "key"), EVERY)
def test_what_was_given_is_read_as_the_command_reads_it(kind, key):
    """Defaults alone, with what must be there."""
    parser = declared(kind, key)
    must = {one.name: next(iter(one.choices)) if one.choices else "a=b" for one in parser.options if one.required}
    given = {name: [value] if _of(parser, name).several else value for name, value in must.items()}
    options = parser.read(given)
    for one in parser.options:
        if one.name not in must:
            assert options[one.name] == one.default


def _of(parser, name):
    return next(one for one in parser.options if one.name == name)


@pytest.mark.slow
def test_every_one_is_shown_with_what_its_readme_says(browser):
    for kind, address in ((CONSTRUCTION, "constructions"), (DATA_SET, "data_sets")):
        response = browser.get(reverse(address))
        page = response.content.decode()
        assert unopened(response) <= 150
        for one in choices(kind):
            assert escape(one.title) in page and one.makes in page
            answer = browser.get(reverse(address.removesuffix("s"), args=[one.key]))
            assert unopened(answer) <= 150, one.key
            form = answer.content.decode()
            assert all(said in form and "](" not in said for _, said in one.facts)
    assert all(one.picture for one in choices(CONSTRUCTION)), "each construction has an example"
    assert {name for one in choices(DATA_SET) if one.key != "table" for name, _ in one.facts} >= {"Data", "License"}


@pytest.mark.slow
def test_only_what_differs_from_the_command_is_kept():
    form = formed(CONSTRUCTION, "agreement", "per_cell=10&phenomenon=simple&no_checks=on&seed=0&slug=&title=Two")
    assert form.is_valid(), form.errors
    assert form.given == {"phenomenon": ["simple"], "no_checks": True, "title": "Two"}
    options = form.parser.read(form.given)
    assert (options["per_cell"], options["phenomenon"], options["no_checks"]) == (10, ["simple"], True)


@pytest.mark.slow
def test_a_flag_that_turns_something_off():
    form = formed(CONSTRUCTION, "altboolq", "pieces=on", file_boolq=file("dev.jsonl"))
    assert form.is_valid(), form.errors
    assert form.parser.read(form.given | {"boolq": "x"})["pieces"] is False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "field", "said"),
    [
        ("per_cell=0", "per_cell", "'0' is not a whole number from 1."),
        ("per_cell=two", "per_cell", "'two' is not a whole number from 1."),
        ("seed=x", "seed", "Enter a whole number, such as 1."),
        ("slug=Not a slug", "slug", "Use lower-case letters, digits and single hyphens"),
        ("phenomenon=none", "phenomenon", "none is not one of the available choices."),
        ("sample=-1", "sample", "is not a whole number from 1."),
    ],
)
def test_a_value_that_is_none_is_said_beside_its_field(query, field, said):
    form = formed(CONSTRUCTION, "agreement", query)
    assert not form.is_valid()
    assert said in form.errors[field][0]


@pytest.mark.slow
@pytest.mark.parametrize("word", ["/etc/passwd", "..", "words.txt", "C:\\words", "really\n./x"])
def test_no_word_is_the_path_of_a_file(word):
    form = formed(CONSTRUCTION, "intensifiers", QueryDict(mutable=True).urlencode(), file_corpus=file())
    form.data = form.data.copy()
    form.data["adverbs"] = word
    assert not form.is_valid()
    assert "is not a word" in form.errors["adverbs"][0]


@pytest.mark.slow
def test_no_word_is_another_option():
    form = formed(DATA_SET, "table", "task=yes_no&map=question%3DQ%0A--set", file_source=file("a.csv"))
    assert "must not begin with a hyphen" in form.errors["map"][0]


@pytest.mark.slow
def test_a_source_must_be_there_and_be_known(settings, tmp_path):
    assert not formed(CONSTRUCTION, "intensifiers", "").is_valid()
    (tmp_path / "talk.txt").write_text("x")
    settings.CORPUS_FOLDERS = {"talk": tmp_path / "talk.txt", "all": tmp_path}
    assert formed(CONSTRUCTION, "intensifiers", "server-corpus=talk&server-corpus=all").is_valid()
    assert not formed(CONSTRUCTION, "intensifiers", "server-corpus=/etc").is_valid()
    assert "Choose a file." in formed(CONSTRUCTION, "intensifiers", "").errors["file-corpus"]
    one = JobForm(CONSTRUCTION, "intensifiers").fields["server-bigrams"]
    assert isinstance(one, MultipleChoiceField)
    assert one.choices == [("talk", "talk")], "an option that takes one file is offered no folder"
    assert "server-source" not in JobForm(DATA_SET, "boolq").fields


@pytest.mark.slow
def test_what_does_not_fit_together_is_said_above():
    with pytest.raises(Misasked):
        declared(DATA_SET, "events").read({})
    form = formed(DATA_SET, "events", "as=pairs", file_source=file("x.csv"))
    assert not form.is_valid() and form.errors["set"]


@pytest.mark.slow
def test_a_refused_form_starts_nothing(browser, place):
    answer = browser.post(reverse("construction", args=["intensifiers"]), {"adverbs": "really"})
    assert answer.status_code == 422
    assert "Choose a file." in answer.content.decode()
    assert not Job.objects.exists() and not (place / "jobs").exists()


@pytest.mark.slow
def test_a_form_that_was_refused_does_not_go_on_without_a_file_that_was_chosen(browser, mira):
    """Nor one that is begun from a job: its files are named where they are to be chosen."""
    address = reverse("construction", args=["intensifiers"])

    def sent(**more):
        corpus = SimpleUploadedFile("a.txt", b"Some words.\n")
        return browser.post(address, {"adverbs": "really", "file-corpus": corpus} | more)

    table = SimpleUploadedFile("own.csv", b"adverb,adjective,ln_ngram_freq\n")
    refused = sent(slug="Not one", **{"file-bigrams": table}).content.decode()
    assert refused.count("Choose the file again") == 2 and "Choose the file again: own.csv." in refused
    assert 'name="without-file-bigrams"' in refused and 'name="without-file-corpus"' not in refused
    again = sent(**{"again-file-bigrams": "own.csv"})
    assert again.status_code == 422 and "Choose the file again: own.csv." in again.content.decode()
    assert not Job.objects.exists()
    assert sent(**{"again-file-bigrams": "own.csv", "without-file-bigrams": "on"}).status_code == 302
    job = Job.objects.get()
    assert [file["name"] for file in job.files] == ["a.txt"]
    assert "Choose the file again: a.txt." in browser.get(f"{address}?like={job.pk}").content.decode()


@pytest.mark.slow
def test_uploads_are_cut_off_where_they_are_too_large(browser, place, settings):
    settings.UPLOAD_MOST_BYTES = 100_000
    large = ContentFile(b"All of it is too much.\n" * 50_000, name="a.txt")
    answer = browser.post(reverse("construction", args=["intensifiers"]), {"file-corpus": large})
    assert answer.status_code == 422
    assert "The files are larger than 0 MB together" in answer.content.decode()
    assert not Job.objects.exists() and not (place / "jobs").exists()


@pytest.mark.slow
def test_something_like_a_job_is_asked_for_with_its_options(browser, mira, client):
    given = {"per_cell": "3", "phenomenon": ["simple", "coordination"], "no_checks": True, "slug": "taken"}
    job = Job.objects.create(kind="construction", key="agreement", owner=mira, given=given, state="failed")
    like = f"{reverse('construction', args=['agreement'])}?like={job.pk}"
    assert like in browser.get(reverse("job", args=[job.pk])).content.decode()
    page = browser.get(like).content.decode()
    assert 'value="taken"' in page and page.count(" checked") == 3
    assert 'value="taken"' not in client.get(like).content.decode(), "a job of somebody else"
    words = {"adverbs": ["really", "very"]}
    job = Job.objects.create(kind="construction", key="intensifiers", owner=mira, given=words, state="failed")
    page = browser.get(f"{reverse('construction', args=['intensifiers'])}?like={job.pk}").content.decode()
    assert ">\nreally\nvery</textarea>" in page


@pytest.mark.slow
@pytest.mark.parametrize("address", ["construction", "data_set"])
def test_what_there_is_not_is_not_found(browser, address):
    assert browser.get(reverse(address, args=["none"])).status_code == 404


@pytest.mark.slow
def test_kinds_are_those_of_the_declaration():
    kinds = {one.name: one.kind for one in declared(CONSTRUCTION, "altboolq").options}
    assert (kinds["boolq"], kinds["center"]) == (Kind.FILE, Kind.FLAG)
    assert kinds["components"] == Kind.TEXT
