"""Make a bundle and put it where finished ones lie. Apart from `kept`: pages ask for those, and load no pyarrow."""

import tempfile
from pathlib import Path

from annotation.models import Study
from comparison.bundle.archive import write_zip
from comparison.bundle.kept import of_study, path_of, place
from comparison.bundle.making import Report, make, silent
from comparison.bundle.mark import name


def keep(study: Study, *, report: Report = silent) -> Path:
    """Make the bundle of the data as they are, put it in its place, and remove those of before."""
    place().mkdir(parents=True, exist_ok=True)
    # Two may be at it at once: each has a folder of its own, and what both put in place is the same.
    with tempfile.TemporaryDirectory(prefix=f".{study.slug}-", dir=place()) as holder:
        folder, scratch = Path(holder) / "bundle", Path(holder) / "bundle.zip"
        folder.mkdir()
        chosen = make(study, folder, report=report)
        path = path_of(study, chosen.gathered.version)
        write_zip(folder, scratch, top=name(study))
        scratch.replace(path)
    for old in of_study(study):
        if old != path:
            old.unlink(missing_ok=True)
    return path
