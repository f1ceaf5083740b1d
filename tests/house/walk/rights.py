"""What every address asks for. An address that stands nowhere here fails the walk."""

import re

from django.urls import URLPattern

from accounts.urls import urlpatterns as of_accounts
from annotation.access.matrix import RIGHTS, Right
from api.urls import BY_TOKEN as ADDRESSES_BY_TOKEN
from researcher.urls import urlpatterns

SEE, EXPORT, EDIT, SCORE, COLLECT, IDENTIFY, PAY, OWN = Right

# Of an address within a study, the right that looking at it asks for, and the one that sending something there does.
# None: the address takes no such request.
IN_A_STUDY: dict[str, tuple[Right | None, Right | None]] = {
    "study": (SEE, None),
    "members": (SEE, OWN),
    "member_remove": (None, OWN),
    "invite": (None, OWN),
    "invitation_withdraw": (None, OWN),
    "shares": (EDIT, EDIT),
    "share_end": (None, EDIT),
    "webhooks": (OWN, OWN),
    "webhook_test": (None, OWN),
    "webhook_remove": (None, OWN),
    "history": (SEE, None),
    "history_file": (EXPORT, None),
    "setup": (EDIT, None),
    "new_study_done": (EDIT, None),
    "setup_file": (EDIT, None),
    "setup_items_file": (EDIT, None),
    "study_folder": (EDIT, None),
    "study_hash": (EDIT, None),
    "study_duplicate": (None, EDIT),
    "setup_gold": (None, EDIT),
    "items": (EDIT, None),
    "items_remove": (None, EDIT),
    "items_gold": (None, EDIT),
    "items_back": (None, EDIT),
    "items_correct": (None, EDIT),
    "item_new": (EDIT, EDIT),
    "items_file_add": (EDIT, EDIT),
    "item_edit": (EDIT, EDIT),
    "setup_preview": (EDIT, None),
    "setup_preview_at": (EDIT, EDIT),
    "setup_preview_beside": (EDIT, EDIT),
    "setup_part": (EDIT, EDIT),
    "setup_row_new": (EDIT, EDIT),
    "setup_row_back": (None, EDIT),
    "setup_row": (EDIT, EDIT),
    "setup_row_move": (None, EDIT),
    "made": (SEE, None),
    "made_figure": (EXPORT, None),
    "study_tags": (None, EDIT),
    "study_delete": (OWN, OWN),
    "study_archive": (None, EDIT),
    "study_restore": (None, EDIT),
    "study_open": (None, COLLECT),
    "study_close": (None, COLLECT),
    "study_unlock": (None, COLLECT),
    "annotators": (SEE, None),
    "links": (COLLECT, None),
    "bring_in": (COLLECT, None),
    "link_add": (None, COLLECT),
    "link_expire": (None, COLLECT),
    "link_limit": (None, COLLECT),
    "personal_links": (None, COLLECT),
    "label_files": (COLLECT, COLLECT),
    "barred": (None, COLLECT),
    "barred_clear": (None, COLLECT),
    "payment": (PAY, PAY),
    "ids_forget": (None, PAY),
    "payment_text": (PAY, PAY),
    "person": (IDENTIFY, IDENTIFY),
    "person_file": (IDENTIFY, None),
    "annotator_exclude": (COLLECT, COLLECT),
    "annotator_reinstate": (COLLECT, COLLECT),
    "synthetic_add": (None, COLLECT),
    "synthetic_remove": (COLLECT, COLLECT),
    "runs": (SEE, None),
    "runs_new": (SCORE, None),
    "run_start": (None, SCORE),
    "runs_stop": (None, SCORE),
    "two_runs": (SEE, None),
    "run": (SEE, None),
    "run_name": (None, SCORE),
    "run_stop": (None, SCORE),
    "score_files": (SCORE, SCORE),
    "score_files_moved": (SCORE, None),
    "run_remove": (None, SCORE),
    "results": (SEE, None),
    "figure": (EXPORT, None),
    "report": (EXPORT, EXPORT),
    "report_file": (EXPORT, None),
    "what_if": (SEE, None),
    "planning": (SEE, None),
    "power_file": (EXPORT, None),
    "aggregate": (None, SEE),
    "adjudication": (EDIT, EDIT),
    "revisions": (EDIT, None),
    "revision": (EDIT, EDIT),
    "comparison_item": (SEE, None),
    "variants_file": (EXPORT, None),
    "variants": (SEE, None),
    "dataset": (EXPORT, None),
    "export": (EXPORT, None),
    # Of the exports, those that say who somebody is.
    "export of people": (IDENTIFY, None),
}

