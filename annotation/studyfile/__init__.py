"""The study file: study.toml, which says what a study is. Free of Django.

To add a setting: docs/design.md, "To add one more".
"""

from annotation.studyfile.collection import COLLECTION
from annotation.studyfile.reading import (
    NAME,
    StudyFile,
    StudyFileError,
    default_of,
    read_study,
    settings_of,
    study_holding,
    study_of,
    tables_of,
    values_of,
)
from annotation.studyfile.stages import FIELD, QUESTION, STAGES
from annotation.studyfile.tables import PAGE, READ_BY_TABLE, RESULTS, SCORING, SETTINGS, TASK, TOP

__all__ = [
    "COLLECTION",
    "FIELD",
    "NAME",
    "PAGE",
    "QUESTION",
    "READ_BY_TABLE",
    "RESULTS",
    "SCORING",
    "SETTINGS",
    "STAGES",
    "TASK",
    "TOP",
    "StudyFile",
    "StudyFileError",
    "default_of",
    "read_study",
    "settings_of",
    "study_holding",
    "study_of",
    "tables_of",
    "values_of",
]
