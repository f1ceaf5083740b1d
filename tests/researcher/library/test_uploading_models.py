"""Models uploaded in the browser: a worker looks at the files, and registers them or leaves nothing behind."""

import io
import json
import stat
import zipfile
from datetime import timedelta

import pytest
from celery import current_app
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from kombu.exceptions import OperationalError

from accounts.models import User
from scoring.library.additions import ADDITIONS
from scoring.library.uploaded_files import require_opens
from scoring.library.uploads import forget_strays, keep
from scoring.models import LanguageModel
from scoring.worker_requests import Addition
from tests.researcher.library.asking import text
from tests.researcher.library.uploaded import one_by_one, zipped
from work.queue import resend

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

ASKED = {"family": "masked", "key": "mine", "dtype": "float32"}
# A list, and a command, as Python pickles them.
PICKLE = b"\x80\x04\x95\x06\x00\x00\x00\x00\x00\x00\x00]\x94K\x01a."
SYSTEM = b"cposix\nsystem\n(S'touch /tmp/parallax-was-here'\ntR."


@pytest.fixture
def var(tmp_path, settings):
    settings.VAR_DIR, settings.MODELS_DIR = tmp_path / "var", tmp_path / "var" / "models"
    settings.MODEL_FOLDERS = []
    return settings.VAR_DIR


@pytest.fixture
def files(model_files):
    return model_files


@pytest.fixture(autouse=True)
def opening(monkeypatch):
    """A process that opens a model takes seconds: those tests start it that are about it."""
    monkeypatch.setattr("scoring.library.uploads.require_opens", lambda folder, family: None)
    return lambda: monkeypatch.setattr("scoring.library.uploads.require_opens", require_opens)


@pytest.fixture
def admin(admin, var):
    return admin


def upload(admin, *sent, **changed):
    given = ASKED | changed | {"uploads": list(sent)}
    return admin.post(reverse("model_add") + "?way=upload", given, follow=True)


def left_behind(var):
    return sorted(
        str(path.relative_to(var)) for path in var.rglob("*") if path.name != ".uploading-lock" and path.is_file()
    )


def test_a_zip_file_becomes_a_model(admin, var, files, worker):
    page = text(admin.get(reverse("model_add"), {"way": "upload"}))
    assert "Up to 600 MB, 40 files" in page
    shown = upload(admin, zipped(files))
    row = LanguageModel.objects.get()
    assert (row.key, row.name, row.location, row.source) == ("mine", "little-bert", "models", "uploaded-mine")
    assert "model.safetensors" in row.files and "config.json" in row.files and row.file_hash
    assert "registered" in text(shown) and "little-bert.zip" in text(shown)
    assert {path.name for path in (var / "models" / "uploaded-mine").iterdir()} == files.keys()
    assert not any((var / "model-uploads").iterdir())


def test_so_do_the_files_themselves(admin, var, files, worker):
    shown = upload(admin, *one_by_one(files | {"README.md": b"# Mine"}), name="My BERT")
    assert LanguageModel.objects.get().name == "My BERT", text(shown)
    assert not (var / "models" / "uploaded-mine" / "README.md").exists()


def test_what_a_mac_puts_into_a_zip_file_is_passed_over(admin, files, worker):
    mac = {f"b/{name}": data for name, data in files.items()} | {"__MACOSX/b/._config.json": b"\0", "b/.DS_Store": b""}
    upload(admin, zipped(mac, folder=""))
    assert LanguageModel.objects.get().key == "mine"


def entry(name, *, mode=stat.S_IFREG | 0o644, compression=zipfile.ZIP_DEFLATED):
    made = zipfile.ZipInfo(name)
    made.external_attr, made.create_system, made.compress_type = mode << 16, 3, compression
    return made


