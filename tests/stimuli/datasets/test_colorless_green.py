"""Gulordava's agreement test: a small file of its layout, good and bad, and the published one."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from annotation.studyfile import read_study
from tests.shared_data import shared

HEAD = "pattern\tconstr_id\tsent_id\tcorrect_number\tform\tclass\ttype\tn_attr\tlen_prefix\tsent\n"
SENTENCE = '"The ""soft"" idea near stones runs . <eos>"'
SMALL = HEAD + (
    f"N_V\t1\t2\tsing\tsings\tcorrect\tgenerated\t1\t5\t{SENTENCE}\n"
    f"N_V\t1\t2\tsing\tsing\twrong\tgenerated\t1\t5\t{SENTENCE}\n"
)


def run(source, out):
    call_command("import_study", "colorless-green", str(source), "--no-load", "--out", str(out))
    return read_study(out)


def written(tmp_path, text):
    path = tmp_path / "generated.tab"
    path.write_bytes(text.encode())
    return path


def test_two_lines_become_one_item_with_the_verbs_place_as_slot(tmp_path):
    (row,) = run(written(tmp_path, SMALL), tmp_path / "out").items
    assert row.id == "N_V-1-2"
    assert row.content == {
        "sentence": 'The "soft" idea near stones ____ .',
        "options": {"grammatical": "sings", "ungrammatical": "sing"},
    }
    assert row.attributes == {"pattern": "N_V", "number": "singular", "attractors": "1", "type": "generated"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SMALL.replace("len_prefix", "length"), "line 1, column “len_prefix”: is missing: there is no such column"),
        (SMALL.replace("wrong", "bad"), "line 3, column “class”: 'bad' is not one of correct, wrong"),
        (SMALL.replace("\t5\t", "\t7\t", 1), "line 2, column “len_prefix”: '7' is not the place of one of 7 tokens"),
        (SMALL.replace("sing\twrong", "sings\twrong"), "line 3, column “form”: is the same as on line 2"),
        (SMALL.replace("stones", "rocks", 1), "line 3, column “sent”: differs from line 2"),
        (
            SMALL + SMALL.splitlines(keepends=True)[2],
            "line 4, column “class”: N_V-1-2 must have one correct and one wrong line",
        ),
        (
            SMALL[: SMALL.rindex("N_V")],
            "line 2, column “class”: N_V-1-2 must have one correct and one wrong line, not 1",
        ),
        (SMALL[:-20], "line 3: cannot be read: unexpected end of data"),
    ],
)
@pytest.mark.django_db
def test_faults_are_named_and_nothing_is_left(tmp_path, text, message):
    source = written(tmp_path, text)
    with pytest.raises(CommandError) as caught:
        call_command("import_study", "colorless-green", str(source), "--out", str(tmp_path / "out"))
    assert message in str(caught.value)
    assert not (tmp_path / "out").exists()
    assert not Study.objects.exists()


def test_the_published_file_has_410_pairs(tmp_path):
    generated = shared("colorless_green_bert/generated.tab")
    rows = run(generated, tmp_path / "out").items
    assert len(rows) == 410
    assert sum(row.attributes["type"] == "original" for row in rows) == 41
    # The verb of an original sentence is the one that its slot takes the place of.
    first = generated.read_text(encoding="utf-8").splitlines()[1].split("\t")
    assert rows[0].content["options"]["grammatical"] == first[4]
