"""Prolific: every id is 24 hexadecimal digits."""

from annotation.platforms.contract import Platform

PROLIFIC = Platform(
    key="prolific",
    id_parameter="PROLIFIC_PID",
    id_pattern="[0-9a-f]{24}",
    study_parameter="STUDY_ID",
    session_parameter="SESSION_ID",
    address="https://app.prolific.com/submissions/complete?cc={code}",
    home="https://app.prolific.com/",
)