REFUSED_AT_ONCE = {
    "pickle by name": ({"pytorch_model.bin": b"x"}, "pytorch_model.bin may be pickled: save the model as safetensors"),
    "training arguments": ({"training_args.bin": b"x"}, "training_args.bin may be pickled"),
    "code": ({"modeling_mine.py": b"import os"}, "modeling_mine.py is code, which is never run here"),
    "code named like a tokenizer": ({"tokenizer.py": b"import os"}, "tokenizer.py is code"),
    "pickle named like a tokenizer": ({"tokenizer.pkl": b"x"}, "tokenizer.pkl may be pickled"),
    "another archive": ({"more.tar.gz": b"x"}, "more.tar.gz is not a model, tokenizer or safetensors file"),
    "gguf": ({"model.gguf": b"x"}, "model.gguf is quantized"),
    "adapter": ({"adapter_model.safetensors": b"x"}, "adapter_model.safetensors is an adapter"),
    "unknown json": ({"trainer_state.json": b"{}"}, "trainer_state.json is not a model, tokenizer"),
    "too long a name": ({f"vocab{'x' * 200}.txt": b"x"}, "has a name that is too long"),
}


@pytest.mark.parametrize("case", REFUSED_AT_ONCE)
@pytest.mark.parametrize("as_zip", [True, False])
def test_names_are_refused_at_once(admin, var, files, worker, case, as_zip):
    more, says = REFUSED_AT_ONCE[case]
    sent = [zipped(files | more)] if as_zip else one_by_one(files | more)
    answer = upload(admin, *sent)
    assert answer.status_code == 422 and says in text(answer)
    assert not Addition.objects.exists() and not left_behind(var)


