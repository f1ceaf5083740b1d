"""The study file: study.toml, which says what a study is. Free of Django.

To add a setting: a line in `tables`, a column of annotation.models.Study, and its row in docs/studies.md.
"""

from annotation.studyfile.leaving import CODES, RETURN
from annotation.studyfile.reading import NAME, read_study, settings_of, study_holding, study_of
from annotation.studyfile.stages import FIELD, QUESTION, STAGES
from annotation.studyfile.study import StudyFile, StudyFileError
from annotation.studyfile.tables import COLLECTION, PAGE, QUALITY, RESULTS, SCORING, TOP
from annotation.studyfile.writing import default_of, tables_of

__all__ = [
    "CODES",
    "COLLECTION",
    "FIELD",
    "NAME",
    "PAGE",
    "QUALITY",
    "QUESTION",
    "RESULTS",
    "RETURN",
    "SCORING",
    "STAGES",
    "TOP",
    "StudyFile",
    "StudyFileError",
    "default_of",
    "read_study",
    "settings_of",
    "study_holding",
    "study_of",
    "tables_of",
]
