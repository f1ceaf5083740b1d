"""Studies, items, people, labels. One file a concern; import from here."""

from annotation.models.exclusion import Exclusion
from annotation.models.item import Item
from annotation.models.itemrevision import ItemRevision
from annotation.models.judgment import Judgment, Revision
from annotation.models.labelsource import LabelSource
from annotation.models.link import StudyLink
from annotation.models.people import Annotator
from annotation.models.sitting import Assignment, Sitting
from annotation.models.study import Study

__all__ = [
    "Annotator",
    "Assignment",
    "Exclusion",
    "Item",
    "ItemRevision",
    "Judgment",
    "LabelSource",
    "Revision",
    "Sitting",
    "Study",
    "StudyLink",
]
