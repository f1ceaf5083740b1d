"""One's own volunteers: by an open link, each browser one annotator; or by personal links to ids of one's own."""

from annotation.platforms.contract import Platform

VOLUNTEERS = Platform(
    key="volunteers",
    id_parameter="annotator",
    id_required=False,
    study_parameter="STUDY_ID",
    session_parameter="SESSION_ID",
)