HOSTILE = {
    "path up": (entry("../../escaped.json"), "../../escaped.json has a path that leads out of the folder"),
    "path up and down": (entry("b/../../escaped.json"), "has a path that leads out"),
    "absolute": (entry("/etc/escaped.json"), "/etc/escaped.json has a path that leads out"),
    "backslashes": (entry("..\\escaped.json"), "has a path that leads out"),
    "drive": (entry("C:escaped.json"), "has a path that leads out"),
    "link": (entry("little-bert/vocab.txt", mode=stat.S_IFLNK | 0o777), "little-bert/vocab.txt is a link"),
    "device": (entry("little-bert/vocab.txt", mode=stat.S_IFCHR | 0o666), "is not a plain file"),
    "bzip2": (entry("little-bert/vocab.txt", compression=zipfile.ZIP_BZIP2), "is compressed in a way that is not read"),
    "subfolder": (entry("little-bert/more/vocab.txt"), "has files in several folders"),
    "twice": (entry("little-bert/CONFIG.json"), "config.json is there twice"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_entries_are_refused_at_once(admin, var, files, worker, case):
    hostile, says = HOSTILE[case]
    answer = upload(admin, zipped(files | {hostile: b"/etc/passwd"}))
    assert answer.status_code == 422 and says in text(answer)
    assert not Addition.objects.exists() and not left_behind(var) and not list(var.parent.rglob("escaped*"))


def test_what_is_encrypted_is_refused(admin, var, files, worker):
    packed = bytearray(zipped(files).read())
    at = packed.index(b"PK\1\2")
    packed[at + 8] |= 1
    answer = upload(admin, SimpleUploadedFile("m.zip", bytes(packed)))
    assert answer.status_code == 422 and "is encrypted" in text(answer)


def test_missing_files_are_named(admin, files, worker):
    without = {name: data for name, data in files.items() if name != "config.json"}
    assert "config.json is missing." in text(upload(admin, zipped(without)))
    without = {name: data for name, data in files.items() if name != "model.safetensors"}
    assert "a .safetensors file is missing." in text(upload(admin, zipped(without)))
    assert "Choose the model’s files." in text(upload(admin))
    assert "choose either one .zip or the files" in text(upload(admin, zipped(files), *one_by_one(files)))
    assert "cannot be read as a zip file" in text(upload(admin, SimpleUploadedFile("m.zip", b"PK\3\4 nothing of it")))


def test_bombs_are_refused_by_what_they_declare(admin, var, files, worker, settings):
    settings.MODEL_UPLOAD_MOST_BYTES = 3 * 1024**2
    answer = upload(admin, zipped(files | {"vocab.txt": b"a" * 9 * 1024**2}))
    assert answer.status_code == 422 and "MB; at most 3 MB are taken" in text(answer)
    settings.MODEL_UPLOAD_MOST_FILES = 10
    answer = upload(admin, zipped(files | {f"vocab{n}.txt": b"a" for n in range(10)}))
    assert answer.status_code == 422 and "at most 10 are taken" in text(answer)
    assert not Addition.objects.exists() and not left_behind(var)


def test_a_directory_of_many_files_is_not_read_whole(admin, var, worker):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as out:
        for number in range(20_000):
            out.writestr(f"b/vocab{number}.txt", b"")
    answer = upload(admin, SimpleUploadedFile("m.zip", packed.getvalue()))
    assert answer.status_code == 422 and "it holds too many files" in text(answer)


def test_bombs_that_lie_are_refused_while_they_unpack(admin, var, files, worker):
    packed = bytearray(zipped(files | {"vocab.txt": b"a" * 9 * 1024**2}).read())
    # What the directory says of its length, and what stands before the file itself.
    for length, at in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        place = packed.rindex(
            length, 0, packed.index(b"vocab.txt", packed.rindex(length, 0, packed.rindex(b"vocab.txt")))
        )
        packed[place + at : place + at + 4] = (10).to_bytes(4, "little")
    shown = text(upload(admin, SimpleUploadedFile("m.zip", bytes(packed))))
    assert "vocab.txt cannot be unpacked: it is damaged or cut off" in shown
    assert not LanguageModel.objects.exists() and not left_behind(var)


def refused_by_the_worker():
    deep = b"[" * 200_000
    return {
        "pickle as weights": ({"model.safetensors": PICKLE}, "model.safetensors is not a safetensors file"),
        "zipped pickle as weights": ({"model.safetensors": b"PK\3\4" + bytes(40)}, "is not a safetensors file"),
        "weights cut off": ({"model.safetensors": (100).to_bytes(8, "little") + b"{}"}, "is not a safetensors file"),
        "header without end": ({"model.safetensors": b"\xff" * 80}, "model.safetensors is not a safetensors file"),
        "pickle as tokenizer": ({"tokenizer.model": PICKLE}, "tokenizer.model is not a sentencepiece model"),
        "pickle as vocabulary": ({"vocab.txt": PICKLE}, "vocab.txt is not text in UTF-8"),
        "program as vocabulary": ({"vocab.txt": b"\x7fELF\0\0"}, "vocab.txt is not text: it holds a NUL character"),
        "pickle as JSON": ({"tokenizer.json": SYSTEM}, "tokenizer.json is not valid JSON"),
        "deep JSON": ({"tokenizer.json": deep}, "tokenizer.json is not valid JSON"),
        "JSON of many values": (
            {"vocab.json": b"[" + b"[]," * 6_000_000},
            "vocab.json has more than 8,000,000 values",
        ),
        "a list": ({"config.json": b"[]"}, "config.json is not a JSON object"),
        "a large tokenizer": ({"vocab.txt": b"a\n" * 25 * 1024**2}, "vocab.txt has 50 MB; at most 48 MB are read"),
    }


@pytest.mark.parametrize("case", refused_by_the_worker())
def test_contents_are_refused_by_the_worker(admin, var, files, worker, case):
    more, says = refused_by_the_worker()[case]
    shown = text(upload(admin, zipped(files | more)))
    assert "Not registered:" in shown and says in shown
    assert not LanguageModel.objects.exists() and not left_behind(var)


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
@pytest.mark.parametrize("kind", ["bert", "mine"])
def test_code_of_its_own_is_not_run(admin, var, files, worker, name, kind):
    told = json.loads(files[name]) | {"auto_map": {"AutoModelForMaskedLM": "m.Mine"}}
    told |= {"model_type": kind} if name == "config.json" else {}
    shown = text(upload(admin, zipped(files | {name: json.dumps(told).encode()})))
    assert f"{name} names code of its own (auto_map), which is never run here" in shown
    assert not LanguageModel.objects.exists() and not left_behind(var)


def test_what_cannot_be_used_leaves_nothing_behind(admin, var, files, worker):
    config = json.loads(files["config.json"]) | {"hidden_size": 48}
    shown = text(upload(admin, zipped(files | {"config.json": json.dumps(config).encode()})))
    assert "Not registered:" in shown and str(var) not in shown
    assert not LanguageModel.objects.exists() and not left_behind(var)
    assert upload(admin, zipped(files)).status_code == 200 and LanguageModel.objects.get().key == "mine"


@pytest.mark.usefixtures("begun_as_the_program_does")
def test_a_model_is_first_opened_apart(admin, var, files, worker, opening):
    opening()
    shown = text(upload(admin, zipped(files)))
    assert LanguageModel.objects.filter(key="mine").exists(), shown


def test_a_model_that_asks_for_too_much_is_not_opened(admin, var, files, worker, opening, monkeypatch):
    """Numbers in config.json may ask for any memory and time."""
    opening()
    config = json.loads(files["config.json"])
    large = files | {"config.json": json.dumps(config | {"vocab_size": 400_000_000}).encode()}
    shown = text(upload(admin, zipped(large), key="large"))
    assert "Not registered: the upload could not be loaded" in shown and "memory" in shown and str(var) not in shown
    monkeypatch.setattr("scoring.library.uploaded_files.PATIENCE", 0.2)
    deep = files | {"config.json": json.dumps(config | {"num_hidden_layers": 100_000}).encode()}
    shown = text(upload(admin, zipped(deep), key="deep"))
    assert "describes a model that takes more memory or time to open than its weights allow" in shown
    assert not LanguageModel.objects.exists()


def test_a_key_is_given_once(admin, var, files, worker):
    upload(admin, zipped(files))
    answer = upload(admin, zipped(files))
    assert answer.status_code == 422 and "Another model has this key." in text(answer)
    # Sent by somebody else at the same time, or done again by a worker that takes over.
    before, wanted = left_behind(var / "models"), Addition.objects.get().wanted
    for changed, says in (({}, "already there, nothing changed"), ({"vocab.txt": b"x"}, "another model with the key")):
        kept = keep(one_by_one(files | changed))
        made = Addition.objects.create(wanted=wanted, upload=kept, asked_by="root", state=Addition.State.WAITING)
        ADDITIONS.work(made.pk, worker="here")
        made.refresh_from_db()
        assert says in made.said
        assert left_behind(var / "models") == before


def test_too_much_is_cut_off_while_it_comes(admin, var, files, worker, settings):
    settings.MODEL_UPLOAD_MOST_BYTES = 1024
    answer = upload(admin, zipped(files, compression=zipfile.ZIP_STORED))
    assert answer.status_code == 422 and "The files have more than 0 MB together." in text(answer)
    assert not Addition.objects.exists() and not left_behind(var)


def test_a_model_may_be_larger_than_a_corpus(admin, files, worker, settings):
    settings.UPLOAD_MOST_BYTES = 100
    upload(admin, zipped(files))
    assert LanguageModel.objects.get().key == "mine"


def test_uploads_can_be_switched_off(admin, files, worker, settings):
    settings.MODEL_UPLOAD_MOST_BYTES = 0
    page = text(admin.get(reverse("model_add"), {"way": "upload"}))
    assert "This server takes no uploads of models." in page and 'type="file"' not in page
    assert upload(admin, zipped(files)).status_code == 422 and not Addition.objects.exists()


def test_only_those_who_may_add_models_send_files(client, researcher, var, files):
    answer = upload(client, zipped(files))
    assert answer.status_code == 403 and not Addition.objects.exists() and not left_behind(var)


def test_the_form_is_checked_for_forgery(var, files):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_superuser("root"))
    assert strict.post(reverse("model_add") + "?way=upload", ASKED | {"uploads": [zipped(files)]}).status_code == 403
    assert not Addition.objects.exists() and not left_behind(var)


def test_files_wait_for_the_queue_and_strays_are_erased(admin, var, files, monkeypatch):
    def silent(*given, **named):
        raise OperationalError

    monkeypatch.setattr(current_app, "send_task", silent)
    assert "waiting: the task queue cannot be reached" in text(upload(admin, zipped(files)))
    keep(one_by_one(files))
    monkeypatch.setattr("scoring.library.uploads.KEPT", -timedelta(days=1))
    assert forget_strays() == 1
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: ADDITIONS.work(args[1], worker="here"))
    resend()
    assert LanguageModel.objects.get().key == "mine"
