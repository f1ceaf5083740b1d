"""Mechanical Turk's ExternalQuestion: our pages stand in a frame of the worker's page.

docs.aws.amazon.com/AWSMechTurk/latest/AWSMturkAPI/ApiReference_ExternalQuestionArticle.html: before a worker accepts,
assignmentId is a fixed word and nothing may be asked; at the end a form posts assignmentId and at least one other field
to `turkSubmitTo` + /mturk/externalSubmit. Of that address only the two hosts that there are, are believed.
"""

from annotation.platforms.contract import Framing, Platform, Recovery

SUBMIT = "/mturk/externalSubmit"
LIVE, SANDBOX = "https://www.mturk.com", "https://workersandbox.mturk.com"

MTURK = Platform(
    key="mturk",
    id_parameter="workerId",
    id_pattern="[A-Z0-9]{5,40}",
    study_parameter="hitId",
    session_parameter="assignmentId",
    # A frame may lose its cookies, and nobody but the worker knows the assignment.
    recovery=(Recovery.SESSION,),
    framing=Framing(
        by=(
            LIVE,
            SANDBOX,
            "https://worker.mturk.com",
            "https://requester.mturk.com",
            "https://requestersandbox.mturk.com",
        ),
        preview=("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE"),
        submit_parameter="turkSubmitTo",
        submits={LIVE: LIVE + SUBMIT, SANDBOX: SANDBOX + SUBMIT},
    ),
)
