"""A file that nobody vouches for: bounds of what is unpacked, damage, names that lead elsewhere, links."""

import io
import zipfile

import pytest

from corpus.formats import source as sources
from corpus.formats.reading import read_format
from corpus.formats.registry import FORMATS, formats_for, reader, recognize
from corpus.formats.source import FormatFault, of_bytes, of_path
from tests.corpus.formats.writing import WRITTEN


def packed(*members, compression=zipfile.ZIP_DEFLATED):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as file:
        for name, data in members:
            file.writestr(name, data)
    return made.getvalue()


def test_a_file_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr(sources, "MOST_BYTES", 1000)
    with pytest.raises(FormatFault, match="MB unpacked"):
        of_bytes("a.zip", packed(("a.jsonl", b"x" * 1001)))
    assert of_bytes("a.zip", packed(("a.jsonl", b"x" * 1000))).read("a.jsonl") == b"x" * 1000


def test_a_directory_that_understates_a_member_does_not_get_more_out_of_it():
    """The size that was counted is the size that is read, whatever the packed bytes hold."""
    data = bytearray(packed(("a.jsonl", b"x" * 5000)))
    size = (5000).to_bytes(4, "little")
    for place in [place for place in range(len(data)) if data[place : place + 4] == size]:
        data[place : place + 4] = (10).to_bytes(4, "little")
    source = of_bytes("a.zip", bytes(data))
    assert source.members["a.jsonl"].size == 10
    try:
        assert len(source.read("a.jsonl")) <= 10
    except FormatFault as fault:
        assert "cannot be unpacked" in str(fault)


def test_more_files_than_anybody_writes_are_refused(monkeypatch):
    monkeypatch.setattr(sources, "MOST_MEMBERS", 2)
    with pytest.raises(FormatFault, match="contains 3 files; the limit is 2"):
        of_bytes("a.zip", packed(*((f"{n}.json", b"{}") for n in range(3))))


@pytest.mark.parametrize("cut", [40, 200, -30])
def test_a_zip_file_that_is_cut_off_says_so(cut):
    data = (WRITTEN / "inspect/chosen.eval").read_bytes()
    with pytest.raises(FormatFault, match="cut off or damaged"):
        of_bytes("a.eval", data[:cut])


@pytest.mark.parametrize("name", ["inspect/chosen.eval", "doccano/members.jsonl.zip"])
def test_a_byte_that_was_changed_is_noticed(name):
    """Of Zstandard as of Deflate the checksum is held against what was unpacked."""
    data = bytearray((WRITTEN / name).read_bytes())
    is_log = name.startswith("inspect")
    first = min(info.header_offset for info in members_of(bytes(data)) if info.filename.endswith(READ))
    data[first + 120] ^= 0xFF
    with pytest.raises(FormatFault):
        if is_log:
            read_format("inspect", "scores", of_bytes("a.zip", bytes(data)))
        else:
            read_format("doccano", "labels", of_bytes("a.zip", bytes(data)))


READ = ("_epoch_1.json", ".jsonl")


def members_of(data):
    return zipfile.ZipFile(io.BytesIO(data)).infolist()


def test_names_are_names_and_never_places():
    source = of_bytes("a.zip", packed(("/etc/passwd.jsonl", b'{"id": 1, "label": ["a"]}')))
    (row,) = read_format("doccano", "labels", source).rows
    assert row.values["annotator"] == "passwd"


def test_a_link_in_a_folder_is_none_of_it(tmp_path):
    (tmp_path / "secret.json").write_text("{}")
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "there.json").symlink_to(tmp_path / "secret.json")
    assert not of_path(folder).members


def test_two_files_of_one_name_are_refused():
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = packed(("a.json", b"1"), ("a.json", b"2"))
    with pytest.raises(FormatFault, match="two files of the same name"):
        of_bytes("a.zip", data)


def test_a_folder_has_one_sha256_whatever_its_place(tmp_path):
    for place in ("one", "two"):
        (tmp_path / place / "sub").mkdir(parents=True)
        (tmp_path / place / "sub" / "a.json").write_text("{}")
    one, two = of_path(tmp_path / "one"), of_path(tmp_path / "two")
    assert one.sha256 == two.sha256
    (tmp_path / "two" / "sub" / "a.json").write_text("[]")
    assert of_path(tmp_path / "two").sha256 != one.sha256


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_function_for_each_of_its_uses(name):
    assert all(callable(getattr(reader(name), use)) for use in FORMATS[name].uses)
    assert callable(reader(name).recognized)


@pytest.mark.parametrize("use", ["scores", "labels", "items"])
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", b"item,score\na,1\n"),
        ("a.jsonl", b'{"item": "a", "score": 1}\n'), ("a.json", b"[]"), ("a.json", b""),
        ("a.zip", packed(("a.txt", b"x"))), ("a.bin", b"\xff\xfe\x00"), ("a.jsonl", b"\xff"), ("a.csv", b""),
        ("a.json", b"[" * 100_000),
    ],
)  # fmt: skip
def test_what_is_nobody_s_is_recognized_as_nobody_s(name, data, use):
    assert recognize(of_bytes(name, data), use) == ""


def test_an_unknown_format_is_refused_by_name():
    with pytest.raises(LookupError, match="There is no format 'x'. Available: argilla"):
        reader("x")
    with pytest.raises(FormatFault, match="files of Prodigy have no scores to read|Prodigy has no scores to read"):
        read_format("prodigy", "scores", of_bytes("a", b""))
    assert "prodigy" not in formats_for("scores")
