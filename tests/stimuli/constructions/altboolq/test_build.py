"""AltBoolQ builds from end to end: the four studies, the same bytes however it went, the published data."""

import csv
import json
import os
import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings
from statsmodels.stats.proportion import proportion_confint

from annotation.itemfile import ItemRow
from annotation.models import Study
from annotation.studyfile import read_study
from researcher.construction_figures import figures_of_build
from stimuli.constructions.articles import article
from tests import forked
from tests.shared_data import shared

MODEL = Path(settings.BASE_DIR) / "var" / "models" / "splade-tiny"
VARIANTS = ("boolq", "qboolq", "maskedboolq", "altboolq")
# Kinds of things, so that vectors have clusters; each word with its plural.
KINDS = {
    "animals": ["dog", "cat", "horse", "cow", "goat", "duck", "bear", "wolf", "eagle", "rabbit"],
    "tools": ["hammer", "saw", "drill", "lamp", "ladder", "bucket", "shovel", "rope", "knife", "spoon"],
    "places": ["river", "lake", "island", "valley", "forest", "desert", "harbor", "village", "bridge", "castle"],
}
# Their plurals are far from them, so that the two forms are torn apart.
TORN = ("castle", "spoon", "duck")
FILLING = "It was said by many that this had been so for as long as anybody could tell, and some still say it."

pytestmark = pytest.mark.slow


def topic(number: int) -> tuple[str, str]:
    words = [word for kind in KINDS.values() for word in kind]
    return words[number % len(words)], words[(number * 7 + 11) % len(words)]


@pytest.fixture
def boolq(tmp_path: Path) -> Path:
    return write_boolq(tmp_path)


def write_boolq(folder: Path) -> Path:
    rows = []
    for number in range(60):
        one, other = topic(number)
        passage = f"{one.title()} -- A {one} is near the {other}. The {one}s ({one.upper()}) zzyzx. {FILLING}"
        passage += f" Every {other} has {other}s; a {other} grew."
        question = f"is the {one} near a {other}"
        rows.append({"question": question, "title": one, "answer": number % 3 > 0, "passage": passage})
    path = folder / "made.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    return write_vectors(tmp_path)


def write_vectors(folder: Path) -> Path:
    rng = random.Random(0)

    def noise(scale: float) -> list[float]:
        return [rng.gauss(0, scale) for _ in range(20)]

    lines = []
    plural = noise(0.25)
    for kind in KINDS.values():
        center = noise(1)
        for word in kind:
            vector = [a + b for a, b in zip(center, noise(1), strict=True)]
            lines.append((word, vector))
            lines.append(
                (f"{word}s", noise(1) if word in TORN else [a + b for a, b in zip(vector, plural, strict=True)])
            )
    known = sorted(
        {word.strip(".,()-").lower() for word in FILLING.split()} | {"is", "near", "every", "has", "grew", "the"}
    )
    lines += [(word, noise(1)) for word in known if len(word) > 1]
    path = folder / "made.vec"
    text = "".join(" ".join([word, *(f"{value:.4f}" for value in vector)]) + "\n" for word, vector in lines)
    path.write_text(f"{len(lines)} 20\n{text}")
    return path


def arguments(boolq: Path, vectors: Path, out: Path, *more: str) -> list[str]:
    files = ["--boolq", str(boolq), "--vectors", str(vectors), "--out", str(out)]
    return ["altboolq", *files, "--components", "4", "--slug", "made", *more]


def run(boolq: Path, vectors: Path, out: Path, *more: str) -> dict[str, bytes]:
    more = more if "--load" in more else ("--no-load", *more)
    call_command("build_study", *arguments(boolq, vectors, out, *[one for one in more if one != "--load"]), verbosity=0)
    return content(out)


