"""Studies, items, people, labels. Rows of a kind stand in one file; import from here.

What concerns one row is a method of it, what concerns a set of rows a method of its QuerySet; a flow over several
models is a module of annotation. Invariants that must hold under concurrency are database constraints.
To add a model: a class in the file that it belongs to, a line below, and the app's migration.
"""

from annotation.models.assignment import CANNOT_JUDGE, Assignment, Judgment, LabelSource, RepeatedLabel, Revision
from annotation.models.item import Adjudication, Item, ItemReport, ItemRevision
from annotation.models.link import BarredId, StudyLink
from annotation.models.people import (
    Annotator,
    AnnotatorNumber,
    ComprehensionTry,
    Consent,
    ConsentVersion,
    Exclusion,
    PlatformId,
    QuestionnaireAnswers,
    Repeater,
    annotator_name,
)
from annotation.models.researchers import Act, Delivery, Invitation, Membership, Share, Webhook
from annotation.models.sitting import BonusHandedIn, PaymentDecision, Sitting
from annotation.models.study import Study

__all__ = [
    "CANNOT_JUDGE",
    "Act",
    "Adjudication",
    "Annotator",
    "AnnotatorNumber",
    "Assignment",
    "BarredId",
    "BonusHandedIn",
    "ComprehensionTry",
    "Consent",
    "ConsentVersion",
    "Delivery",
    "Exclusion",
    "Invitation",
    "Item",
    "ItemReport",
    "ItemRevision",
    "Judgment",
    "LabelSource",
    "Membership",
    "PaymentDecision",
    "PlatformId",
    "QuestionnaireAnswers",
    "RepeatedLabel",
    "Repeater",
    "Revision",
    "Share",
    "Sitting",
    "Study",
    "StudyLink",
    "Webhook",
    "annotator_name",
]
