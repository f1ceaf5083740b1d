"""The platforms: Prolific, any panel, Mechanical Turk, and one's own volunteers.

Prolific's rules on checks are its “Attention and Comprehension Check Policy”
(researcher-help.prolific.com/en/article/fb63bb, as stored in 2022), quoted in its forum (community.prolific.co/t/6620
and /t/6237): from 5 minutes on, only who failed two attention checks or more may be rejected, in a shorter study one is
enough; a check says in so many words which answer it wants; it recommends one in any study; for comprehension nobody is
rejected, they are asked to return their submission. Read the policy itself before a study: it changes.
"""

from annotation.platforms.contract import Framing, Outcome, Platform, Recovery, Rules

SUBMIT = "/mturk/externalSubmit"
LIVE, SANDBOX = "https://www.mturk.com", "https://workersandbox.mturk.com"
# From here on one failed check does not reject.
LONG_MINUTES = 5
SHOWN = 5


def least_failures(minutes: int) -> int:
    """Before a rejection. A sitting whose length is not known may be a long one."""
    return 1 if 0 < minutes < LONG_MINUTES else 2


def prolific_warnings(rules: Rules) -> list[str]:
    return [*_of_attention(rules), *_of_codes(rules)]


def _of_attention(rules: Rules) -> list[str]:
    found = []
    if rules.attention_per_sitting == 0:
        found.append("Prolific recommends an attention check in every study, and this one has none in a sitting.")
    elif least_failures(rules.minutes) > 1:
        when = "" if rules.minutes else f"If a sitting takes {LONG_MINUTES} minutes or more: "
        if rules.attention_per_sitting == 1:
            found.append(
                f"{when}Prolific rejects nobody for one failed attention check, and a sitting of this study has one. "
                "Mix in two, or pay who fails it."
            )
        if rules.max_attention_failures == 0:
            found.append(
                f"{when}Prolific rejects nobody for one failed attention check, and this study excludes for one. "
                "Set max_attention_failures to 1, or pay those who failed one."
            )
    if rules.gold_per_sitting:
        found.append(
            "Gold items are no attention checks to Prolific: labels that they exclude do not count, but who is "
            "excluded by them alone cannot be rejected."
        )
    if rules.unasked:
        named = ", ".join(rules.unasked[:SHOWN]) + (" …" if len(rules.unasked) > SHOWN else "")
        found.append(
            "Prolific takes only attention checks that say in words which answer they want. "
            f"These do not seem to name it: {named}."
        )
    return found


def _of_codes(rules: Rules) -> list[str]:
    if Outcome.COMPLETED not in rules.codes:
        return ["Without a completed code in [codes], nobody can hand in a code that Prolific knows."]
    found = []
    missing = [outcome for outcome in Outcome if outcome not in rules.codes]
    if missing:
        named = ", ".join(missing)
        found.append(f"There is no code in [codes] for {named}. Who ends so is led to Prolific without one.")
    screened = rules.codes.get(Outcome.SCREENED_OUT)
    if screened and screened == rules.codes.get(Outcome.FAILED_CHECKS):
        found.append(
            "Those screened out by comprehension questions and those who failed checks have the same code. Prolific "
            "does not let you reject the first, so give them one of their own."
        )
    return found


PROLIFIC = Platform(
    key="prolific",
    name="Prolific",
    id_parameter="PROLIFIC_PID",
    id_pattern="[0-9a-f]{24}",
    study_parameter="STUDY_ID",
    session_parameter="SESSION_ID",
    placeholders=("{{%PROLIFIC_PID%}}", "{{%STUDY_ID%}}", "{{%SESSION_ID%}}"),
    address="https://app.prolific.com/submissions/complete?cc={code}",
    home="https://app.prolific.com/",
    warnings=prolific_warnings,
    # The categories of its API (docs.prolific.com, "Approve or reject a submission").
    rejections={
        "FAILED_CHECK": "failed attention checks",
        "LOW_EFFORT": "clearly too little effort",
        "TOO_QUICKLY": "exceptionally fast: three standard deviations below the mean",
        "TOO_SLOWLY": "too slow",
        "FAILED_INSTRUCTIONS": "did not follow the instructions",
        "NO_DATA": "no answers have arrived",
        "NO_CODE": "no completion code",
        "BAD_CODE": "a wrong completion code",
        "UNSUPP_DEVICE": "a device that the study does not allow",
        "INCOMP_LONGITUDINAL": "left out a part of a study of several parts",
        "MALINGERING": "lied to get into the study",
        "OTHER": "another reason, given in the message",
    },
    failed_checks="FAILED_CHECK",
    least_failures=least_failures,
    least_message=100,
    never_rejected=frozenset({Outcome.SCREENED_OUT, Outcome.NO_CONSENT, Outcome.QUOTA_FULL, Outcome.WITHDRAWN}),
)


def panel_warnings(rules: Rules) -> list[str]:
    if "address" in rules.addresses:
        return []
    missing = [outcome for outcome in Outcome if outcome not in rules.addresses]
    if not missing:
        return []
    return [f"[return] names no address for {', '.join(missing)}: who ends so has no way back to the panel."]


# Any panel says who comes by `id`, and each outcome has an address, which the study file names.
PANEL = Platform(
    key="panel",
    name="Another panel, by templates",
    id_parameter="id",
    study_parameter="study",
    session_parameter="session",
    warnings=panel_warnings,
)


# Mechanical Turk's ExternalQuestion: our pages stand in a frame of the worker's page.
# docs.aws.amazon.com/AWSMechTurk/latest/AWSMturkAPI/ApiReference_ExternalQuestionArticle.html: before a worker accepts,
# assignmentId is a fixed word and nothing may be asked; at the end a form posts assignmentId and at least one other
# field to `turkSubmitTo` + /mturk/externalSubmit. Of that address only the two hosts that there are, are believed.
MTURK = Platform(
    key="mturk",
    name="Mechanical Turk (ExternalQuestion)",
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


# By an open link, each browser one annotator; or by personal links to ids of one's own.
VOLUNTEERS = Platform(
    key="volunteers",
    name="My own volunteers",
    id_parameter="annotator",
    id_required=False,
    study_parameter="STUDY_ID",
    session_parameter="SESSION_ID",
)