def content(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


@pytest.fixture(autouse=True)
def _own_var(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what one process builds of the made files: `out`, its `figures`, and what `var` keeps of it."""
    folder = tmp_path_factory.mktemp("built")
    figures = ("--figures", str(folder / "figures"))
    with override_settings(VAR_DIR=folder / "var"):
        run(write_boolq(folder), write_vectors(folder), folder / "out", "--processes", "1", *figures)
    return folder


def studies(folder: Path) -> Iterator[list[ItemRow]]:
    return (read_study(folder / "out" / f"made-{key}").items for key in VARIANTS)


def manifest_of(folder: Path, variant: str = "altboolq") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "out" / f"made-{variant}" / "manifest.json").read_text())
    return found


class TestStudies:
    def test_four_variants_of_the_same_items(self, boolq, built):
        plain, alone, masked, changed = studies(built)
        assert [item.id for item in plain] == [item.id for item in alone]
        assert [item.id for item in masked] == [item.id for item in changed] == [item.id for item in plain]
        assert [item.reference for item in plain] == [item.reference for item in changed]
        assert {item.attributes["variant"] for item in changed} == {"AltBoolQ"}
        rows = {f"boolq-{at}": json.loads(row) for at, row in enumerate(boolq.read_text().splitlines(), start=1)}
        assert all(item.content["passage"] == rows[item.id]["passage"] for item in plain)
        assert all(item.content == {"question": rows[item.id]["question"]} for item in alone)

    def test_words_change_alike_everywhere_and_nothing_else_does(self, built):
        plain, _, masked, changed = studies(built)
        manifest = manifest_of(built)
        some_word_changed = 0
        for before, hidden, after in zip(plain, masked, changed, strict=True):
            new = manifest["replacements"][before.id]
            assert new["zzyzx"] == "redacted"
            words = before.content["passage"].split()
            for at, (old, now) in enumerate(zip(words, after.content["passage"].split(), strict=True)):
                bare = old.strip("().,;-")
                if bare.lower() in ("a", "an"):
                    agreeing = new.get(words[at + 1].strip("().,;-").lower())
                    expected = bare if agreeing is None else article(agreeing)
                    assert (now.lower(), now[0].isupper()) == (expected.lower(), old[0].isupper())
                    continue
                expected = new.get(bare.lower(), bare)
                assert now.strip("().,;-").lower() == expected.lower()
                assert (bare.isupper(), bare.istitle()) == (
                    now.strip("().,;-").isupper(),
                    now.strip("().,;-").istitle(),
                )
            some_word_changed += any(word != "redacted" for word in new.values())
            assert all(word not in hidden.content["passage"].lower().split() for word in new)
        assert some_word_changed == len(changed)

    def test_numerals_and_phonetic_script_stay(self, boolq, vectors, tmp_path):
        """Also where the vectors know them, and the passage repeats them."""
        rows = [json.loads(row) for row in boolq.read_text().splitlines()]
        said = "It was 1997, was 1997, 98.2 (/dog ˈdɒɡz/; (ˈdɒɡz)), ˈdɒɡz ˈdɒɡz as the 1990s as the 1990s"
        boolq.write_text("".join(json.dumps(row | {"passage": f"{said}. {row['passage']}"}) + "\n" for row in rows))
        known = vectors.read_text().splitlines()[1:]
        for word, like in (("1997", "dog"), ("98", "hammer"), ("1990s", "river"), ("2001", "cat"), ("ˈdɒɡz", "goat")):
            known.append(f"{word} " + next(line for line in known if line.startswith(f"{like} ")).split(" ", 1)[1])
        vectors.write_text("\n".join(known) + "\n")
        run(boolq, vectors, tmp_path / "out", "--processes", "1")
        _, _, masked, changed = studies(tmp_path)
        assert all(item.content["passage"].startswith(said) for item in (*masked, *changed))
        new = {
            word for words in manifest_of(tmp_path)["replacements"].values() for pair in words.items() for word in pair
        }
        assert not [word for word in new if not word.isalpha() or "ɒ" in word]

    def test_lemma_errors_are_dropped_and_named_or_kept(self, built, boolq, vectors, tmp_path):
        manifest = manifest_of(built, "boolq")
        dropped = {entry["id"]: entry["forms"] for entry in manifest["dropped"]}
        assert manifest["counts"]["items"] + len(dropped) == manifest["counts"]["documents"] == 60
        assert 0 < len(dropped) < 60
        found = manifest["quality"]["documents_without_lemma_errors"]
        assert (found["value"], found["n"]) == (round(manifest["counts"]["items"] / 60, 4), 60)
        assert [found["low"], found["high"]] == pytest.approx(
            proportion_confint(manifest["counts"]["items"], 60, method="wilson"), abs=1e-4
        )
        kept = run(boolq, vectors, tmp_path / "all", "--processes", "1", "--keep-lemma-errors")
        assert kept["made-altboolq/items.jsonl"].count(b"\n") == 60

    def test_limit_takes_the_first_of_the_whole_build(self, built, boolq, vectors, tmp_path):
        first = run(boolq, vectors, tmp_path / "first", "--processes", "1", "--limit", "20")[
            "made-altboolq/items.jsonl"
        ]
        assert 0 < first.count(b"\n") <= 20
        assert content(built / "out")["made-altboolq/items.jsonl"].startswith(first)

    @pytest.mark.django_db
    def test_all_four_are_loaded(self, boolq, vectors, tmp_path):
        run(boolq, vectors, tmp_path / "out", "--processes", "1", "--limit", "12", "--load")
        assert sorted(Study.objects.values_list("slug", flat=True)) == sorted(f"made-{key}" for key in VARIANTS)


class TestFigures:
    def test_words_in_a_plane_and_the_curve(self, boolq, vectors, tmp_path):
        more = ("--processes", "1", "--components", "auto", "--most-components", "12", "--figures")
        run(boolq, vectors, tmp_path / "out", *more, str(tmp_path / "one"))
        manifest = manifest_of(tmp_path)
        rows = table(tmp_path / "one" / "words.csv")
        new = [pair for words in manifest["replacements"].values() for pair in words.items() if pair[1] != "redacted"]
        assert sum(int(row["taken out"]) for row in rows) == sum(int(row["put in"]) for row in rows) == len(new)
        assert {row["word"] for row in rows if row["word was"] != "taken out"} == {word for _, word in new}
        assert len({(row["x"], row["y"]) for row in rows}) == len(rows)
        curve = {row["clusters"]: row for row in table(tmp_path / "one" / "bic.csv")}
        assert {number: float(row["BIC"]) for number, row in curve.items()} == pytest.approx(manifest["bic"], rel=1e-9)
        chosen = [int(number) for number, row in curve.items() if row["chosen"] == "true"]
        assert chosen == [manifest["counts"]["clusters"]]
        for name in ("words.svg", "bic.svg"):
            assert (tmp_path / "one" / name).read_text().startswith("<svg")
        run(boolq, vectors, tmp_path / "again", *more, str(tmp_path / "two"))
        assert content(tmp_path / "two") == content(tmp_path / "one")

    def test_a_given_number_of_clusters_has_no_curve(self, built):
        assert sorted(content(built / "figures")) == ["quality.csv", "words.csv", "words.svg"]

    def test_the_quality_has_its_interval_or_why_it_has_none(self, built):
        quality = manifest_of(built)["quality"]
        rows = table(built / "figures" / "quality.csv")
        assert [row["figure"].replace(" ", "_") for row in rows] == list(quality)
        for row, found in zip(rows, quality.values(), strict=True):
            assert (float(row["value"]), int(row["n"])) == (found["value"], found["n"])
            assert bool(row["low"] and row["high"]) != bool(row["no interval"])

    @pytest.mark.django_db
    def test_they_are_kept_with_the_study_and_those_of_an_earlier_build_are_not(self, boolq, vectors, tmp_path):
        run(boolq, vectors, tmp_path / "out", "--processes", "1", "--components", "auto", "--load")
        study = Study.objects.get(slug="made-altboolq")
        assert [one.name for one in figures_of_build(study)] == ["quality", "words", "bic"]
        assert not Study.objects.get(slug="made-boolq").made_figures.exists()
        run(boolq, vectors, tmp_path / "again", "--processes", "1", "--load")
        assert [one.name for one in figures_of_build(study)] == ["quality", "words"]


def table(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


class TestSameBytes:
    def test_processes_and_seeds(self, built, boolq, vectors, tmp_path):
        one = content(built / "out")
        assert run(boolq, vectors, tmp_path / "again", "--processes", "1") == one
        assert run(boolq, vectors, tmp_path / "two", "--processes", "2", "--afresh") == one
        other = run(boolq, vectors, tmp_path / "other", "--processes", "1", "--seed", "1")
        assert other["made-boolq/items.jsonl"] == one["made-boolq/items.jsonl"]
        assert other["made-altboolq/items.jsonl"] != one["made-altboolq/items.jsonl"]

    def test_a_torn_last_line_is_done_again(self, built, boolq, vectors, tmp_path):
        shutil.copytree(built / "var", tmp_path / "var", dirs_exist_ok=True)
        (kept,) = (tmp_path / "var" / "builds" / "altboolq").glob("*.jsonl")
        whole = kept.read_bytes()
        kept.write_bytes(whole[: len(whole) // 2])
        assert run(boolq, vectors, tmp_path / "two", "--processes", "1") == content(built / "out")
        assert kept.read_bytes() == whole

    def test_killed_and_started_again(self, built, boolq, vectors, tmp_path):
        var = tmp_path / "killed-var"
        command = [
            "manage.py",
            "build_study",
            *arguments(boolq, vectors, tmp_path / "out", "--no-load", "--processes", "1"),
        ]
        surroundings = os.environ | {"SECRET_KEY": "x", "PARALLAX_LOCAL": "1", "PARALLAX_VAR": str(var)}
        surroundings["DJANGO_SETTINGS_MODULE"] = "config.settings"
        build = forked.begin(*command, env=surroundings, log=tmp_path / "log")
        try:
            done = _wait_for_lines(var / "builds" / "altboolq", 5, build)
        finally:
            build.kill()
            build.wait()
        assert done >= 5
        assert not (tmp_path / "out").exists()
        kept = next((var / "builds" / "altboolq").glob("*.jsonl")).read_bytes().count(b"\n")
        assert kept < 61, "the build was not killed midway"
        assert forked.run(*command, env=surroundings).returncode == 0
        assert content(tmp_path / "out") == content(built / "out")


def _wait_for_lines(folder: Path, least: int, build: forked.Forked) -> int:
    until = time.monotonic() + 600
    while time.monotonic() < until and build.poll() is None:
        lines = sum(path.read_bytes().count(b"\n") for path in folder.glob("*.jsonl"))
        if lines > least:
            return lines - 1
        time.sleep(0.001)
    raise AssertionError("the build ended or hung before it had finished five documents")


class TestRefusals:
    def refused(self, *given: object, more: tuple[str, ...] = ()) -> str:
        boolq, vectors, out = (Path(str(one)) for one in given)
        with pytest.raises(CommandError) as caught:
            run(boolq, vectors, out, "--processes", "1", *more)
        assert not out.exists()
        return str(caught.value)

    def test_files_that_are_not_there(self, boolq, vectors, tmp_path):
        assert "manage.py fetch_models" in self.refused(boolq, tmp_path / "none", tmp_path / "out")
        assert "cannot be read" in self.refused(tmp_path / "none", vectors, tmp_path / "out")

    def test_faulty_files(self, boolq, vectors, tmp_path):
        vectors.write_text(vectors.read_text()[:-20])
        assert "must be a word and 20 numbers" in self.refused(boolq, vectors, tmp_path / "out")
        boolq.write_text(boolq.read_text()[:-20])
        assert "line 60: the file is cut off here" in self.refused(boolq, vectors, tmp_path / "out")

    def test_too_few_words_for_the_clusters(self, boolq, vectors, tmp_path):
        message = self.refused(boolq, vectors, tmp_path / "out", more=("--components", "400"))
        assert "too few for 400 clusters" in message

    @pytest.mark.parametrize("more", [("--components", "none"), ("--freq-cutoff", "2"), ("--group-size", "0")])
    def test_impossible_parameters(self, boolq, vectors, tmp_path, more):
        self.refused(boolq, vectors, tmp_path / "out", more=more)


@pytest.mark.skipif(not MODEL.is_dir(), reason=f"the packaged model is not here ({MODEL}); run fetch_models")
def test_real_documents_with_the_packaged_vectors(tmp_path):
    """Forty of 150 documents; stimuli/constructions/altboolq/README.md has the figures for five hundred."""
    lines = shared("boolq/dev_first2000.jsonl").read_text().splitlines(keepends=True)
    boolq = tmp_path / "boolq.jsonl"
    boolq.write_text("".join(lines[:150]))
    call_command(
        "build_study", "altboolq", "--boolq", str(boolq), "--vectors", str(MODEL), "--limit", "40", "--no-load",
        "--processes", "1", "--n-init", "1", "--out", str(tmp_path / "out"), "--slug", "real", verbosity=0,
    )  # fmt: skip
    manifest = json.loads((tmp_path / "out" / "real-altboolq" / "manifest.json").read_text())
    assert (manifest["counts"]["documents"], manifest["counts"]["clusters"]) == (40, 41)
    assert manifest["quality"]["documents_without_lemma_errors"]["value"] > 0.5
    assert manifest["quality"]["words_in_the_old_cluster"]["value"] > 0.9
    assert 0.1 < manifest["quality"]["words_replaced"]["value"] < 0.3
