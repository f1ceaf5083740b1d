"""A real, tiny model's files, and how they are sent."""

import io
import zipfile

import pytest
import torch
import transformers
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.scoring.library.little_models import SIZE, write_model


@pytest.fixture(scope="session")
def model_files(tmp_path_factory):
    """By name; nobody changes them."""
    torch.manual_seed(5)
    made = transformers.BertForMaskedLM(transformers.BertConfig(**SIZE, initializer_range=0.3))
    folder = write_model(tmp_path_factory.mktemp("made") / "little-bert", made)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def zipped(files, *, folder="little-bert/", name="little-bert.zip", compression=zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as out:
        for inside, data in files.items():
            out.writestr(inside if isinstance(inside, zipfile.ZipInfo) else f"{folder}{inside}", data)
    return SimpleUploadedFile(name, packed.getvalue())


def one_by_one(files):
    return [SimpleUploadedFile(name, data) for name, data in files.items()]
