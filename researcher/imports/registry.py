"""The kinds of files that are brought into a study, by the job that imports them."""

from researcher.imports.kind import FileKind
from researcher.imports.labels import LabelFiles
from researcher.imports.scores import ScoreFiles

LABELS, SCORES = LabelFiles(), ScoreFiles()
KINDS: dict[str, FileKind] = {kind.key: kind for kind in (LABELS, SCORES)}
