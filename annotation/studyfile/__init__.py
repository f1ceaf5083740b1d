"""The study file: study.toml, which says what a study is. Free of Django.

To add a setting: a line in `tables`, a column of annotation.models.Study, and its row in docs/studies.md.
"""

from annotation.studyfile.leaving import CODES, RETURN
from annotation.studyfile.reading import NAME, read_study, study_of
from annotation.studyfile.study import StudyFile, StudyFileError
from annotation.studyfile.tables import COLLECTION, QUALITY, RESULTS, SCORING, TOP

__all__ = [
    "CODES",
    "COLLECTION",
    "NAME",
    "QUALITY",
    "RESULTS",
    "RETURN",
    "SCORING",
    "TOP",
    "StudyFile",
    "StudyFileError",
    "read_study",
    "study_of",
]
