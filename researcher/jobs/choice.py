"""Which constructions and data sets there are to choose from: what each makes, of what, and how an item looks."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.safestring import SafeString

from annotation.studyfile import read_study
from annotation.views.markdown import rendered
from researcher.new_study.pictures import Picture, picture_of
from stimuli.making.options import CONSTRUCTION
from stimuli.making.readme import about
from stimuli.making.registry import BUILDERS, importers

# The sample study whose items look as those of a construction do.
SAMPLES = {"adjectives": "adjectives", "agreement": "agreement", "intensifiers": "intensifiers", "altboolq": "passages"}


@dataclass(frozen=True, slots=True)
class Choice:
    """`facts` are the rows of its README: paper, data, license."""

    kind: str
    key: str
    title: str
    makes: SafeString
    facts: list[tuple[str, SafeString]]
    picture: Picture | None


def choices(kind: str) -> list[Choice]:
    return [choice(kind, key) for key in (BUILDERS if kind == CONSTRUCTION else importers())]


def choice(kind: str, key: str) -> Choice:
    """LookupError for a name that is none."""
    said = about(kind, key)
    facts = [(name, rendered(text)) for name, text in said.rows]
    picture = _picture(SAMPLES[key]) if kind == CONSTRUCTION and key in SAMPLES else None
    return Choice(kind, key, said.title, rendered(said.makes), facts, picture)


def _picture(sample: str) -> Picture:
    """Of the first target of a sample study."""
    folder = settings.BASE_DIR / "stimuli" / "samples" / sample
    study = read_study(folder)
    item = next(row for row in study.items if row.kind == "target")
    return picture_of(study.task, item.content)