# One's own account. The walk's researchers have no password and no second factor.
OF_ONES_OWN = {
    "account",
    "account_email",
    "account_change_password",
    "account_set_password",
    "usersessions_list",
    "socialaccount_connections",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
    "mfa_generate_recovery_codes",
}
# What of an account is not there for whoever has no second factor.
OF_A_SECOND_FACTOR = {
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_download_recovery_codes",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
}
# What is of no study: whoever is logged in gets in, and finds there what is theirs to see.
FOR_ALL = {
    "studies",
    "models",
    "docs_shelf",
    "docs",
    "glossary",
    "two_studies",
    "trainings",
    "trainings_table",
    "training_start",
    "new_study",
    "study_upload",
    "tokens",
    "api_addresses",
    "constructions",
    "construction",
    "data_sets",
    "data_set",
    "jobs",
}
# What is of an upload: theirs who made it (tests/researcher/new_study). The walk asks for one that nobody made.
OF_AN_UPLOAD = {"new_study_columns", "items_columns"}
# What is of a job: theirs who asked for it.
OF_A_JOB = {"job", "job_stop", "job_again", "label_columns", "score_columns"}
# What is of a training: theirs who asked for it.
OF_A_TRAINING = {"training_stop", "training_go_on", "training_curves", "training_figure"}
# What is of a token: theirs whose it is (tests/api/test_tokens.py). The walk asks for one of the owner's.
OF_A_TOKEN = {"token_withdraw"}
# What is of two studies at once: theirs who may export both.
OF_TWO_STUDIES = {"two_studies_file"}
# The way in and out: tests/accounts walks through it.
ENTRANCE = {str(pattern.name) for pattern in of_accounts} - OF_ONES_OWN - OF_A_SECOND_FACTOR
# Of the whole installation: theirs who may add models, which superusers may, and superusers' alone.
OF_THE_INSTALLATION = {"model_add", "endpoint_ask", "system"}
# Those of annotators, who have no account, and the way in and out: tests/house/test_addresses.py.
# What whoever has the link of a share reads: tests/house/walk/test_shared.py.
SHARED = {"shared", "shared_part", "shared_file"}
# What an operator's programs ask: tests/work/watching.
WATCHED = {"healthz", "readyz", "metrics"}
OPEN = ENTRANCE | SHARED | WATCHED | {"invitation", "welcome", "item", "back", "report_problem"}

# Addresses that give a file away.
FILES = {
    "setup_file", "setup_items_file", "study_folder", "person_file", "report_file", "variants_file", "dataset",
    "export", "export of people", "history_file", "made_figure", "power_file",
}  # fmt: skip
# Those that no analyst is given.
OF_EDITORS = {"setup_file", "setup_items_file", "study_folder", "person_file", "export of people"}
# What is looked at, and figures, of which nothing is kept.
LOOKED_AT = {name for name, (look, _) in IN_A_STUDY.items() if look} - FILES - {"payment_text"}

# Those of the API, which ask for a token: tests/api/test_walk.py walks them with one.
BY_TOKEN = {entry.name or "" for entry in ADDRESSES_BY_TOKEN}
OF_SOMEBODY = OF_ONES_OWN | OF_A_SECOND_FACTOR | OF_AN_UPLOAD | OF_A_JOB | OF_A_TRAINING | OF_A_TOKEN
BEYOND = FOR_ALL | OF_SOMEBODY | OF_TWO_STUDIES | OF_THE_INSTALLATION | OPEN | BY_TOKEN

# Addresses that give a file away.
FILES = {
    "setup_file", "setup_items_file", "study_folder", "person_file", "report_file", "variants_file", "dataset",
    "export", "export of people", "history_file", "made_figure", "power_file",
}  # fmt: skip
# Those that no analyst is given.
OF_EDITORS = {"setup_file", "setup_items_file", "study_folder", "person_file", "export of people"}
# What is looked at, and figures, of which nothing is kept.
LOOKED_AT = {name for name, (look, _) in IN_A_STUDY.items() if look} - FILES - {"payment_text"}


def as_markdown() -> str:
    """The table of docs/rights.md: the addresses of a study in the site's order."""
    lines = ["| address | to look | to send |", "| --- | --- | --- |"]
    for pattern in urlpatterns:
        if pattern.name in IN_A_STUDY:
            lines.append(_line(pattern, pattern.name))
    people = next(pattern for pattern in urlpatterns if pattern.name == "export")
    return "\n".join([*lines, _line(people, "export of people").replace("<what>", "payments")])


def _line(pattern: URLPattern, name: str) -> str:
    address = re.sub(r"<\w+:(\w+)>", r"<\1>", str(pattern.pattern))
    words = [RIGHTS[right].words if right else "" for right in IN_A_STUDY[name]]
    return f"| `/{address}` | {' | '.join(words)} |"
